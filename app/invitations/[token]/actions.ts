"use server";

import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession, leaveSession } from "@/app/auth/enter-session";
import { currentSession } from "@/app/auth/member";
import { leavingForm, visitorForm } from "@/app/auth/member-action";
import { labeled, refusal, refusedField, refusedFields, refusedForNow } from "@/app/auth/run-as-member";
import {
  type AcceptOutcome,
  acceptAsMember as asMember,
  acceptAsNew as asNew,
  acceptWithPassword as withPassword,
} from "@/lib/core/organizations/accept-invitation";
import { invitationHref } from "@/lib/core/organizations/invite-member";
import { WRONG_APP_CODE } from "@/lib/words/wrong-code";

/**
 * The token is the link's; opening its page changes nothing. After joining, the redirect comes from here, because the
 * page would say that its link no longer works.
 */

const ofLink = z.object({ token: z.string().max(100) });
const HOME = "/";

export const acceptAsNew = visitorForm(
  { input: ofLink.extend({ name: z.string(), password: z.string() }) },
  async (services, { token, ...given }) =>
    toAnswer(await asNew(services, token, given, await readBrowserFacts())),
);

export const acceptWithPassword = visitorForm(
  { input: ofLink.extend({ password: z.string(), code: z.string().max(20).optional() }) },
  async (services, { token, password, code }) =>
    toAnswer(
      await withPassword(services, token, { password, code: code || undefined }, await readBrowserFacts()),
    ),
);

/** Belongs to no organization yet: the token names the one to join. */
export const acceptAsMember = visitorForm({ input: ofLink }, async (services, { token }) => {
  const current = await currentSession();
  if (!current) return refusal("You were signed out. Load this page again.");
  await asMember(services, current.actor, token);
  redirect(HOME, RedirectType.replace);
});

/** For a member who is signed in with another address. */
export const signOutToAccept = leavingForm({ input: ofLink }, async (_services, { token }) => {
  await leaveSession();
  redirect(invitationHref(token));
});

const toProblem = labeled({ name: "The name", password: "The password" });

async function toAnswer(outcome: AcceptOutcome) {
  switch (outcome.kind) {
    case "SIGNED_IN":
      await enterSession(outcome);
      return redirect(HOME, RedirectType.replace);
    case "INVALID":
      return refusedFields(outcome.details, toProblem);
    case "FAILED":
      return refusedField("password", "That is not your password.");
    case "CODE_NEEDED":
      return { kind: "CODE_NEEDED" as const, problem: null };
    case "CODE_WRONG":
      return { kind: "CODE_NEEDED" as const, problem: WRONG_APP_CODE };
    case "THROTTLED":
      return refusedForNow(outcome);
    case "KNOWN":
      return refusal("This address has an account by now. Load this page again to join with your password.");
    case "OVER":
      return refusal("This invitation no longer works. Ask for another one.");
  }
}
