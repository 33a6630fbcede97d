import { createHash, randomBytes } from "node:crypto";
import { queueToPerson, readPersonSetting } from "@/lib/core/shared/queue-message";
import {
  byAddressMailed,
  byMember,
  byNetwork,
  byNetworkMailing,
  forgetGuesses,
  refundAttempt,
  type Throttled,
  takeAttempt,
} from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import type { SignUpServices } from "@/lib/core/sign-in/begin-sign-up";
import { hashPassword, newPasswordSchema } from "@/lib/core/sign-in/password";
import { emailSchema } from "@/lib/core/sign-in/person";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { renderPasswordChanged, renderPasswordReset } from "@/lib/words/messages/sign-in-messages";

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
export const PASSWORD_RESET_LIFETIME_MS = 30 * 60_000;

/** 256 random bits, as in the address in the email. */
export function newResetToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash of a token; null for a malformed one. */
export function hashResetToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash("sha256").update(token).digest() : null;
}

/** The token is in the path, and in no other address. */
export function resetHref(token: string): string {
  return `/reset/${token}`;
}

/** Whose password a link sets. Null: it is not valid, without revealing why. Consumes nothing. */
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

/**
 * Emails a link to set a new password, valid once and for half an hour. An unknown address gets the same response, after
 * the same write.
 * @param networkAddress null where the transport does not know it
 * @returns `INVALID` for a malformed address
 */
export async function requestPasswordReset(
  services: SignUpServices,
  input: { email: string },
  networkAddress: string | null,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<{ kind: "SENT" } | { kind: "INVALID" } | Throttled> {
  const email = emailSchema.safeParse(input.email).data;
  if (email === undefined) return { kind: "INVALID" };
  const attempt = await takeAttempt(services, [byNetworkMailing(networkAddress), byAddressMailed(email)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const setting = await readPersonSetting(services, isSandboxBank);
  const token = newResetToken();
  const now = services.clock.now();
  const goodUntil = new Date(now.getTime() + PASSWORD_RESET_LIFETIME_MS);
  await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ userId: string | null; email: string | null }>({
      name: "request_password_reset",
      text: `with found as (select id, email from users where lower(email) = $2),
             written as (
               insert into password_resets (token_hash, user_id, expires_at)
               values ($1, (select id from found), $3) returning user_id)
             select w.user_id as "userId", f.email from written w left join found f on f.id = w.user_id`,
      values: [hashResetToken(token), email, goodUntil],
    });
    const recipient = rows[0]?.email ?? null;
    const rendered = renderPasswordReset({ resetUrl: `${services.appUrl}${resetHref(token)}` }, setting);
    // To no one: the same text takes the same path and is not stored, so that response times do not reveal who has an
    // account.
    await queueToPerson(client, { kind: "PASSWORD_RESET", recipient, email: rendered, goodUntil }, now);
  });
  services.wake(SEND_MESSAGES);
  return { kind: "SENT" };
}

type ResetPasswordOutcome =
  | { kind: "DONE" }
  | { kind: "INVALID"; message: string }
  /** Used, expired, or unknown. */
  | { kind: "OVER" }
  | Throttled;

/** Long enough to outlast a mail server's downtime: the victim of a takeover must learn of it. */
const NOTICE_LIFETIME_MS = 3 * 24 * 60 * 60_000;

/**
 * Sets a new password with an emailed link, once. Every session ends, this browser's too: the member signs in with the
 * new password and their second factor. Passkeys and recovery codes stay, so access to a mailbox alone approves nothing.
 * Notifies the member.
 * @param token from the address of the page
 */
export async function resetPassword(
  services: SignUpServices,
  token: string,
  input: { password: string },
  networkAddress: string | null,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<ResetPasswordOutcome> {
  const attempt = await takeAttempt(services, [byNetwork(networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  // Hashing is slow, so only for a valid link.
  if (!(await findPasswordReset(services, token))) return { kind: "OVER" };
  const password = newPasswordSchema.safeParse(input.password);
  if (!password.success) return { kind: "INVALID", message: password.error.issues[0]?.message ?? "is wrong" };
  const [passwordHash, setting] = await Promise.all([
    hashPassword(password.data),
    readPersonSetting(services, isSandboxBank),
  ]);
  const now = services.clock.now();
  const isDone = await inTransaction(services.pool, async (client) => {
    const user = await takeReset(client, token, passwordHash, now);
    if (!user) return false;
    await endSignIns(client, user.id, now);
    // Guesses at authenticator codes stay counted: a link in a mailbox does not prove the app.
    await forgetGuesses(client, user.email);
    await client.query("delete from throttles where subject = $1", [byMember(user.id).subject]);
    const email = renderPasswordChanged({ forgotUrl: `${services.appUrl}/forgot` }, setting);
    const goodUntil = new Date(now.getTime() + NOTICE_LIFETIME_MS);
    await queueToPerson(client, { kind: "PASSWORD_CHANGED", recipient: user.email, email, goodUntil }, now);
    return true;
  });
  if (!isDone) return { kind: "OVER" };
  await refundAttempt(services, attempt);
  services.wake(SEND_MESSAGES);
  return { kind: "DONE" };
}

/** Consumes this link and all others of the member: of concurrent uses one sets the password. */
async function takeReset(
  client: Queryable,
  token: string,
  passwordHash: string,
  now: Date,
): Promise<{ id: string; email: string } | null> {
  // Locked before any link, so that two links of one member cannot deadlock.
  await client.query({
    name: "lock_user_of_reset",
    text: "select from users where id = (select user_id from password_resets where token_hash = $1) for no key update",
    values: [hashResetToken(token)],
  });
  const { rows } = await client.query<{ id: string; email: string }>({
    name: "take_password_reset",
    text: `with taken as (
             delete from password_resets where token_hash = $1 and expires_at > $2 returning user_id)
           update users u set password_hash = $3, password_changed_at = $2 from taken where u.id = taken.user_id returning u.id, u.email`,
    values: [hashResetToken(token), now, passwordHash],
  });
  const user = rows[0];
  if (user) await client.query("delete from password_resets where user_id = $1", [user.id]);
  return user ?? null;
}

async function endSignIns(client: Queryable, userId: string, now: Date): Promise<void> {
  await client.query("update sessions set revoked_at = $2 where user_id = $1 and revoked_at is null", [
    userId,
    now,
  ]);
  await client.query("delete from challenges where user_id = $1", [userId]);
  // The attacker who caused the reset may have signed in: their browser counts as new again.
  await client.query("delete from known_browsers where user_id = $1", [userId]);
}
