"use client";

import type { ReactNode } from "react";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import type { Refused } from "@/lib/contract/refused";

interface ActionFormProps {
  /** Opens another page, unless it is refused. */
  act: (input: { accountId: string }, shown: string) => Promise<Refused>;
  accountId: string;
  label: string;
  busyLabel: string;
  /** The secondary link, to leave. */
  way?: ReactNode;
}

const UNKNOWN = outcomeUnknown("this may or may not have happened. Reload the page to check.");

/** A single action, with room for the reason it was refused. */
export function ActionForm({ act, accountId, label, busyLabel, way }: ActionFormProps) {
  const acting = useAction(act, { whenLost: UNKNOWN, afterwards: null });
  return (
    <SendForm browserChecks isBusy={acting.isBusy} onSend={() => acting.run({ accountId })}>
      <RefusalNote message={acting.message} />
      <div className={FORM_BUTTONS}>
        {way}
        <Button kind="primary" type="submit" busy={acting.isBusy}>
          {acting.isBusy ? busyLabel : label}
        </Button>
      </div>
    </SendForm>
  );
}
