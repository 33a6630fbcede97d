import "server-only";
import { redirect } from "next/navigation";
import { cache } from "react";
import { secondFactorHref, signInHref } from "@/app/auth/return-path";
import { readSessionCookie } from "@/app/auth/session-cookie";
import { type CurrentSession, readSession } from "@/lib/core/members/read-session";
import { notePageMember } from "@/lib/core/page-request";
import { getRuntime } from "@/lib/core/runtime";

/**
 * Whose browser this is, also where they have yet to give the second factor that their organization asks for
 * (`lacksSecondFactor`): for what is theirs alone, and for nothing of the organization. Read once per request. Null:
 * nobody's, or of a session that has ended.
 */
export const currentSession = cache(async (): Promise<CurrentSession | null> => {
  const cookie = await readSessionCookie();
  if (!cookie) return null;
  const current = await readSession(getRuntime().services, cookie.sessionId);
  if (current?.actor.id !== cookie.userId) return null;
  notePageMember(current);
  return current;
});

/** Who asks, with organization and role as the database has them now. Null: nobody whom the organization lets in. */
export async function currentMember(): Promise<CurrentSession | null> {
  const session = await currentSession();
  return session?.lacksSecondFactor ? null : session;
}

/**
 * Who asks; sends everybody else to sign in first, or to give their second factor, and back to `returnTo` then.
 * @param returnTo path of this page with its query, e.g. `/?approvalTransferId=…`
 */
export async function requireMember(returnTo: string): Promise<CurrentSession> {
  const session = await currentSession();
  if (session === null) redirect(signInHref(returnTo));
  if (session.lacksSecondFactor) redirect(secondFactorHref(returnTo));
  return session;
}

/** Why `currentMember` is nobody, for whoever acts on a page that they still have open. */
export async function whyNobody(): Promise<string> {
  return (await currentSession())
    ? "Your organization asks for a second factor now. Load this page again to give one. Nothing was changed."
    : "You were signed out. Sign in again. Nothing was changed.";
}
