import { formatCents } from "@/lib/contract/format-cents";
import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { accountName } from "@/lib/engine/words/account-name";
import { actionWords, shortActionWords } from "@/lib/engine/words/action-words";
import { groupsOf, type OrderedAction } from "@/lib/engine/words/step-actions";

/** A rule to draw, with what it does: of a run, a dry run or a slider. */
export interface DrawnRule {
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  /** Null: nothing worked out; the drawing shows the rule's shape without amounts. */
  plan: RulePlan | null;
  names: AccountNames;
  /** What arrived or is shared out, in cents; null: not known. */
  incomingAmountInCents: number | null;
}

/** `PLANNED`: no amount was worked out. `NOT_REACHED`: behind a failed one. */
export type BranchState = "FLOWS" | "SKIPPED" | "FAILED" | "NOT_REACHED" | "PLANNED";

/** One destination in the order in which it is served. */
export interface Branch {
  id: string;
  name: string;
  /** What the action moves: `27%`, `the rest`. */
  label: string;
  /** The same without its limit's size, for narrow drawings. */
  shortLabel: string;
  /** Null where none was worked out. */
  amountInCents: number | null;
  state: BranchState;
  /** Another account than the drawing's source that it takes from; null: that one. */
  fromName: string | null;
}

/** More cannot be told apart in a drawing; the table beside it holds all. */
export const MAXIMUM_BRANCHES = 12;

/** Which step a drawing is about: the one that ran, else the first. */
export function drawnStepIndex(plan: RulePlan | null): number {
  return plan?.stepIndexMatched ?? 0;
}

/**
 * The account that the drawn channel comes out of: the trigger's, unless the step takes nothing from it. A rule that only
 * pulls from elsewhere would be drawn as a channel that flows nowhere.
 * @returns `amountInCents`: what the channel stands for; null where that is what flows out of it
 */
export function drawnSource({ rule, plan, incomingAmountInCents }: DrawnRule): {
  accountId: string;
  isTriggers: boolean;
  amountInCents: number | null;
} {
  const { accountId } = rule.trigger;
  const sources = (rule.steps[drawnStepIndex(plan)]?.actions ?? []).map((action) => action.sourceAccountId);
  const [first = accountId] = sources;
  if (sources.length === 0 || sources.includes(accountId)) {
    return { accountId, isTriggers: true, amountInCents: incomingAmountInCents };
  }
  return { accountId: first, isTriggers: false, amountInCents: null };
}

export function branchesOf(drawn: DrawnRule): Branch[] {
  const { rule, plan, names } = drawn;
  const source = drawnSource(drawn).accountId;
  const ordered = groupsOf(rule.steps[drawnStepIndex(plan)]?.actions ?? []).flat();
  const toBranch = (
    { action, actionIndex }: OrderedAction,
    destinationAccountId: string,
    rest: Pick<Branch, "amountInCents" | "state">,
  ): Branch => ({
    id: `${actionIndex} ${destinationAccountId}`,
    name: accountName(names, destinationAccountId),
    label: actionWords(action, rule.limits),
    shortLabel: shortActionWords(action),
    fromName: action.sourceAccountId === source ? null : accountName(names, action.sourceAccountId),
    ...rest,
  });
  const worked = plan !== null && plan.stepIndexMatched !== null;
  const state = worked ? "NOT_REACHED" : "PLANNED";
  const branches = ordered.flatMap((next) => {
    const moves = worked ? plan.moves.filter(({ actionIndex }) => actionIndex === next.actionIndex) : [];
    if (moves.length > 0) {
      return moves.map((move) => toBranch(next, move.destinationAccountId, outcomeOf(move)));
    }
    const destinations = [...new Set(destinationsOf(next.action))];
    return destinations.map((id) => toBranch(next, id, { amountInCents: null, state }));
  });
  return collapsed(branches);
}

function outcomeOf(move: PlannedMove): Pick<Branch, "amountInCents" | "state"> {
  if (move.outcome === "MOVE") return { amountInCents: move.amountInCents, state: "FLOWS" };
  return { amountInCents: null, state: move.outcome };
}

function collapsed(branches: Branch[]): Branch[] {
  if (branches.length <= MAXIMUM_BRANCHES) return branches;
  const shown = branches.slice(0, MAXIMUM_BRANCHES - 1);
  const others = branches.slice(MAXIMUM_BRANCHES - 1);
  const flowing = others.filter(({ state }) => state === "FLOWS");
  return [
    ...shown,
    {
      id: "others",
      name: `and ${others.length} more`,
      label: "",
      shortLabel: "",
      amountInCents:
        flowing.length === 0
          ? null
          : flowing.reduce((sum, { amountInCents }) => sum + (amountInCents ?? 0), 0),
      state: flowing.length > 0 ? "FLOWS" : (others[0]?.state ?? "PLANNED"),
      // Of mixed sources the channel of the trigger's account would be drawn too wide.
      fromName: others.every(({ fromName }) => fromName === null) ? null : "several accounts",
    },
  ];
}

/** At the right of a branch: its amount, or what became of it. Nothing where no amount was worked out. */
export function branchOutcome({ state, amountInCents }: Branch): string {
  switch (state) {
    case "FLOWS":
      return amountInCents === null ? "" : formatCents(amountInCents);
    case "SKIPPED":
      return "Skipped";
    case "FAILED":
      return "Failed";
    case "NOT_REACHED":
      return "Not reached";
    case "PLANNED":
      return "";
  }
}

/** The second line of a branch: `30%, at most $6,000.00 a month`, or in fewer letters. */
export function branchLabel(
  { label, shortLabel, fromName }: Branch,
  letters = Number.MAX_SAFE_INTEGER,
): string {
  const whole = (words: string) =>
    [fromName === null ? "" : `from ${fromName}`, words].filter((part) => part !== "").join(", ");
  return whole(label).length <= letters ? whole(label) : whole(shortLabel);
}

/** The drawing as one text, for those who do not see it. */
export function networkText(drawn: DrawnRule): string {
  const { accountId, amountInCents } = drawnSource(drawn);
  const source = accountName(drawn.names, accountId);
  const amount = amountInCents === null ? "" : `, ${formatCents(amountInCents)},`;
  const branches = branchesOf(drawn).map((branch) =>
    [branch.name, branchLabel(branch), branchOutcome(branch)].filter((part) => part !== "").join(" "),
  );
  const isIdle = drawn.plan !== null && drawn.plan.stepIndexMatched === null;
  return `${source}${amount} to ${branches.join("; ")}${isIdle ? "; no step applies, nothing moves" : ""}`;
}
