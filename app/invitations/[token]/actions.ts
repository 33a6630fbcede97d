"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserIds, writeBrowserIds } from "@/app/auth/browser-cookie";
import { browserFacts } from "@/app/auth/browser-facts";
import { currentSession } from "@/app/auth/member";
import { readInput, textOf } from "@/app/auth/read-input";
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from "@/app/auth/session-cookie";
import { AppError } from "@/lib/contract/error";
import type { AcceptRefused } from "@/lib/contract/views/members-view";
import {
  type AcceptOutcome,
  acceptAsMember as asMember,
  acceptAsNew as asNew,
  acceptWithPassword as withPassword,
} from "@/lib/core/organizations/accept-invitation";

import { invitationHref } from "@/lib/core/organizations/invite-member";
import type { BrowserFacts } from "@/lib/core/shared/session";
import { endSession } from "@/lib/core/sign-in/end-session";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

/**
 * Each takes first the token of the page; opening the page does nothing, these do. Whoever has joined is sent home from
 * here, for the page that they leave would say that its link works no longer.
 */

const tokenSchema = z.string().max(100);
const HOME = "/";
const OVER = "This invitation works no longer. Ask for another one.";

export async function acceptAsNew(
  token: string,
  _previous: AcceptRefused | null,
  form: FormData,
): Promise<AcceptRefused> {
  const given = { name: textOf(form, "name"), password: textOf(form, "password") };
  const browser = await readBrowserFacts();
  return answer(() => asNew(getRuntime().services, readInput(tokenSchema, token), given, browser));
}

export async function acceptWithPassword(
  token: string,
  _previous: AcceptRefused | null,
  form: FormData,
): Promise<AcceptRefused> {
  const given = readInput(z.object({ password: z.string(), code: z.string().max(20).optional() }), {
    password: textOf(form, "password"),
    code: textOf(form, "code") || undefined,
  });
  const browser = await readBrowserFacts();
  return answer(() => withPassword(getRuntime().services, readInput(tokenSchema, token), given, browser));
}

export async function acceptAsMember(token: string): Promise<AcceptRefused> {
  const current = await currentSession();
  if (!current) return refused("You were signed out. Load this page again.");
  const result = await runGuarded(async () => {
    try {
      await asMember(getRuntime().services, current.actor, readInput(tokenSchema, token));
      return { kind: "DONE" as const };
    } catch (error) {
      if (error instanceof AppError) return refused(error.message);
      throw error;
    }
  });
  if (result.kind === "DONE") redirect(HOME, RedirectType.replace);
  return result.kind === "ERROR" ? refused(`${result.message} Request ${result.requestId}.`) : result;
}

/** For whoever is signed in as somebody else; the page is then for whom the link is. */
export async function signOutToAccept(token: string): Promise<void> {
  const cookie = await readSessionCookie();
  if (cookie) await endSession(getRuntime().services, cookie.sessionId);
  await clearSessionCookie();
  redirect(invitationHref(readInput(tokenSchema, token)));
}

async function answer(run: () => Promise<AcceptOutcome>): Promise<AcceptRefused> {
  const outcome = await runGuarded(run);
  switch (outcome.kind) {
    case "SIGNED_IN": {
      // Whoever used this browser before is signed out for good, not only out of sight.
      const before = await readSessionCookie();
      if (before) await endSession(getRuntime().services, before.sessionId);
      await writeSessionCookie(outcome);
      await writeBrowserIds(outcome.browserIds);
      return redirect(HOME, RedirectType.replace);
    }
    case "INVALID":
      return { kind: "REFUSED", message: null, problems: problemsOf(outcome.details) };
    case "FAILED":
      return { kind: "REFUSED", message: null, problems: { password: "That is not your password." } };
    case "CODE_NEEDED":
      return { kind: "REFUSED", message: null, problems: {}, needsCode: true };
    case "CODE_WRONG":
      return {
        kind: "REFUSED",
        message: null,
        problems: { code: "That code is not right, or was used already. Wait for the next one." },
        needsCode: true,
      };
    case "THROTTLED":
      return refused(`Too many attempts. Try again in ${Math.ceil(outcome.retryAfterSeconds / 60)} min.`);
    case "KNOWN":
      return refused(
        "Somebody has this address here by now. Load this page again to join with your password.",
      );
    case "OVER":
      return refused(OVER);
    case "ERROR":
      return refused(`${outcome.message} Request ${outcome.requestId}.`);
  }
}

const LABELS = { name: "The name", password: "The password" } as const;

function problemsOf(details: readonly { field: string; message: string }[]) {
  const problemOf = (field: keyof typeof LABELS) => {
    const found = details.find((detail) => detail.field === field);
    return found ? `${LABELS[field]} ${found.message}.` : undefined;
  };
  return { name: problemOf("name"), password: problemOf("password") };
}

function refused(message: string): AcceptRefused {
  return { kind: "REFUSED", message, problems: {} };
}

async function readBrowserFacts(): Promise<BrowserFacts> {
  const requestHeaders = await headers();
  return browserFacts((name) => requestHeaders.get(name), await readBrowserIds());
}
