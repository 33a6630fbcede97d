import type { NoticeKind } from "@/lib/contract/notifications";
import type { Queryable } from "@/lib/db/transaction";

export interface DueNotice {
  organizationId: string;
  organizationName: string;
  timeZone: string;
  id: string;
  kind: NoticeKind;
  /** A proposal, an execution, a transfer, an endpoint, a key, a session or a person. */
  subjectId: string;
  /** The one person whom it concerns; null: every owner and co-owner. */
  userId: string | null;
  /** Many of one kind and of this are told together; null: each by itself. */
  toldTogetherBy: string | null;
  createdAt: Date;
  /** Business time of the organization. */
  now: Date;
  /** Five others of its kind came within the hour before it, of the same thing to be told together by. */
  isTooMany: boolean;
  wasDeferred: boolean;
}

/** How many of one thing are told one by one within an hour. */
const TOLD_SINGLY = 5;

interface NoticeRow {
  organization_id: string;
  organization_name: string;
  time_zone: string;
  id: string;
  kind: NoticeKind;
  subject_id: string;
  user_id: string | null;
  told_together_by: string | null;
  created_at: Date;
  now: Date;
  earlier: number;
  was_deferred: boolean;
}

const COLUMNS = `n.organization_id, o.name as organization_name, o.time_zone, n.id, n.kind,
    coalesce(n.proposal_id, n.subject_id) as subject_id, n.user_id, n.api_key_id as told_together_by, n.created_at,
    $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as now, n.due_at > n.created_at as was_deferred`;
const IS_DUE =
  "n.handled_at is null and n.due_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'";

/** Locks due notices for this transaction, oldest first. `realNow`: each organization has its own business time. */
export async function claimNotices(client: Queryable, realNow: Date, limit: number): Promise<DueNotice[]> {
  const { rows } = await client.query<NoticeRow>({
    name: "claim_notices",
    text: `
      select ${COLUMNS},
          (select count(*) from (
             select 1 from notices other
              where other.organization_id = n.organization_id and other.api_key_id = n.api_key_id
                and other.kind = n.kind and other.created_at > n.created_at - interval '1 hour'
                and (other.created_at, other.id) < (n.created_at, n.id)
              limit ${TOLD_SINGLY}) earlier)::int as earlier
        from notices n join organizations o on o.id = n.organization_id
       where ${IS_DUE}
       order by n.due_at, n.id limit $2
       for update of n skip locked`,
    values: [realNow, limit],
  });
  return rows.map(toNotice);
}

/**
 * Locks what is told together with these and was not claimed with them: a flood of hundreds is one message, and not one
 * for every fifty that a worker takes at once.
 */
export async function claimTheirLike(
  client: Queryable,
  realNow: Date,
  claimed: readonly DueNotice[],
  limit: number,
): Promise<DueNotice[]> {
  const deferred = claimed.filter((notice) => notice.wasDeferred && notice.toldTogetherBy !== null);
  if (deferred.length === 0) return [];
  const { rows } = await client.query<NoticeRow>({
    name: "claim_their_like",
    text: `
      select ${COLUMNS}, 0 as earlier
        from notices n join organizations o on o.id = n.organization_id
       where (n.organization_id, n.api_key_id, n.kind) in (select * from unnest($2::uuid[], $3::uuid[], $4::text[]))
         and n.due_at > n.created_at and ${IS_DUE} and n.id <> all ($5::uuid[])
       order by n.due_at, n.id limit $6
       for update of n skip locked`,
    values: [
      realNow,
      deferred.map((notice) => notice.organizationId),
      deferred.map((notice) => notice.toldTogetherBy),
      deferred.map((notice) => notice.kind),
      claimed.map((notice) => notice.id),
      limit,
    ],
  });
  return rows.map(toNotice);
}

function toNotice(row: NoticeRow): DueNotice {
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    timeZone: row.time_zone,
    id: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    userId: row.user_id,
    toldTogetherBy: row.told_together_by,
    createdAt: row.created_at,
    now: row.now,
    isTooMany: row.earlier >= TOLD_SINGLY,
    wasDeferred: row.was_deferred,
  };
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

/** Puts notices off that cannot be told at the moment. */
export async function putOff(client: Queryable, notices: readonly DueNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await client.query(
    `update notices n set due_at = later.now + interval '15 minutes'
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as later(organization_id, id, now)
      where n.organization_id = later.organization_id and n.id = later.id`,
    [
      notices.map((notice) => notice.organizationId),
      notices.map((notice) => notice.id),
      notices.map((notice) => notice.now),
    ],
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
