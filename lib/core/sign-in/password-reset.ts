import { createHash, randomBytes } from "node:crypto";
import type { Services } from "@/lib/platform/services";

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
export const PASSWORD_RESET_LIFETIME_MS = 30 * 60_000;

/** 256 random bits, as they stand in the address of the email. */
export function newResetToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token; null for what cannot be one. */
export function hashResetToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash("sha256").update(token).digest() : null;
}

/** The token is in the path, and in no other address of ours. */
export function resetHref(token: string): string {
  return `/reset/${token}`;
}

/** Whose password a link sets. Null: it works no longer, and why is nobody's to know. Asking uses nothing up. */
export async function findPasswordReset(
  services: Pick<Services, "pool" | "clock">,
  token: string,
): Promise<{ email: string } | null> {
  const tokenHash = hashResetToken(token);
  if (!tokenHash) return null;
  const { rows } = await services.pool.query<{ email: string }>({
    name: "find_password_reset",
    text: `select u.email from password_resets r join users u on u.id = r.user_id
            where r.token_hash = $1 and r.expires_at > $2`,
    values: [tokenHash, services.clock.now()],
  });
  return rows[0] ?? null;
}
