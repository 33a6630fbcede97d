import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";
import type { CardDeclineReason } from "@/lib/contract/card";
import { NamedError } from "@/lib/contract/error";
import type {
  AuthorizePurchase,
  CardPurchase,
  CardPurchaseAnswer,
} from "@/lib/ports/cards/card-network-port";

export type PurchaseOutcome =
  | { kind: "APPROVED"; authorizationReference: string }
  | { kind: "DECLINED"; authorizationReference: string; reason: CardDeclineReason }
  /** The answer did not reach the network in time, so it reverses the authorization. */
  | { kind: "UNANSWERED"; authorizationReference: string };

/**
 * A merchant charges a card; see SandboxCardDriver.purchase. The reversal is recorded before the product is asked, and
 * the answer's notices replace it: whatever breaks in between, no hold remains that the network does not back.
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
  const { rows } = await pool.query<{ isRecorded: boolean }>({
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
           select exists (select from new_purchase) as "isRecorded"`,
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
  if (!rows[0]?.isRecorded) throw new CardNotIssued(purchase.cardId);
}

/** @returns false if the reversal was reported already: then nothing else will be */
async function recordAnswer(
  pool: Pool,
  purchase: CardPurchase,
  reference: string,
  plan: PurchasePlan,
  answer: CardPurchaseAnswer,
): Promise<boolean> {
  const notices = answer.decision === "APPROVED" ? plan.notices : [];
  const { rows } = await pool.query<{ isInTime: boolean }>({
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
           select exists (select from answered) as "isInTime"`,
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
  return rows[0]?.isInTime === true;
}

/** The sandbox network issued no such card. */
export class CardNotIssued extends NamedError {
  static override readonly kind = "CardNotIssued";

  constructor(readonly cardId: string) {
    super(`The sandbox card network has not issued card ${cardId}`);
  }
}

/** Merchants send the day's purchases at 17:00 in New York; later purchases go with the next day's. */
const CUT_OFF_TIME = "17:00";
/** Settlements, releases and refunds are posted in the morning, New York time, on any day of the week. */
const POSTING_TIME = "09:00";
const REFUND_AFTER_DAYS = 3;
/** The reversal of a purchase whose answer did not come. */
const REVERSAL_AFTER_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

export interface PlannedCardNotice {
  kind: "SETTLED" | "RELEASED" | "REFUND";
  amountInCents: number;
  isFinal: boolean;
  dueAt: Date;
  deliveries: 1 | 2;
}

interface PurchasePlan {
  /** Reported unless the answer comes in time. */
  reversal: PlannedCardNotice;
  /** The network never receives the answer. */
  isAnswerLost: boolean;
  /** Reported after an approval, in order. */
  notices: PlannedCardNotice[];
}

/**
 * Everything that the sandbox will do with a purchase, decided by the cents of its amount when the merchant calls
 * (docs/sandbox-cards.md has the table). Pure: the same purchase at the same time has the same plan.
 */
export function planPurchase(amountInCents: number, requestedAt: Date): PurchasePlan {
  const at = (days: number) => postingTime(requestedAt, days);
  const notice = (changes: Partial<PlannedCardNotice>): PlannedCardNotice => ({
    kind: "SETTLED",
    amountInCents,
    isFinal: true,
    dueAt: at(0),
    deliveries: 1,
    ...changes,
  });
  const reversal = notice({
    kind: "RELEASED",
    dueAt: new Date(requestedAt.getTime() + REVERSAL_AFTER_MS),
  });
  const planOf = (...notices: PlannedCardNotice[]) => ({ reversal, isAnswerLost: false, notices });
  switch (amountInCents % 100) {
    case 1:
      return planOf(notice({ kind: "RELEASED" }));
    case 2:
      return planOf(notice({ amountInCents: amountInCents + Math.ceil(amountInCents / 5) }));
    case 3:
      return planOf(notice({ amountInCents: amountInCents - Math.floor(amountInCents / 5) }));
    case 4: {
      const first = Math.floor(amountInCents / 2);
      return planOf(
        notice({ amountInCents: first, isFinal: false }),
        notice({ amountInCents: amountInCents - first, dueAt: at(1) }),
      );
    }
    case 5:
      return planOf(notice({ deliveries: 2 }));
    case 6:
      return planOf();
    case 7:
      return planOf(notice({ kind: "RELEASED" }), notice({ dueAt: at(1) }));
    case 8:
      return planOf(notice({}), notice({ kind: "REFUND", dueAt: at(REFUND_AFTER_DAYS) }));
    case 9:
      return { ...planOf(), isAnswerLost: true };
    default:
      return planOf(notice({}));
  }
}

/** The morning on which a purchase settles, or `days` mornings after it. */
function postingTime(requestedAt: Date, days: number): Date {
  const daysToSettle = bankingTimeOf(requestedAt) < CUT_OFF_TIME ? 1 : 2;
  // By calendar days: when the clocks change, a day has 23 or 25 hours.
  const midnight = Date.parse(`${bankingDateOf(requestedAt)}T00:00:00Z`) + (daysToSettle + days) * DAY_MS;
  return bankingInstant(new Date(midnight).toISOString().slice(0, 10), POSTING_TIME);
}
