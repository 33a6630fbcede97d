import type { CheckView } from "@/lib/contract/approvals/approval";
import type { CheckCode, ProposalCheck } from "@/lib/contract/approvals/proposal-check";
import { breachForProgram } from "@/lib/words/mandates/breach-words";

type CheckOf<Kind extends CheckView["kind"]> = Extract<CheckView, { kind: Kind }>;
type Words = [code: CheckCode, flagged: string, clear: string];

/**
 * A check of an approval for the program that proposed it. Without balances, other amounts and names: the program may lack the
 * permission to read them.
 */
export function checkForProgram(check: CheckView): ProposalCheck {
  const [code, flagged, clear] = wordsOf(check);
  const level = LEVELS[check.outcome];
  return { code, level, text: level === "CLEAR" ? clear : flagged };
}

const LEVELS: Record<CheckView["outcome"], ProposalCheck["level"]> = {
  CLEAR: "CLEAR",
  UNCHECKED: "CLEAR",
  LOOK: "REVIEW",
  BLOCKS: "BLOCKS",
};

function wordsOf(check: CheckView): Words {
  switch (check.kind) {
    case "KEY_LIMIT":
      return ["ABOVE_KEY_LIMIT", "The key no longer allows this amount on this route.", withinLimit(check)];
    case "ASSISTANT_MAY_ASK":
      return [
        "ASSISTANT_MAY_NOT_ASK",
        "The member who connected the assistant may no longer propose this.",
        "The member who connected the assistant may propose this.",
      ];
    case "USUAL_AMOUNT":
      return usualAmount(check);
    case "SIMILAR_LATELY":
      return similarLately(check);
    case "PAYEE":
      return payees(check);
    case "OUTSIDE_MANDATE":
      return ["OUTSIDE_MANDATE", `${breachForProgram(check)} See getMandates.`, ""];
    default:
      return WORDS[check.kind];
  }
}

type PlainKind = Exclude<
  CheckView["kind"],
  "KEY_LIMIT" | "ASSISTANT_MAY_ASK" | "USUAL_AMOUNT" | "SIMILAR_LATELY" | "PAYEE" | "OUTSIDE_MANDATE"
>;

const WORDS: Record<PlainKind, Words> = {
  DAILY_CAP: ["ABOVE_DAILY_CAP", "Above what the key may move within 24 hours without approval.", ""],
  LESS: ["LOWERED", "A member lowered the amount.", ""],
  ENOUGH_MONEY: [
    "INSUFFICIENT_FUNDS",
    "The source does not have this much available.",
    "The source has enough.",
  ],
  OUTGOING_CAP: [
    "ABOVE_OUTGOING_CAP",
    "More than may leave Sluice within 24 hours.",
    "Within what may leave Sluice within 24 hours.",
  ],
  FLOOR: ["BELOW_FLOOR", "The source would fall below its floor.", "The source stays above its floor."],
  KNOWN_ROUTE: [
    "NEW_ROUTE",
    "The first transfer on this route.",
    "Transfers on this route have settled before.",
  ],
  LOOK_ALIKE: ["LOOK_ALIKE_NAMES", "A name here looks like the name of another account or payee.", ""],
  EXTERNAL_ID: [
    "REPEATED_EXTERNAL_ID",
    "Another transfer has the same externalId.",
    "No other transfer has this externalId.",
  ],
  SAME_DOCUMENT: [
    "REPEATED_DOCUMENT",
    "Another transfer carries the same document.",
    "No other transfer carries these documents.",
  ],
  KEY_MAY_RUN: ["RULE_NOT_ALLOWED", "The key may no longer run this rule.", "The key may run this rule."],
  RUN_MONEY: ["RUN_WOULD_FAIL", "The run would fail as things are now.", "Its sources have enough."],
  RUN_FLOORS: ["BELOW_FLOOR", "A source would fall below its floor.", "Its sources stay above their floors."],
  NOT_RUN_TWICE: [
    "RAN_LATELY",
    "The rule ran, or waits to, within the last 24 hours.",
    "The rule did not run within the last 24 hours.",
  ],
  RULE_RUNS: [
    "RULE_NOT_RUNNING",
    "This version of the rule does not run now.",
    "This version of the rule is active.",
  ],
  NEWER_VERSION: ["NEWER_VERSION", "The rule has a newer version.", ""],
};

function withinLimit({ outcome }: CheckOf<"KEY_LIMIT">): string {
  return outcome === "UNCHECKED"
    ? "The key has no limit on this route."
    : "Within the key's limit on this route.";
}

function usualAmount({ amountInCents, usualLowInCents }: CheckOf<"USUAL_AMOUNT">): Words {
  const clear = "As usual on this route.";
  return amountInCents < usualLowInCents
    ? ["SMALLER_THAN_USUAL", "Smaller than usual on this route.", clear]
    : ["LARGER_THAN_USUAL", "Larger than usual on this route.", clear];
}

function similarLately({ sameAmountCount, closest }: CheckOf<"SIMILAR_LATELY">): Words {
  if (sameAmountCount === 0 && closest !== null) {
    return ["SIMILAR_LATELY", "Another transfer took this route within the last 24 hours.", ""];
  }
  return [
    DUPLICATE,
    duplicateWords(closest?.isWaiting ?? false),
    "No similar transfer within the last 24 hours.",
  ];
}

const DUPLICATE = "POSSIBLE_DUPLICATE";

function duplicateWords(isWaiting: boolean): string {
  const where = isWaiting ? "waits for approval" : "was made or is on its way";
  return `Another transfer of this amount, requested within the last 24 hours, ${where}.`;
}

/** For a transfer that no person sees: another one of its route and amount. */
export const repeatedTransfer = (isWaiting: boolean): ProposalCheck => ({
  code: DUPLICATE,
  level: "REVIEW",
  text: duplicateWords(isWaiting),
});

/** For a dry run: no person would see it. */
export const insideMandate = (): ProposalCheck => ({
  code: "OUTSIDE_MANDATE",
  level: "CLEAR",
  text: "Inside a mandate: live, it would be accepted without asking.",
});

/** For a transfer that no person sees. */
export const repeatedExternalId = (): ProposalCheck => {
  const [code, text] = WORDS.EXTERNAL_ID;
  return { code, level: "REVIEW", text };
};

function payees({ payees: paid }: CheckOf<"PAYEE">): Words {
  const clear = "It was paid before, and has not changed since.";
  if (paid.some(({ novelty }) => novelty === "FIRST"))
    return ["NEW_PAYEE", "The first payment to this payee.", clear];
  if (paid.some(({ novelty }) => novelty === "CHANGED")) {
    return ["CHANGED_PAYEE", "The first payment since this payee changed.", clear];
  }
  if (paid.some(({ coolsOffUntil }) => coolsOffUntil !== null)) {
    return ["PAYEE_COOLS_OFF", "The payee is new: larger amounts wait before they leave.", clear];
  }
  return ["NEW_PAYEE", "", clear];
}
