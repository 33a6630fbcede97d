"use client";

import { useRouter } from "next/navigation";
import { useRef, useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { capProblem } from "@/components/keys/key-draft";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { formatCents, parseCents } from "@/lib/contract/format-cents";

import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

export interface CapActions extends PresenceActions {
  setCap: (input: { keyId: string; dailyCapInCents: number | null }) => Promise<{ kind: "DONE" } | Refused>;
}

interface ChangeCapProps {
  keyId: string;
  name: string;
  capInCents: number | null;
  actions: CapActions;
}

const UNKNOWN = "Sluice did not answer, so it may or may not be changed. Reload the page to check.";

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

function CapDialog({ keyId, name, capInCents, actions, onClose }: ChangeCapProps & { onClose: () => void }) {
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(capInCents === null ? "" : formatCents(capInCents));
  const [error, setError] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startChanging] = useTransition();
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Change the cap" });
  const submit = () =>
    startChanging(async () => {
      const problem = capProblem(typed);
      setError(problem);
      setRefusal(null);
      if (problem) return;
      const after = parseCents(typed);
      if (isWider(capInCents, after)) {
        const proof = await stepUp.prove();
        if (proof.kind === "REFUSED") return setRefusal(proof.message);
      }
      const result = await actions
        .setCap({ keyId, dailyCapInCents: after })
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      onClose();
      router.refresh();
    });
  return (
    <>
      <Dialog title={`Daily cap of ${name}`} initialFocus={field} onCancel={onClose}>
        <form
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) submit();
          }}
        >
          <InputField
            ref={field}
            label="Most it may move in a day without approval"
            hint="Lowering it takes effect with its next request. Raising or removing it requires your passkey or password. At 0, nothing moves without approval."
            autoComplete="off"
            inputMode="decimal"
            placeholder="no cap"
            value={typed}
            error={error}
            onChange={(event) => setTyped(event.target.value)}
          />
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={onClose}>
              Cancel
            </Button>
            <Button kind="primary" type="submit" busy={isBusy}>
              Change the cap
            </Button>
          </div>
        </form>
      </Dialog>
      {stepUp.dialog}
    </>
  );
}

/** Mirrors the server, which decides. */
function isWider(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}
