"use client";

import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { HookActions } from "@/lib/contract/views/rule-hook-view";

interface HookApprovalProps {
  ruleId: string;
  ruleName: string;
  isOn: boolean;
  canDecide: boolean;
  requestsPerMinute: number;
  actions: HookActions;
}

const UNKNOWN = "We do not know yet whether it was changed. Load this page again to see.";

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
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
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
