import { freeKey } from "@/components/rules/editor/draft-keys";
import { dropUnusedLimits } from "@/components/rules/editor/edit-actions";
import { newComparison } from "@/components/rules/editor/edit-conditions";
import type { DraftEdit, Edited } from "@/components/rules/editor/editor-state";
import { type GroupDraft, MAXIMUM_STEPS, type RuleDraft } from "@/lib/contract/rules/draft";

type StepEdit = Extract<DraftEdit, { kind: "ADD_STEP" | "REMOVE_STEP" | "MOVE_STEP" }>;

export function editSteps(draft: RuleDraft, edit: StepEdit): Edited {
  if (edit.kind === "ADD_STEP") return addStep(draft);
  const index = draft.steps.findIndex(({ key }) => key === edit.step);
  if (index < 0) return { draft, notice: null };
  return edit.kind === "REMOVE_STEP" ? removeStep(draft, index) : moveStep(draft, index, index + edit.way);
}

function addStep(draft: RuleDraft): Edited {
  if (draft.steps.length >= MAXIMUM_STEPS) {
    return { draft, notice: `A rule has at most ${MAXIMUM_STEPS} steps. Make another rule of the rest.` };
  }
  const key = freeKey(draft);
  const last = draft.steps.at(-1);
  if (draft.steps.length > 1 && last && last.conditions === null) {
    // What comes behind a step without conditions never runs.
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
  // A rule has a step, if an empty one.
  const steps = rest.length > 0 ? rest : [{ key: freeKey(draft), conditions: null, actions: [] }];
  return { draft: dropUnusedLimits({ ...draft, steps }, draft), notice: `Step ${index + 1} removed.` };
}

function moveStep(draft: RuleDraft, from: number, to: number): Edited {
  const moved = draft.steps[from];
  if (!moved || to < 0 || to >= draft.steps.length) return { draft, notice: null };
  const steps = draft.steps.toSpliced(from, 1).toSpliced(to, 0, moved);
  return { draft: { ...draft, steps }, notice: `Now step ${to + 1} of ${steps.length}.` };
}
