import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";
import { groupsInOrder, percentageOf, unitsOf } from "@/lib/engine/share-out";

type Step = RuleDefinition["steps"][number];
const UNITS_OF_ALL = unitsOf(100);

/** The most that earlier actions can have taken from one source. */
interface Taken {
  /** Share of the incoming amount, in units of `unitsOf`. */
  incomingUnits: number;
  cents: number;
  /** Unbounded: the rest, a share of the balance, a debt. */
  isUnbounded: boolean;
  /** Another action of this group took from the source first, so shares of its balance may not fit. */
  isTouchedByGroup: boolean;
}

/**
 * Whether no transfer of a step can ask for more than its source has, assuming that the deposit is in its account. Sound
 * but not complete: false means “not proven”. Limits, skips and debts only reduce amounts, so they cannot break the proof.
 * @param hasFloor whether an account has a floor, which can stop a transfer before the money runs out
 */
export function suffices(
  step: Step,
  { trigger, limits }: Pick<RuleDefinition, "trigger" | "limits">,
  hasFloor: (accountId: string) => boolean,
): boolean {
  const taken = new Map<string, Taken>();
  const least = leastOf(step, trigger);
  for (const members of groupsInOrder(step.actions)) {
    for (const [source, known] of taken) taken.set(source, { ...known, isTouchedByGroup: false });
    for (const { action } of members) {
      const source = action.sourceAccountId;
      const before = taken.get(source) ?? NOTHING;
      const after = { ...before, ...withAction(before, action, limits) };
      taken.set(source, after);
      if (action.upTo || TAKES_WHAT_IS_THERE.has(action.type)) continue;
      if (hasFloor(source)) return false;
      if (isShareOfBalance(action)) {
        if (before.isTouchedByGroup) return false;
      } else if (!fits(after, least, source === trigger.accountId, source)) return false;
    }
  }
  return true;
}

const NOTHING: Taken = { incomingUnits: 0, cents: 0, isUnbounded: false, isTouchedByGroup: false };
const TAKES_WHAT_IS_THERE: ReadonlySet<RuleAction["type"]> = new Set(["TOP_UP", "ROUND_DOWN", "REMAINDER"]);

function isShareOfBalance(action: RuleAction): boolean {
  return action.type === "PERCENTAGE" && action.of === "SOURCE_BALANCE";
}

function withAction(before: Taken, action: RuleAction, limits: RuleDefinition["limits"]): Partial<Taken> {
  const limit = limits.find(({ id }) => id === action.limitId)?.amountInCents ?? Number.POSITIVE_INFINITY;
  if (isShareOfBalance(action)) return { isUnbounded: true };
  if (action.type === "PERCENTAGE") {
    return { incomingUnits: before.incomingUnits + unitsOf(action.percentage), isTouchedByGroup: true };
  }
  const most = Math.min(mostOf(action), limit);
  return Number.isFinite(most)
    ? { cents: before.cents + most, isTouchedByGroup: true }
    : { isUnbounded: true, isTouchedByGroup: true };
}

/** The most that one action takes in all its transfers, ignoring its limit. */
function mostOf(action: RuleAction): number {
  switch (action.type) {
    case "FIXED":
    case "ROUND_DOWN":
    case "SNOWBALL":
    case "AVALANCHE":
      return action.amountInCents;
    default:
      // Filling up too: an overdrawn account lacks more than the amount.
      return Number.POSITIVE_INFINITY;
  }
}

interface Least {
  incomingInCents: number;
  availableInCents: ReadonlyMap<string, number>;
}

function fits(taken: Taken, least: Least, isTriggerAccount: boolean, source: string): boolean {
  if (taken.isUnbounded || (taken.incomingUnits > 0 && !isTriggerAccount)) return false;
  if (taken.incomingUnits > UNITS_OF_ALL) return false;
  const available = least.availableInCents.get(source) ?? 0;
  if (taken.incomingUnits === 0 && taken.cents <= available) return true;
  // If the smallest incoming amount covers the rest, any larger one does too.
  const left = percentageOf(least.incomingInCents, (UNITS_OF_ALL - taken.incomingUnits) / 10_000);
  return isTriggerAccount && taken.cents <= left;
}

/** The minimum amount that the conditions and the trigger require. */
function leastOf({ conditions }: Step, trigger: RuleDefinition["trigger"]): Least {
  const availableInCents = new Map<string, number>();
  let incomingInCents = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 0) : 0;
  for (const comparison of conditions === null ? [] : requiredComparisons(conditions)) {
    if (!("value" in comparison) || typeof comparison.value !== "number") continue;
    const least = leastAllowed(comparison.operator, comparison.value);
    if (least === null) continue;
    if (comparison.fact === "INCOMING_AMOUNT") incomingInCents = Math.max(incomingInCents, least);
    if (comparison.fact === "AVAILABLE_BALANCE") {
      const known = availableInCents.get(comparison.accountId) ?? 0;
      availableInCents.set(comparison.accountId, Math.max(known, least));
    }
  }
  return { incomingInCents, availableInCents };
}

