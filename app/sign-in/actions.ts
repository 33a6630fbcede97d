"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { readBrowserIds, writeBrowserIds } from "@/app/auth/browser-cookie";
import { browserFacts } from "@/app/auth/browser-facts";
import { textOf } from "@/app/auth/read-input";
import { returnPath } from "@/app/auth/return-path";
import { readSessionCookie, writeSessionCookie } from "@/app/auth/session-cookie";
import type { SentSignIn, SignInResult } from "@/lib/contract/views/auth-view";
import type { PasskeyAssertion, PasskeyRequestOptions } from "@/lib/contract/views/passkey";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import { endSession } from "@/lib/core/sign-in/end-session";
import {
  beginPasskeySignIn as beginWithPasskey,
  signInWithPasskey as withPasskey,
} from "@/lib/core/sign-in/sign-in-with-passkey";

import { signInWithPassword as withPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode as withRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { getRuntime } from "@/lib/next/runtime";

/** Each takes first where to come back to; it travels through the browser, so it is checked again here. */

const CODE_WRONG = "That code is not right, or was used already. Wait for the next one, and try again.";

export async function signInWithPassword(
  next: string,
  input: { email: string; password: string; code?: string },
): Promise<SignInResult> {
  const outcome = await withPassword(getRuntime().services, input, await readBrowserFacts());
  return answer(outcome, next, "That email and password do not belong together. Try again.");
}

/** Of the form as the browser sends it before the scripts of the page run, or without them. */
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
  if (begun.kind === "THROTTLED")
    throw new Error("Too many passkey prompts were asked for from this network.");
  return begun.options;
}

export async function signInWithPasskey(next: string, response: PasskeyAssertion): Promise<SignInResult> {
  const outcome = await withPasskey(getRuntime().services, response, await readBrowserFacts());
  return answer(outcome, next, "Your passkey did not work. Try again, or use your password.");
}

export async function signInWithRecoveryCode(
  next: string,
  input: { email: string; password: string; code: string },
): Promise<SignInResult> {
  const outcome = await withRecoveryCode(getRuntime().services, input, await readBrowserFacts());
  return answer(outcome, next, "That email, password and recovery code do not belong together. Try again.");
}

async function readBrowserFacts(): Promise<BrowserFacts> {
  const requestHeaders = await headers();
  return browserFacts((name) => requestHeaders.get(name), await readBrowserIds());
}

async function answer(outcome: SignInOutcome, next: string, failure: string): Promise<SignInResult> {
  if (outcome.kind === "THROTTLED") return outcome;
  if (outcome.kind === "CODE_NEEDED") return { kind: "CODE_NEEDED" };
  if (outcome.kind === "CODE_WRONG") return { kind: "FAILED", message: CODE_WRONG };
  if (outcome.kind === "FAILED") return { kind: "FAILED", message: failure };
  // Whoever used this browser before is signed out for good, not only out of sight.
  const before = await readSessionCookie();
  if (before) await endSession(getRuntime().services, before.sessionId);
  await writeSessionCookie(outcome);
  await writeBrowserIds(outcome.browserIds);
  return { kind: "SIGNED_IN", href: returnPath(next) };
}
