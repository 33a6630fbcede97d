import type { Queryable } from "@/lib/db/transaction";

/**
 * Recomputes the seals of an organization's proofs.
 * @returns the first day whose seal does not fit, because it or one before it was changed or removed; null: all fit
 */
export async function findBrokenDay(client: Queryable, organizationId: string): Promise<string | null> {
  const { rows } = await client.query<{ day: string | null }>({
    name: "find_broken_reconciliation_day",
    text: "select find_broken_reconciliation_day($1)::text as day",
    values: [organizationId],
  });
  return rows[0]?.day ?? null;
}
