"use client";

import { getTestDeposit, openStarterPods } from "@/app/welcome/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { RefreshWhile } from "@/components/parts/onboarding/refresh-while";
import { Button } from "@/components/ui/button";
import { formatCents } from "@/lib/contract/format-cents";

const PODS_UNKNOWN = outcomeUnknown("the pods may or may not be open. Reload the page to check.");
const DEPOSIT_UNKNOWN = outcomeUnknown("the deposit may or may not arrive. Reload the page to check.");

export function StarterPods({ names }: { names: string[] }) {
  const opening = useAction(openStarterPods, { whenLost: PODS_UNKNOWN, refreshesWhenRefused: true });
  return (
    <>
      <Button
        kind="outlined"
        size="small"
        title={names.join(", ")}
        busy={opening.isBusy}
        onClick={() => opening.run()}
      >
        {opening.isBusy ? "Opening" : `Open ${names.length} starter pods`}
      </Button>
      <RefusalNote message={opening.message} />
    </>
  );
}

/** Sandbox only. The bank reports the deposit a moment later, so the page looks until it is there. */
export function TestDeposit({ amountInCents }: { amountInCents: number }) {
  const depositing = useAction(getTestDeposit, { whenLost: DEPOSIT_UNKNOWN });
  const isExpected = depositing.result !== null;
  return (
    <>
      {isExpected ? <RefreshWhile /> : null}
      <Button
        kind="outlined"
        size="small"
        busy={depositing.isBusy || isExpected}
        onClick={() => depositing.run()}
      >
        {depositing.isBusy || isExpected ? "Arriving" : `Get a test deposit of ${formatCents(amountInCents)}`}
      </Button>
      <RefusalNote message={depositing.message} />
    </>
  );
}
