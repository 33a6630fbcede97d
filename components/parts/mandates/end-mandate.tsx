"use client";

import { endMandate } from "@/app/mandates/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";

const UNKNOWN = outcomeUnknown("it may or may not have ended. Reload the page to check.");

interface EndMandateProps {
  mandateId: string;
  /** In a row of a list: its name is for screen readers. */
  rowName?: string;
}

/** One tap ends it, without a question: it only removes what a key may do. */
export function EndMandate({ mandateId, rowName }: EndMandateProps) {
  const ending = useAction(endMandate, { whenLost: UNKNOWN });
  return (
    <>
      <Button
        kind={rowName === undefined ? "deny" : "outlined"}
        size={rowName === undefined ? undefined : "small"}
        aria-label={rowName === undefined ? undefined : `End the mandate for ${rowName}`}
        busy={ending.isBusy}
        onClick={() => ending.run({ id: mandateId })}
      >
        {rowName !== undefined ? "End" : ending.isBusy ? "Ending" : "End mandate"}
      </Button>
      <RefusalNote message={ending.message} />
    </>
  );
}
