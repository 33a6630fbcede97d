import { formatCents } from "@/lib/contract/format-cents";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { actionWords, groupsOf, type OrderedAction, shortActionWords } from "@/lib/words/rules/action-words";
import { accountName } from "@/lib/words/rules/number-words";

/** A rule to draw, with the result of a run, a dry run or the slider. */
export interface DrawnRule {
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  /** Null without a plan: the drawing shows the rule's shape without amounts. */
  plan: RulePlan | null;
  names: AccountNames;
  /** The amount that arrived or is shared out, in cents; null if unknown. */
  incomingAmountInCents: number | null;
}

/** `PLANNED`: without an amount. `NOT_REACHED`: after a failed one. */
type BranchState = "FLOWS" | "SKIPPED" | "FAILED" | "NOT_REACHED" | "PLANNED";

/** One destination, in the order of payment. */
export interface Branch {
  id: string;
  name: string;
  /** What the action moves: `27%`, `the rest`. */
  label: string;
  /** The same without the size of the limit, for narrow drawings. */
  shortLabel: string;
  /** Null without a plan. */
  amountInCents: number | null;
  state: BranchState;
  /** The source, if it differs from the drawing's; otherwise null. */
  fromName: string | null;
}

/** More would be indistinguishable in a drawing; the table has all of them. */
export const MAXIMUM_BRANCHES = 12;

/** The drawn step: the one that ran, otherwise the first. */
export function drawnStepIndex(plan: RulePlan | null): number {
  return plan?.stepIndexMatched ?? 0;
}

/**
 * The account that the drawn channel starts from: the trigger's, unless the step takes nothing from it, since that
 * channel would lead nowhere.
 * @returns `amountInCents`: the amount of the channel; null if it equals the sum of its branches
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
      // With mixed sources, the channel of the trigger's account would be too wide.
      fromName: others.every(({ fromName }) => fromName === null) ? null : "several accounts",
    },
  ];
}

/** Right of a branch: its amount or outcome; empty without a plan. */
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

/** The second line of a branch: `30%, at most $6,000.00 a month`, or shorter. */
export function branchLabel(
  { label, shortLabel, fromName }: Branch,
  letters = Number.MAX_SAFE_INTEGER,
): string {
  const whole = (words: string) =>
    [fromName === null ? "" : `from ${fromName}`, words].filter((part) => part !== "").join(", ");
  return whole(label).length <= letters ? whole(label) : whole(shortLabel);
}

/** The drawing as text, for screen readers. */
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

/** The measures of one type of drawing, in its own units. */
export interface NetworkMeasures {
  /** The start and end of the trigger account's channel, and the end of the branches. */
  trunkX: number;
  forkX: number;
  branchX: number;
  /** Top and height of the channel with few branches. */
  trunkY: number;
  trunkHeight: number;
  /** Distance between the middles of two branches, and the middle of the first. */
  pitch: number;
  firstY: number;
  /** With more branches than this, the channel moves down to their middle. */
  branchesAtRest: number;
  /** Length of a channel from an account other than the trigger's. */
  ownChannel: number;
}

export interface Span {
  top: number;
  bottom: number;
}

export interface DrawnBranch {
  branch: Branch;
  /** Where it leaves the channel, or starts if it has its own source. */
  from: Span;
  to: Span;
  middleY: number;
  /** Its start. */
  fromX: number;
}

export interface Network {
  trunk: Span;
  branches: DrawnBranch[];
  /** The part of the channel that no branch takes. */
  leftover: Span | null;
  /** Bottom of the lowest branch, including its text. */
  bottom: number;
}

const MINIMUM_WIDTH = 2;
/** Room for a branch's text below its middle. */
const WORDS_BELOW = 26;

/**
 * Lays out a rule to scale: a channel is as wide as its amount, at least 2, and branches together are never wider than
 * their channel. A branch without an amount keeps its place with no width.
 * @param incomingAmountInCents the amount of the channel; null for the sum of its branches
 */
