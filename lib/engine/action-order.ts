import type { RuleAction } from "@/lib/contract/rules/action";

/** An action with its place in the step, which tells it from another that says the same. */
export interface PlacedAction {
  action: RuleAction;
  /** Of the step's actions, from 0. */
  actionIndex: number;
}

/** The actions of a step by group, the lowest first; in their own order within one (decisions page, "Order"). */
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
