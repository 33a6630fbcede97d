import type { Queryable } from "@/lib/platform/db/transaction";

export interface DueNotice {
  organizationId: string;
  organizationName: string;
  timeZone: string;
  id: string;
  kind: "APPROVAL_ASKED" | "APPROVAL_REMINDER" | "APPROVAL_DECIDED";
  proposalId: string;
  apiKeyId: string | null;
  /** Business time of the organization. */
  now: Date;
  /** Five others of its kind and key came within the hour before it. */
  isTooMany: boolean;
  wasDeferred: boolean;
}

/** How many of one key are told one by one within an hour. */
const TOLD_SINGLY = 5;

interface NoticeRow {
  organization_id: string;
  organization_name: string;
  time_zone: string;
  id: string;
  kind: DueNotice["kind"];
  proposal_id: string;
  api_key_id: string | null;
  now: Date;
  earlier: number;
  was_deferred: boolean;
}

/** Locks due notices for this transaction, oldest first. `realNow`: each organization has its own business time. */
export async function claimNotices(client: Queryable, realNow: Date, limit: number): Promise<DueNotice[]> {
  const { rows } = await client.query<NoticeRow>({
    name: "claim_notices",
    text: `
      select n.organization_id, o.name as organization_name, o.time_zone, n.id, n.kind, n.proposal_id, n.api_key_id,
          $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as now, n.due_at > n.created_at as was_deferred,
          (select count(*) from (
             select 1 from notices other
              where other.organization_id = n.organization_id and other.api_key_id = n.api_key_id
                and other.kind = n.kind and other.created_at > n.created_at - interval '1 hour'
                and (other.created_at, other.id) < (n.created_at, n.id)
              limit ${TOLD_SINGLY}) earlier)::int as earlier
        from notices n join organizations o on o.id = n.organization_id
       where n.handled_at is null and n.due_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
       order by n.due_at, n.id limit $2
       for update of n skip locked`,
    values: [realNow, limit],
  });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    timeZone: row.time_zone,
    id: row.id,
    kind: row.kind,
    proposalId: row.proposal_id,
    apiKeyId: row.api_key_id,
    now: row.now,
    isTooMany: row.earlier >= TOLD_SINGLY,
    wasDeferred: row.was_deferred,
  }));
}

/** Puts notices off to the next full quarter of an hour, where they are told together. */
export async function deferNotices(client: Queryable, notices: readonly DueNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await client.query(
    `update notices n set due_at =
        date_bin('15 minutes', n.created_at, timestamptz '2000-01-01 00:00:00+00') + interval '15 minutes'
      where (n.organization_id, n.id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [notices.map((notice) => notice.organizationId), notices.map((notice) => notice.id)],
  );
}

export async function markHandled(client: Queryable, notices: readonly DueNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await client.query(
    `update notices n set handled_at = handled.at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as handled(organization_id, id, at)
      where n.organization_id = handled.organization_id and n.id = handled.id`,
    [
      notices.map((notice) => notice.organizationId),
      notices.map((notice) => notice.id),
      notices.map((notice) => notice.now),
    ],
  );
}
