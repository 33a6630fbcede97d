import { formatCents } from "@/lib/contract/format-cents";
import type { KeyAlert } from "@/lib/contract/key-alert";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";

export interface KeyAlertWords {
  /** After the key's name in an email, by itself on its page: `Used from a new network`. */
  title: string;
  /** What was seen. */
  seen: string;
  /** What is usual. */
  usual: string;
}

/** What an owner reads of unusual use: numbers, not adjectives. Amounts as `format` writes them. */
export function keyAlertWords(
  alert: KeyAlert,
  noun: "key" | "assistant",
  format: (cents: number) => string = formatCents,
): KeyAlertWords {
  switch (alert.kind) {
    case "NEW_NETWORK":
      return {
        title: "Used from a new network",
        seen: `It was used from ${alert.network}, from where it was never used before.`,
        usual:
          alert.knownNetworks === 1
            ? "Until then it came from one network."
            : `Until then it came from ${alert.knownNetworks} networks.`,
      };
    case "AFTER_SILENCE":
      return {
        title: "Used again after a long silence",
        seen: `It was used again after ${alert.days} days without one request.`,
        usual: "Whatever is used so seldom may be in somebody else’s hands unnoticed.",
      };
    case "REFUSALS":
      return {
        title: "Refused again and again",
        seen: `${alert.refusals} of its requests within 15 minutes were refused, most of them with ${alert.commonest}.`,
        usual: `${noun === "key" ? "A program" : "An assistant"} that works is seldom refused: this one is faulty, or tries what it may do.`,
      };
    case "LARGE_AMOUNT":
      return {
        title: "Moved far more than usual at once",
        seen: `It moved ${format(alert.amountInCents)} in one transfer without asking.`,
        usual: `The most in the 90 days before was ${format(alert.usualInCents)}.`,
      };
    case "LARGE_DAY":
      return {
        title: "Moved far more than usual in a day",
        seen: `It moved ${format(alert.dayInCents)} today without asking.`,
        usual: `Its largest day in the 90 days before was ${format(alert.usualInCents)}.`,
      };
    case "CAP_REACHED":
      return {
        title: "Reached its daily cap",
        seen: `Of its daily cap of ${format(alert.capInCents)} it had set ${format(alert.usedInCents)} moving, and what it asked for next did not fit.`,
        usual: "What is beyond the cap waits for a person until midnight; it moves only if one approves it.",
      };
    case "MANY_WAITING":
      return {
        title: "Asks for very much",
        seen: `${alert.waiting} of its proposals wait for a person at once.`,
        usual: `At ${MAXIMUM_WAITING_PROPOSALS} it is told to wait. Open proposals one by one; nothing moves until you approve.`,
      };
  }
}
