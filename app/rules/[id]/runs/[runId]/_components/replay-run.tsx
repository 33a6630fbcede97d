"use client";

import { RotateCcw } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { replayRun } from "@/app/rules/[id]/actions";
import { nothingSent } from "@/components/act/answer-lost";
import { useAction } from "@/components/act/use-action";
import { formatMoment } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";

type ReplayResult = Awaited<ReturnType<typeof replayRun>>;
type ReplayDifference = Extract<ReplayResult, { kind: "DIFFERENT" }>["differences"][number];

interface ReplayState {
  result: ReplayResult | null;
  isBusy: boolean;
  replay: () => void;
}

const ReplayContext = createContext<ReplayState | null>(null);
const LOST = nothingSent("Nothing moved. Try again.");

/** Shared by the button in the page header and the answer in the side column. */
export function ReplayRun({ executionId, children }: { executionId: string; children: ReactNode }) {
  // Replaying reads only.
  const replaying = useAction(replayRun, { whenLost: LOST, isRepeatable: true, afterwards: null });
  const { result, refusal, isBusy, run } = replaying;
  const replay = () => run({ executionId });
  return <ReplayContext value={{ result: result ?? refusal, isBusy, replay }}>{children}</ReplayContext>;
}

export function ReplayButton() {
  const state = useContext(ReplayContext);
  return (
    <Button kind="outlined" busy={state?.isBusy} onClick={state?.replay}>
      <RotateCcw />
      {state?.isBusy ? "Replaying" : "Replay"}
    </Button>
  );
}

/** The result. `role="status"` since it appears away from the button. */
export function ReplayAnswer({ version, time }: { version: number; time: TimeContext }) {
  const result = useContext(ReplayContext)?.result ?? null;
  return (
    <section className={result === null ? "hidden" : undefined} aria-label="Replay">
      {result === null ? null : <h2 className="text-base font-semibold">Replay</h2>}
      <div role="status">
        {result === null ? null : <Answer result={result} version={version} time={time} />}
      </div>
    </section>
  );
}

function Answer({ result, version, time }: { result: ReplayResult; version: number; time: TimeContext }) {
  if (result.kind === "REFUSED") return <Note>{result.message}</Note>;
  const at = formatMoment(result.at, time).replace(/^T/, "t");
  if (result.kind === "SAME") {
    return (
      <Note tone="teal">
        <b>Same plan.</b> Replayed {at} from the facts above with version {version}:{" "}
        {agreeWords(result.count)}. Nothing moved.
      </Note>
    );
  }
  return (
    <Note tone="red">
      <b>Different plan.</b> Replayed {at} from the facts above with version {version}. Nothing moved.
      <ul className="grid gap-1 mt-2">
        {result.differences.map((difference) => (
          <li key={differenceWords(difference)}>{differenceWords(difference)}</li>
        ))}
      </ul>
    </Note>
  );
}

function agreeWords(count: number): string {
  if (count === 0) return "nothing would move either time";
  return count === 1 ? "the amount matches" : `all ${count} amounts match`;
}

function differenceWords(difference: ReplayDifference): string {
  if (difference.kind === "AMOUNT") {
    const { place, storedInCents, recomputedInCents } = difference;
    const words = (cents: number | null) => (cents === null ? "nothing" : formatCents(cents));
    return storedInCents === recomputedInCents
      ? `Number ${place}: same amount, calculated differently.`
      : `Number ${place}: ${words(storedInCents)} stored, ${words(recomputedInCents)} now.`;
  }
  switch (difference.what) {
    case "STEP_MATCHED":
      return "A different step matches.";
    case "COMPARISONS":
      return "The comparisons have different results.";
    case "ACTIONS_NOT_REACHED":
      return "A different number of actions is not reached.";
  }
}
