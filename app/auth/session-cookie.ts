import "server-only";
import { cookies } from "next/headers";
import { encode } from "next-auth/jwt";
import { SESSION_LIFETIME_MS, sessionCookieName, usesSecureCookies } from "@/lib/core/shared/session";
import { getRuntime } from "@/lib/next/runtime";
import { readSessionToken } from "@/lib/next/session-token";

const MAX_AGE_SECONDS = SESSION_LIFETIME_MS / 1_000;

/** Authenticates the cookie, not that the session still exists. */
export async function readSessionCookie(): Promise<{ userId: string; sessionId: string } | null> {
  const token = (await cookies()).get(cookieKind().name)?.value;
  return token ? readSessionToken(token, getRuntime().sessionSecrets()) : null;
}

/**
 * Sets next-auth's session cookie. Sign-in is a server action because next-auth's `signIn()` cannot report a wait or a
 * redirect.
 */
export async function writeSessionCookie(session: { userId: string; sessionId: string }): Promise<void> {
  const token = await encode({
    token: { sub: session.userId, sessionId: session.sessionId },
    secret: getRuntime().sessionSecrets()[0],
    maxAge: MAX_AGE_SECONDS,
  });
  const { name, secure } = cookieKind();
  const jar = await cookies();
  jar.set(name, token, { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: MAX_AGE_SECONDS });
}

export async function clearSessionCookie(): Promise<void> {
  const { name, secure } = cookieKind();
  const jar = await cookies();
  jar.set(name, "", { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: 0 });
}

function cookieKind(): { name: string; secure: boolean } {
  const { appUrl } = getRuntime().services;
  return { name: sessionCookieName(appUrl), secure: usesSecureCookies(appUrl) };
}
