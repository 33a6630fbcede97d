"use client";

import { CopyButton } from "@/components/docs/copy-button";
import { useEditor } from "@/components/rules/editor/editor-context";
import type { EditorState } from "@/components/rules/editor/editor-state";
import { layOutJson, parseRuleJson } from "@/components/rules/editor/rule-json";
import { Button } from "@/components/ui/button";
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
  const parsed = parseRuleJson(text);
  const problems = parsed.kind === "RULE" ? [] : parsed.problems;
  return (
    <div className="json-v">
      <div className="code-h">
        <label className="meta" htmlFor="rule-json">
          The body of{" "}
          <span className="mono">
            {ruleId
              ? `PUT /platform/v1/rules/${ruleId.slice(0, 4)}…${ruleId.slice(-4)}`
              : "POST /platform/v1/rules"}
          </span>
        </label>
        <span className="json-a">
          <Button kind="quiet" size="small" onClick={() => onType(laidOut(text))}>
            Format
          </Button>
          <CopyButton text={text} />
        </span>
      </div>
      <textarea
        id="rule-json"
        className="in code json-t"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        maxLength={MAXIMUM_LENGTH}
        rows={Math.min(40, text.split("\n").length + 1)}
        value={text}
        aria-invalid={problems.length > 0 ? true : undefined}
        aria-describedby="rule-json-problems"
        onChange={(event) => onType(event.target.value)}
      />
      <div id="rule-json-problems" role="status">
        {problems.length > 0 ? (
          <ul className="json-p">
            {problems.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                {field ? <span className="mono">{field}</span> : "It"} {message}
              </li>
            ))}
          </ul>
        ) : (
          <p className="meta">Valid rule. Edits also appear in words.</p>
        )}
      </div>
      {state.json && state.json.problems.length > 0 ? (
        <p className="btns">
          <Button kind="quiet" size="small" onClick={onDrop}>
            Discard JSON
          </Button>
        </p>
      ) : null}
      <AccountIds />
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

function AccountIds() {
  const { accounts } = useEditor();
  return (
    <details className="raw json-ids">
      <summary>IDs of your accounts</summary>
      <ul>
        {accounts
          .filter(({ isClosed }) => !isClosed)
          .map(({ id, name }) => (
            <li key={id}>
              <span>{name}</span>
              <span className="mono">{id}</span>
            </li>
          ))}
      </ul>
    </details>
  );
}
