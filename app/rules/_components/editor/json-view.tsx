"use client";

import { useEditor } from "@/app/rules/_components/editor/editor-context";
import type { EditorState } from "@/app/rules/_components/editor/editor-state";
import { layOutJson, parseRuleJson } from "@/app/rules/_components/editor/rule-json";
import { Disclosure } from "@/components/layout/disclosure";
import { CopyButton } from "@/components/parts/docs/copy-button";
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
  const parsed = parseRuleJson(text);
  const problems = parsed.kind === "RULE" ? [] : parsed.problems;
  return (
    <div className="min-w-0 pt-5">
      <div className="flex items-center justify-between gap-4 min-h-10">
        <label className="text-sm text-ink-3" htmlFor="rule-json">
          The body of{" "}
          <span className={MONO}>
            {ruleId
              ? `PUT /platform/v1/rules/${ruleId.slice(0, 4)}…${ruleId.slice(-4)}`
              : "POST /platform/v1/rules"}
          </span>
        </label>
        <span className="flex gap-1">
          <Button kind="quiet" size="small" onClick={() => onType(laidOut(text))}>
            Format
          </Button>
          <CopyButton text={text} />
        </span>
      </div>
      <textarea
        id="rule-json"
        className="block w-full min-h-18 px-3 py-2.5 border border-edge rounded-md bg-sunken font-mono text-[12.5px]/5 whitespace-pre text-ink resize-y overflow-auto [tab-size:2]"
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
          <ul className="grid gap-1.5 mt-3 text-[13px] [&_span]:font-medium [&_span]:text-ink [&_span]:wrap-anywhere">
            {problems.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                {field ? <span className={MONO}>{field}</span> : "It"} {message}
              </li>
            ))}
          </ul>
        ) : (
          <p className="mt-3 text-sm text-ink-3">Valid rule. Edits also appear in words.</p>
        )}
      </div>
      {state.json && state.json.problems.length > 0 ? (
        <p>
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
    <Disclosure
      summary="IDs of your accounts"
      className="mt-5 [&_li]:flex [&_li]:flex-wrap [&_li]:justify-between [&_li]:gap-y-0.5 [&_li]:gap-x-4 [&_li]:py-1.5 [&_li]:px-0 [&_li]:border-b [&_li]:border-rule [&_li]:text-[13px] [&_li]:wrap-anywhere"
    >
      <ul>
        {accounts
          .filter(({ isClosed }) => !isClosed)
          .map(({ id, name }) => (
            <li key={id}>
              <span>{name}</span>
              <span className={MONO}>{id}</span>
            </li>
          ))}
      </ul>
    </Disclosure>
  );
}
