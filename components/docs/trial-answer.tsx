"use client";

import { JsonText } from "@/components/docs/json-text";
import type { TrialState } from "@/components/docs/use-trial";
import { CodeBox } from "@/components/ui/code-box";
import { Note } from "@/components/ui/note";

/** What came back: status, time, the headers that matter, the body. */
export function TrialAnswerView({ state, isWrite }: { state: TrialState; isWrite: boolean }) {
  return (
    <div role="status" className="try-r">
      {state.kind === "NO_ANSWER" ? (
        <Note>
          No answer came.{" "}
          {isWrite
            ? "Whether it took effect is not known: look it up before you send it again."
            : "Try again."}
        </Note>
      ) : null}
      {state.kind === "ANSWERED" ? (
        <section aria-label="Answer of this call">
          <div className="code-h">
            <h2 className="h3">
              {state.answer.status < 400 ? "Answered" : `Refused: ${state.answer.errorCode ?? "no code"}`}
            </h2>
            <span className="meta">
              <span className="mono">{state.answer.status}</span> in {state.answer.milliseconds} ms
            </span>
          </div>
          <CodeBox label="Body of the answer">
            <JsonText text={state.answer.text} />
          </CodeBox>
          <dl className="try-h mono">
            {state.answer.headers.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
    </div>
  );
}
