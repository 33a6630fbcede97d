import "server-only";
import { redirect } from "next/navigation";
import { cache } from "react";
import { signInHref } from "@/app/auth/return-path";
import { readSessionCookie } from "@/app/auth/session-cookie";
import { type CurrentSession, readSession } from "@/lib/core/members/read-session";
import { notePageMember } from "@/lib/core/page-request";
import { getRuntime } from "@/lib/core/runtime";

/**
 * Who asks, with organization and role as the database has them now; read once per request. Null: nobody, or a session
 * that has ended.
 */
export const currentMember = cache(async (): Promise<CurrentSession | null> => {
  const cookie = await readSessionCookie();
  if (!cookie) return null;
  const current = await readSession(getRuntime().services, cookie.sessionId);
  if (current?.actor.id !== cookie.userId) return null;
  notePageMember(current);
  return current;
});

/**
 * Who asks; sends everybody else to sign in first, and back to `returnTo` then.
 * @param returnTo path of this page with its query, e.g. `/?approvalTransferId=…`
 */
export async function requireMember(returnTo: string): Promise<CurrentSession> {
  return (await currentMember()) ?? redirect(signInHref(returnTo));
}
