import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import type { CardDeclineReason } from "@/lib/contract/card";
import type {
  AuthorizePurchase,
  CardPurchase,
  CardPurchaseAnswer,
} from "@/lib/ports/cards/card-network-port";
import { CardNotIssued } from "@/lib/ports/cards/sandbox/card-not-issued";
import { type PurchasePlan, planPurchase } from "@/lib/ports/cards/sandbox/plan-purchase";

export type PurchaseOutcome =
  | { kind: "APPROVED"; authorizationReference: string }
  | { kind: "DECLINED"; authorizationReference: string; reason: CardDeclineReason }
  /** The answer did not reach the network in time; it takes the authorization back. */
  | { kind: "UNANSWERED"; authorizationReference: string };

/**
 * A merchant charges a card; see SandboxCardDriver.purchase. The reversal is written down before anybody is asked and
 * gives way to the answer's notices: whatever breaks in between, no hold stays that the network does not stand behind.
 */
export async function makePurchase(
  pool: Pool,
  purchase: CardPurchase,
  context: { businessNow: Date; authorize: AuthorizePurchase },
): Promise<PurchaseOutcome> {
  const authorizationReference = `SBX-${uuidv7()}`;
  const plan = planPurchase(purchase.amountInCents, context.businessNow);
  await recordRequest(pool, purchase, authorizationReference, plan, context.businessNow);
  const answer = await context.authorize({ ...purchase, authorizationReference });
  if (plan.isAnswerLost) return { kind: "UNANSWERED", authorizationReference };
  const isInTime = await recordAnswer(pool, purchase, authorizationReference, plan, answer);
  if (answer.decision === "DECLINED") {
    return { kind: "DECLINED", authorizationReference, reason: answer.reason };
  }
  return { kind: isInTime ? "APPROVED" : "UNANSWERED", authorizationReference };
}

async function recordRequest(
  pool: Pool,
  purchase: CardPurchase,
  reference: string,
  { reversal }: PurchasePlan,
  businessNow: Date,
): Promise<void> {
  const { rows } = await pool.query<{ is_recorded: boolean }>({
    name: "sandbox_cards_record_request",
    text: `with new_purchase as (
             insert into sandbox_card_purchases (
               organization_id, reference, card_id, amount_in_cents, merchant, category, requested_at)
             select organization_id, $3, card_id, $4, $5, $6, $7
               from sandbox_cards where organization_id = $1 and card_id = $2
             returning *
           ), new_notice as (
             insert into sandbox_card_notices (
               organization_id, notice_reference, kind, card_id, authorization_reference, amount_in_cents, merchant,
               category, due_at)
             select organization_id, $8, $9, card_id, reference, amount_in_cents, merchant, category, $10
               from new_purchase
           )
           select exists (select from new_purchase) as is_recorded`,
    values: [
      purchase.organizationId,
      purchase.cardId,
      reference,
      purchase.amountInCents,
      purchase.merchant,
      purchase.category,
      businessNow,
      uuidv7(),
      reversal.kind,
      reversal.dueAt,
    ],
  });
  if (!rows[0]?.is_recorded) throw new CardNotIssued(purchase.cardId);
}

/** @returns false when the reversal was told already: then nothing else will be. */
async function recordAnswer(
  pool: Pool,
  purchase: CardPurchase,
  reference: string,
  plan: PurchasePlan,
  answer: CardPurchaseAnswer,
): Promise<boolean> {
  const notices = answer.decision === "APPROVED" ? plan.notices : [];
  const { rows } = await pool.query<{ is_in_time: boolean }>({
    name: "sandbox_cards_record_answer",
    text: `with withdrawn as (
             update sandbox_card_notices set deliveries_left = 0
              where organization_id = $1 and authorization_reference = $2 and deliveries_left > 0
             returning notice_reference
           ), answered as (
             update sandbox_card_purchases set is_approved = $3, decline_reason = $4
              where organization_id = $1 and reference = $2 and exists (select from withdrawn)
             returning *
           ), new_notices as (
             insert into sandbox_card_notices (
               organization_id, notice_reference, kind, card_id, authorization_reference, amount_in_cents, merchant,
               category, is_final, due_at, deliveries_left)
             select answered.organization_id, planned.notice_reference, planned.kind, answered.card_id,
                    case when planned.kind <> 'REFUND' then answered.reference end, planned.amount_in_cents,
                    answered.merchant, answered.category, planned.is_final, planned.due_at, planned.deliveries
               from answered
              cross join unnest($5::uuid[], $6::text[], $7::bigint[], $8::boolean[], $9::timestamptz[], $10::smallint[])
                 as planned (notice_reference, kind, amount_in_cents, is_final, due_at, deliveries)
           )
           select exists (select from answered) as is_in_time`,
    values: [
      purchase.organizationId,
      reference,
      answer.decision === "APPROVED",
      answer.decision === "DECLINED" ? answer.reason : null,
      notices.map(() => uuidv7()),
      notices.map((notice) => notice.kind),
      notices.map((notice) => notice.amountInCents),
      notices.map((notice) => notice.isFinal),
      notices.map((notice) => notice.dueAt),
      notices.map((notice) => notice.deliveries),
    ],
  });
  return rows[0]?.is_in_time === true;
}
