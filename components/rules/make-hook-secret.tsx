"use client";

import { KeyRound, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { SecretDialog } from "@/components/secrets/secret-box";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { HookActions } from "@/lib/contract/views/rule-hook-view";

interface MakeHookSecretProps {
  ruleId: string;
  /** The rule has no hook yet. */
  isNew: boolean;
  actions: HookActions;
}

const UNKNOWN = "Sluice did not answer, so we do not know whether it was made. Load this page again to see.";

/** Makes the secret, or another one in its place. Its text lives in this component's memory only. */
export function MakeHookSecret({ ruleId, isNew, actions }: MakeHookSecretProps) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startMaking] = useTransition();
  const act = isNew ? "Make the secret" : "Replace secret";
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: act });

  const make = () =>
    startMaking(async () => {
      setRefusal(null);
      const proof = await stepUp.prove();
      if (proof.kind === "REFUSED") return setRefusal(proof.message);
      const result = await actions
        .makeHookSecret({ ruleId })
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      setSecret(result.secret);
      setIsAsking(false);
    });
  const close = () => {
    setSecret(null);
    router.refresh();
  };
  const told = refusal ? (
    <div role="status">
      <Note tone="red">{refusal}</Note>
    </div>
  ) : null;

  return (
    <>
      {isNew ? (
        <Button kind="primary" busy={isBusy} onClick={make}>
          <KeyRound className="ic" />
          {act}
        </Button>
      ) : (
        <Button kind="quiet" onClick={() => setIsAsking(true)}>
          <RefreshCw className="ic" />
          Replace
        </Button>
      )}
      {isNew ? told : null}
      {isAsking ? (
        <Dialog title="Replace the secret?" onCancel={() => setIsAsking(false)}>
          <p className="ink2 dialog-l">
            The old one stops at once: the program is refused until it has the new one. Approval stays as it
            is.
          </p>
          {told}
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsAsking(false)}>
              Keep the secret
            </Button>
            <Button kind="primary" busy={isBusy} onClick={make}>
              {isBusy ? "Replacing" : act}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {secret === null ? null : (
        <SecretDialog
          title="The secret is ready"
          lede="Copy it now. Sluice keeps only a fingerprint of it, so this is the one time you can see it."
          text={secret}
          noun="secret"
          whenLost="Replace it."
          closeLabel="Done"
          onClose={close}
        />
      )}
      {stepUp.dialog}
    </>
  );
}
