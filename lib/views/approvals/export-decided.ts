import type { ApprovalSearch } from "@/lib/contract/search/list-search";
import type { TimeContext } from "@/lib/contract/time-context";
import { readDocumentNames } from "@/lib/core/approvals/documents/document-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CsvColumn, ExportedFile } from "@/lib/core/shared/csv";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { Services } from "@/lib/platform/services";
import { decidedScan } from "@/lib/views/approvals/decided-scan";
import { type DecidedProposalView, readDecided } from "@/lib/views/approvals/list-proposals";
import { dayColumn, zoneColumn } from "@/lib/views/movements/export-movements";
import { requireExport } from "@/lib/views/require-export";
import { writeKeysetFile } from "@/lib/views/write-keyset-file";

/** Smaller than elsewhere: each run is read with its plan, which is more than a row. */
const ROWS_PER_BATCH = 200;
const MAXIMUM_ROWS = 20_000;

/**
 * The decided proposals as CSV, with the page's filters, newest first.
 * @throws AppError `ACCESS_DENIED` for a viewer, who may not export.
 */
export function exportDecided(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  search: ApprovalSearch,
  time: TimeContext,
): ExportedFile {
  requireExport(context);
  const { pool } = services;
  return {
    fileName: `approvals-${calendarDate(context.now, time.timeZone)}.csv`,
    lines: writeKeysetFile(pool, {
      scanOf: () => decidedScan(context.organizationId, search, time.timeZone),
      columns: columnsOf(time),
      readRows: (ids) => readExported(pool, context, ids),
      limits: { maximumRows: MAXIMUM_ROWS, rowsPerBatch: ROWS_PER_BATCH },
    }),
  };
}

interface ExportedProposal extends DecidedProposalView {
  /** Names and hashes; null: none. */
  documents: string | null;
}

async function readExported(
  database: Queryable,
  context: Context<MemberActor>,
  ids: readonly string[],
): Promise<ExportedProposal[]> {
  const [rows, documents] = await Promise.all([
    readDecided(database, context, ids),
    readDocumentNames(database, context.organizationId, ids),
  ]);
  return rows.map((row) => ({ ...row, documents: documents.get(row.id) ?? null }));
}

function columnsOf(time: TimeContext): CsvColumn<ExportedProposal>[] {
  return [
    dayColumn(time, ({ decidedAt }) => new Date(decidedAt)),
    { header: "Kind", value: ({ subject }) => subject.kind },
    { header: "Rule", value: ({ subject }) => (subject.kind === "RULE_RUN" ? subject.ruleName : null) },
    { header: "From", value: ({ subject }) => subject.sourceName },
    {
      header: "To",
      value: ({ subject }) =>
        subject.kind === "RULE_RUN" ? subject.destinations.firstName : subject.destinationName,
    },
    {
      header: "Amount (USD)",
      value: ({ subject: { amountInCents } }) => (amountInCents === null ? null : BigInt(amountInCents)),
    },
    { header: "Asked by", value: ({ requesterName }) => requesterName },
    { header: "Asked by kind", value: ({ requesterKind }) => requesterKind },
    { header: "Decision", value: ({ decision }) => decision?.kind ?? null },
    { header: "Decided by", value: ({ decision }) => decision?.byName ?? null },
    { header: "Note", value: ({ decision }) => decision?.note ?? null },
    { header: "Outcome", value: ({ status }) => status },
    { header: "Decided at (UTC)", value: ({ decidedAt }) => new Date(decidedAt) },
    { header: "Id", value: ({ id }) => id },
    zoneColumn(time),
    { header: "External id", value: ({ labels }) => labels.externalId },
    {
      header: "Metadata",
      value: ({ labels }) => (labels.metadata.length > 0 ? JSON.stringify(labels.metadata) : null),
    },
    { header: "Documents (SHA-256)", value: ({ documents }) => documents },
  ];
}
