"use client";

import type { TrialState } from "@/components/docs/use-trial";
import { CodeBox } from "@/components/ui/code-box";
import { Note } from "@/components/ui/note";

interface TrialAnswerProps {
  state: TrialState;
  isWrite: boolean;
  /** What stands there until a call was made. */
  example: TrialExample;
}

export interface TrialExample {
  status: number;
  text: string;
}

/** What came back: status, time, body, and the headers that matter. */
export function TrialAnswerView({ state, isWrite, example }: TrialAnswerProps) {
  return (
    <section aria-labelledby="answer-title">
      <div className="code-h">
        <h2 className="h3" id="answer-title">
          Answer
        </h2>
        <p className="meta" role="status">
          <Fact state={state} example={example} />
        </p>
      </div>
      {state.kind === "NO_ANSWER" ? (
        <Note>
          No answer came.{" "}
          {isWrite
            ? "Whether it took effect is not known: look it up before you send it again."
            : "Try again."}
        </Note>
      ) : (
        <CodeBox label={state.kind === "ANSWERED" ? "The answer to your call" : "An example of an answer"}>
          <JsonText text={state.kind === "ANSWERED" ? state.answer.text : example.text} />
        </CodeBox>
      )}
      {state.kind === "ANSWERED" ? (
        <dl className="try-h mono">
          {state.answer.headers.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  );
}

function Fact({ state, example }: Pick<TrialAnswerProps, "state" | "example">) {
  if (state.kind === "SENDING") return "Sending";
  if (state.kind === "NO_ANSWER") return "None";
  if (state.kind === "READY") {
    return (
      <>
        <span className="mono">{example.status}</span>, an example
      </>
    );
  }
  const { status, errorCode, milliseconds } = state.answer;
  return (
    <>
      <span className="mono">{errorCode ? `${status} ${errorCode}` : status}</span> in {milliseconds} ms
    </>
  );
}

/** JSON with its keys in colour. */
function JsonText({ text }: { text: string }) {
  return text.split("\n").map((line, index) => {
    const [, indent = "", name, rest = ""] = /^(\s*)("(?:[^"\\]|\\.)*")(:.*)$/.exec(line) ?? [];
    const key = `${index} ${line}`;
    if (name === undefined) return `${line}\n`;
    return (
      <span key={key}>
        {indent}
        <b>{name}</b>
        {rest}
        {"\n"}
      </span>
    );
  });
}
