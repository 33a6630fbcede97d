import { formatWeekdayMoment } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { ConnectionChange, ReceiverMode, SandboxAction } from "@/lib/contract/sandbox";
import type { TimeContext } from "@/lib/contract/time-context";
import { ACH_RETURNS } from "@/lib/contract/transfer";
import type { SandboxActionView, SandboxOutcome } from "@/lib/views/sandbox/read-actions";

const HOUR_MS = 3_600_000;

export function actionTitle({ action }: SandboxActionView): string {
  switch (action.kind) {
    case "MOVED_CLOCK":
      return `Moved the clock by ${howLong(Date.parse(action.toAt) - Date.parse(action.fromAt))}`;
    case "DEPOSITED": {
      const what = action.origin === "CHECK_DEPOSIT" ? "Check of" : "Deposited";
      return `${what} ${formatCents(action.amountInCents)} from ${action.payerName}`;
    }
    case "SENT_BACK":
      return `Sent back ${formatCents(action.amountInCents)}, ${action.partyName}, ${action.code}`;
    case "SETTLED":
      return `Settled ${formatCents(action.amountInCents)}, ${action.partyName}`;
    case "SILENCED":
      return "The bank stopped answering";
    case "BOOKED_BY_BANK": {
      const what = action.as === "FEE" ? "charged a fee of" : "paid interest of";
      return `The bank ${what} ${formatCents(action.amountInCents)}`;
    }
    case "BOUGHT":
      return `Bought for ${formatCents(action.amountInCents)} at ${action.merchant} with ${action.cardName}`;
    case "PAID_TO_CARD": {
      const what = action.subtype === "REFUND" ? "Refunded" : "Paid";
      return `${what} ${formatCents(action.amountInCents)} to ${action.cardName}, from ${action.merchant}`;
    }
    case "MOVED_OUTSIDE": {
      const amount = formatCents(action.amountInCents);
      return action.direction === "MONEY_IN"
        ? `${amount} from ${action.partyName} to ${action.accountName}`
        : `${amount} from ${action.accountName} to ${action.partyName}`;
    }
    case "CONNECTION_CHANGED":
      return `${action.institutionName} ${CHANGE_WORDS[action.change]}`;
    case "PENDING_DECIDED":
      return action.settledInCents === null
        ? `${action.description} vanished`
        : `${action.description} settled as ${formatCents(action.settledInCents)}`;
    case "RECEIVER_SET":
      return `The receiver answers ${RECEIVER_WORDS[action.mode]}`;
  }
}

export function actionOutcome({ action, outcome }: SandboxActionView, time: TimeContext): string {
  switch (action.kind) {
    case "MOVED_CLOCK":
      return movedWords(outcome);
    case "DEPOSITED": {
      if (outcome.returned > 0) return `Arrived in ${action.accountName}, then returned.`;
      if (outcome.settled > 0) return `Settled in ${action.accountName}.`;
      return `Arrives in ${action.accountName} ${formatWeekdayMoment(action.arrivesAt, time)}.`;
    }
    case "SETTLED":
      if (outcome.returned > 0) return "It settled, then came back.";
      return outcome.settled > 0 ? "It settled." : "The bank reports it in a moment.";
    case "SENT_BACK": {
      const why = ACH_RETURNS[action.code];
      if (outcome.returned > 0) return `${sentence(why)} It had settled, so it was booked back.`;
      if (outcome.failed > 0) return `${sentence(why)} It had not settled; the hold was released.`;
      return `${sentence(why)} The bank has not reported it yet.`;
    }
    case "SILENCED":
      return `It answers again ${formatWeekdayMoment(action.untilAt, time)}. Transfers wait; none is sent twice.`;
    case "BOOKED_BY_BANK":
      return "Not in the books. The next reconciliation finds it.";
    case "BOUGHT":
      return PURCHASE_ANSWERS[action.answer];
    case "PAID_TO_CARD":
      return "Arrives in the card’s pod at once.";
    case "MOVED_OUTSIDE":
      return action.isPending
        ? "Pending at the institution; settles in one to three days."
        : "Settled at the institution and shown here.";
    case "CONNECTION_CHANGED":
      return CHANGE_OUTCOMES[action.change];
    case "PENDING_DECIDED":
      return action.settledInCents === null
        ? "It was never posted."
        : "Posted at the institution and shown here.";
    case "RECEIVER_SET":
      return RECEIVER_OUTCOMES[action.mode];
  }
}

const CHANGE_WORDS: Record<ConnectionChange, string> = {
  SIGN_IN: "needs a new sign-in",
  UNAVAILABLE: "stopped answering",
  STALE: "has stale data",
  HEALED: "works again",
};

const CHANGE_OUTCOMES: Record<ConnectionChange, string> = {
  SIGN_IN: "Its balances are unknown until someone signs in.",
  UNAVAILABLE: "Refreshes are retried at growing intervals.",
  STALE: "It answers, but its balances are outdated.",
  HEALED: "Its accounts are refreshed.",
};

type PurchaseAnswer = Extract<SandboxAction, { kind: "BOUGHT" }>["answer"];

const PURCHASE_ANSWERS: Record<PurchaseAnswer, string> = {
  APPROVED: "Approved: held on the pod until it settles.",
  UNANSWERED: "The answer was lost; the network reverses the purchase.",
  CARD_UNKNOWN: "Declined: there is no such card.",
  CARD_CLOSED: "Declined: the card is closed.",
  CARD_FROZEN: "Declined: the card is frozen.",
  GATES_CLOSED: "Declined: all gates are closed.",
  ACCOUNT_CLOSED: "Declined: the card’s pod is closed.",
  MONTHLY_LIMIT: "Declined: over the card’s monthly limit.",
  INSUFFICIENT_FUNDS: "Declined: not enough money in the card’s pod.",
  BELOW_FLOOR: "Declined: it would take the pod below its floor.",
  REFERENCE_REUSED: "Declined: the network reused a reference for a different amount.",
  RELEASED: "Declined: the network had reversed it.",
};

const TRIED_AGAIN = "Failed events are retried, at most eight times in a day.";

const RECEIVER_OUTCOMES: Record<ReceiverMode, string> = {
  OK: "Retries now succeed.",
  UNAVAILABLE: TRIED_AGAIN,
  ERROR: TRIED_AGAIN,
  GONE: "The next event switches off its endpoint.",
  SILENT: "Each attempt times out after ten seconds and is retried.",
  FLAKY: TRIED_AGAIN,
};

function movedWords({ settled, failed, returned, expired }: SandboxOutcome): string {
  const parts = [
    settled > 0 && `settled ${count(settled, "transfer")}`,
    failed > 0 && `failed ${failed}`,
    returned > 0 && `returned ${returned}`,
    expired > 0 && `let ${count(expired, "proposal")} expire`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "Nothing was due." : sentence(parts.join(", "));
}

function howLong(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  if (ms < HOUR_MS) return count(Math.max(1, Math.round(ms / 60_000)), "minute");
  return hours < 48 ? count(hours, "hour") : count(Math.round(hours / 24), "day");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Follows “The receiver answers”. */
export const RECEIVER_WORDS: Record<ReceiverMode, string> = {
  OK: "Received",
  UNAVAILABLE: "503 Unavailable",
  ERROR: "500",
  GONE: "410 Gone",
  SILENT: "nothing (timeout)",
  FLAKY: "Received, but every third fails",
};
