"use client";

import { outcomeUnknown } from "@/components/act/answer-lost";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { ReversalsResult } from "@/lib/contract/rules/pause";

export type ProposeAllAction = () => Promise<({ kind: "PROPOSED" } & ReversalsResult) | Refused>;

const UNKNOWN = outcomeUnknown(
  "we don’t know whether they were proposed. Try again: nothing is proposed twice.",
);

interface ProposeAllProps {
  /** Reversals that are not proposed yet. */
  count: number;
  action: ProposeAllAction;
}

/** Proposes all reversals; each is a proposal of its own. */
export function ProposeAll({ count, action }: ProposeAllProps) {
  // The list has the proposals after the next visit; until then the button says what was proposed.
  const proposing = useAction({ act: action, whenLost: UNKNOWN, isRepeatable: true, afterwards: null });
  const result = proposing.result ?? proposing.refusal;
  return (
    <div className="grid justify-items-start gap-3 mt-6 [&>[role='status']]:justify-self-stretch">
      {count > 0 ? (
        <>
          <p className="text-sm text-ink-3">Proposing moves no money: each proposal needs approval.</p>
          <Button kind="primary" busy={proposing.isBusy} onClick={() => proposing.run()}>
            {proposing.isBusy
              ? "Proposing"
              : count === 1
                ? "Propose moving it back"
                : `Propose moving all ${count} back`}
          </Button>
        </>
      ) : null}
      <div role="status">{result ? <Answer result={result} /> : null}</div>
    </div>
  );
}

function Answer({ result }: { result: Awaited<ReturnType<ProposeAllAction>> }) {
  if (result.kind === "REFUSED") return <Note tone="red">{result.message}</Note>;
  const { proposedCount, refusals } = result;
  const proposed = proposedCount === 1 ? "1 reversal is waiting" : `${proposedCount} reversals are waiting`;
  return (
    <Note tone={refusals.length > 0 ? "red" : "teal"}>
      {proposedCount > 0 ? `${proposed} for approval.` : "Nothing new was proposed."}
      {refusals.length > 0 ? (
        <ul className="grid gap-1 mt-2">
          {refusals.map((refusal) => (
            <li key={refusal}>{refusal}</li>
          ))}
        </ul>
      ) : null}
    </Note>
  );
}
