import type { Queryable } from "@/lib/db/transaction";

/**
 * A bank's balance never agrees with invented money, and a bank runs in real time. So a database in which the sandbox
 * bank has carried money, or an organization's clock was moved, is refused.
 * @throws Error for the operator
 */
export async function requireNothingInvented(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ has_moved_clock: boolean; has_played: boolean }>({
    name: "find_invented",
    text: `select exists (select from organizations where clock_offset_ms <> 0) as has_moved_clock,
                  exists (select from sandbox_bank_orders) or exists (select from sandbox_bank_deposits) as has_played`,
  });
  if (!rows[0]?.has_moved_clock && !rows[0]?.has_played) return;
  const what = rows[0].has_played ? "money of the sandbox bank" : "an organization whose clock was moved";
  throw new Error(
    `This database has ${what}, which must not be beside a bank. Start with an empty database, or unset INCREASE_API_KEY and MERCURY_API_TOKEN.`,
  );
}
