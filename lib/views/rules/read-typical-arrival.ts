import type { Queryable } from "@/lib/db/transaction";
import { firstIdAt } from "@/lib/platform/ids";

const DAYS = 90;
const DAY_MS = 86_400_000;
/** Enough for a median; an account with thousands of arrivals is not read whole for it. */
const MAXIMUM_ARRIVALS = 200;

/**
 * The median of what arrived at an account in the last 90 days, of its latest 200 arrivals at most; null when nothing
 * did.
 * @param now business time
 */
export async function readTypicalArrival(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  accountId: string,
): Promise<number | null> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const { rows } = await database.query<{ typical_in_cents: number | null }>({
    name: "read_typical_arrival",
    text: `
      select percentile_disc(0.5) within group (order by amount_in_cents) as typical_in_cents from (
        (select t.amount_in_cents from transfers t
          where t.organization_id = $1 and t.destination_account_id = $2 and t.execution_mode = 'LIVE'
            and t.id >= $3 and t.status = 'COMPLETE'
          order by t.id desc limit $5)
        union all
        (select x.amount_in_cents from external_transactions x
          where x.organization_id = $1 and x.account_id = $2 and x.vanished_at is null
            and x.transaction_date >= $4 and x.direction = 'MONEY_IN' and x.status = 'COMPLETE'
            and x.transfer_id is null
          order by x.transaction_date desc, x.id desc limit $5)) arrivals`,
    values: [organizationId, accountId, firstIdAt(since), since, MAXIMUM_ARRIVALS],
  });
  return rows[0]?.typical_in_cents ?? null;
}
