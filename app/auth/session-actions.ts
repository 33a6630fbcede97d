"use server";

import { redirect } from "next/navigation";
import { currentSession } from "@/app/auth/member";
import { clearSessionCookie, readSessionCookie } from "@/app/auth/session-cookie";
import { endSession } from "@/lib/core/members/end-session";
import { switchOrganization as switchSession } from "@/lib/core/members/switch-organization";
import { getRuntime } from "@/lib/core/runtime";

/** Ends the session for good, so that a copy of its cookie is worth nothing. */
export async function signOut(): Promise<void> {
  const cookie = await readSessionCookie();
  if (cookie) await endSession(getRuntime().services, cookie.sessionId);
  await clearSessionCookie();
  redirect("/sign-in");
}

/** Looks at another organization of the member, at its home page: what is on the screen belongs to the one before. */
export async function switchOrganization(organizationId: string): Promise<void> {
  const current = await currentSession();
  if (!current) redirect("/sign-in");
  await switchSession(getRuntime().services, current.session.id, current.actor.id, organizationId);
  redirect("/");
}
