"use client";

import { FingerprintPattern } from "lucide-react";
import { useActionState, useState } from "react";
import {
  beginPasskeySignIn,
  signInByForm,
  signInWithPasskey,
  signInWithPassword,
  signInWithRecoveryCode,
} from "@/app/sign-in/actions";
import { nothingSent } from "@/components/act/answer-lost";
import { answerPasskey } from "@/components/act/answer-passkey";
import { AppCodeField } from "@/components/act/credential-fields";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { LiveButton } from "@/components/ui/live-button";
import { Note } from "@/components/ui/note";
import { LEDE, LINK_BUTTON, PAGE_TITLE } from "@/components/ui/text-styles";
import type { SignInResult } from "@/lib/contract/browser/sign-in";
import type { Refused } from "@/lib/contract/refused";

const MINUTE_SECONDS = 60;

interface SignInFormsProps {
  /** Where to return to. */
  next: string;
  organizationName: string | null;
}

const LOST = nothingSent("You are not signed in. Try again.");
const PASSKEY_CANCELLED = "Your passkey was canceled. Try again, or use your password.";
const PASSKEY_FAILED = "Your passkey did not work. Try again, or use your password.";

/** Passkey first, then password, with a recovery code for a lost passkey. */
export function SignInForms({ next, organizationName }: SignInFormsProps) {
  const [hasLostPasskey, setHasLostPasskey] = useState(false);
  // Correct email and password, kept in this page while the authenticator code is missing.
  const [waiting, setWaiting] = useState<{ email: string; password: string } | null>(null);
  // From a form sent before these scripts ran.
  const [sent, send] = useActionState(signInByForm, null);
  const { message, isBusy, run } = useSignIn(sent && sentMessage(sent));

  const withPasskey = () =>
    run(async () => {
      const begun = await beginPasskeySignIn();
      if (begun.kind !== "BEGUN") return begun;
      const answer = await answerPasskey(begun.options);
      if (answer.kind === "SIGNED") return signInWithPasskey({ next, response: answer.response });
      return { kind: "FAILED", message: answer.kind === "CANCELLED" ? PASSKEY_CANCELLED : PASSKEY_FAILED };
    });

  const withForm = (form: FormData) =>
    run(() => {
      const email = text(form, "email");
      const password = text(form, "password");
      if (!hasLostPasskey)
        return signInWithPassword({ next, email, password, code: text(form, "code") || undefined }).then(
          (result) => {
            if (result.kind === "CODE_NEEDED") setWaiting({ email, password });
            return result;
          },
        );
      return signInWithRecoveryCode({ next, email, password, code: text(form, "code") });
    });

  if (waiting) {
    return (
      <div className="w-full max-w-92 [&_form_.button]:min-h-11 [&_.input]:min-h-11">
        <h1 className={PAGE_TITLE}>One more step</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-7`}>Enter the code of your authenticator app as well.</p>
        <div className="[&:not(:empty)]:mb-4" role="status">
          {message ? <Note tone="red">{message}</Note> : null}
        </div>
        <CodeStep
          isBusy={isBusy}
          onCode={(code) => run(() => signInWithPassword({ next, ...waiting, code }))}
          onRecoveryCode={(code) => run(() => signInWithRecoveryCode({ next, ...waiting, code }))}
          onBack={() => setWaiting(null)}
        />
      </div>
    );
  }

  return (
    <div className="w-full max-w-92 [&_form_.button]:min-h-11 [&_.input]:min-h-11">
      <h1 className={PAGE_TITLE}>{hasLostPasskey ? "Sign in with a recovery code" : "Welcome back"}</h1>
      <p className={`${LEDE} mx-0 mt-2 mb-7`}>{ledeOf(organizationName, hasLostPasskey)}</p>
      <div className="[&:not(:empty)]:mb-4" role="status">
        {message ? <Note tone="red">{message}</Note> : null}
      </div>
      {hasLostPasskey ? null : (
        <>
          <Button kind="primary" size="large" wide disabled={isBusy} onClick={withPasskey}>
            <FingerprintPattern />
            Sign in with a passkey
          </Button>
          <p className="grid grid-cols-[1fr_auto_1fr] items-center gap-3 my-5 mx-0 text-[13px] text-ink-3 before:border-t before:border-rule-strong after:border-t after:border-rule-strong">
            <span>or</span>
          </p>
        </>
      )}
      <form
        action={send}
        className="[&>*+*]:mt-4"
        onSubmit={(event) => {
          event.preventDefault();
          withForm(new FormData(event.currentTarget));
        }}
      >
        <input type="hidden" name="next" value={next} />
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={320}
          defaultValue={sent?.kind === "SENT" ? sent.email : undefined}
        />
        <InputField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1024}
        />
        {hasLostPasskey ? (
          <InputField
            label="Recovery code"
            name="code"
            autoComplete="off"
            required
            maxLength={64}
            hint="One of your ten codes. Each works once."
          />
        ) : null}
        {sent?.kind === "SENT" && sent.needsCode && !hasLostPasskey ? (
          <AppCodeField name="code" required />
        ) : null}
        <Button
          kind={hasLostPasskey ? "primary" : "outlined"}
          wide
          type="submit"
          busy={isBusy}
          worksWithoutScripts
        >
          {isBusy ? "Signing in" : "Sign in"}
        </Button>
      </form>
      <p className="text-sm text-ink-3 mt-5">
        {hasLostPasskey ? null : "If you have a passkey, approving always requires it. "}
        <LiveButton className={LINK_BUTTON} onClick={() => setHasLostPasskey(!hasLostPasskey)}>
          {hasLostPasskey ? "Back to passkey and password" : "Lost your passkey?"}
        </LiveButton>
      </p>
    </div>
  );
}

function sentMessage(sent: Awaited<ReturnType<typeof signInByForm>>): string {
  if (sent.kind === "REFUSED") return sent.message;
  const { result } = sent;
  return result.kind === "CODE_NEEDED"
    ? "Enter the code of your authenticator app as well."
    : signInMessage(result);
}

/** @param first of the form sent without scripts, until the next attempt */
function useSignIn(first: string | null) {
  const signingIn = useAction((attempt: () => Promise<SignInResult | Refused>) => attempt(), {
    whenLost: LOST,
    afterwards: (router, result) => {
      if (result.kind === "SIGNED_IN") router.replace(result.href);
    },
  });
  const { result, message, isBusy, input, run } = signingIn;
  const isFailed = result?.kind === "FAILED" || result?.kind === "THROTTLED";
  return { message: isFailed ? signInMessage(result) : (message ?? (input ? null : first)), isBusy, run };
}

function ledeOf(organizationName: string | null, hasLostPasskey: boolean): string {
  if (hasLostPasskey) return "It replaces your passkey once. Add a new passkey right after.";
  return organizationName ? `Sign in to ${organizationName}.` : "Sign in to Sluice.";
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Never reveals whether an address exists. */
export function signInMessage(result: Extract<SignInResult, { kind: "FAILED" | "THROTTLED" }>): string {
  if (result.kind === "FAILED") return result.message;
  return `Too many attempts. Try again in ${waitWords(result.retryAfterSeconds)}.`;
}

function waitWords(seconds: number): string {
  if (seconds <= MINUTE_SECONDS) return `${Math.max(1, Math.ceil(seconds))}\u00a0seconds`;
  return `${Math.ceil(seconds / MINUTE_SECONDS)}\u00a0minutes`;
}

interface CodeStepProps {
  isBusy: boolean;
  onCode: (code: string) => void;
  /** Instead of a lost app. */
  onRecoveryCode: (code: string) => void;
  onBack: () => void;
}

/** Second step of a password sign-in: the authenticator code. */
function CodeStep({ isBusy, onCode, onRecoveryCode, onBack }: CodeStepProps) {
  const [hasLostApp, setHasLostApp] = useState(false);
  return (
    <>
      <SendForm
        browserChecks
        className="[&>*+*]:mt-4"
        isBusy={isBusy}
        onSend={(form) => {
          const code = new FormData(form).get("code");
          if (typeof code !== "string") return;
          if (hasLostApp) onRecoveryCode(code);
          else onCode(code);
        }}
      >
        {hasLostApp ? (
          <InputField
            key="recovery"
            label="Recovery code"
            name="code"
            autoComplete="off"
            required
            maxLength={64}
            hint="One of your ten codes. Each works once."
          />
        ) : (
          <AppCodeField key="app" name="code" required />
        )}
        <Button kind="primary" wide type="submit" busy={isBusy}>
          {isBusy ? "Signing in" : "Sign in"}
        </Button>
      </SendForm>
      <p className="text-sm text-ink-3 mt-5">
        <LiveButton className={LINK_BUTTON} onClick={() => setHasLostApp(!hasLostApp)}>
          {hasLostApp ? "Use the app" : "Lost your app?"}
        </LiveButton>
        {" · "}
        <LiveButton className={LINK_BUTTON} onClick={onBack}>
          Sign in another way
        </LiveButton>
      </p>
    </>
  );
}
