import type { KeyAlert } from "@/lib/contract/api-key";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";

export interface KeyAlertWords {
  /** After the key's name in an email, alone on its page: `Used from a new network`. */
  title: string;
  /** What happened. */
  seen: string;
  /** What is usual. */
  usual: string;
}

/** Unusual use in words for owners: numbers, not adjectives. `format` writes the amounts. */
export function keyAlertWords(
  alert: KeyAlert,
  noun: "key" | "assistant",
  format: (cents: number) => string = formatCents,
): KeyAlertWords {
  switch (alert.kind) {
    case "NEW_NETWORK":
      return {
        title: "Used from a new network",
        seen: `It was used from ${alert.network} for the first time.`,
        usual:
          alert.knownNetworks === 1
            ? "Until then, it was used from 1 network."
            : `Until then, it was used from ${alert.knownNetworks} networks.`,
      };
    case "AFTER_SILENCE":
      return {
        title: "Used again after a long time",
        seen: `It was used again after ${alert.days} days without a request.`,
        usual: "If you didn’t expect this, someone else may have it.",
      };
    case "REFUSALS":
      return {
        title: "Refused repeatedly",
        seen: `${alert.refusals} of its requests within 15 minutes were refused, most of them with ${alert.commonest}.`,
        usual: `${noun === "key" ? "A program" : "An assistant"} that works is rarely refused. This one may be faulty or probing its permissions.`,
      };
    case "LARGE_AMOUNT":
      return {
        title: "Moved much more than usual",
        seen: `It moved ${format(alert.amountInCents)} in one transfer without approval.`,
        usual: `Its largest transfer in the 90 days before was ${format(alert.usualInCents)}.`,
      };
    case "LARGE_DAY":
      return {
        title: "Moved much more than usual in a day",
        seen: `It moved ${format(alert.dayInCents)} today without approval.`,
        usual: `Its largest day in the 90 days before was ${format(alert.usualInCents)}.`,
      };
    case "CAP_REACHED":
      return {
        title: "Reached its daily cap",
        seen: `It had moved ${format(alert.usedInCents)} of its daily cap of ${format(alert.capInCents)}, and its next request exceeded the cap.`,
        usual: "Until 24 hours have passed since what it moved, requests above the cap need approval.",
      };
    case "MANY_WAITING":
      return {
        title: "Many open proposals",
        seen: `${alert.waiting} of its proposals are open.`,
        usual: `The maximum is ${MAXIMUM_WAITING_PROPOSALS}. Review them one by one; nothing moves until you approve.`,
      };
  }
}
