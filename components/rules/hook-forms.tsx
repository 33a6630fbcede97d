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
import type { HookActions } from "@/lib/contract/views/rule-view";

interface MakeHookSecretProps {
  ruleId: string;
  /** Whether the rule has no hook yet. */
  isNew: boolean;
  actions: HookActions;
}

const UNKNOWN_IF_MADE =
  "Sluice did not answer, so we don’t know whether it was created. Reload this page to see.";

/** Creates or replaces the secret. Its text exists only in this component's memory. */
export function MakeHookSecret({ ruleId, isNew, actions }: MakeHookSecretProps) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startMaking] = useTransition();
  const act = isNew ? "Create secret" : "Replace secret";
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
            The old secret stops working immediately, so the program is refused until it has the new one. The
            approval setting stays.
          </p>
          {told}
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsAsking(false)}>
              Cancel
            </Button>
            <Button kind="primary" busy={isBusy} onClick={make}>
              {isBusy ? "Replacing" : act}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {secret === null ? null : (
        <SecretDialog
          title="Secret created"
          lede="Copy it now. You won’t see it again: Sluice stores only a fingerprint."
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

const UNKNOWN_IF_CHANGED =
  "Sluice did not answer, so we don’t know whether it was changed. Reload this page to see.";

/** Whether each run needs approval. Turning it off needs confirmation and step-up; turning it on needs neither. */
export function HookApproval(props: HookApprovalProps) {
  const { ruleId, ruleName, isOn, canDecide, requestsPerMinute, actions } = props;
  const id = useId();
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startSetting] = useTransition();
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Turn off approval" });

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
          <b id={`${id}-label`}>Require approval each time</b>
          <p className="meta" id={`${id}-about`}>
            {isOn
              ? "An owner or co-owner reviews each run and approves or denies it. Proposals expire after 24 hours."
              : "It runs immediately. The rule’s limits and its accounts’ floors still apply."}
          </p>
        </div>
      </div>
      {isAsking ? null : told}
      {isAsking ? (
        <Dialog title={`Let a program run ${ruleName} without approval?`} onCancel={() => setIsAsking(false)}>
          <p className="ink2 dialog-l">
            Anyone with the secret can then move money, up to {requestsPerMinute} times a minute. Only the
            rule’s limits and its accounts’ floors bound it.
          </p>
          <p className="meta">Open proposals still need approval.</p>
          {told}
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsAsking(false)}>
              Keep approval
            </Button>
            <Button kind="primary" busy={isBusy} onClick={() => set(false)}>
              Turn off approval
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

const UNKNOWN_IF_REMOVED =
  "Sluice did not answer, so we don’t know whether it was removed. Reload this page to see.";

/** Revokes the hook: programs can no longer start the rule. */
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
        <Dialog title={`Revoke the secret of ${ruleName}?`} onCancel={() => setIsOpen(false)}>
          <p className="ink2 dialog-l">
            The secret stops working immediately and permanently. Current runs continue, and open proposals
            can still be decided.
          </p>
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsOpen(false)}>
              Cancel
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
