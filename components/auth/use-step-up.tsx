"use client";

import { type ReactNode, useRef, useState } from "react";
import { AppCodeField } from "@/components/auth/credential-fields";
import { answerPasskey } from "@/components/auth/passkey-prompt";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

type Proof = { kind: "DONE" } | Refused;
type TypedMeans = "PASSWORD" | "RECOVERY_CODE";

/** The dialog for a typed proof, and who waits for its outcome. */
interface Typed {
  means: TypedMeans;
  /** The password also needs an authenticator code. */
  withCode: boolean;
  resolve: (proof: Proof) => void;
}

interface WhatFor {
  title: string;
  confirmLabel: string;
  /** Where the page does not say what needs the proof. */
  why?: string;
}

const UNREACHABLE = "Sluice did not answer. Nothing was changed. Try again.";

/**
 * Step-up: by passkey, else by password, at most once in five minutes. `prove` resolves when it is settled; `dialog`
 * must be rendered.
 */
export function useStepUp(actions: PresenceActions, whatFor: WhatFor) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const askTyped = (means: TypedMeans, withCode = false) =>
    new Promise<Proof>((resolve) => setTyped({ means, withCode, resolve }));

  async function prove(): Promise<Proof> {
    const begun = await actions
      .beginPresence()
      .catch((): Proof => ({ kind: "REFUSED", message: UNREACHABLE }));
    if (begun.kind !== "BEGUN") return begun;
    if (begun.request.kind === "NONE") return { kind: "DONE" };
    if (begun.request.kind === "PASSWORD") return askTyped("PASSWORD", begun.request.withCode);
    const answer = await answerPasskey(begun.request.options);
    if (answer.kind === "SIGNED") return confirm(actions, { kind: "PASSKEY", response: answer.response });
    const what = answer.kind === "CANCELLED" ? "was canceled" : "did not work";
    return { kind: "REFUSED", message: `Your passkey ${what}. Nothing was changed.` };
  }

  const close = (proof: Proof) => {
    typed?.resolve(proof);
    setTyped(null);
  };
  const dialog: ReactNode = typed ? (
    <TypedProof
      means={typed.means}
      withCode={typed.withCode}
      {...whatFor}
      confirm={(text, code) =>
        confirm(
          actions,
          typed.means === "PASSWORD"
            ? { kind: "PASSWORD", password: text, ...(typed.withCode && { code }) }
            : { kind: "RECOVERY_CODE", code: text },
        )
      }
      onDone={() => close({ kind: "DONE" })}
      onCancel={() => close({ kind: "REFUSED", message: "Not confirmed. Nothing was changed." })}
    />
  ) : null;

  return { prove, proveWithRecoveryCode: () => askTyped("RECOVERY_CODE"), dialog };
}

async function confirm(
  actions: PresenceActions,
  confirmation: Parameters<PresenceActions["confirmPresence"]>[0],
): Promise<Proof> {
  return actions
    .confirmPresence(confirmation)
    .catch((): Proof => ({ kind: "REFUSED", message: UNREACHABLE }));
}

interface TypedProofProps extends WhatFor {
  means: TypedMeans;
  withCode: boolean;
  confirm: (text: string, code: string) => Promise<Proof>;
  onDone: () => void;
  onCancel: () => void;
}

function TypedProof(props: TypedProofProps) {
  const { means, withCode, title, confirmLabel, why, confirm: send, onDone, onCancel } = props;
  const [text, setText] = useState("");
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isPassword = means === "PASSWORD";

  async function submit(): Promise<void> {
    setIsBusy(true);
    setError(null);
    const proof = await send(text, code);
    setIsBusy(false);
    if (proof.kind === "DONE") onDone();
    else setError(proof.message);
  }

  return (
    <Dialog title={title} initialFocus={field} onCancel={onCancel}>
      {why ? <p className="ink2 dialog-l">{why}</p> : null}
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && text !== "") void submit();
        }}
      >
        <InputField
          ref={field}
          label={isPassword ? "Your password" : "Recovery code"}
          hint={
            isPassword
              ? "With a passkey, this would be one touch."
              : "One of your ten codes. Each works once."
          }
          type={isPassword ? "password" : "text"}
          autoComplete={isPassword ? "current-password" : "off"}
          maxLength={isPassword ? 200 : 64}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        {withCode ? <AppCodeField value={code} onChange={(event) => setCode(event.target.value)} /> : null}
        <div className="btns">
          <Button kind="quiet" onClick={onCancel}>
            Not yet
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface StepUpRefusalProps {
  message: string | null;
  /** For an unavailable passkey; null where no step-up is needed or a code would not help. */
  onRecoveryCode: (() => void) | null;
}

/** Why a step-up failed, announced to screen readers. */
export function StepUpRefusal({ message, onRecoveryCode }: StepUpRefusalProps) {
  return (
    <div role="status">
      {message === null ? null : (
        <Note tone="red">
          {message}{" "}
          {onRecoveryCode ? (
            <button className="link lb" type="button" onClick={onRecoveryCode}>
              Use a recovery code
            </button>
          ) : null}
        </Note>
      )}
    </div>
  );
}
