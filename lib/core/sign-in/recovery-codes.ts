import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "@/lib/db/transaction";

const CODES_PER_SET = 10;

/** Codes replace a lost passkey or app; with neither left, they would be a sign-in method of their own. */
export async function dropUselessCodes(client: Queryable, userId: string): Promise<void> {
  await client.query(
    `delete from recovery_codes where user_id = $1
       and not exists (select from passkeys where user_id = $1)
       and not exists (select from authenticators where user_id = $1 and confirmed_at is not null)`,
    [userId],
  );
}

/** Replaces a member's recovery codes with ten new ones; only their hashes are stored. */
export async function writeRecoveryCodes(client: Queryable, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES_PER_SET }, newReadableSecret);
  await client.query("delete from recovery_codes where user_id = $1", [userId]);
  await client.query(
    "insert into recovery_codes (user_id, code_hash, created_at) select $1, hash, $3 from unnest($2::bytea[]) as hash",
    [userId, codes.map(hashReadableSecret), now],
  );
  return codes;
}

/** Crockford's base 32: no letter that is easily mistaken for another character. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUPS = 4;
const GROUP_LENGTH = 6;
const LENGTH = GROUPS * GROUP_LENGTH;

/** A secret that a person can copy by hand, e.g. `7fq2k4-m81xzp-k03d9v-w6gthr`: 120 random bits. */
export function newReadableSecret(): string {
  const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join("-");
}

/**
 * The stored hash of a readable secret. Tolerates upper case, missing hyphens and common mistakes (O for 0, I and L for
 * 1).
 */
export function hashReadableSecret(typed: string): Buffer {
  const canonical = typed
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  return createHash("sha256").update(`sluice recovery code ${canonical}`).digest();
}
