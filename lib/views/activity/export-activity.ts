import { writeCents } from "@/lib/contract/format-cents";
import type { ActivitySearch } from "@/lib/contract/search/list-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { type CsvColumn, csvHead, csvLines, type ExportedFile } from "@/lib/core/shared/csv";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { Services } from "@/lib/platform/services";
import { cursorOf, scanActivity } from "@/lib/views/activity/activity-scan";
import { type ActivityRowView, describeActivity } from "@/lib/views/activity/list-activity";
import { dayColumn, zoneColumn } from "@/lib/views/movements/export-movements";
import { requireExport } from "@/lib/views/require-export";
import { activityWords } from "@/lib/words/activity-words";

const ROWS_PER_BATCH = 200;
const MAXIMUM_ROWS = 20_000;

/**
 * What people did as CSV, with the page's filters, newest first.
 * @throws AppError `ACCESS_DENIED` for a viewer, who may not export.
 */
export function exportActivity(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  search: ActivitySearch,
  time: TimeContext,
): ExportedFile {
  requireExport(context);
  return {
    fileName: `activity-${calendarDate(context.now, time.timeZone)}.csv`,
    lines: writeLines(services, context, search, time),
  };
}

async function* writeLines(
  { pool }: Pick<Services, "pool">,
  context: Context<MemberActor>,
  search: ActivitySearch,
  time: TimeContext,
): AsyncGenerator<string> {
  const scan = { organizationId: context.organizationId, search, timeZone: time.timeZone };
  const columns = columnsOf(time);
  yield csvHead(columns);
  let cursor: string | null = null;
  for (let written = 0; written < MAXIMUM_ROWS; written += ROWS_PER_BATCH) {
    const beyond = cursor === null ? null : { side: "OLDER" as const, cursor };
    const rows = await scanActivity(pool, scan, beyond, ROWS_PER_BATCH);
    yield csvLines(columns, await describeActivity(pool, context, rows));
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_BATCH) return;
    cursor = cursorOf(last);
  }
  const end = `This file ends after ${MAXIMUM_ROWS.toLocaleString("en-US")} rows. Choose fewer days for the rest.`;
  yield csvLines([{ header: "", value: (text: string) => text }], [end]);
}

function columnsOf(time: TimeContext): CsvColumn<ActivityRowView>[] {
  return [
    dayColumn(time, ({ at }) => new Date(at)),
    { header: "Who", value: ({ byName }) => byName },
    {
      header: "What",
      value: ({ activity }) => activityWords(activity, { money: writeCents, moment: (at) => at }),
    },
    { header: "About", value: ({ group }) => group },
    { header: "At (UTC)", value: ({ at }) => new Date(at) },
    { header: "Id", value: ({ key }) => key },
    zoneColumn(time),
  ];
}
