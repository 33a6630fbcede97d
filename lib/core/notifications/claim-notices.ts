import { NOTICES, type NoticeKind } from "@/lib/contract/notifications";
import type { Queryable } from "@/lib/db/transaction";

export interface DueNotice {
  organizationId: string;
  organizationName: string;
  timeZone: string;
  id: string;
  kind: NoticeKind;
  /** A proposal, an execution, a transfer, an endpoint, a key, a session or a person. */
  subjectId: string;
  /** The one person it concerns; null: every owner and co-owner. */
  userId: string | null;
  /** Notices of one kind and key are combined into a digest; null: never. */
  digestKey: string | null;
  createdAt: Date;
  /** Business time of the organization. */
  now: Date;
  /** Five others of its kind and digest key were written in the hour before it. */
  isTooMany: boolean;
  wasDeferred: boolean;
}

/** Notices of one digest key that are sent singly within an hour. */
const SINGLE_PER_HOUR = 5;

const COLUMNS = `n.organization_id as "organizationId", o.name as "organizationName", o.time_zone as "timeZone", n.id,
    n.kind, coalesce(n.proposal_id, n.subject_id) as "subjectId", n.user_id as "userId", n.api_key_id as "digestKey",
    n.created_at as "createdAt", $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as now,
    n.due_at > n.created_at as "wasDeferred"`;
const IS_DUE = `n.handled_at is null and n.due_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
    and n.due_at <= (select latest_business_time($1))`;

/** A notice of a newer version, which already serves, waits for it. */
const KNOWN_KINDS = Object.keys(NOTICES);

/** Locks due notices for this transaction, oldest first. Each organization's business time follows from `realNow`. */
export async function claimNotices(client: Queryable, realNow: Date, limit: number): Promise<DueNotice[]> {
  const { rows } = await client.query<DueNotice>({
    name: "claim_notices",
    text: `
      select ${COLUMNS},
          (select count(*) from (
             select 1 from notices other
              where other.organization_id = n.organization_id and other.api_key_id = n.api_key_id
                and other.kind = n.kind and other.created_at > n.created_at - interval '1 hour'
                and (other.created_at, other.id) < (n.created_at, n.id)
              limit ${SINGLE_PER_HOUR}) earlier) = ${SINGLE_PER_HOUR} as "isTooMany"
        from claim_due_notices($1, $2, $3) claimed
       -- One probe for each: a join could read every notice.
       cross join lateral (
         select * from notices where organization_id = claimed.organization_id and id = claimed.id offset 0) n
        join organizations o on o.id = n.organization_id
       order by n.due_at, n.id`,
    values: [realNow, KNOWN_KINDS, limit],
  });
  return rows;
}

/**
 * Locks the other notices that belong to the digests of the claimed ones, so that a flood becomes one message, not one
 * per batch of a worker.
 */
export async function claimForDigest(
  client: Queryable,
  realNow: Date,
  claimed: readonly DueNotice[],
  limit: number,
): Promise<DueNotice[]> {
  const deferred = claimed.filter((notice) => notice.wasDeferred && notice.digestKey !== null);
  if (deferred.length === 0) return [];
  const { rows } = await client.query<DueNotice>({
    name: "claim_for_digest",
    text: `
      select ${COLUMNS}, false as "isTooMany"
        from notices n join organizations o on o.id = n.organization_id
       where (n.organization_id, n.api_key_id, n.kind) in (select * from unnest($2::uuid[], $3::uuid[], $4::text[]))
         and n.due_at > n.created_at and ${IS_DUE} and n.id <> all ($5::uuid[])
       order by n.due_at, n.id limit $6
       for update of n skip locked`,
    values: [
      realNow,
      deferred.map((notice) => notice.organizationId),
      deferred.map((notice) => notice.digestKey),
      deferred.map((notice) => notice.kind),
      claimed.map((notice) => notice.id),
      limit,
    ],
  });
  return rows;
}

/** Postpones notices to the next full quarter of an hour, when their digest is sent. */
export async function deferNotices(client: Queryable, notices: readonly DueNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await client.query(
    `update notices n set due_at =
        date_bin('15 minutes', n.created_at, timestamptz '2000-01-01 00:00:00+00') + interval '15 minutes'
      where (n.organization_id, n.id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [notices.map((notice) => notice.organizationId), notices.map((notice) => notice.id)],
  );
}

/** Postpones notices that could not be prepared. */
export async function postponeNotices(client: Queryable, notices: readonly DueNotice[]): Promise<void> {
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
