import type { ConditionDraft, GroupDraft, RuleDraft } from "@/lib/contract/rules/draft";

/** A key that no part of the draft has. */
export function freeKey(draft: RuleDraft): number {
  let highest = 0;
  for (const step of draft.steps) {
    highest = Math.max(highest, step.key, ...step.actions.map(({ key }) => key));
    if (step.conditions) highest = Math.max(highest, ...conditionKeys(step.conditions));
  }
  return highest + 1;
}

/** The draft's schema bounds how deep this goes. */
function conditionKeys(node: ConditionDraft): number[] {
  return node.kind === "GROUP" ? [node.key, ...node.members.flatMap(conditionKeys)] : [node.key];
}

/** How deep a group lies in a step's conditions: 1 for the step's own; null where it is not. */
export function depthOf(root: GroupDraft | null, groupKey: number, depth = 1): number | null {
  if (root === null) return null;
  if (root.key === groupKey) return depth;
  for (const member of root.members) {
    const found = member.kind === "GROUP" ? depthOf(member, groupKey, depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}
