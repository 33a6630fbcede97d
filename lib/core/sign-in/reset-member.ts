import { AppError } from "@/lib/contract/error";
import { byMember, byMemberCode, byMemberCodeDaily, forgetGuesses } from "@/lib/core/shared/throttle";
import { hashPassword } from "@/lib/core/sign-in/password";
import { emailSchema } from "@/lib/core/sign-in/person";
import { newReadableSecret } from "@/lib/core/sign-in/recovery-codes";
import { hashResetToken, newResetToken, resetHref } from "@/lib/core/sign-in/reset-password";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Long enough to reach the member by other means. */
export const LINK_LIFETIME_MS = 60 * 60_000;

interface MemberReset {
  userId: string;
  name: string;
  email: string;
  /** Sets a new password once, until `goodUntil` (real time). The operator passes it to the member. */
  resetHref: string;
  goodUntil: Date;
  /** Owners of every organization of this member, to notify; including the member if an owner. */
  owners: { organizationId: string; userId: string; name: string; email: string }[];
}

/**
 * For a member who has lost every way to sign in: removes their passkeys, authenticator app and recovery codes, ends
 * their sessions and creates a link to set a new password. No temporary password is printed: it would remain in terminals
 * and chats.
 * @param noteForOwners notifies the owners in the same transaction, so that a reset is never a silent way in.
 * @throws AppError `INVALID_PARAMETERS` for an unknown address.
 */
export async function resetMember(
  services: Pick<Services, "pool" | "clock">,
  email: string,
  noteForOwners: (client: Queryable, reset: Omit<MemberReset, "resetHref" | "goodUntil">) => Promise<void>,
): Promise<MemberReset> {
  const address = emailSchema.safeParse(email).data ?? "";
  // The hash of a random text that no one knows.
  const passwordHash = await hashPassword(newReadableSecret());
  const token = newResetToken();
  const now = services.clock.now();
  const goodUntil = new Date(now.getTime() + LINK_LIFETIME_MS);
  return inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ id: string; name: string; email: string }>(
      "update users set password_hash = $2, password_changed_at = $3 where lower(email) = $1 returning id, name, email",
      [address, passwordHash, now],
    );
    const user = rows[0];
    if (!user) throw new AppError("INVALID_PARAMETERS", "No member has this address.");
    await takeAway(client, user.id, now);
    await forgetAttempts(client, user);
    const reset = {
      userId: user.id,
      name: user.name,
      email: user.email,
      owners: await findOwners(client, user.id),
    };
    await writeLink(client, { token, userId: user.id, goodUntil });
    await noteForOwners(client, reset);
    return { ...reset, resetHref: resetHref(token), goodUntil };
  });
}

/** The only valid link: one mailed before may be in the wrong hands. */
async function writeLink(
  client: Queryable,
  { token, userId, goodUntil }: { token: string; userId: string; goodUntil: Date },
): Promise<void> {
  await client.query("delete from password_resets where user_id = $1", [userId]);
  await client.query("insert into password_resets (token_hash, user_id, expires_at) values ($1, $2, $3)", [
    hashResetToken(token),
    userId,
    goodUntil,
  ]);
}

async function takeAway(client: Queryable, userId: string, now: Date): Promise<void> {
  await client.query("update sessions set revoked_at = $2 where user_id = $1 and revoked_at is null", [
    userId,
    now,
  ]);
  await client.query("delete from challenges where user_id = $1", [userId]);
  await client.query("delete from passkeys where user_id = $1", [userId]);
  await client.query("delete from recovery_codes where user_id = $1", [userId]);
  await client.query("delete from authenticators where user_id = $1", [userId]);
  // The attacker who caused the reset may have signed in: their browser counts as new again.
  await client.query("delete from known_browsers where user_id = $1", [userId]);
}

/** Earlier guesses must not lock the member out now. */
async function forgetAttempts(client: Queryable, user: { id: string; email: string }): Promise<void> {
  await forgetGuesses(client, user.email);
  const subjects = [byMember(user.id), byMemberCode(user.id), byMemberCodeDaily(user.id)].map(
    ({ subject }) => subject,
  );
  await client.query("delete from throttles where subject = any ($1)", [subjects]);
}

async function findOwners(client: Queryable, userId: string): Promise<MemberReset["owners"]> {
  const { rows } = await client.query<{ organizationId: string; id: string; name: string; email: string }>(
    `select o.organization_id as "organizationId", u.id, u.name, u.email
       from memberships m
       join memberships o on o.organization_id = m.organization_id and o.role in ('OWNER', 'CO_OWNER')
       join users u on u.id = o.user_id
      where m.user_id = $1
      order by o.organization_id, o.created_at, u.id limit 1000`,
    [userId],
  );
  return rows.map((row) => ({
    organizationId: row.organizationId,
    userId: row.id,
    name: row.name,
    email: row.email,
  }));
}
