import { type DraftEdit, depthOf, type Edited, freeKey } from "@/app/rules/_components/editor/draft-edit";
import { dropUnusedLimits } from "@/app/rules/_components/editor/edit-actions";
import { emptyComparison } from "@/lib/contract/rules/definition-to-draft";
import {
  type ComparisonDraft,
  type ConditionDraft,
  type GroupDraft,
  MAXIMUM_CONDITION_DEPTH,
  MAXIMUM_CONDITIONS,
  MAXIMUM_STEPS,
  type RuleDraft,
  type StepDraft,
} from "@/lib/contract/rules/draft";

type StepEdit = Extract<DraftEdit, { kind: "ADD_STEP" | "REMOVE_STEP" | "MOVE_STEP" }>;

export function editSteps(draft: RuleDraft, edit: StepEdit): Edited {
  if (edit.kind === "ADD_STEP") return addStep(draft);
  const index = draft.steps.findIndex(({ key }) => key === edit.step);
  if (index < 0) return { draft, notice: null };
  return edit.kind === "REMOVE_STEP" ? removeStep(draft, index) : moveStep(draft, index, index + edit.way);
}

function addStep(draft: RuleDraft): Edited {
  if (draft.steps.length >= MAXIMUM_STEPS) {
    return { draft, notice: `A rule has at most ${MAXIMUM_STEPS} steps. Use another rule for the rest.` };
  }
  const key = freeKey(draft);
  const last = draft.steps.at(-1);
  if (draft.steps.length > 1 && last && last.conditions === null) {
    // Steps after one without conditions never run.
    const conditions: GroupDraft = {
      key: key + 1,
      kind: "GROUP",
      match: "ALL",
      members: [newComparison(draft, key + 2)],
    };
    const steps = draft.steps.toSpliced(-1, 0, { key, conditions, actions: [] });
    return { draft: { ...draft, steps }, notice: `Step ${steps.length - 1} added.` };
  }
  const steps = [...draft.steps, { key, conditions: null, actions: [] }];
  return { draft: { ...draft, steps }, notice: `Step ${steps.length} added.` };
}

function removeStep(draft: RuleDraft, index: number): Edited {
  const rest = draft.steps.filter((_, position) => position !== index);
  // A rule has at least one step, even if empty.
  const steps = rest.length > 0 ? rest : [{ key: freeKey(draft), conditions: null, actions: [] }];
  return { draft: dropUnusedLimits({ ...draft, steps }, draft), notice: `Step ${index + 1} removed.` };
}

function moveStep(draft: RuleDraft, from: number, to: number): Edited {
  const moved = draft.steps[from];
  if (!moved || to < 0 || to >= draft.steps.length) return { draft, notice: null };
  const steps = draft.steps.toSpliced(from, 1).toSpliced(to, 0, moved);
  return { draft: { ...draft, steps }, notice: `Now step ${to + 1} of ${steps.length}.` };
}

type ConditionEdit = Extract<
  DraftEdit,
  { kind: "ADD_CONDITION" | "ADD_CONDITION_GROUP" | "SET_MATCH" | "SET_COMPARISON" | "REMOVE_CONDITION" }
>;

export function editConditions(draft: RuleDraft, edit: ConditionEdit): Edited {
  switch (edit.kind) {
    case "ADD_CONDITION":
    case "ADD_CONDITION_GROUP":
      return addTo(draft, edit);
    case "SET_MATCH":
      return changeNodes(draft, (node) =>
        node.kind === "GROUP" && node.key === edit.group ? { ...node, match: edit.match } : node,
      );
    case "SET_COMPARISON":
      return changeNodes(draft, (node) =>
        node.kind === "COMPARISON" && node.key === edit.comparison ? changed(node, edit.change) : node,
      );
    case "REMOVE_CONDITION":
      return changeNodes(draft, (node) => (node.key === edit.condition ? null : node), "Condition removed.");
  }
}

const DAYS = new Set(["DAY_OF_MONTH", "DAY_OF_WEEK"]);

