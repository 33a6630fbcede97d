import "server-only";
import { cookies } from "next/headers";
import { getServerSession } from "next-auth";
import { encode } from "next-auth/jwt";
import { authOptions, usesSecureCookies } from "@/app/auth/options";
import { SESSION_LIFETIME_MS } from "@/lib/core/members/session";
import { getRuntime } from "@/lib/core/runtime";

const MAX_AGE_SECONDS = SESSION_LIFETIME_MS / 1_000;

/** What next-auth's cookie says: encrypted and authenticated by us, but not yet that the session still counts. */
export async function readSessionCookie(): Promise<{ userId: string; sessionId: string } | null> {
  const session = await getServerSession(authOptions());
  return session && { userId: session.userId, sessionId: session.sessionId };
}

/**
 * Gives the browser next-auth's own session cookie. Sign-in runs in a server action, because it can answer how long to
 * wait and where to go; next-auth's `signIn()` cannot.
 */
export async function writeSessionCookie(session: { userId: string; sessionId: string }): Promise<void> {
  const token = await encode({
    token: { sub: session.userId, sessionId: session.sessionId },
    secret: getRuntime().sessionSecret,
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

/** Name and kind that next-auth looks for, too (`useSecureCookies` in `options.ts`). */
function cookieKind(): { name: string; secure: boolean } {
  const secure = usesSecureCookies(getRuntime().services.appUrl);
  return { name: `${secure ? "__Secure-" : ""}next-auth.session-token`, secure };
}
