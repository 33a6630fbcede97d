"use client";

import { KeyRound, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
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

const UNKNOWN_IF_MADE =
  "Sluice did not answer, so we do not know whether it was made. Load this page again to see.";

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
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN_IF_MADE }));
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

interface HookApprovalProps {
  ruleId: string;
  ruleName: string;
  isOn: boolean;
  canDecide: boolean;
  requestsPerMinute: number;
  actions: HookActions;
}

const UNKNOWN_IF_CHANGED = "We do not know yet whether it was changed. Load this page again to see.";

/** Whether a person is asked each time. Off takes a confirmation; on takes none. */
export function HookApproval(props: HookApprovalProps) {
  const { ruleId, ruleName, isOn, canDecide, requestsPerMinute, actions } = props;
  const id = useId();
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startSetting] = useTransition();
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Switch approval off" });

  const set = (isRequired: boolean) =>
    startSetting(async () => {
      setRefusal(null);
      const proof = isRequired ? { kind: "DONE" as const } : await stepUp.prove();
      if (proof.kind === "REFUSED") return setRefusal(proof.message);
      const result = await actions
        .setHookApproval({ ruleId, isRequired })
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN_IF_CHANGED }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      setIsAsking(false);
      router.refresh();
    });
  const told = <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>;

  return (
    <>
      <div className="appr">
        <button
          className="sw"
          type="button"
          role="switch"
          aria-checked={isOn}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-about`}
          disabled={!canDecide}
          onClick={() => (isOn ? setIsAsking(true) : set(true))}
        />
        <div>
          <b id={`${id}-label`}>Ask for approval each time</b>
          <p className="meta" id={`${id}-about`}>
            {isOn
              ? "An owner or co-owner sees what it would move, and approves or denies it. After 24 hours it closes by itself."
              : "It moves what the rule says, at once. The rule’s limits and the floors of its accounts still hold."}
          </p>
        </div>
      </div>
      {isAsking ? null : told}
      {isAsking ? (
        <Dialog title={`Let a program run ${ruleName} without asking?`} onCancel={() => setIsAsking(false)}>
          <p className="ink2 dialog-l">
            Whoever has the secret then moves money, up to {requestsPerMinute} times a minute. What bounds it
            is the rule itself: its limits, and the floors of its accounts.
          </p>
          <p className="meta">What already waits for approval still waits.</p>
          {told}
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsAsking(false)}>
              Keep asking
            </Button>
            <Button kind="primary" busy={isBusy} onClick={() => set(false)}>
              Switch approval off
            </Button>
          </div>
        </Dialog>
      ) : null}
      {stepUp.dialog}
    </>
  );
}

interface RemoveHookProps {
  ruleId: string;
  ruleName: string;
  actions: Pick<HookActions, "removeHook">;
}

const UNKNOWN_IF_REMOVED = "We do not know yet whether it was removed. Load this page again to see.";

/** Ends the hook: no program starts the rule any more. */
export function RemoveHook({ ruleId, ruleName, actions }: RemoveHookProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startRemoving] = useTransition();
  const submit = () =>
    startRemoving(async () => {
      const result = await actions
        .removeHook({ ruleId })
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN_IF_REMOVED }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      setIsOpen(false);
      router.refresh();
    });
  return (
    <>
      <Button kind="deny" onClick={() => setIsOpen(true)}>
        Revoke
      </Button>
      {isOpen ? (
        <Dialog title={`Let no program start ${ruleName}?`} onCancel={() => setIsOpen(false)}>
          <p className="ink2 dialog-l">
            The secret stops at once and cannot come back. What runs already goes on, and what waits for
            approval can still be decided.
          </p>
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsOpen(false)}>
              Keep the secret
            </Button>
            <Button kind="deny" busy={isBusy} onClick={submit}>
              {isBusy ? "Revoking" : "Revoke secret"}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
