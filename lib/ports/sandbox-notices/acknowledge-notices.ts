import type { Pool } from "pg";
import { validate } from "uuid";
import type { NoticeTable } from "@/lib/ports/sandbox-notices/notice-table";

/**
 * A notice that is not due yet cannot have been read, so it cannot be acknowledged; see BankPort.acknowledge and
 * CardNetworkPort.acknowledge.
 */
export async function acknowledgeNotices(
  pool: Pool,
  table: NoticeTable,
  input: { organizationId: string; noticeReferences: string[]; businessNow: Date },
): Promise<void> {
  // A reference in a foreign format is one that this sandbox does not know, not an error of the database.
  const references = input.noticeReferences.filter((reference) => validate(reference));
  if (references.length === 0) return;
  await pool.query({
    name: `acknowledge_${table}`,
    // Locked in key order, so that two acknowledgements of the same notices wait for each other, never in a circle.
    text: `with owed as (
             select notice_reference
               from ${table}
              where organization_id = $1 and notice_reference = any($2::uuid[])
                and deliveries_left > 0 and due_at <= $3
              order by notice_reference
                for update)
           update ${table} n
              set deliveries_left = n.deliveries_left - 1, acknowledged_at = $3
             from owed
            where n.organization_id = $1 and n.notice_reference = owed.notice_reference`,
    values: [input.organizationId, references, input.businessNow],
  });
}
