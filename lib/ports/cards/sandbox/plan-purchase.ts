import { bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";

/** Merchants send the day's purchases at 17:00 in New York; what is bought later goes with the next day's. */
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

export interface PurchasePlan {
  /** Told unless the answer comes in time. */
  reversal: PlannedCardNotice;
  /** The network never hears the answer. */
  isAnswerLost: boolean;
  /** Told when it was approved, in order. */
  notices: PlannedCardNotice[];
}

/**
 * Everything that the sandbox will do with a purchase, decided when the merchant calls by the cents of its amount
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
  // Counted on the calendar: where the clocks change, a day has 23 or 25 hours.
  const midnight = Date.parse(`${bankingDateOf(requestedAt)}T00:00:00Z`) + (daysToSettle + days) * DAY_MS;
  return bankingInstant(new Date(midnight).toISOString().slice(0, 10), POSTING_TIME);
}
