"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession } from "@/app/auth/enter-session";
import { visitorAction, visitorForm } from "@/app/auth/member-action";
import { returnPath } from "@/app/auth/return-path";
import type { SignInResult } from "@/lib/contract/browser/sign-in";
import type { PasskeyAssertion } from "@/lib/contract/confirmation/decision";
import type { SignInOutcome } from "@/lib/core/shared/session";
import {
  beginPasskeySignIn as beginWithPasskey,
  signInWithPasskey as withPasskey,
} from "@/lib/core/sign-in/sign-in-with-passkey";
import { signInWithPassword as withPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode as withRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { WRONG_APP_CODE } from "@/lib/words/wrong-code";

// `next`, where to return to, travels through the browser, so it is checked again here (`returnPath`).

// Shapes only, so that anything else is refused before it is counted as a guess.
const next = z.unknown().transform(returnPath);
const withPasswordSchema = z.object({
  next,
  email: z.string(),
  password: z.string(),
  code: z.string().optional(),
});

const WRONG_PASSWORD = "That email and password do not match. Try again.";

export const signInWithPassword = visitorAction(
  { input: withPasswordSchema },
  async (services, { next, ...given }) =>
    toResult(await withPassword(services, given, await readBrowserFacts()), next, WRONG_PASSWORD),
);

/** For the form as the browser sends it without scripts, or before they run. */
export const signInByForm = visitorForm(
  { input: withPasswordSchema },
  async (services, { next, email, password, code: typed }) => {
    const code = typed || undefined;
    const outcome = await withPassword(services, { email, password, code }, await readBrowserFacts());
    const result = await toResult(outcome, next, WRONG_PASSWORD);
    if (result.kind === "SIGNED_IN") redirect(result.href);
    return {
      kind: "SENT",
      email,
      result,
      needsCode: result.kind === "CODE_NEEDED" || code !== undefined,
    };
  },
);

export const beginPasskeySignIn = visitorAction({}, async (services) => {
  const { networkAddress } = await readBrowserFacts();
  return beginWithPasskey(services, networkAddress);
});

export const signInWithPasskey = visitorAction(
  { input: z.object({ next, response: z.custom<PasskeyAssertion>() }) },
  async (services, { next, response }) =>
    toResult(
      await withPasskey(services, response, await readBrowserFacts()),
      next,
      "Your passkey did not work. Try again, or use your password.",
    ),
);

export const signInWithRecoveryCode = visitorAction(
  { input: withPasswordSchema.extend({ code: z.string() }) },
  async (services, { next, ...given }) =>
    toResult(
      await withRecoveryCode(services, given, await readBrowserFacts()),
      next,
      "That email, password and recovery code do not match. Try again.",
    ),
);

async function toResult(outcome: SignInOutcome, next: string, failure: string): Promise<SignInResult> {
  switch (outcome.kind) {
    case "SIGNED_IN":
      await enterSession(outcome);
      return { kind: "SIGNED_IN", href: next };
    case "THROTTLED":
      return outcome;
    case "CODE_NEEDED":
      return { kind: "CODE_NEEDED" };
    case "CODE_WRONG":
      return { kind: "FAILED", message: WRONG_APP_CODE };
    case "FAILED":
      return { kind: "FAILED", message: failure };
  }
}
