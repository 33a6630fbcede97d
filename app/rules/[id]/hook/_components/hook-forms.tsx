"use client";

import { KeyRound, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { makeHookSecret, removeHook, setHookApproval } from "@/app/rules/[id]/actions";
import { afterAsking } from "@/components/act/after-asking";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmButton } from "@/components/act/confirm-button";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { RefusalNote } from "@/components/act/refusal-note";
import { SecretDialog } from "@/components/act/secret-box";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { Switch } from "@/components/ui/switch";

interface MakeHookSecretProps {
  ruleId: string;
  /** Whether the rule has no hook yet. */
  isNew: boolean;
}

const UNKNOWN_IF_MADE = outcomeUnknown("we don’t know whether it was created. Reload this page to see.");

/** Creates or replaces the secret. Its text exists only in this component's memory. */
export function MakeHookSecret({ ruleId, isNew }: MakeHookSecretProps) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const verb = isNew ? "Create secret" : "Replace secret";
  const making = useAction(makeHookSecret, {
    whenLost: UNKNOWN_IF_MADE,
    proof: () => ({ act: `MAKE_HOOK_SECRET:${ruleId}`, title: `${verb} of the hook`, confirmLabel: verb }),
    onDone: () => setIsAsking(false),
    afterwards: null,
  });
  const close = () => {
    making.forget();
    router.refresh();
  };

  return (
    <>
      {isNew ? (
        <Button kind="primary" busy={making.isBusy} onClick={() => making.run({ ruleId })}>
          <KeyRound />
          {verb}
        </Button>
      ) : (
        <Button kind="quiet" onClick={() => setIsAsking(true)}>
          <RefreshCw />
          Replace
        </Button>
      )}
      {isNew ? <RefusalNote message={making.message} /> : null}
      {isAsking ? (
        <ConfirmDialog
          title="Replace the secret?"
          keepLabel="Cancel"
          actLabel={verb}
          busyLabel="Replacing"
          kind="primary"
          action={making}
          onAct={() => making.run({ ruleId })}
          onClose={() => setIsAsking(false)}
        >
          <p>
            The old secret stops working immediately, so the program is refused until it has the new one. The
            approval setting stays.
          </p>
        </ConfirmDialog>
      ) : null}
      {making.result === null ? null : (
        <SecretDialog
          title="Secret created"
          lede="Copy it now. You won’t see it again: Sluice stores only a fingerprint."
          text={making.result.secret}
          noun="secret"
          whenLost="Replace it."
          closeLabel="Done"
          onClose={close}
        />
      )}
    </>
  );
}

interface HookApprovalProps {
  ruleId: string;
  ruleName: string;
  isOn: boolean;
  canDecide: boolean;
  requestsPerMinute: number;
}

const UNKNOWN_IF_CHANGED = outcomeUnknown("we don’t know whether it was changed. Reload this page to see.");

/** Whether each run needs approval. Turning it off needs confirmation and step-up; turning it on needs neither. */
export function HookApproval(props: HookApprovalProps) {
  const { ruleId, ruleName, isOn, canDecide, requestsPerMinute } = props;
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const setting = useAction(setHookApproval, {
    whenLost: UNKNOWN_IF_CHANGED,
    afterwards: afterAsking,
    proof: ({ isRequired }) =>
      isRequired
        ? null
        : {
            act: `RUN_HOOK_WITHOUT_APPROVAL:${ruleId}`,
            title: `Let programs run ${ruleName} without approval`,
            confirmLabel: "Turn off approval",
          },
    onDone: () => setIsAsking(false),
  });

  return (
    <>
      <div className="grid grid-cols-[44px_1fr] gap-3.5 mt-4">
        <Switch
          isOn={isOn}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-about`}
          disabled={!canDecide}
          onSwitch={(next) => (next ? setting.run({ ruleId, isRequired: true }) : setIsAsking(true))}
        />
        <div>
          <b id={`${id}-label`}>Require approval each time</b>
          <p className="max-w-[60ch] text-sm text-ink-3" id={`${id}-about`}>
            {isOn
              ? "An owner or co-owner reviews each run and approves or denies it. Proposals expire after 24 hours."
              : "It runs immediately. The rule’s limits and its accounts’ floors still apply."}
          </p>
        </div>
      </div>
      {isAsking ? null : <RefusalNote message={setting.message} />}
      {isAsking ? (
        <ConfirmDialog
          title={`Let a program run ${ruleName} without approval?`}
          keepLabel="Keep approval"
          actLabel="Turn off approval"
          kind="primary"
          action={setting}
          onAct={() => setting.run({ ruleId, isRequired: false })}
          onClose={() => setIsAsking(false)}
        >
          <p>
            Anyone with the secret can then move money, up to {requestsPerMinute} times a minute. Only the
            rule’s limits and its accounts’ floors bound it.
          </p>
          <p className="mt-3.5 text-sm text-ink-3">Open proposals still need approval.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface RemoveHookProps {
  ruleId: string;
  ruleName: string;
}

const UNKNOWN_IF_REMOVED = outcomeUnknown("we don’t know whether it was removed. Reload this page to see.");

/** Revokes the hook: programs can no longer start the rule. */
export function RemoveHook({ ruleId, ruleName }: RemoveHookProps) {
  return (
    <ConfirmButton
      button={(open) => (
        <Button kind="deny" onClick={open}>
          Revoke
        </Button>
      )}
      title={`Revoke the secret of ${ruleName}?`}
      keepLabel="Cancel"
      actLabel="Revoke secret"
      busyLabel="Revoking"
      kind="deny"
      act={removeHook}
      input={{ ruleId }}
      options={{ whenLost: UNKNOWN_IF_REMOVED }}
    >
      <p>
        The secret stops working immediately and permanently. Current runs continue, and open proposals can
        still be decided.
      </p>
    </ConfirmButton>
  );
}
