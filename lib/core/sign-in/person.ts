import { z } from "zod";
import { phoneSchema } from "@/lib/contract/notifications";
import { nameText } from "@/lib/contract/plain-text";
import { hashPassword, newPasswordSchema } from "@/lib/core/sign-in/password";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** An address as stored and compared: trimmed and in lower case. */
export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address"));

export const personSchema = z.object({
  email: emailSchema,
  name: nameText(200),
  password: newPasswordSchema,
  /** E.164, e.g. +14155550100. */
  phone: phoneSchema.nullable().default(null),
  /** Whether the person entering the number vouches for it: messages go only to verified ones. */
  isPhoneVerified: z.boolean().default(false),
});

/** Ready to be written: hashed before any transaction, because hashing is slow on purpose. */
export interface HashedPerson extends Omit<z.output<typeof personSchema>, "password"> {
  passwordHash: string;
}

export async function hashPerson({
  password,
  ...person
}: z.output<typeof personSchema>): Promise<HashedPerson> {
  return { ...person, passwordHash: await hashPassword(password) };
}

/**
 * Finds the person by email, or writes a new one. An existing person keeps their name, password and number: being added
 * to another organization must not change how they sign in to the first.
 */
export async function findOrCreateUser(
  client: Queryable,
  person: HashedPerson,
  now: Date,
): Promise<{ userId: string; isNew: boolean }> {
  const inserted = await client.query<{ id: string }>(
    `insert into users (id, email, name, password_hash, phone, phone_verified_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict ((lower(email))) do nothing returning id`,
    [
      newId(now),
      person.email,
      person.name,
      person.passwordHash,
      person.phone,
      person.phone !== null && person.isPhoneVerified ? now : null,
      now,
    ],
  );
  const created = inserted.rows[0];
  if (created) return { userId: created.id, isNew: true };
  const { rows } = await client.query<{ id: string }>("select id from users where lower(email) = $1", [
    person.email,
  ]);
  if (!rows[0]) throw new Error("An existing user was not found.");
  return { userId: rows[0].id, isNew: false };
}
