import { AppError } from "@/lib/contract/error";
import { byMember, byMemberCode, byMemberCodeDaily, forgetGuesses } from "@/lib/core/shared/throttle";
import { hashPassword } from "@/lib/core/sign-in/password";
import { emailSchema } from "@/lib/core/sign-in/person";
import { newReadableSecret } from "@/lib/core/sign-in/recovery-codes";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface MemberReset {
  userId: string;
  name: string;
  email: string;
  /** In clear text, once: whoever runs this hands it to the member. */
  password: string;
  /** Owners of every organization of this member, to be told; the member themself included when an owner. */
  owners: { organizationId: string; userId: string; name: string; email: string }[];
}

/**
 * For the operator, when a member has lost every way to sign in: takes away their passkeys, authenticator
 * app and recovery codes, ends their sessions and gives them a new random password.
 * @param tellOwners writes, in the same transaction, what the owners are told: a reset that nobody hears of would be a
 * quiet way in.
 * @throws AppError `INVALID_PARAMETERS` when nobody has this address.
 */
export async function resetMember(
  services: Pick<Services, "pool" | "clock">,
  email: string,
  tellOwners: (client: Queryable, reset: Omit<MemberReset, "password">) => Promise<void>,
): Promise<MemberReset> {
  const address = emailSchema.safeParse(email).data ?? "";
  const password = newReadableSecret();
  const passwordHash = await hashPassword(password);
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ id: string; name: string; email: string }>(
      "update users set password_hash = $2, password_changed_at = $3 where lower(email) = $1 returning id, name, email",
      [address, passwordHash, now],
    );
    const user = rows[0];
    if (!user) throw new AppError("INVALID_PARAMETERS", "Nobody has this address.");
    await takeAway(client, user.id, now);
    await forgetAttempts(client, user);
    const reset = {
      userId: user.id,
      name: user.name,
      email: user.email,
      owners: await findOwners(client, user.id),
    };
    await tellOwners(client, reset);
    return { ...reset, password };
  });
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
  // Whoever made the reset necessary may have signed in: their browser is news again.
  await client.query("delete from known_browsers where user_id = $1", [userId]);
}

/** Whoever guessed before must not keep the member out now. */
async function forgetAttempts(client: Queryable, user: { id: string; email: string }): Promise<void> {
  await forgetGuesses(client, user.email);
  const subjects = [byMember(user.id), byMemberCode(user.id), byMemberCodeDaily(user.id)].map(
    ({ subject }) => subject,
  );
  await client.query("delete from throttles where subject = any ($1)", [subjects]);
}

async function findOwners(client: Queryable, userId: string): Promise<MemberReset["owners"]> {
  const { rows } = await client.query<{ organization_id: string; id: string; name: string; email: string }>(
    `select o.organization_id, u.id, u.name, u.email
       from memberships m
       join memberships o on o.organization_id = m.organization_id and o.role in ('OWNER', 'CO_OWNER')
       join users u on u.id = o.user_id
      where m.user_id = $1
      order by o.organization_id, o.created_at, u.id limit 1000`,
    [userId],
  );
  return rows.map((row) => ({
    organizationId: row.organization_id,
    userId: row.id,
    name: row.name,
    email: row.email,
  }));
}
