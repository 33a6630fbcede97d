"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserIds, writeBrowserIds } from "@/app/auth/browser-cookie";
import { browserFacts } from "@/app/auth/browser-facts";
import { refusedFields, refusedForm, refusedForNow } from "@/app/auth/form-refusals";
import { readInput, textOf } from "@/app/auth/read-input";
import { readSessionCookie, writeSessionCookie } from "@/app/auth/session-cookie";
import { clearSignUpCookie, readSignUpCookie, writeSignUpCookie } from "@/app/auth/sign-up-cookie";
import type { FormAnswer, FormRefused } from "@/lib/contract/views/onboarding-view";
import { finishSignUp as finish, verifySignUp } from "@/lib/core/organizations/finish-sign-up";

import type { BrowserFacts } from "@/lib/core/shared/session";
import { beginSignUp as begin, resendSignUpCode } from "@/lib/core/sign-in/begin-sign-up";
import { endSession } from "@/lib/core/sign-in/end-session";

import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

const LABELS = {
  name: "The name",
  email: "The address",
  password: "The password",
  kind: "The kind",
  timeZone: "The time zone",
} as const;
const CLOSED = "Somebody else has set up this server meanwhile, and sign-up is closed now. Nothing was made.";
const OVER = "This took too long, or was begun in another browser. Load this page again and start over.";

export async function beginSignUp(_previous: FormAnswer | null, form: FormData): Promise<FormRefused> {
  const given = {
    name: textOf(form, "name"),
    email: textOf(form, "email"),
    password: textOf(form, "password"),
  };
  const { services, signUp, isSandbox } = getRuntime();
  const { networkAddress } = await readBrowserFacts();
  const outcome = await runGuarded(() =>
    begin(services, given, networkAddress, { policy: signUp, isSandboxBank: isSandbox }),
  );
  if (outcome.kind === "ERROR") return refusedForm(`${outcome.message} Request ${outcome.requestId}.`);
  if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
  if (outcome.kind === "INVALID") return refusedFields(outcome.details, LABELS);
  if (outcome.kind === "CLOSED") return refusedForm(CLOSED);
  await writeSignUpCookie(outcome.token);
  redirect("/sign-up", RedirectType.replace);
}

export async function verifyAddress(_previous: FormAnswer | null, form: FormData): Promise<FormRefused> {
  const { code } = readInput(z.object({ code: z.string().max(40) }), { code: textOf(form, "code") });
  const { networkAddress } = await readBrowserFacts();
  const token = (await readSignUpCookie()) ?? "";
  const outcome = await runGuarded(() => verifySignUp(getRuntime().services, token, code, networkAddress));
  switch (outcome.kind) {
    case "VERIFIED":
      return redirect("/sign-up/organization", RedirectType.replace);
    case "WRONG":
      return { kind: "REFUSED", message: null, problems: { code: wrongWords(outcome.triesLeft) } };
    case "OVER":
      return refusedForm("There is no code to enter (any more). Have another one sent.");
    case "THROTTLED":
      return refusedForNow(outcome);
    case "ERROR":
      return refusedForm(`${outcome.message} Request ${outcome.requestId}.`);
  }
}

export async function resendCode(): Promise<FormAnswer> {
  const { services, isSandbox } = getRuntime();
  const { networkAddress } = await readBrowserFacts();
  const token = (await readSignUpCookie()) ?? "";
  const outcome = await runGuarded(() =>
    resendSignUpCode(services, token, networkAddress, { isSandboxBank: isSandbox }),
  );
  if (outcome.kind === "ERROR") return refusedForm(`${outcome.message} Request ${outcome.requestId}.`);
  if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
  if (outcome.kind === "OVER") return refusedForm(OVER);
  return { kind: "SAID", message: "Another email is on its way. The code before it works no longer." };
}

/** Forgets in this browser what was begun; what is in the database runs out by itself. */
export async function startOver(): Promise<void> {
  await clearSignUpCookie();
  redirect("/sign-up", RedirectType.replace);
}

/** The last step: the organization, its owner, and the session of whoever proved the address. */
export async function finishSignUp(_previous: FormAnswer | null, form: FormData): Promise<FormRefused> {
  const given = {
    kind: textOf(form, "kind"),
    name: textOf(form, "name"),
    timeZone: textOf(form, "timeZone"),
  };
  const { services, signUp } = getRuntime();
  const browser = await readBrowserFacts();
  const token = (await readSignUpCookie()) ?? "";
  const outcome = await runGuarded(() => finish(services, token, given, browser, signUp));
  switch (outcome.kind) {
    case "SIGNED_IN": {
      // Whoever used this browser before is signed out for good, not only out of sight.
      const before = await readSessionCookie();
      if (before) await endSession(services, before.sessionId);
      await writeSessionCookie(outcome);
      await writeBrowserIds(outcome.browserIds);
      await clearSignUpCookie();
      return redirect("/welcome", RedirectType.replace);
    }
    case "INVALID":
      return refusedFields(outcome.details, LABELS);
    case "CLOSED":
      return refusedForm(CLOSED);
    case "KNOWN":
      return refusedForm(
        "Somebody has this address here by now. Sign in, or set a new password. Nothing was made.",
      );
    case "OVER":
      return refusedForm(OVER);
    case "THROTTLED":
      return refusedForNow(outcome);
    case "ERROR":
      return refusedForm(`${outcome.message} Request ${outcome.requestId}.`);
  }
}

function wrongWords(triesLeft: number): string {
  if (triesLeft === 0) return "That is not the code, for the fifth time. Have another one sent.";
  return `That is not the code. ${triesLeft} ${triesLeft === 1 ? "try is" : "tries are"} left.`;
}

async function readBrowserFacts(): Promise<BrowserFacts> {
  const requestHeaders = await headers();
  return browserFacts((name) => requestHeaders.get(name), await readBrowserIds());
}
