import type { Pool } from "pg";
import { validate } from "uuid";

/**
 * Each sandbox queues its notices in its own table of one shape: due at a business time, repeated until acknowledged.
 */
type NoticeTable = "sandbox_bank_notices" | "sandbox_card_notices";

/** Due notices scanned per poll: a backlog takes several polls, each as cheap as the last. */
const MAX_NOTICES_SCANNED = 2_000;
/**
 * Organizations whose clock was moved: a handful in a sandbox. The bound keeps the poll from growing with their number.
 */
const MAX_MOVED_CLOCKS = 1_000;

/** Whether the sandbox bank's notice `n` waits; see BankPort.setAside. */
export function isSetAside(businessNow: string): string {
  return `exists (
    select from bank_unapplied_notices u
     where u.organization_id = n.organization_id and u.retry_at > ${businessNow}
       and u.subject = coalesce(n.transfer_id::text, n.deposit_reference)
       and (u.notice_reference = n.notice_reference::text or n.kind not in ('DEPOSITED', 'SETTLED')))`;
}

/**
 * Business time is never behind real time, so what is due by real time is due everywhere: one range of the table's
 * index over what is due. Organizations with a moved clock may have more, and are probed one index entry each. See
 * BankPort.organizationsWithNotices and CardNetworkPort.organizationsWithNotices.
 */
export async function listDueOrganizations(
  pool: Pool,
  table: NoticeTable,
  input: { realNow: Date; limit: number },
): Promise<string[]> {
  const isDue = (businessNow: string) =>
    table === "sandbox_bank_notices" ? `and not ${isSetAside(businessNow)}` : "";
  const { rows } = await pool.query<{ organizationId: string }>({
    name: `list_due_${table}`,
    text: `with due_by_real_time as (
             select n.organization_id, n.due_at
               from ${table} n
              where n.deliveries_left > 0 and n.due_at <= $1::timestamptz ${isDue("$1")}
              order by n.due_at
              limit $3
           ), moved as (
             select id, clock_offset_ms from organizations where clock_offset_ms > 0 limit $4
           ), due_by_moved_clock as (
             select first_due.organization_id, first_due.due_at
               from moved
              cross join lateral (
                select n.organization_id, n.due_at
                  from ${table} n
                 where n.organization_id = moved.id and n.deliveries_left > 0
                   and n.due_at <= $1::timestamptz + moved.clock_offset_ms * interval '1 millisecond'
                   ${isDue("$1::timestamptz + moved.clock_offset_ms * interval '1 millisecond'")}
                 order by n.due_at
                 limit 1) first_due
           )
           select organization_id as "organizationId"
             from (select * from due_by_real_time union all select * from due_by_moved_clock) due
            group by organization_id
            order by min(due_at), organization_id
            limit $2`,
    values: [input.realNow, input.limit, MAX_NOTICES_SCANNED, MAX_MOVED_CLOCKS],
  });
  return rows.map((row) => row.organizationId);
}

/**
 * A notice that is not due yet cannot have been read, so it cannot be acknowledged; see BankPort.acknowledge and
 * CardNetworkPort.acknowledge.
 */
export async function acknowledgeNotices(
  pool: Pool,
  table: NoticeTable,
  input: { organizationId: string; noticeReferences: string[]; businessNow: Date },
): Promise<void> {
  // A reference in a foreign format is unknown to this sandbox, not an error of the database.
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
