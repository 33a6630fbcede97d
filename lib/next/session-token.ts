import { createHash } from "node:crypto";
import { decode, type JWT } from "next-auth/jwt";
import { z } from "zod";
import { readCookie } from "@/lib/next/page-request";
import type { Clock } from "@/lib/platform/clock";

const tokenSchema = z
  .object({ sub: z.string().min(1), sessionId: z.string(), exp: z.number() })
  .transform(({ sub, sessionId, exp }) => ({ userId: sub, sessionId, expiresAt: new Date(exp * 1_000) }));

export type SessionToken = z.infer<typeof tokenSchema>;

/** Longer than next-auth makes one, and than browsers store. */
const MAXIMUM_LENGTH = 4_096;

/**
 * Decrypts the value of a session cookie. This authenticates the token, not that the session still exists.
 * @returns null if it is not ours, was altered, or has expired
 */
export async function readSessionToken(
  token: string,
  secrets: readonly string[],
): Promise<SessionToken | null> {
  if (token.length > MAXIMUM_LENGTH) return null;
  return tokenSchema.safeParse(await decodeSessionToken(token, secrets)).data ?? null;
}

/** As next-auth reads one; null if no secret decrypts it, or it has expired. */
export async function decodeSessionToken(
  token: string | undefined,
  secrets: readonly string[],
): Promise<JWT | null> {
  for (const secret of secrets) {
    try {
      const found = await decode({ token, secret });
      if (found) return found;
    } catch {
      // next-auth throws on what it cannot decrypt, and its own reader also on unrelated cookies.
    }
  }
  return null;
}

/** Decrypting takes a quarter of a millisecond, and a page asks for several parts. Only valid ones, so strangers evict none. */
const MAXIMUM_REMEMBERED = 1_000;

/**
 * Tells whether a cookie header holds a session token of this installation, without asking the database: the token of a
 * session that has ended counts until it expires.
 */
export function createSessionCheck(
  { cookieName, secrets, clock }: { cookieName: string; secrets: () => readonly string[]; clock: Clock },
  maximumRemembered = MAXIMUM_REMEMBERED,
): (cookies: string | undefined) => Promise<boolean> {
  /** By digest of the token, the one remembered first leads. */
  const expiries = new Map<string, Date>();
  return async (cookies) => {
    const token = readCookie(cookies, cookieName);
    if (!token) return false;
    const digest = createHash("sha256").update(token).digest("base64");
    const known = expiries.get(digest);
    if (known) {
      if (known > clock.now()) return true;
      expiries.delete(digest);
      return false;
    }
    const read = await readSessionToken(token, secrets());
    if (read === null) return false;
    const [oldest] = expiries.keys();
    if (expiries.size >= maximumRemembered && oldest !== undefined) expiries.delete(oldest);
    expiries.set(digest, read.expiresAt);
    return true;
  };
}
