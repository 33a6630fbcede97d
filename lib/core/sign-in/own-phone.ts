import type { Queryable } from "@/lib/db/transaction";

/** A member's number in E.164. `verifiedAt` (real time) is null while nobody has shown that it is theirs. */
export type OwnPhone = { phone: null; verifiedAt: null } | { phone: string; verifiedAt: Date | null };

export async function readOwnPhone(database: Queryable, userId: string): Promise<OwnPhone> {
  const { rows } = await database.query<PhoneRow>(
    "select phone, phone_verified_at from users where id = $1",
    [userId],
  );
  return toOwnPhone(rows[0]);
}

/** The same under a lock until the commit: changes of one member's number come one after the other. */
export async function lockOwnPhone(client: Queryable, userId: string): Promise<OwnPhone> {
  const { rows } = await client.query<PhoneRow>(
    "select phone, phone_verified_at from users where id = $1 for no key update",
    [userId],
  );
  return toOwnPhone(rows[0]);
}

interface PhoneRow {
  phone: string | null;
  phone_verified_at: Date | null;
}

function toOwnPhone(row: PhoneRow | undefined): OwnPhone {
  if (!row) throw new Error("A member who is signed in was not found.");
  if (row.phone === null) return { phone: null, verifiedAt: null };
  return { phone: row.phone, verifiedAt: row.phone_verified_at };
}
