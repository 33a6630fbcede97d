import type { Queryable } from "@/lib/db/transaction";

/** Who closed the gates, where it was no member. */
export const RESTORE_NAME = "Sluice’s restore from a backup";

/**
 * Closes all gates of every organization in a database that is being restored: what it would send, another Sluice may
 * have sent since the backup was made. An owner or co-owner opens them.
 * @param owner in the restore's transaction, as the owner of the database
 * @param now real time
 * @returns how many were closed now
 */
export async function holdAfterRestore(owner: Queryable, now: Date): Promise<number> {
  const { rows } = await owner.query<{ count: number }>({
    name: "hold_after_restore",
    text: "select hold_after_restore($1) as count",
    values: [now],
  });
  return rows[0]?.count ?? 0;
}
