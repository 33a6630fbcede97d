import "server-only";
import { writeBrowserIds } from "@/app/auth/browser-cookie";
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from "@/app/auth/session-cookie";
import type { SignInOutcome } from "@/lib/core/shared/session";
import { endSession } from "@/lib/core/sign-in/end-session";
import { getRuntime } from "@/lib/next/runtime";

/** Gives this browser a new session, and revokes the one it had: its cookie may have been copied. */
export async function enterSession(session: Extract<SignInOutcome, { kind: "SIGNED_IN" }>): Promise<void> {
  const before = await readSessionCookie();
  if (before) await endSession(getRuntime().services, before.sessionId);
  await writeSessionCookie(session);
  await writeBrowserIds(session.browserIds);
}

/** Revokes the session, so that a copy of its cookie is worthless. */
export async function leaveSession(): Promise<void> {
  const cookie = await readSessionCookie();
  if (cookie) await endSession(getRuntime().services, cookie.sessionId);
  await clearSessionCookie();
}
