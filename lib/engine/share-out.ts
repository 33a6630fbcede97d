import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import { NeedsUnknown } from "@/lib/engine/run-facts";
import type { RunningMoney } from "@/lib/engine/running-money";

/** Shares are counted in ten-thousandths of a percent, the smallest unit in a rule. */
const UNITS_OF_ALL = 1_000_000;

/** @param percentage 0 to 100, at most four decimals */
export function unitsOf(percentage: number): number {
  return Math.round(percentage * 10_000);
}

/**
 * Splits cents by largest remainder: the shares add up to the total of the percentages, rounded down to a cent, so no cent
 * is created and 100% leaves nothing. With equal remainders, the earlier share gets the cent.
 * @param baseInCents 0 or more
 * @param percentages at most 100 together
 * @returns cents, in the order of the percentages
 */
export function shareOut(baseInCents: number, percentages: readonly number[]): number[] {
  const units = percentages.map(unitsOf);
  const exact = units.map((unit) => partOf(baseInCents, unit));
  const whole = partOf(
    baseInCents,
    units.reduce((sum, unit) => sum + unit, 0),
  ).cents;
  const shares = exact.map((part) => part.cents);
  let left = whole - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part.remainder }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

/** A percentage of an amount, rounded down to a cent. */
export function percentageOf(baseInCents: number, percentage: number): number {
  return partOf(baseInCents, unitsOf(percentage)).cents;
}

/** `remainder`: the remainder of the division, in millionths of a cent. */
function partOf(baseInCents: number, units: number): { cents: number; remainder: number } {
  const product = baseInCents * units;
  if (Number.isSafeInteger(product)) {
    return { cents: Math.floor(product / UNITS_OF_ALL), remainder: product % UNITS_OF_ALL };
  }
  // BigInt, because cents times units can exceed the safe integer range.
  const exact = BigInt(baseInCents) * BigInt(units);
  return { cents: Number(exact / BigInt(UNITS_OF_ALL)), remainder: Number(exact % BigInt(UNITS_OF_ALL)) };
}

interface GroupShare {
  baseInCents: number;
  shareInCents: number;
}

/** The shares of one group by action index, from one snapshot (docs/behavior/rules.md). */
export type GroupShares = ReadonlyMap<number, GroupShare>;

type Percentage = Extract<RuleAction, { type: "PERCENTAGE" }>;

interface SharedBase {
  of: Percentage["of"];
  sourceAccountId: string;
  actionIndices: number[];
  percentages: number[];
}

/**
 * Splits every base of a group together, before any of its actions takes money.
 * @throws NeedsUnknown
 */
export function shareOutGroup(
  members: readonly PlacedAction[],
  facts: RuleFacts,
  money: RunningMoney,
): GroupShares {
  const shares = new Map<number, GroupShare>();
  for (const base of sharedBases(members)) {
    const baseInCents =
      base.of === "INCOMING_AMOUNT" ? incomingAmount(facts) : money.left(base.sourceAccountId);
    const cents = shareOut(baseInCents, base.percentages);
    for (const [position, actionIndex] of base.actionIndices.entries()) {
      shares.set(actionIndex, { baseInCents, shareInCents: cents[position] ?? 0 });
    }
  }
  return shares;
}

/** Percentages of one base of one source, split together; the contract limits their total to 100. */
function sharedBases(members: readonly PlacedAction[]): SharedBase[] {
  const bases: SharedBase[] = [];
  for (const { action, actionIndex } of members) {
    if (action.type !== "PERCENTAGE") continue;
    const { of, sourceAccountId, percentage } = action;
    const base = bases.find((known) => known.sourceAccountId === sourceAccountId && known.of === of);
    if (base) {
      base.actionIndices.push(actionIndex);
      base.percentages.push(percentage);
    } else {
      bases.push({ of, sourceAccountId, actionIndices: [actionIndex], percentages: [percentage] });
    }
  }
  return bases;
}

/** An overdrawn account has nothing to split. */
function incomingAmount(facts: RuleFacts): number {
  if (facts.incomingAmountInCents === null) {
    throw new NeedsUnknown({ fact: "INCOMING_AMOUNT", accountId: null });
  }
  return Math.max(0, facts.incomingAmountInCents);
}

/** An action with its index in the step, which distinguishes equal actions. */
export interface PlacedAction {
  action: RuleAction;
  /** The index among the step's actions. */
  actionIndex: number;
}

/** The actions of a step by ascending group, in order within each (docs/behavior/rules.md). */
export function groupsInOrder(actions: readonly RuleAction[]): PlacedAction[][] {
  const placed = actions
    .map((action, actionIndex) => ({ action, actionIndex }))
    .sort((one, other) => one.action.group - other.action.group || one.actionIndex - other.actionIndex);
  const groups: PlacedAction[][] = [];
  for (const next of placed) {
    const members = groups.at(-1);
    if (members?.[0]?.action.group === next.action.group) members.push(next);
    else groups.push([next]);
  }
  return groups;
}
