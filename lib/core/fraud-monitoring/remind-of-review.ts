import { readReviewState } from "@/lib/core/fraud-monitoring/read-process";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Writes a notice for each organization whose yearly review has become due, once: the next one follows when another
 * year has passed. Each is looked at once a day, and only where real money moves: nobody has to review a sandbox.
 * @returns how many organizations were looked at.
 */
export async function remindOfReviews(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const { seen, reminded } = await inTransaction(services.pool, async (client) => {
    const due = await claimDue(client, services.clock.now(), limit);
    let count = 0;
    for (const organization of due) count += await remind(client, organization);
    return { seen: due.length, reminded: count };
  });
  if (reminded > 0) services.wake(SEND_NOTICES);
  return seen;
}

interface DueOrganization {
  organizationId: string;
  /** Business time. */
  now: Date;
}

async function claimDue(client: Queryable, realNow: Date, limit: number): Promise<DueOrganization[]> {
  const { rows } = await client.query<DueOrganization>({
    name: "claim_fraud_review_looks",
    text: `
      with due as (
        select o.id, $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as now
          from organizations o
         where exists (select from bank_in_use b where b.is_production)
           and (o.fraud_review_look_at is null
             or o.fraud_review_look_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond')
         order by o.fraud_review_look_at nulls first limit $2
         for no key update of o skip locked)
      update organizations o set fraud_review_look_at = due.now + interval '1 day'
        from due where o.id = due.id
      returning o.id as "organizationId", due.now`,
    values: [realNow, limit],
  });
  return rows;
}

/** @returns 1 if its owners are reminded. */
async function remind(client: Queryable, { organizationId, now }: DueOrganization): Promise<number> {
  if ((await readReviewState(client, { organizationId, now })).kind !== "DUE") return 0;
  const { rowCount } = await client.query({
    name: "remind_of_fraud_review",
    text: `
      with reminded as (
        update organizations o set fraud_review_reminded_at = $3
         where o.id = $1 and (o.fraud_review_reminded_at is null or o.fraud_review_reminded_at < greatest(
           (select max(r.signed_at) from fraud_reviews r where r.organization_id = $1) + interval '1 year',
           $3::timestamptz - interval '1 year'))
        returning o.id)
      insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
        select id, $2, 'FRAUD_REVIEW_DUE', id, $3, $3 from reminded`,
    values: [organizationId, newId(now), now],
  });
  return rowCount ?? 0;
}
