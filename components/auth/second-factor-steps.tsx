"use client";

import { FingerprintPattern } from "lucide-react";
import { type ReactNode, useState } from "react";
import { AppDialog } from "@/components/auth/authenticator-row";
import { enrolPasskey, proveByPasskey, usePresence } from "@/components/auth/passkey-prompt";
import { PasskeyNameDialog } from "@/components/auth/passkeys";
import { lostWords, SecretForm } from "@/components/auth/presence-section";
import { CodesDialog } from "@/components/auth/recovery-codes";

import { useProvenChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type {
  FactorStep,
  NewAuthenticatorView,
  SecondFactorActions,
  SecondFactorView,
} from "@/lib/contract/views/auth-view";

interface SecondFactorStepsProps extends Pick<SecondFactorView, "organizationName" | "step"> {
  actions: SecondFactorActions;
}

/** Asks for a second factor, or adds one with its recovery codes. The page redirects when nothing is left to do. */
export function SecondFactorSteps({ organizationName, step, actions }: SecondFactorStepsProps) {
  return (
    <>
      <StepHead organizationName={organizationName} step={step} />
      {step.kind === "PROVE" ? <Prove proof={step.proof} actions={actions} /> : null}
      {step.kind === "ADD" ? <AddFactor actions={actions} /> : null}
    </>
  );
}

function StepHead({ organizationName, step }: { organizationName: string; step: FactorStep }) {
  const [title, lede] = headWords(organizationName, step);
  return (
    <>
      <h1 className="h1">{title}</h1>
      <p className="lede inv-w">{lede}</p>
    </>
  );
}

function headWords(organizationName: string, step: FactorStep): [title: string, lede: string] {
  if (step.kind === "ADD") {
    return [
      "Add a second factor",
      `${organizationName} requires a second factor, so that a stolen password is not enough. Setting it up takes a minute.`,
    ];
  }
  if (!step.isAll) {
    return [
      "Confirm your password",
      `${organizationName} requires a second factor, and you have none yet. Confirm that it is you, then add one.`,
    ];
  }
  return ["One more step", `${organizationName} requires a second factor.`];
}

interface ProveProps {
  proof: Extract<FactorStep, { kind: "PROVE" }>["proof"];
  actions: SecondFactorActions;
}

function Prove({ proof, actions }: ProveProps) {
  const [hasLostIt, setHasLostIt] = useState(false);
  const { refusal, isBusy, run } = usePresence();
  const kind = proof !== "PASSWORD" && hasLostIt ? "RECOVERY_CODE" : proof;
  return (
    <div className="inv-f">
      <Refusal>{refusal}</Refusal>
      {kind === "PASSKEY" ? (
        <Button
          kind="primary"
          size="large"
          wide
          busy={isBusy}
          onClick={() => run(() => proveByPasskey(actions))}
        >
          <FingerprintPattern className="ic" />
          Continue with passkey
        </Button>
      ) : (
        <SecretForm
          kind={kind}
          isBusy={isBusy}
          onGiven={(confirmation) => run(() => actions.confirmPresence(confirmation))}
        />
      )}
      {proof === "PASSWORD" ? null : (
        <p className="meta">
          <button className="link lb" type="button" onClick={() => setHasLostIt(!hasLostIt)}>
            {lostWords(proof, hasLostIt)}
          </button>
        </p>
      )}
    </div>
  );
}

function AddFactor({ actions }: { actions: SecondFactorActions }) {
  const [isNaming, setIsNaming] = useState(false);
  const [app, setApp] = useState<NewAuthenticatorView | null>(null);
  const change = useProvenChange(actions);
  const close = () => {
    change.clearRefusal();
    setIsNaming(false);
    setApp(null);
  };
  const beginApp = () =>
    change.run(
      async () => {
        const begun = await actions.beginAuthenticator();
        if (begun.kind === "REFUSED") return begun;
        setApp(begun.authenticator);
        return { kind: "DONE" };
      },
      () => undefined,
    );
  return (
    <>
      <div className="inv-f">
        <Refusal>{isNaming || app ? null : change.refusal}</Refusal>
        <Button kind="primary" size="large" wide onClick={() => setIsNaming(true)}>
          <FingerprintPattern className="ic" />
          Add a passkey
        </Button>
        <Button kind="outlined" size="large" wide busy={change.isBusy} onClick={beginApp}>
          Use an authenticator app
        </Button>
        <p className="meta">
          A passkey signs you in and approves with one touch of this device or a security key. An app shows
          six digits to enter with your password.
        </p>
      </div>
      {isNaming ? (
        <PasskeyNameDialog
          isNew
          startName=""
          isBusy={change.isBusy}
          refusal={change.refusal}
          onSave={(name) => change.run(() => enrolPasskey(name, actions), close)}
          onClose={close}
        />
      ) : null}
      {app ? (
        <AppDialog
          authenticator={app}
          isBusy={change.isBusy}
          refusal={change.refusal}
          onCode={(code) => change.run(() => actions.confirmAuthenticator({ code }), close)}
          onClose={close}
        />
      ) : null}
      {change.dialog}
      {change.codes ? <CodesDialog codes={change.codes} onClose={change.forgetCodes} /> : null}
    </>
  );
}

function Refusal({ children }: { children: ReactNode }) {
  return <div role="status">{children ? <Note tone="red">{children}</Note> : null}</div>;
}
