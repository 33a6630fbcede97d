import { createHash } from "node:crypto";
import type { ActivationCheck, ActivationOutcome } from "@/lib/contract/rules/activation-check";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

interface Shown {
  ruleId: string;
  version: number;
  activeVersion: number | null;
  definition: RuleDefinition;
}

/** What may have changed, one sentence each; the order is that of the outcomes in a digest. */
const CHANGE = {
  SHARES: "How much of an account it shares out changed.",
  ACCOUNTS_OPEN: "An account that it names was closed or opened again.",
  CAN_GIVE: "What it may take money from changed.",
  CAN_RECEIVE: "What it may send money to changed.",
  BOTH_OUTSIDE: "What is outside Sluice changed.",
  DEBTS: "Which of its accounts are debts changed.",
  TOP_UP_DEBT: "Which of its accounts are debts changed.",
  OVERPAYS: "Which of its accounts are debts changed.",
  SCHEDULE: "Its schedule has run out.",
  ONLY_ARRIVAL_RULE: "Another rule on arrivals at the same account was activated or deactivated.",
  NO_CYCLE: "Whether its money comes back to it through other rules changed.",
  SETS_OFF: "Which other rules it sets off changed.",
  SET_OFF_BY: "Which other rules set it off changed.",
  SUFFICES: "Whether its money is enough changed.",
  MOVES: "Which of its actions can move something changed.",
  FREQUENT: "How often it runs changed.",
  REACHABLE: "Which of its steps can run changed.",
  SENDS_OUT: "What it sends outside changed.",
  PULLS_IN: "What it takes from outside changed.",
  FLOORS: "The floor of an account that it takes from was set or removed.",
} as const satisfies Record<ActivationCheck["kind"], string>;

const LETTERS = { BLOCKS: "b", LOOK: "l", CLEAR: "c" } as const satisfies Record<ActivationOutcome, string>;

/**
 * Names what a person saw of a version before they activate it: the definition, the names of its accounts, the version
 * that it takes over from, and what every check found. Not balances, and not when a schedule comes round next: they
 * move without changing an answer.
 *
 * `<SHA-256>.<active version>.<an outcome each>`: only equality of the whole counts; the rest rides along so that a page
 * whose digest no longer holds can be told what changed. Short enough for a challenge to be bound to it.
 */
export function activationDigest(
  shown: Shown,
  accounts: Readonly<Record<string, AccountFacts>>,
  checks: readonly ActivationCheck[],
): string {
  const names = Object.entries(accounts)
    .map(([id, { name }]) => [id, name])
    .sort();
  const found = checks.map((check) => (check.kind === "SCHEDULE" ? { ...check, nextRunAt: null } : check));
  const { ruleId, version, activeVersion, definition } = shown;
  const seen = JSON.stringify({ ruleId, version, activeVersion, definition, names, found });
  const hash = createHash("sha256").update(seen).digest("base64url");
  return `${hash}.${activeVersion ?? 0}.${outcomesOf(checks)}`;
}

function outcomesOf(checks: readonly ActivationCheck[]): string {
  const outcomes = new Map(checks.map((check) => [check.kind as string, LETTERS[check.outcome]]));
  return Object.keys(CHANGE)
    .map((kind) => outcomes.get(kind) ?? "-")
    .join("");
}

/** One sentence for each thing that is no longer as the digest says; never empty. It comes from a browser. */
export function describeActivationChanges(seenDigest: string, currentDigest: string): string[] {
  const [, seenActive, seenOutcomes = ""] = seenDigest.split(".");
  const [, active, outcomes = ""] = currentDigest.split(".");
  const changes: string[] = [];
  if (seenActive !== active) {
    changes.push(active === "0" ? "No version is active any more." : `Version ${active} is active now.`);
  }
  for (const [index, sentence] of Object.values(CHANGE).entries()) {
    if (seenOutcomes[index] !== outcomes[index] && !changes.includes(sentence)) changes.push(sentence);
  }
  return changes.length > 0
    ? changes
    : ["An account or a rule that it is joined with changed since this page was loaded."];
}
