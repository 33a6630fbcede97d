import type { Pool } from "pg";
import type { ItemKey } from "@/lib/ports/aggregator/sandbox/read-item";
import type { ScheduledTransaction } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";

/** What members may make happen at one institution. */
export const MAX_MEMBER_TRANSACTIONS = 5_000;

interface Row {
  transaction_id: string;
  posted_id: string;
  account_id: string;
  direction: ScheduledTransaction["direction"];
  pending_amount_in_cents: number;
  posted_amount_in_cents: number;
  description: string;
  merchant_name: string | null;
  provider_category: string | null;
  appears_at: Date;
  enriched_at: Date;
  settles_at: Date | null;
  vanishes_at: Date | null;
  change: number;
}

export async function readMemberTransactions(
  pool: Pool,
  { organizationId, itemId }: ItemKey,
): Promise<ScheduledTransaction[]> {
  const { rows } = await pool.query<Row>({
    name: "sandbox_institutions_read_member_transactions",
    text: `select transaction_id, posted_id, account_id, direction, pending_amount_in_cents, posted_amount_in_cents,
                  description, merchant_name, provider_category, appears_at, enriched_at, settles_at, vanishes_at, change
             from sandbox_institution_transactions
            where organization_id = $1 and item_id = $2
            order by change
            limit $3`,
    values: [organizationId, itemId, MAX_MEMBER_TRANSACTIONS],
  });
  return rows.map((row) => ({
    id: row.transaction_id,
    postedId: row.posted_id,
    accountId: row.account_id,
    direction: row.direction,
    pendingAmountInCents: row.pending_amount_in_cents,
    postedAmountInCents: row.posted_amount_in_cents,
    description: row.description,
    merchantName: row.merchant_name,
    providerCategory: row.provider_category,
    appearsAt: row.appears_at,
    enrichedAt: row.enriched_at,
    settlesAt: row.settles_at,
    vanishesAt: row.vanishes_at,
    change: row.change,
  }));
}
