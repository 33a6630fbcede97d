import { expireAskedChanges, remindOfChanges } from "@/lib/core/asked-changes/end-of-time";
import { expirePolicySignings } from "@/lib/core/policies/expire-signings";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

/**
 * Expires proposals after 24 hours of business time without a decision, and denies their transfers in the same
 * transaction; and proposals that a rule stops, the signing of policies, and changes that wait for signatures. Skips rows locked by a decision, which finds the proposal expired itself.
 * @returns how many were closed.
 */
export async function expireProposals(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const { rowCount } = await services.pool.query({
    name: "expire_proposals",
    text: "select from expire_proposals($1, $2)",
    values: [services.clock.now(), limit],
  });
  incrementCounter("transfers", "EXPIRED", rowCount ?? 0);
  const deactivations = await expireRuleDeactivations(services, limit);
  const changes = await expireAskedChanges(services, limit);
  if (changes > 0) services.wake(SEND_NOTICES);
  return (rowCount ?? 0) + deactivations + changes + (await expirePolicySignings(services, limit));
}

async function expireRuleDeactivations(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<{ count: number }>({
    name: "expire_rule_deactivations",
    text: "select expire_rule_deactivations($1, $2) as count",
    values: [services.clock.now(), limit],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Writes the second and last notice of proposals, and of changes that wait for signatures, when a twelfth of their time is
 * left.
 * @returns how many.
 */
export async function remindDeciders(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const { rowCount } = await services.pool.query({
    name: "remind_deciders",
    text: `
      with due as (
        select p.organization_id, p.id, p.api_key_id,
            $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as business_now
          from proposals p join organizations o on o.id = p.organization_id
         where p.state = 'WAITING' and p.remind_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
           and p.remind_at <= (select latest_business_time($1))
         order by p.remind_at limit cardinality($2::uuid[])
         for update of p skip locked),
      marked as (
        update proposals p set remind_at = null from due
         where p.organization_id = due.organization_id and p.id = due.id)
      insert into notices (organization_id, id, kind, proposal_id, api_key_id, created_at, due_at)
      select organization_id, ($2::uuid[])[row_number() over ()], 'APPROVAL_REMINDER', id, api_key_id, business_now,
          business_now
        from due`,
    values: [now, Array.from({ length: limit }, () => newId(now))],
  });
  const count = (rowCount ?? 0) + (await remindOfChanges(services, limit));
  if (count > 0) services.wake(SEND_NOTICES);
  return count;
}
