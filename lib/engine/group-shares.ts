import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlacedAction } from "@/lib/engine/action-order";
import type { RunningMoney } from "@/lib/engine/running-money";
import { shareOut } from "@/lib/engine/share-out";
import { NeedsUnknown } from "@/lib/engine/unknown-fact";

export interface GroupShare {
  baseInCents: number;
  shareInCents: number;
}

/** The shares of one group by the index of their action, worked out of one snapshot (decisions page, "Order"). */
export type GroupShares = ReadonlyMap<number, GroupShare>;

type Percentage = Extract<RuleAction, { type: "PERCENTAGE" }>;

interface SharedBase {
  of: Percentage["of"];
  sourceAccountId: string;
  actionIndices: number[];
  percentages: number[];
}

/**
 * Shares out every base of a group at once, before any of its actions has taken something.
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

/** What is shared out together: percentages of one base of one source, whose total the contract keeps within 100. */
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

/** An account that is overdrawn brings nothing to share out. */
function incomingAmount(facts: RuleFacts): number {
  if (facts.incomingAmountInCents === null) {
    throw new NeedsUnknown({ fact: "INCOMING_AMOUNT", accountId: null });
  }
  return Math.max(0, facts.incomingAmountInCents);
}
