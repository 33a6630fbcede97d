import { queueToPerson, readPersonSetting } from "@/lib/core/shared/queue-to-person";
import {
  byMember,
  byNetwork,
  forgetGuesses,
  refundAttempt,
  type Throttled,
  takeAttempt,
} from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import type { SignUpServices } from "@/lib/core/sign-in/begin-sign-up";
import { hashPassword, newPasswordSchema } from "@/lib/core/sign-in/password";
import { findPasswordReset, hashResetToken } from "@/lib/core/sign-in/password-reset";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { renderPasswordChanged } from "@/lib/words/messages/password-changed";

export type ResetPasswordOutcome =
  | { kind: "DONE" }
  | { kind: "INVALID"; message: string }
  /** Used, too old, or none. */
  | { kind: "OVER" }
  | Throttled;

/** Long enough for a mail server that is down for a while: whoever was robbed must hear of it. */
const TOLD_FOR_MS = 3 * 24 * 60 * 60_000;

/**
 * Sets a new password with the link of an email, once. Every session of the member ends, this browser's too: they sign
 * in with the new password and whatever else their sign-in takes. Passkeys and recovery codes stay, so that whoever reads
 * somebody's mail still approves nothing. The member is told.
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
  // Slow hashing is for a link that is good.
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
    // Guesses at the authenticator app's codes stay counted: a link in a mailbox is no proof of that.
    await forgetGuesses(client, user.email);
    await client.query("delete from throttles where subject = $1", [byMember(user.id).subject]);
    const email = renderPasswordChanged({ forgotUrl: `${services.appUrl}/forgot` }, setting);
    const goodUntil = new Date(now.getTime() + TOLD_FOR_MS);
    await queueToPerson(client, { kind: "PASSWORD_CHANGED", recipient: user.email, email, goodUntil }, now);
    return true;
  });
  if (!isDone) return { kind: "OVER" };
  await refundAttempt(services, attempt);
  services.wake(SEND_MESSAGES);
  return { kind: "DONE" };
}

/** Uses up this link and every other one of the member: of any number at the same moment one sets the password. */
async function takeReset(
  client: Queryable,
  token: string,
  passwordHash: string,
  now: Date,
): Promise<{ id: string; email: string } | null> {
  // Before any link, so that two links of one member do not wait for each other.
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
  // Whoever made it necessary may have signed in: their browser is news again.
  await client.query("delete from known_browsers where user_id = $1", [userId]);
}
