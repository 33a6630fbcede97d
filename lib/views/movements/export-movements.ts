import type { MovementFileLayout, MovementSearch, MovementTab } from "@/lib/contract/movement-search";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CsvColumn } from "@/lib/core/shared/csv";
import type { ExportedFile } from "@/lib/core/shared/exported-file";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/calendar-date";
import type { Services } from "@/lib/platform/services";
import {
  accountColumns,
  outsideAccountColumns,
  readCardLines,
  readTransferLines,
} from "@/lib/views/movements/account-lines";
import { readCardRows } from "@/lib/views/movements/card-movement-row";
import { cardColumns, outsideColumns, transferColumns } from "@/lib/views/movements/export-columns";
import { listScan, type MovementLook } from "@/lib/views/movements/list-scans";
import { movementWindow } from "@/lib/views/movements/movement-window";
import { readOutsideRows } from "@/lib/views/movements/outside-movement-row";
import { readTransferRows } from "@/lib/views/movements/transfer-movement-row";
import { requireExport } from "@/lib/views/require-export";
import { type FileLimits, writeKeysetFile } from "@/lib/views/write-keyset-file";

const LIMITS: FileLimits = { maximumRows: 100_000, rowsPerBatch: 1_000 };

/**
 * A list of movements as CSV, with the same filters, newest first. What arrives while it is written is not in it. By
 * account it has a line, with a sign, for each account that a movement changed, and none of what never moved.
 * @throws AppError `ACCESS_DENIED` for a viewer, who reads and takes no copies.
 */
export function exportMovements(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { tab, search, layout }: { tab: MovementTab; search: MovementSearch; layout: MovementFileLayout },
  time: TimeContext,
  limits: FileLimits = LIMITS,
): ExportedFile {
  requireExport(context);
  const { organizationId, now } = context;
  const look: MovementLook = {
    organizationId,
    now,
    search,
    window: movementWindow(search, now, time.timeZone),
  };
  const { pool } = services;
  const day = calendarDate(now, time.timeZone);
  const byAccount = accountColumns(time);
  // Whoever looks at one account wants that account's lines, not those of the other side.
  const linesOf =
    (read: typeof readTransferLines) => (database: Queryable, id: string, ids: readonly string[]) =>
      read(database, id, ids, search.account);
  const lines = {
    LIST: {
      TRANSFERS: () => writeFile(pool, tab, look, transferColumns(time, now), readTransferRows, limits),
      CARDS: () => writeFile(pool, tab, look, cardColumns(time), readCardRows, limits),
      OUTSIDE: () => writeFile(pool, tab, look, outsideColumns(time), readOutsideRows, limits),
    },
    ACCOUNTS: {
      TRANSFERS: () => writeFile(pool, tab, look, byAccount, linesOf(readTransferLines), limits),
      CARDS: () => writeFile(pool, tab, look, byAccount, linesOf(readCardLines), limits),
      OUTSIDE: () => writeFile(pool, tab, look, outsideAccountColumns(time), readOutsideRows, limits),
    },
  }[layout][tab];
  const name = `${FILE_NAME[tab]}${layout === "ACCOUNTS" ? "-by-account" : ""}-${day}.csv`;
  return { fileName: name, lines: lines() };
}

const FILE_NAME: Record<MovementTab, string> = {
  TRANSFERS: "transfers",
  CARDS: "card-transactions",
  OUTSIDE: "outside-transactions",
};

function writeFile<Row>(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  columns: readonly CsvColumn<Row>[],
  readRows: (database: Queryable, organizationId: string, ids: readonly string[]) => Promise<Row[]>,
  limits: FileLimits,
): AsyncGenerator<string> {
  return writeKeysetFile(database, {
    scanOf: () => listScan(tab, look),
    columns,
    readRows: (ids) => readRows(database, look.organizationId, ids),
    limits,
  });
}
