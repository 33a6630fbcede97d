import type { Pool } from "pg";

/** Makes a card, once per id; see CardNetworkPort.issue. The digits are of no number. */
export async function issueCard(
  pool: Pool,
  card: { organizationId: string; cardId: string },
  numberLast4: string,
  businessNow: Date,
): Promise<{ numberLast4: string }> {
  const { rows } = await pool.query<{ number_last4: string }>({
    name: "sandbox_cards_issue",
    text: `with made as (
             insert into sandbox_cards (organization_id, card_id, number_last4, issued_at)
             values ($1, $2, $3, $4)
             on conflict do nothing
             returning number_last4)
           select number_last4 from made
            union all
           select number_last4 from sandbox_cards where organization_id = $1 and card_id = $2
            limit 1`,
    values: [card.organizationId, card.cardId, numberLast4, businessNow],
  });
  const made = rows[0];
  // A rival's order of the same card has committed since: the next try reads it.
  if (!made) throw new Error(`Sandbox card network: card ${card.cardId} is being made`);
  return { numberLast4: made.number_last4 };
}
