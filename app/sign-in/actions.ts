"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession } from "@/app/auth/enter-session";
import { readInput, textOf } from "@/app/auth/read-input";
import { returnPath } from "@/app/auth/return-path";
import { runAsVisitor } from "@/app/auth/run-as-member";
import type { PasskeySignInBegun, SentSignIn, SignInResult } from "@/app/sign-in/_components/sign-in-actions";
import type { PasskeyAssertion } from "@/lib/contract/confirmation/decision";
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

// Shapes only, so that anything else is refused before it is counted as a guess.
const passwordSchema = z.object({ email: z.string(), password: z.string(), code: z.string().optional() });
const recoveryCodeSchema = z.object({ email: z.string(), password: z.string(), code: z.string() });

export async function signInWithPassword(
  next: string,
  input: { email: string; password: string; code?: string },
): Promise<SignInResult> {
  return signIn(next, "That email and password do not match. Try again.", (services, browser) =>
    withPassword(services, readInput(passwordSchema, input), browser),
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

export async function beginPasskeySignIn(): Promise<PasskeySignInBegun> {
  const { networkAddress } = await readBrowserFacts();
  return beginWithPasskey(getRuntime().services, networkAddress);
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
    (services, browser) => withRecoveryCode(services, readInput(recoveryCodeSchema, input), browser),
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
