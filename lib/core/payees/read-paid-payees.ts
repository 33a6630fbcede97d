import type { Queryable } from "@/lib/db/transaction";

/** A payee, or a registered account of the organization itself, that a proposal pays, with what an approver should notice. */
export interface PaidPayee {
  id: string;
  name: string;
  /** A connected account: it was registered, where a payee was confirmed. */
  isOwn: boolean;
  /** Part of what an approver saw: a change invalidates the approval. */
  version: number;
  accountNumberLast4: string | null;
  /** `FIRST`: nothing was ever sent to it. `CHANGED`: nothing was sent to it since it last changed. */
  novelty: "FIRST" | "CHANGED" | null;
  confirmedAt: Date;
  /** Until then, larger amounts wait before they leave; null: none waits. */
  coolsOffUntil: Date | null;
  /** What may leave before then, to all that cool off together, beside what was accepted already; null when it does not cool off. */
  mayLeaveInCents: number | null;
}

/**
 * The payees and registered accounts among these, by id.
 * @param subjectId the transfer or run that pays them: what it sent itself is not counted
 * @param now business time
 */
export async function readPaidPayees(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
  subjectId: string,
  now: Date,
): Promise<PaidPayee[]> {
  const { rows } = await database.query<PaidPayee>({
    name: "read_paid_payees",
    text: `
      with paid as (
        select id, name, version, false as is_own, confirmed_at, cools_off_until, cools_off_since, account_key
          from payees where organization_id = $1 and id = any ($2)
        union all
        select r.account_id, a.name, null, true, r.registered_at, r.cools_off_until, r.cools_off_since,
            r.account_key
          from registered_accounts r
          join accounts a on a.organization_id = r.organization_id and a.id = r.account_id
         where r.organization_id = $1 and r.account_id = any ($2) and r.bank_reference is not null)
      select p.id, p.name, coalesce(p.version, 1) as version, p.is_own as "isOwn",
          a.account_number_last4 as "accountNumberLast4", p.confirmed_at as "confirmedAt",
          case when p.cools_off_until > $4 then p.cools_off_until end as "coolsOffUntil",
          -- As cool_off_payee counts.
          case when p.cools_off_until > $4 then greatest(0, o.payee_cool_off_above_in_cents - cool_off_used($1,
              coalesce(p.account_key, account_key_of(null, a.routing_number_last4, a.account_number_last4)),
              coalesce(p.cools_off_since, p.confirmed_at), $4)) end as "mayLeaveInCents",
          case when not exists (
              select from transfers t where t.organization_id = $1 and t.destination_account_id = p.id
                and t.execution_mode = 'LIVE' and t.status in ('PROCESSING', 'COMPLETE')
                and t.id <> $3 and t.rule_execution_id is distinct from $3) then 'FIRST'
            when not exists (
              select from transfers t where t.organization_id = $1 and t.destination_account_id = p.id
                and t.execution_mode = 'LIVE' and t.status in ('PROCESSING', 'COMPLETE')
                and t.payee_version is not distinct from p.version and t.id <> $3
                and t.rule_execution_id is distinct from $3)
              then 'CHANGED' end as novelty
        from paid p join accounts a on a.organization_id = $1 and a.id = p.id
        join organizations o on o.id = $1
       order by p.id`,
    values: [organizationId, accountIds, subjectId, now],
  });
  return rows;
}
