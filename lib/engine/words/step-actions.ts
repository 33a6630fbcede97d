import type { RuleAction } from "@/lib/contract/rules/action";

export interface OrderedAction {
  action: RuleAction;
  /** Of the step's actions, from 0. */
  actionIndex: number;
}

/** A step's actions as they run: by group, then in their order (`evaluate`); one entry a group. */
export function groupsOf(actions: readonly RuleAction[]): OrderedAction[][] {
  const ordered = actions
    .map((action, actionIndex) => ({ action, actionIndex }))
    .sort((one, other) => one.action.group - other.action.group || one.actionIndex - other.actionIndex);
  const groups: OrderedAction[][] = [];
  for (const next of ordered) {
    const group = groups.at(-1);
    if (group?.[0]?.action.group === next.action.group) group.push(next);
    else groups.push([next]);
  }
  return groups;
}
