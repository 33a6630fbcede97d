import type { Queryable } from "@/lib/db/transaction";

/** How far back a duplicate is looked for. */
export const LATELY_MS = 24 * 60 * 60 * 1000;

/** More than this many alike is a runaway key. */
const MAXIMUM_SIMILAR = 100;

/** SQL: whose transfers are looked through, and since when. */
export interface LookedThrough {
  organizationId: string;
  since: string;
}

/** The parameters of the statements about one organization. */
export const ONE_ORGANIZATION: LookedThrough = { organizationId: "$1", since: "$3" };

/**
 * Transfers like a transfer `t`: of its amount from its source or to its destination, or on its route. Two indexed scans,
 * because no index serves both. The closest comes first.
 * @param among a condition on each `other` of them
 */
export const similarTransfers = (among: string, where: LookedThrough) => `
  select alike.* from (
    select other.id, other.status, other.amount_in_cents, other.source_account_id, other.destination_account_id,
        other.created_at, true as is_same_amount
      from transfers other
     where other.organization_id = ${where.organizationId} and other.amount_in_cents = t.amount_in_cents
       and ${lately("other", where)}
       and other.source_account_id is not null
       and (other.source_account_id = t.source_account_id or other.destination_account_id = t.destination_account_id)
       and ${among}
    union all
    select other.id, other.status, other.amount_in_cents, other.source_account_id, other.destination_account_id,
        other.created_at, false
      from transfers other
     where other.organization_id = ${where.organizationId} and other.source_account_id = t.source_account_id
       and other.destination_account_id = t.destination_account_id and other.amount_in_cents <> t.amount_in_cents
       and ${lately("other", where)} and ${among}) alike
   order by alike.is_same_amount desc, alike.destination_account_id = t.destination_account_id desc, alike.id desc
   limit ${MAXIMUM_SIMILAR}`;

const SIMILAR_TRANSFERS = similarTransfers("true", ONE_ORGANIZATION);

/** Other live runs of the rule of a run `e` since `$3`, of the organization `$1`; the latest comes first. */
export const SIMILAR_RUNS = `
  select other.id, other.status from rule_executions other
   where other.organization_id = $1 and other.rule_id = e.rule_id and other.execution_mode = 'LIVE'
     and other.id <> e.id and other.created_at > $3 and other.id >= first_id_at($3 - interval '1 day')
     and other.status not in ('APPROVAL_DENIED', 'FAILED')
   order by other.id desc limit ${MAXIMUM_SIMILAR}`;

function lately(other: string, { since }: LookedThrough): string {
  // Ids are ordered by time, so the second line bounds the scan.
  return `${other}.execution_mode = 'LIVE' and ${other}.id <> t.id and ${other}.created_at > ${since}
       and ${other}.id >= first_id_at(${since} - interval '1 day')
       and ${other}.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE')`;
}

/**
 * Which of these proposals may be duplicates: another transfer of the same amount shares an account, or the rule has another
 * run, in the last 24 hours of business time. As their own pages flag them.
 */
export async function readPossibleDuplicates(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  proposalIds: readonly string[],
): Promise<Set<string>> {
  if (proposalIds.length === 0) return new Set();
  const { rows } = await database.query<{ id: string }>({
    name: "read_possible_duplicates",
    text: `
      select t.id from unnest($2::uuid[]) as asked (id)
       -- One probe for each: a join reads every run of the organization.
       cross join lateral (select * from transfers where organization_id = $1 and id = asked.id offset 0) t
       where exists (select from (${SIMILAR_TRANSFERS}) alike where alike.is_same_amount)
      union all
      select e.id from unnest($2::uuid[]) as asked (id)
       cross join lateral (
         select id, rule_id from rule_executions where organization_id = $1 and id = asked.id offset 0) e
       where exists (${SIMILAR_RUNS})`,
    values: [organizationId, proposalIds, new Date(now.getTime() - LATELY_MS)],
  });
  return new Set(rows.map(({ id }) => id));
}
