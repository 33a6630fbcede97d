import type { Queryable } from "@/lib/db/transaction";

interface Invented {
  hasMovedClock: boolean;
  hasPlayed: boolean;
  hasInstitutions: boolean;
}

/**
 * A bank's balance never agrees with invented money, and a bank runs in real time. So a database in which the sandbox
 * bank has carried money, or an organization's clock was moved, is refused; with real money, fictional accounts too.
 * @throws Error for the operator
 */
export async function requireNothingInvented(
  database: Queryable,
  bank: { keyName: string; isSandbox: boolean },
): Promise<void> {
  const { rows } = await database.query<Invented>({
    name: "find_invented",
    text: `select exists (select from organizations where clock_offset_ms <> 0) as "hasMovedClock",
                  exists (select from sandbox_bank_orders) or exists (select from sandbox_bank_deposits) as "hasPlayed",
                  exists (select from sandbox_institution_items where removed_at is null) as "hasInstitutions"`,
  });
  const what = rows[0] && inventedOf(rows[0], bank.isSandbox);
  if (!what) return;
  throw new Error(
    `This database has ${what}, which must not be beside a bank. Start with an empty database, or unset ${bank.keyName}.`,
  );
}

function inventedOf(
  { hasPlayed, hasMovedClock, hasInstitutions }: Invented,
  isSandbox: boolean,
): string | null {
  if (hasPlayed) return "money of the sandbox bank";
  if (hasMovedClock) return "an organization whose clock was moved";
  return hasInstitutions && !isSandbox ? "connections to sandbox institutions" : null;
}
