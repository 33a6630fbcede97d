"use client";

import { useRef, useState } from "react";
import { capProblem } from "@/app/settings/api-keys/_components/key-draft";
import { setCap } from "@/app/settings/api-keys/actions";
import { afterAsking } from "@/components/act/after-asking";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { formatCents, parseCents } from "@/lib/contract/format-cents";

interface ChangeCapProps {
  keyId: string;
  name: string;
  capInCents: number | null;
}

const UNKNOWN = outcomeUnknown("it may or may not be changed. Reload the page to check.");

/** Sets, changes or removes a daily cap; loosening it needs a step-up. */
export function ChangeCap(props: ChangeCapProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="outlined" size="small" onClick={() => setIsOpen(true)}>
        {props.capInCents === null ? "Set a daily cap" : "Change the cap"}
      </Button>
      {isOpen ? <CapDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CapDialog({ keyId, name, capInCents, onClose }: ChangeCapProps & { onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(capInCents === null ? "" : formatCents(capInCents));
  const [error, setError] = useState<string | null>(null);
  const changing = useAction(setCap, {
    whenLost: UNKNOWN,
    afterwards: afterAsking,
    proof: ({ dailyCapInCents }) =>
      isWider(capInCents, dailyCapInCents)
        ? {
            act: `RAISE_KEY_CAP:${keyId}:${amountIn(dailyCapInCents)}`,
            title:
              dailyCapInCents === null
                ? `Lift the daily cap of ${name}`
                : `Raise the daily cap of ${name} to ${formatCents(dailyCapInCents)}`,
            confirmLabel: "Change the cap",
          }
        : null,
    onDone: onClose,
  });
  const submit = () => {
    const problem = capProblem(typed);
    setError(problem);
    if (problem === null) changing.run({ keyId, dailyCapInCents: parseCents(typed) });
  };
  return (
    <Dialog title={`Daily cap of ${name}`} initialFocus={field} onCancel={onClose}>
      <SendForm isBusy={changing.isBusy} onSend={() => submit()}>
        <InputField
          ref={field}
          label="Most it may move within 24 hours without approval"
          hint="Lowering it takes effect with its next request. Raising or removing it requires your passkey or password. At 0, nothing moves without approval."
          autoComplete="off"
          inputMode="decimal"
          placeholder="no cap"
          value={typed}
          error={error}
          onChange={(event) => setTyped(event.target.value)}
        />
        <RefusalNote message={changing.message} />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={changing.isBusy}>
            Change the cap
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}

/** Mirrors the server, which decides. */
function isWider(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}
