import type { Queryable } from "@/lib/db/transaction";

/** Whether a member confirms with a passkey, and therefore never with less. */
export async function hasPasskey(database: Queryable, userId: string): Promise<boolean> {
  const { rows } = await database.query<{ has_passkey: boolean }>({
    name: "has_passkey",
    text: "select exists (select from passkeys where user_id = $1) as has_passkey",
    values: [userId],
  });
  return rows[0]?.has_passkey === true;
}
