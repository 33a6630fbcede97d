import type { RuleAction } from "@/lib/contract/rules/action";

/** An action with its place in the step, which tells it from another that says the same. */
export interface PlacedAction {
  action: RuleAction;
  /** Of the step's actions, from 0. */
  actionIndex: number;
}

/** The actions of a step by group, the lowest first; in their own order within one (decisions page, "Order"). */
export function groupsInOrder(actions: readonly RuleAction[]): PlacedAction[][] {
  const groups = new Map<number, PlacedAction[]>();
  for (const [actionIndex, action] of actions.entries()) {
    const members = groups.get(action.group);
    if (members) members.push({ action, actionIndex });
    else groups.set(action.group, [{ action, actionIndex }]);
  }
  return [...groups].sort(([one], [other]) => one - other).map(([, members]) => members);
}
