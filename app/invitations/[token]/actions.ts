"use server";

import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession, leaveSession } from "@/app/auth/enter-session";
import { currentSession } from "@/app/auth/member";
import { readInput, textOf } from "@/app/auth/read-input";
import {
  labeled,
  refusal,
  refusedField,
  refusedFields,
  refusedForNow,
  runAsVisitor,
} from "@/app/auth/run-as-member";
import type { AcceptAnswer } from "@/app/invitations/[token]/_components/invitation";
import type { Refused } from "@/lib/contract/refused";
import {
  type AcceptOutcome,
  acceptAsMember as asMember,
  acceptAsNew as asNew,
  acceptWithPassword as withPassword,
} from "@/lib/core/organizations/accept-invitation";
import { invitationHref } from "@/lib/core/organizations/invite-member";
import type { BrowserFacts } from "@/lib/core/shared/session";
import type { Runtime } from "@/lib/next/runtime";
import { WRONG_APP_CODE } from "@/lib/words/wrong-code";

/**
 * The first argument is the token from the link; opening its page changes nothing. After joining, the redirect comes from
 * here, because the page would say that its link no longer works.
 */

const tokenSchema = z.string().max(100);
const HOME = "/";

export async function acceptAsNew(
  token: string,
  _previous: AcceptAnswer | null,
  form: FormData,
): Promise<AcceptAnswer> {
  const given = { name: textOf(form, "name"), password: textOf(form, "password") };
  return accept((services, browser) => asNew(services, readInput(tokenSchema, token), given, browser));
}

const passwordSchema = z.object({ password: z.string(), code: z.string().max(20).optional() });

export async function acceptWithPassword(
  token: string,
  _previous: AcceptAnswer | null,
  form: FormData,
): Promise<AcceptAnswer> {
  return accept((services, browser) => {
    const given = readInput(passwordSchema, {
      password: textOf(form, "password"),
      code: textOf(form, "code") || undefined,
    });
    return withPassword(services, readInput(tokenSchema, token), given, browser);
  });
}

/** Belongs to no organization yet: the token names the one to join. */
export async function acceptAsMember(token: string): Promise<Refused> {
  return runAsVisitor(async (services) => {
    const current = await currentSession();
    if (!current) return refusal("You were signed out. Load this page again.");
    await asMember(services, current.actor, readInput(tokenSchema, token));
    redirect(HOME, RedirectType.replace);
  });
}

/** For a member who is signed in with another address. */
export async function signOutToAccept(token: string): Promise<void> {
  await leaveSession();
  redirect(invitationHref(readInput(tokenSchema, token)));
}

const toProblem = labeled({ name: "The name", password: "The password" });

async function accept(
  run: (services: Runtime["services"], browser: BrowserFacts) => Promise<AcceptOutcome>,
): Promise<AcceptAnswer> {
  const browser = await readBrowserFacts();
  return runAsVisitor(async (services): Promise<AcceptAnswer> => {
    const outcome = await run(services, browser);
    switch (outcome.kind) {
      case "SIGNED_IN":
        await enterSession(outcome);
        return redirect(HOME, RedirectType.replace);
      case "INVALID":
        return refusedFields(outcome.details, toProblem);
      case "FAILED":
        return refusedField("password", "That is not your password.");
      case "CODE_NEEDED":
        return { kind: "CODE_NEEDED", problem: null };
      case "CODE_WRONG":
        return { kind: "CODE_NEEDED", problem: WRONG_APP_CODE };
      case "THROTTLED":
        return refusedForNow(outcome);
      case "KNOWN":
        return refusal(
          "This address has an account by now. Load this page again to join with your password.",
        );
      case "OVER":
        return refusal("This invitation no longer works. Ask for another one.");
    }
  });
}