export function layOutNetwork(
  branches: readonly Branch[],
  incomingAmountInCents: number | null,
  measures: NetworkMeasures,
): Network {
  const { pitch, firstY, branchX, forkX, trunkHeight } = measures;
  const restMiddle = measures.trunkY + trunkHeight / 2;
  const atRest = firstY + ((measures.branchesAtRest - 1) * pitch) / 2;
  const half = ((branches.length - 1) * pitch) / 2;
  const middle = Math.max(restMiddle, firstY + half - Math.max(0, atRest - restMiddle));
  const startY = Math.max(firstY, middle - half);
  const trunk = { top: round(middle - trunkHeight / 2), bottom: round(middle + trunkHeight / 2) };
  const full = scaleOf(branches, incomingAmountInCents);
  const widths = branches.map((branch) => widthOf(branch, full, trunkHeight));
  const own = branches.map(({ fromName }, index) => (fromName === null ? (widths[index] ?? 0) : 0));
  const together = own.reduce((sum, width) => sum + width, 0);
  const shrink = together > trunkHeight ? trunkHeight / together : 1;
  // Without any flow, the dashes start in the middle.
  let taken = together === 0 ? middle : trunk.top;
  const drawn = branches.map((branch, index): DrawnBranch => {
    const middleY = round(startY + index * pitch);
    const width = widths[index] ?? 0;
    const to = { top: round(middleY - width / 2), bottom: round(middleY + width / 2) };
    if (branch.fromName !== null) {
      return { branch, from: to, to, middleY, fromX: branchX - measures.ownChannel };
    }
    const from = { top: round(taken), bottom: round(taken + width * shrink) };
    taken += width * shrink;
    return { branch, from, to, middleY, fromX: forkX };
  });
  const leftTop = together === 0 ? trunk.top : round(taken);
  const leftover = trunk.bottom - leftTop > 0.5 ? { top: leftTop, bottom: trunk.bottom } : null;
  const lowest = drawn.at(-1);
  const bottom = Math.max(
    trunk.bottom,
    (lowest?.middleY ?? 0) + Math.max(WORDS_BELOW, (widths.at(-1) ?? 0) / 2),
  );
  return { trunk, branches: drawn, leftover, bottom: round(bottom) };
}

/** The amount that fills the channel; all channels share one scale. */
function scaleOf(branches: readonly Branch[], incomingAmountInCents: number | null): number {
  const leaving = branches.reduce(
    (sum, { fromName, amountInCents }) => sum + (fromName === null ? (amountInCents ?? 0) : 0),
    0,
  );
  const elsewhere = branches.map(({ amountInCents }) => amountInCents ?? 0);
  return Math.max(1, incomingAmountInCents ?? 0, leaving, ...elsewhere);
}

function widthOf({ state, amountInCents }: Branch, full: number, trunkHeight: number): number {
  if (state !== "FLOWS" || amountInCents === null) return 0;
  return Math.max(MINIMUM_WIDTH, (amountInCents / full) * trunkHeight);
}

/** The outline of a branch between two vertical ends: its water and its two banks. */
export function branchPaths(
  { fromX, from, to }: Pick<DrawnBranch, "fromX" | "from" | "to">,
  toX: number,
): { water: string; banks: string } {
  const bend = round((fromX + toX) / 2);
  const over = (y: number, otherY: number) =>
    `M${fromX} ${y}C${bend} ${y} ${bend} ${otherY} ${toX} ${otherY}`;
  return {
    // Overlaps the channel by one unit to avoid a hairline gap.
    water: `M${fromX - 1} ${from.top}H${fromX}C${bend} ${from.top} ${bend} ${to.top} ${toX} ${to.top}V${to.bottom}C${bend} ${to.bottom} ${bend} ${from.bottom} ${fromX} ${from.bottom}H${fromX - 1}Z`,
    banks: `${over(from.top, to.top)}${over(from.bottom, to.bottom)}`,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Drawings cannot measure text, so it is fitted by character count. */

/** At most `letters` characters, ending in an ellipsis if cut off. */
export function fitText(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1)).trimEnd()}…`;
}

/** Lines of whole words; the last line ends in an ellipsis if text is left over. */
export function wrapText(text: string, letters: number, maximumLines: number): string[] {
  const lines: string[] = [];
  let rest = text.split(" ");
  while (rest.length > 0 && lines.length < maximumLines) {
    if (lines.length === maximumLines - 1) {
      lines.push(fitText(rest.join(" "), letters));
      break;
    }
    let taken = 1;
    while (taken < rest.length && rest.slice(0, taken + 1).join(" ").length <= letters) taken += 1;
    lines.push(fitText(rest.slice(0, taken).join(" "), letters));
    rest = rest.slice(taken);
  }
  return lines;
}
