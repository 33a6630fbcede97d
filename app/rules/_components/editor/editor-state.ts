import type { DraftEdit, Edited } from "@/app/rules/_components/editor/draft-edit";
import { editActions } from "@/app/rules/_components/editor/edit-actions";
import { editConditions, editSteps } from "@/app/rules/_components/editor/edit-steps";
import { editTrigger } from "@/app/rules/_components/editor/edit-trigger";
import { type JsonProblem, parseJson } from "@/components/parts/sentences/parse-json";
import { toDraft } from "@/lib/contract/rules/definition-to-draft";
import type { RuleDraft, RuleWork } from "@/lib/contract/rules/draft";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";

export type EditorEvent =
  | { kind: "EDIT"; edit: DraftEdit }
  | { kind: "TYPE_JSON"; text: string }
  /** Back to the last valid rule. */
  | { kind: "DROP_JSON" };

export interface EditorState {
  draft: RuleDraft;
  /** The typed JSON, until an edit in words. */
  json: { text: string; problems: JsonProblem[] } | null;
  /** Announced to screen readers: the change, or why there was none. */
  notice: string | null;
  /** Increases with every change to save. */
  revision: number;
}

export function openWork({ draft, jsonText }: RuleWork): EditorState {
  return { draft, json: jsonText === null ? null : readJson(jsonText).json, notice: null, revision: 0 };
}

/** The part of the state that is saved. */
export function workOf({ draft, json }: Pick<EditorState, "draft" | "json">): RuleWork {
  return { draft, jsonText: json?.text ?? null };
}

/** Invalid JSON blocks edits in words, which would discard what was typed. */
export function isHeldByJson({ json }: Pick<EditorState, "json">): boolean {
  return json !== null && json.problems.length > 0;
}

/** Pure. */
export function reduceEditor(state: EditorState, event: EditorEvent): EditorState {
  const revision = state.revision + 1;
  switch (event.kind) {
    case "EDIT": {
      if (isHeldByJson(state)) return { ...state, notice: "Fix the JSON first, or discard it." };
      const edited = editDraft(state.draft, event.edit);
      if (edited.draft === state.draft) return { ...state, notice: edited.notice };
      // The reason is not part of the JSON, so the typed JSON stays valid.
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

/** The body of `POST /rules` and `PUT /rules/{id}`. */
export const parseRule = (text: string) => parseJson(text, ruleDefinitionSchema, "rule");

function readJson(text: string) {
  const parsed = parseRule(text);
  return parsed.kind === "VALUE"
    ? { json: { text, problems: [] }, definition: parsed.value }
    : { json: { text, problems: parsed.problems }, definition: null };
}

/** Applies one edit; returns the same draft object if nothing changes. */
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
