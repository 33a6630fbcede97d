import "server-only";
import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { usesSecureCookies } from "@/app/auth/options";
import { SESSION_LIFETIME_MS } from "@/lib/core/shared/session";
import { getRuntime } from "@/lib/next/runtime";

const MAX_AGE_SECONDS = SESSION_LIFETIME_MS / 1_000;

const sessionSchema = z
  .object({ sub: z.string().min(1), sessionId: z.string() })
  .transform(({ sub, sessionId }) => ({ userId: sub, sessionId }));

/** Authenticates the cookie, not that the session still exists. */
export async function readSessionCookie(): Promise<{ userId: string; sessionId: string } | null> {
  const token = (await cookies()).get(cookieKind().name)?.value;
  if (!token) return null;
  try {
    const said = await decode({ token, secret: getRuntime().sessionSecret });
    return sessionSchema.safeParse(said).data ?? null;
  } catch {
    // Not ours, altered, or expired. next-auth's own reader would also throw on unrelated cookies.
    return null;
  }
}

/**
 * Sets next-auth's session cookie. Sign-in is a server action because next-auth's `signIn()` cannot report a wait or a
 * redirect.
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

/** Must match next-auth (`useSecureCookies` in `options.ts`). */
function cookieKind(): { name: string; secure: boolean } {
  const secure = usesSecureCookies(getRuntime().services.appUrl);
  return { name: `${secure ? "__Secure-" : ""}next-auth.session-token`, secure };
}
