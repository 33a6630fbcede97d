import type { AuditSearch } from "@/lib/contract/search/audit-search";
import type { CanonicalEntry } from "@/lib/core/audit/audit-digest";
import { searchConditions } from "@/lib/core/audit/audit-search";
import { instant } from "@/lib/core/audit/read-seals";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { type CsvColumn, csvHead, csvLines } from "@/lib/core/shared/csv";
import { requireAccountant } from "@/lib/core/shared/roles";
import type { Services } from "@/lib/platform/services";

const ENTRIES_PER_BATCH = 1_000;
/** About what a spreadsheet holds; larger exports are split by days. */
const MAXIMUM_EXPORTED = 1_000_000;

type AuditExportFormat = "csv" | "json";

const COLUMNS: readonly CsvColumn<CanonicalEntry>[] = [
  { header: "Time (UTC)", value: ({ createdAt }) => createdAt },
  { header: "Caller", value: ({ apiKeyName }) => apiKeyName },
  { header: "Caller id", value: ({ apiKeyId }) => apiKeyId },
  { header: "Action", value: ({ action }) => action },
  { header: "Method", value: ({ method }) => method },
  { header: "Path", value: ({ path }) => path },
  { header: "Reason", value: ({ reason }) => reason },
  { header: "Outcome", value: ({ outcome }) => outcome },
  { header: "Error code", value: ({ errorCode }) => errorCode },
  { header: "Error detail", value: ({ errorDetail }) => errorDetail },
  { header: "Request id", value: ({ requestId }) => requestId },
  { header: "Entry id", value: ({ id }) => id },
];

/**
 * The entries that a search finds, newest first, streamed as a file: memory holds one batch. It contains text from
 * callers, so values are protected from running as formulas.
 * @param maximum entries; a file that is cut off says so at its end
 * @throws AppError `ACCESS_DENIED` for a viewer, before any output.
 */
export function exportFoundEntries(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  look: { search: AuditSearch; timeZone: string; format: AuditExportFormat },
  maximum = MAXIMUM_EXPORTED,
): AsyncGenerator<string> {
  requireAccountant(context);
  const batches = readBatches(services, context.organizationId, look, maximum);
  return look.format === "csv" ? asCsv(batches) : asJson(batches);
}

/** The last line of a file that is cut off. */
const CUT_OFF = "The search found more requests than fit into one file. Choose fewer days.";

interface Batch {
  entries: CanonicalEntry[];
  isCutOff: boolean;
}

async function* readBatches(
  services: Pick<Services, "pool">,
  organizationId: string,
  { search, timeZone }: { search: AuditSearch; timeZone: string },
  maximum: number,
): AsyncGenerator<Batch> {
  let before: string | null = null;
  for (let sent = 0; ; ) {
    const { text, values } = searchConditions(organizationId, search, timeZone);
    const beyond: string = before === null ? "" : ` and id < $${values.push(before)}`;
    const limit = Math.min(ENTRIES_PER_BATCH, maximum - sent);
    const found: { rows: CanonicalEntry[] } = await services.pool.query<CanonicalEntry>({
      text: `
        with page as materialized (
          select id from audit_entries where ${text}${beyond} order by id desc limit ${limit + 1})
        select entry.* from page
          cross join lateral (
            select e.organization_id as "organizationId", e.id, ${instant("e.created_at")} as "createdAt",
                   e.api_key_id as "apiKeyId", e.api_key_name as "apiKeyName", e.method, e.path, e.action, e.reason,
                   e.request_id as "requestId", e.outcome, e.error_code as "errorCode",
             e.error_detail as "errorDetail"
              from audit_entries e where e.organization_id = $1 and e.id = page.id offset 0) entry
         order by entry.id desc`,
      values,
    });
    const entries = found.rows.slice(0, limit);
    const last = entries.at(-1);
    const hasMore = found.rows.length > limit;
    sent += entries.length;
    yield { entries, isCutOff: hasMore && sent >= maximum };
    if (!last || !hasMore || sent >= maximum) return;
    before = last.id;
  }
}

async function* asCsv(batches: AsyncIterable<Batch>): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  for await (const { entries, isCutOff } of batches) {
    yield csvLines(COLUMNS, entries);
    if (isCutOff) yield `${CUT_OFF}\r\n`;
  }
}

/** An object with a list, so that a reader who parses it knows that it is complete. */
async function* asJson(batches: AsyncIterable<Batch>): AsyncGenerator<string> {
  yield '{"entries":[';
  let separator = "\n";
  let isWhole = true;
  for await (const { entries, isCutOff } of batches) {
    const lines = entries.map(({ organizationId: _, ...entry }) => JSON.stringify(entry));
    // A chunk per entry would cost more than the entry.
    if (lines.length > 0) yield separator + lines.join(",\n");
    separator = ",\n";
    isWhole = !isCutOff;
  }
  yield `\n],"isWhole":${isWhole}${isWhole ? "" : `,"note":${JSON.stringify(CUT_OFF)}`}}\n`;
}
