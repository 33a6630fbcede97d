"use server";

import { redirect } from "next/navigation";
import { clearSessionCookie, readSessionCookie } from "@/app/auth/session-cookie";
import { endSession } from "@/lib/core/sign-in/end-session";
import { getRuntime } from "@/lib/next/runtime";

/** Ends the session for good, so that a copy of its cookie is worth nothing. */
export async function signOut(): Promise<void> {
  const cookie = await readSessionCookie();
  if (cookie) await endSession(getRuntime().services, cookie.sessionId);
  await clearSessionCookie();
  redirect("/sign-in");
}