/** A value in cents is meaningless as a day, and vice versa. */
function changed(node: ComparisonDraft, change: Partial<ComparisonDraft>): ComparisonDraft {
  const next = { ...node, ...change, key: node.key };
  if (next.fact === node.fact) return next;
  const isOfOneKind = !DAYS.has(next.fact) && !DAYS.has(node.fact) && next.fact !== "DATE";
  const isDate = next.fact === "DATE";
  return { ...next, value: isOfOneKind ? next.value : null, against: isDate ? "VALUE" : next.against };
}

function addTo(
  draft: RuleDraft,
  edit: Extract<ConditionEdit, { kind: "ADD_CONDITION" | "ADD_CONDITION_GROUP" }>,
) {
  const step = draft.steps.find(({ key }) => key === edit.step);
  if (!step) return { draft, notice: null };
  const key = freeKey(draft);
  const root: GroupDraft = step.conditions ?? { key, kind: "GROUP", match: "ALL", members: [] };
  const groupKey = edit.group ?? root.key;
  const depth = depthOf(root, groupKey);
  if (depth === null) return { draft, notice: null };
  if (edit.kind === "ADD_CONDITION_GROUP" && depth >= MAXIMUM_CONDITION_DEPTH) {
    return { draft, notice: `Condition groups are at most ${MAXIMUM_CONDITION_DEPTH} levels deep.` };
  }
  const comparison = newComparison(draft, key + 2);
  const member: ConditionDraft =
    edit.kind === "ADD_CONDITION"
      ? comparison
      : { key: key + 1, kind: "GROUP", match: "ANY", members: [comparison] };
  let isFull = false;
  const conditions = mapGroup(root, (node) => {
    if (node.kind !== "GROUP" || node.key !== groupKey) return node;
    isFull = node.members.length >= MAXIMUM_CONDITIONS;
    return isFull ? node : { ...node, members: [...node.members, member] };
  });
  if (isFull) {
    return {
      draft,
      notice: `A group has at most ${MAXIMUM_CONDITIONS} conditions. Add a group for the rest.`,
    };
  }
  return { draft: withStep(draft, { ...step, conditions }), notice: "Condition added." };
}

/** Defaults to what the trigger knows: the deposit amount or its account's balance. */
function newComparison(draft: RuleDraft, key: number): ComparisonDraft {
  const empty = emptyComparison(key);
  return draft.trigger.type === "ON_FUNDS_TRANSFERRED"
    ? empty
    : { ...empty, fact: "AVAILABLE_BALANCE", accountId: draft.trigger.accountId };
}

/** Applies a change to every node; null removes it, and any group left empty. */
function changeNodes(
  draft: RuleDraft,
  change: (node: ConditionDraft) => ConditionDraft | null,
  notice: string | null = null,
): Edited {
  const steps = draft.steps.map((step) => {
    if (!step.conditions) return step;
    const conditions = mapGroup(step.conditions, change);
    return conditions === step.conditions ? step : { ...step, conditions };
  });
  const isSame = steps.every((step, index) => step === draft.steps[index]);
  return isSame ? { draft, notice: null } : { draft: { ...draft, steps }, notice };
}

/** @returns null if the group is left empty; the same object if unchanged */
function mapGroup(
  group: GroupDraft,
  change: (node: ConditionDraft) => ConditionDraft | null,
): GroupDraft | null {
  const own = change(group);
  if (own?.kind !== "GROUP") return null;
  let isSame = true;
  const members = own.members.flatMap((member): ConditionDraft[] => {
    const next = member.kind === "GROUP" ? mapGroup(member, change) : change(member);
    isSame &&= next === member;
    return next ? [next] : [];
  });
  if (isSame) return own;
  return members.length > 0 ? { ...own, members } : null;
}

function withStep(draft: RuleDraft, step: StepDraft): RuleDraft {
  return { ...draft, steps: draft.steps.map((other) => (other.key === step.key ? step : other)) };
}
