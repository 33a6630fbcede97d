"use server";

import { redirect } from "next/navigation";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession } from "@/app/auth/enter-session";
import { textOf } from "@/app/auth/read-input";
import { returnPath } from "@/app/auth/return-path";
import { runAsVisitor } from "@/app/auth/run-as-member";
import type { SentSignIn, SignInResult } from "@/lib/contract/views/auth-view";
import type { PasskeyAssertion, PasskeyRequestOptions } from "@/lib/contract/views/decision";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import {
  beginPasskeySignIn as beginWithPasskey,
  signInWithPasskey as withPasskey,
} from "@/lib/core/sign-in/sign-in-with-passkey";
import { signInWithPassword as withPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode as withRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { getRuntime, type Runtime } from "@/lib/next/runtime";
import { WRONG_APP_CODE } from "@/lib/words/wrong-code";

// `next`, where to return to, travels through the browser, so it is checked again here.

export async function signInWithPassword(
  next: string,
  input: { email: string; password: string; code?: string },
): Promise<SignInResult> {
  return signIn(next, "That email and password do not match. Try again.", (services, browser) =>
    withPassword(services, input, browser),
  );
}

/** For the form as the browser sends it without scripts, or before they run. */
export async function signInByForm(
  next: string,
  _previous: SentSignIn | null,
  form: FormData,
): Promise<SentSignIn> {
  const email = textOf(form, "email");
  const code = textOf(form, "code") || undefined;
  const result = await signInWithPassword(next, { email, password: textOf(form, "password"), code });
  if (result.kind === "SIGNED_IN") redirect(result.href);
  return { email, result, needsCode: result.kind === "CODE_NEEDED" || code !== undefined };
}

/** @throws Error when this network has asked too often; the page then says that it got no answer. */
export async function beginPasskeySignIn(): Promise<PasskeyRequestOptions> {
  const { networkAddress } = await readBrowserFacts();
  const begun = await beginWithPasskey(getRuntime().services, networkAddress);
  if (begun.kind === "THROTTLED") throw new Error("Too many passkey prompts from this network.");
  return begun.options;
}

export async function signInWithPasskey(next: string, response: PasskeyAssertion): Promise<SignInResult> {
  return signIn(next, "Your passkey did not work. Try again, or use your password.", (services, browser) =>
    withPasskey(services, response, browser),
  );
}

export async function signInWithRecoveryCode(
  next: string,
  input: { email: string; password: string; code: string },
): Promise<SignInResult> {
  return signIn(
    next,
    "That email, password and recovery code do not match. Try again.",
    (services, browser) => withRecoveryCode(services, input, browser),
  );
}

async function signIn(
  next: string,
  failure: string,
  run: (services: Runtime["services"], browser: BrowserFacts) => Promise<SignInOutcome>,
): Promise<SignInResult> {
  const browser = await readBrowserFacts();
  const outcome = await runAsVisitor((services) => run(services, browser));
  switch (outcome.kind) {
    case "SIGNED_IN":
      await enterSession(outcome);
      return { kind: "SIGNED_IN", href: returnPath(next) };
    case "THROTTLED":
      return outcome;
    case "CODE_NEEDED":
      return { kind: "CODE_NEEDED" };
    case "CODE_WRONG":
      return { kind: "FAILED", message: WRONG_APP_CODE };
    case "FAILED":
      return { kind: "FAILED", message: failure };
    case "REFUSED":
      return { kind: "FAILED", message: outcome.message };
  }
}
