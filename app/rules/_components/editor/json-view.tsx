"use client";

import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { type EditorState, parseRule } from "@/app/rules/_components/editor/editor-state";
import { IdList, JsonField } from "@/components/parts/sentences/json-field";
import { layOutJson } from "@/components/parts/sentences/parse-json";
import { Button } from "@/components/ui/button";
import { MONO } from "@/components/ui/text-styles";
import { toCandidate } from "@/lib/contract/rules/draft-to-definition";

interface JsonViewProps {
  state: EditorState;
  ruleId: string | null;
  onType: (text: string) => void;
  onDrop: () => void;
}

const MAXIMUM_LENGTH = 100_000;

/** The rule as JSON: the body of the API request. */
export function JsonView({ state, ruleId, onType, onDrop }: JsonViewProps) {
  const text = state.json?.text ?? layOutJson(toCandidate(state.draft));
  const parsed = parseRule(text);
  const { accounts } = useEditor();
  return (
    <div className="min-w-0 pt-5">
      <JsonField
        id="rule-json"
        label={
          <>
            The body of{" "}
            <span className={MONO}>
              {ruleId
                ? `PUT /platform/v1/rules/${ruleId.slice(0, 4)}…${ruleId.slice(-4)}`
                : "POST /platform/v1/rules"}
            </span>
          </>
        }
        text={text}
        maximumLength={MAXIMUM_LENGTH}
        problems={parsed.kind === "VALUE" ? [] : parsed.problems}
        whenValid="Valid rule. Edits also appear in words."
        tool={{ label: "Format", onPress: () => onType(laidOut(text)) }}
        onType={onType}
      />
      {state.json && state.json.problems.length > 0 ? (
        <p>
          <Button kind="quiet" size="small" onClick={onDrop}>
            Discard JSON
          </Button>
        </p>
      ) : null}
      <IdList summary="IDs of your accounts" items={accounts.filter(({ isClosed }) => !isClosed)} />
    </div>
  );
}

/** Reformatted if it is JSON, otherwise unchanged. */
function laidOut(text: string): string {
  try {
    return layOutJson(JSON.parse(text));
  } catch {
    // Invalid JSON cannot be formatted; the problems below name the position.
    return text;
  }
}
