import type { DraftEdit, Edited } from "@/components/rules/editor/draft-edit";
import { editActions } from "@/components/rules/editor/edit-actions";
import { editConditions, editSteps } from "@/components/rules/editor/edit-steps";
import { editTrigger } from "@/components/rules/editor/edit-trigger";
import { type JsonProblem, parseRuleJson } from "@/components/rules/editor/rule-json";
import { toDraft } from "@/lib/contract/rules/definition-to-draft";
import type { RuleDraft, RuleWork } from "@/lib/contract/rules/draft";

export type EditorEvent =
  | { kind: "EDIT"; edit: DraftEdit }
  | { kind: "TYPE_JSON"; text: string }
  /** Back to the rule as it was before the JSON stopped being one. */
  | { kind: "DROP_JSON" };

export interface EditorState {
  draft: RuleDraft;
  /** As typed in the JSON view, until something is changed in words. */
  json: { text: string; problems: JsonProblem[] } | null;
  /** Told to whoever cannot see the change, or why there was none. */
  notice: string | null;
  /** Rises with every change that is to be kept. */
  revision: number;
}

export function openWork({ draft, jsonText }: RuleWork): EditorState {
  return { draft, json: jsonText === null ? null : readJson(jsonText).json, notice: null, revision: 0 };
}

/** What is kept of a state. */
export function workOf({ draft, json }: Pick<EditorState, "draft" | "json">): RuleWork {
  return { draft, jsonText: json?.text ?? null };
}

/** JSON that is no rule holds the words back: they would lose what was typed. */
export function isHeldByJson({ json }: Pick<EditorState, "json">): boolean {
  return json !== null && json.problems.length > 0;
}

/** Pure: the same answer for the same arguments. */
export function reduceEditor(state: EditorState, event: EditorEvent): EditorState {
  const revision = state.revision + 1;
  switch (event.kind) {
    case "EDIT": {
      if (isHeldByJson(state))
        return { ...state, notice: "Mend the JSON first, or drop what was typed there." };
      const edited = editDraft(state.draft, event.edit);
      if (edited.draft === state.draft) return { ...state, notice: edited.notice };
      // A reason is not part of the JSON, so the JSON as it was typed still says the rule.
      const keepsJson = event.edit.kind === "SET_TEXT" && event.edit.field === "reason";
      return { ...edited, json: keepsJson ? state.json : null, revision };
    }
    case "TYPE_JSON": {
      const { json, definition } = readJson(event.text);
      const { timeZone } = state.draft.trigger.schedule;
      const draft = definition ? toDraft(definition, timeZone, state.draft.reason) : state.draft;
      return { draft, json, notice: null, revision };
    }
    case "DROP_JSON":
      return { ...state, json: null, notice: null, revision };
  }
}

function readJson(text: string) {
  const parsed = parseRuleJson(text);
  return parsed.kind === "RULE"
    ? { json: { text, problems: [] }, definition: parsed.definition }
    : { json: { text, problems: parsed.problems }, definition: null };
}

/** What one edit makes of a draft; the same draft where it changes nothing. */
export function editDraft(draft: RuleDraft, edit: DraftEdit): Edited {
  switch (edit.kind) {
    case "SET_TEXT":
      return { draft: { ...draft, [edit.field]: edit.text }, notice: null };
    case "SET_TRIGGER":
    case "SET_SCHEDULE":
      return editTrigger(draft, edit);
    case "ADD_STEP":
    case "REMOVE_STEP":
    case "MOVE_STEP":
      return editSteps(draft, edit);
    case "ADD_CONDITION":
    case "ADD_CONDITION_GROUP":
    case "SET_MATCH":
    case "SET_COMPARISON":
    case "REMOVE_CONDITION":
      return editConditions(draft, edit);
    default:
      return editActions(draft, edit);
  }
}