function leastAllowed(operator: string, value: number): number | null {
  if (operator === "EQUAL" || operator === "GREATER_THAN_OR_EQUAL") return value;
  return operator === "GREATER_THAN" ? value + 1 : null;
}

/**
 * The indexes of actions that can never reach the minimum transfer: their limit is below it, or an earlier action leaves
 * nothing. Sound but not complete, like `suffices`.
 */
export function neverMoving({ actions }: Step, limits: RuleDefinition["limits"]): number[] {
  const emptied = new Set<string>();
  const never: number[] = [];
  for (const members of groupsInOrder(actions)) {
    const sharesOfGroup = new Map<string, number>();
    for (const { action, actionIndex } of members) {
      const source = action.sourceAccountId;
      const limit = limits.find(({ id }) => id === action.limitId)?.amountInCents ?? Number.POSITIVE_INFINITY;
      const isTooSmall =
        limit < MINIMUM_TRANSFER_IN_CENTS ||
        // The excess is at most one cent less than the multiple.
        (action.type === "ROUND_DOWN" && action.amountInCents <= MINIMUM_TRANSFER_IN_CENTS);
      if (isTooSmall || emptied.has(source)) never.push(actionIndex);
      if (action.type === "REMAINDER" && action.keepInCents === 0 && action.limitId === null)
        emptied.add(source);
      if (action.type === "PERCENTAGE" && action.of === "SOURCE_BALANCE" && action.limitId === null) {
        sharesOfGroup.set(source, (sharesOfGroup.get(source) ?? 0) + unitsOf(action.percentage));
      }
    }
    // Shares below the minimum transfer stay, so only a single share is sure to empty the account.
    for (const [source, units] of sharesOfGroup) {
      const takers = members.filter(({ action }) => action.sourceAccountId === source);
      if (units === UNITS_OF_ALL && takers.length === 1) emptied.add(source);
    }
  }
  return never;
}

/**
 * The indexes of steps that never run: an earlier step has no conditions, the same conditions, or a wider comparison. Only
 * simple cases are detected.
 */
export function unreachableSteps({ steps }: Pick<RuleDefinition, "steps">): number[] {
  return steps.flatMap((step, index) =>
    steps.slice(0, index).some((earlier) => takesAllOf(earlier.conditions, step.conditions)) ? [index] : [],
  );
}

/** Whether `earlier` is met whenever `later` is. */
function takesAllOf(earlier: RuleConditions | null, later: RuleConditions | null): boolean {
  if (earlier === null) return true;
  if (later === null) return false;
  if (JSON.stringify(earlier) === JSON.stringify(later)) return true;
  const wide = onlyComparison(earlier);
  return wide !== null && requiredComparisons(later).some((narrow) => implies(narrow, wide));
}

/** The single comparison of the conditions; null if there are more. */
function onlyComparison(conditions: RuleConditions): RuleComparison | null {
  const [first, ...more] = "all" in conditions ? conditions.all : conditions.any;
  return first && more.length === 0 && "fact" in first ? first : null;
}

/** Comparisons that must be met for the conditions to be met. */
function requiredComparisons(conditions: RuleConditions): RuleComparison[] {
  if ("all" in conditions) return conditions.all.filter((member) => "fact" in member);
  const only = onlyComparison(conditions);
  return only ? [only] : [];
}

/** Whether every value that satisfies `narrow` satisfies `wide`. */
function implies(narrow: RuleComparison, wide: RuleComparison): boolean {
  if (JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  if (!("value" in narrow && "value" in wide) || !isSameFact(narrow, wide)) return false;
  if (typeof narrow.value !== "number" || typeof wide.value !== "number") return false;
  const inner = bounds(narrow.operator, narrow.value);
  const outer = bounds(wide.operator, wide.value);
  return inner !== null && outer !== null && inner.from >= outer.from && inner.to <= outer.to;
}

function isSameFact(one: RuleComparison, other: RuleComparison): boolean {
  const accountOf = (comparison: RuleComparison) => ("accountId" in comparison ? comparison.accountId : null);
  return one.fact === other.fact && accountOf(one) === accountOf(other);
}

/** The integers that satisfy it; null for “anything but”, which is not a range. */
function bounds(operator: RuleComparison["operator"], value: number): { from: number; to: number } | null {
  const { NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number;
  switch (operator) {
    case "EQUAL":
      return { from: value, to: value };
    case "GREATER_THAN":
      return { from: value + 1, to: most };
    case "GREATER_THAN_OR_EQUAL":
      return { from: value, to: most };
    case "LESS_THAN":
      return { from: least, to: value - 1 };
    case "LESS_THAN_OR_EQUAL":
      return { from: least, to: value };
    case "NOT_EQUAL":
      return null;
  }
}
