import type {
  ActionDraft,
  ComparisonDraft,
  ConditionDraft,
  GroupDraft,
  LimitDraft,
  RuleDraft,
  ScheduleDraft,
  TriggerDraft,
} from "@/lib/contract/rules/draft";

/** Up or down in the order. */
export type Way = -1 | 1;

/** One edit of a draft in the sentence editor. */
export type DraftEdit =
  | { kind: "SET_TEXT"; field: "name" | "description" | "reason"; text: string }
  | { kind: "SET_TRIGGER"; change: Partial<Omit<TriggerDraft, "schedule">> }
  | { kind: "SET_SCHEDULE"; change: Partial<ScheduleDraft> }
  | { kind: "ADD_STEP" }
  | { kind: "REMOVE_STEP"; step: number }
  | { kind: "MOVE_STEP"; step: number; way: Way }
  /** `group` null: the step's own group, created if missing. */
  | { kind: "ADD_CONDITION"; step: number; group: number | null }
  | { kind: "ADD_CONDITION_GROUP"; step: number; group: number | null }
  | { kind: "SET_MATCH"; group: number; match: "ALL" | "ANY" }
  | { kind: "SET_COMPARISON"; comparison: number; change: Partial<Omit<ComparisonDraft, "key" | "kind">> }
  | { kind: "REMOVE_CONDITION"; condition: number }
  | { kind: "ADD_ACTION"; step: number; inNewGroup: boolean }
  | { kind: "SET_ACTION"; action: number; change: Partial<Omit<ActionDraft, "key" | "group" | "limitId">> }
  | { kind: "REMOVE_ACTION"; action: number }
  | { kind: "MOVE_ACTION"; action: number; way: Way }
  /** Creates a limit named after `called` if the action has none. */
  | { kind: "SET_LIMIT"; action: number; called: string; change: Partial<Omit<LimitDraft, "id">> }
  /** Null for none. */
  | { kind: "USE_LIMIT"; action: number; limitId: string | null };

/** The result of an edit: the new draft and a notice. */
export interface Edited {
  draft: RuleDraft;
  notice: string | null;
}

/** An unused key. */
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

/** The depth of a group in a step's conditions: 1 for the step's own, null if it is not there. */
export function depthOf(root: GroupDraft | null, groupKey: number, depth = 1): number | null {
  if (root === null) return null;
  if (root.key === groupKey) return depth;
  for (const member of root.members) {
    const found = member.kind === "GROUP" ? depthOf(member, groupKey, depth + 1) : null;
    if (found !== null) return found;
  }
  return null;
}
