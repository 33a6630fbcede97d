"use client";

import { FingerprintPattern } from "lucide-react";
import { useState } from "react";
import { usePresence } from "@/app/second-factor/_components/use-presence";
import { AppCodeField } from "@/components/act/credential-fields";
import { enrollPasskey } from "@/components/act/passkey-prompt";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { NewAuthenticator } from "@/components/parts/sign-in/authenticator-row";
import { ADD_PASSKEY, PasskeyNameDialog } from "@/components/parts/sign-in/passkeys";
import { NewCodes, refreshUnlessCodes } from "@/components/parts/sign-in/recovery-codes";
import { useAddAuthenticator } from "@/components/parts/sign-in/use-add-authenticator";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { LiveButton } from "@/components/ui/live-button";
import { LEDE, LINK_BUTTON, PAGE_TITLE } from "@/components/ui/text-styles";
import type { Confirmation } from "@/lib/contract/confirmation/decision";
import type { FactorStep } from "@/lib/views/members/list-security";

export interface SecondFactorView {
  /** The member and organization this page showed, sent with every request (lib/contract/shown.ts). */
  shown: string;
  organizationName: string;
  /** Their other organizations, which stay accessible. */
  others: { id: string; name: string }[];
  email: string;
  step: FactorStep;
  isSandbox: boolean;
}

type SecondFactorStepsProps = Pick<SecondFactorView, "organizationName" | "step">;

/** Asks for a second factor, or adds one with its recovery codes. The page redirects when nothing is left to do. */
export function SecondFactorSteps({ organizationName, step }: SecondFactorStepsProps) {
  return (
    <>
      <StepHead organizationName={organizationName} step={step} />
      {step.kind === "PROVE" ? <Prove proof={step.proof} /> : null}
      {step.kind === "ADD" ? <AddFactor /> : null}
    </>
  );
}

function StepHead({ organizationName, step }: { organizationName: string; step: FactorStep }) {
  const [title, lede] = headWords(organizationName, step);
  return (
    <>
      <h1 className={PAGE_TITLE}>{title}</h1>
      <p className={`${LEDE} mx-0 mt-2 mb-5`}>{lede}</p>
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
  return ["One more step", `${organizationName} requires a second factor.`];
}

type FactorProof = Extract<FactorStep, { kind: "PROVE" }>["proof"];

interface ProveProps {
  proof: FactorProof;
}

function Prove({ proof }: ProveProps) {
  const [hasLostIt, setHasLostIt] = useState(false);
  const { message, isBusy, run } = usePresence();
  const kind = hasLostIt ? "RECOVERY_CODE" : proof;
  return (
    <div className="[&>[role='status']:empty]:-mt-4 grid gap-4 [&_.button]:whitespace-normal">
      <RefusalNote message={message} />
      {kind === "PASSKEY" ? (
        <Button kind="primary" size="large" wide busy={isBusy} onClick={() => run("PASSKEY")}>
          <FingerprintPattern />
          Continue with passkey
        </Button>
      ) : (
        <SecretForm kind={kind} isBusy={isBusy} onGiven={run} />
      )}
      <p className="text-sm text-ink-3">
        <LiveButton className={LINK_BUTTON} onClick={() => setHasLostIt(!hasLostIt)}>
          {lostWords(proof, hasLostIt)}
        </LiveButton>
      </p>
    </div>
  );
}

function lostWords(proof: FactorProof, hasLostIt: boolean): string {
  if (proof === "PASSKEY") return hasLostIt ? "Back to passkey" : "Lost your passkey?";
  return hasLostIt ? "Back to password and code" : "Lost your app?";
}

interface SecretFormProps {
  kind: "PASSWORD_AND_CODE" | "RECOVERY_CODE";
  isBusy: boolean;
  onGiven: (confirmation: Confirmation) => void;
}

/** For members without their passkey. */
function SecretForm({ kind, isBusy, onGiven }: SecretFormProps) {
  const isPassword = kind !== "RECOVERY_CODE";
  return (
    <SendForm
      browserChecks
      className="[&>*+*]:mt-4"
      isBusy={isBusy}
      onSend={(form) => {
        const given = new FormData(form);
        const secret = given.get("secret");
        const code = given.get("code");
        if (typeof secret !== "string") return;
        if (!isPassword) return onGiven({ kind: "RECOVERY_CODE", code: secret });
        onGiven({ kind: "PASSWORD", password: secret, ...(typeof code === "string" && { code }) });
      }}
    >
      <InputField
        label={isPassword ? "Password" : "Recovery code"}
        name="secret"
        type={isPassword ? "password" : "text"}
        autoComplete={isPassword ? "current-password" : "off"}
        required
        maxLength={isPassword ? 200 : 64}
        hint={isPassword ? undefined : "One of your ten codes. Each works once."}
      />
      {kind === "PASSWORD_AND_CODE" ? <AppCodeField name="code" required /> : null}
      <p>
        <Button kind="outlined" type="submit" busy={isBusy}>
          {isPassword ? "Confirm with password" : "Confirm with recovery code"}
        </Button>
      </p>
    </SendForm>
  );
}

function AddFactor() {
  const [isNaming, setIsNaming] = useState(false);
  const app = useAddAuthenticator();
  const close = () => setIsNaming(false);
  const adding = useAction(enrollPasskey, {
    proof: () => ADD_PASSKEY,
    onDone: close,
    afterwards: refreshUnlessCodes,
  });
  const name = () => {
    adding.forget();
    app.beginning.forget();
    setIsNaming(true);
  };
  return (
    <>
      <div className="[&>[role='status']:empty]:-mt-4 grid gap-4 [&_.button]:whitespace-normal">
        <RefusalNote message={app.beginning.message} />
        <Button kind="primary" size="large" wide onClick={name}>
          <FingerprintPattern />
          Add a passkey
        </Button>
        <Button
          kind="outlined"
          size="large"
          wide
          busy={app.beginning.isBusy}
          onClick={() => app.beginning.run()}
        >
          Use an authenticator app
        </Button>
        <p className="text-sm text-ink-3">
          A passkey signs you in and approves with one touch of this device or a security key. An app shows
          six digits to enter with your password.
        </p>
      </div>
      {isNaming ? (
        <PasskeyNameDialog
          isNew
          startName=""
          isBusy={adding.isBusy}
          refusal={adding.message}
          onSave={adding.run}
          onClose={close}
        />
      ) : null}
      <NewCodes of={adding} />
      <NewAuthenticator adding={app} />
    </>
  );
}
