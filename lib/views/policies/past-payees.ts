import { MAXIMUM_EXPIRY_HOURS } from "@/lib/contract/policies/policy";
import type { Queryable } from "@/lib/db/transaction";
import type { PolicyFacts } from "@/lib/engine/policies/match-policy";

/** Changes of accounts, newest first; older ones count as never made. */
const MAXIMUM_CHANGES = 10_000;

interface Moment {
  accountId: string;
  /** When its account was confirmed; null: ever. */
  since: Date | null;
  /** The first payment since then. */
  paidAt: Date | null;
}

/** What payees and registered accounts were at a moment, or are now (null). */
export type PayeesAt = (accountIds: readonly string[], at: Date | null) => PolicyFacts["payee"];

/**
 * Whether a payee or registered account among these was new, or changed since it was last paid. Reads the first payment after
 * each change, and not the last one before each moment: payees change rarely, and are paid a thousand times.
 */
export async function readPayeesAt(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<PayeesAt> {
  const { rows } = await database.query<Moment>({
    name: "read_first_payments",
    text: `
      with payees_paid as materialized (
        select p.id from payees p where p.organization_id = $1 and p.id = any ($2)
        union
        select r.account_id from registered_accounts r
         where r.organization_id = $1 and r.account_id = any ($2) and r.bank_reference is not null),
      moments as materialized (
        select id as account_id, null::timestamptz as since from payees_paid
        union all
        (select e.payee_id, e.at from payee_events e
          where e.organization_id = $1 and e.payee_id in (select id from payees_paid) and e.kind = 'CONFIRMED'
          order by e.at desc limit ${MAXIMUM_CHANGES}))
      select m.account_id as "accountId", m.since, least(early.at, earlier.at) as "paidAt"
        from moments m
        left join lateral (
          select t.accepted_at as at from transfers t where ${isPaymentSince}
           order by t.id limit 1) early on true
        -- One that was proposed before it may have waited less.
        left join lateral (
          select min(t.accepted_at) as at from transfers t where ${isPaymentSince} and t.id < first_id_at(early.at)) earlier on true
       order by m.since nulls first`,
    values: [organizationId, accountIds],
  });
  const momentsOf = new Map<string, Moment[]>();
  for (const moment of rows) {
    momentsOf.set(moment.accountId, [...(momentsOf.get(moment.accountId) ?? []), moment]);
  }
  return (asked, at) => {
    const states = asked.map((accountId) => stateAt(momentsOf.get(accountId) ?? [], at));
    return states.find((state) => state === "NEW") ?? states.find((state) => state === "CHANGED") ?? null;
  };
}

/** In the order of ids, which are ordered by time, so that the first one is found soon. */
const isPaymentSince = `
  t.organization_id = $1 and t.destination_account_id = m.account_id and t.execution_mode = 'LIVE'
    -- As a decision reads it: a payment that came back made nobody known.
    and t.status in ('PROCESSING', 'COMPLETE')
    and t.id >= first_id_at(coalesce(m.since - interval '${MAXIMUM_EXPIRY_HOURS + 24} hours', 'epoch'))
    and t.accepted_at >= coalesce(m.since, '-infinity')`;

/** @param moments in order, beginning with the one of all time; none of an account that is not a payee */
function stateAt(moments: readonly Moment[], at: Date | null): PolicyFacts["payee"] {
  const [ever] = moments;
  if (!ever) return null;
  const isPaidBefore = ({ paidAt }: Moment) => paidAt !== null && (at === null || paidAt < at);
  if (!isPaidBefore(ever)) return "NEW";
  const latest = moments.findLast(({ since }) => since !== null && (at === null || since <= at));
  return latest && !isPaidBefore(latest) ? "CHANGED" : null;
}
