import type { CheckView } from "@/lib/contract/approvals/approval";
import type { ProposalCheck } from "@/lib/contract/approvals/proposal";

type Kind = CheckView["kind"];
/** Without amounts and balances, which the program may not read: [clear, to look at, blocking]. */
type Sentences = readonly [clear: string, look: string, blocks?: string];

const SENTENCES: Record<Kind, Sentences> = {
  DAILY_CAP: ["It is within the daily cap.", "It is above the key's daily cap."],
  KEY_LIMIT: [
    "It is within what the key may move.",
    "It is above what the key may move, or outside its routes.",
  ],
  ASSISTANT_MAY_ASK: [
    "The assistant may request this.",
    "The member who connected the assistant may no longer request this.",
  ],
  ENOUGH_MONEY: [
    "The source has enough money.",
    "The source may not have enough money.",
    "The source does not have enough money.",
  ],
  OUTGOING_CAP: [
    "It is within what may leave in a day.",
    "It is close to what may leave in a day.",
    "It is above what may still leave today.",
  ],
  FLOOR: ["The source stays above its floor.", "The source would go below its floor."],
  KNOWN_ROUTE: ["Money moved on this route before.", "No money moved on this route before."],
  SIMILAR_LATELY: [
    "Nothing like it in the last 24 hours.",
    "There was something like it in the last 24 hours.",
  ],
  USUAL_AMOUNT: ["The amount is usual on this route.", "The amount is not usual on this route."],
  PAYEE: ["The payee is known.", "The payee is new, or its account changed."],
  LOOK_ALIKE: ["No name looks like another.", "A name looks the same as another one."],
  KEY_MAY_RUN: ["The key may run this rule.", "The key may no longer run this rule."],
  RUN_MONEY: [
    "The rule's accounts have enough money.",
    "The rule's accounts may not have enough money.",
    "What it would move cannot be computed, or a transfer would fail.",
  ],
  RUN_FLOORS: ["Every account stays above its floor.", "An account would go below its floor."],
  NOT_RUN_TWICE: [
    "The rule did not run in the last 24 hours.",
    "The rule ran in the last 24 hours, or another run waits.",
  ],
  RULE_RUNS: [
    "This version of the rule runs.",
    "This version may not run.",
    "This version of the rule does not run.",
  ],
  NEWER_VERSION: ["It is the latest version.", "The rule has a newer version."],
};

/** A check as a program reads it. */
export function checkForProgram({ kind, outcome }: Pick<CheckView, "kind" | "outcome">): ProposalCheck {
  const [clear, look, blocks = look] = SENTENCES[kind];
  switch (outcome) {
    case "CLEAR":
      return { code: kind, level: "CLEAR", text: clear };
    case "BLOCKS":
      return { code: kind, level: "BLOCKS", text: blocks };
    case "UNCHECKED":
      return { code: kind, level: "CLEAR", text: "Nothing limits it." };
    default:
      return { code: kind, level: "REVIEW", text: look };
  }
}
