import { hashReadableSecret, newReadableSecret } from "@/lib/core/sign-in/readable-secret";
import type { Queryable } from "@/lib/db/transaction";

const CODES_PER_SET = 10;

/** Codes stand in for a lost passkey or app; where neither is left, they would be a way in of their own. */
export async function dropUselessCodes(client: Queryable, userId: string): Promise<void> {
  await client.query(
    `delete from recovery_codes where user_id = $1
       and not exists (select from passkeys where user_id = $1)
       and not exists (select from authenticators where user_id = $1 and confirmed_at is not null)`,
    [userId],
  );
}

/** Replaces a member's recovery codes by ten new ones; only their hashes are kept. */
export async function writeRecoveryCodes(client: Queryable, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES_PER_SET }, newReadableSecret);
  await client.query("delete from recovery_codes where user_id = $1", [userId]);
  await client.query(
    "insert into recovery_codes (user_id, code_hash, created_at) select $1, hash, $3 from unnest($2::bytea[]) as hash",
    [userId, codes.map(hashReadableSecret), now],
  );
  return codes;
}
