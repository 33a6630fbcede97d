import type { Queryable } from "@/lib/db/transaction";

/** Which accounts are one destination: those with the same bank account behind them. */
export interface SameDestinations {
  /** The same for all of them. */
  nameOf: (accountId: string) => string;
  /** What was asked for, and every other one of the same bank account. */
  allIds: readonly string[];
}

/** Else splitting an amount over two payees of one bank account would stay under every tier. */
export async function readSameDestinations(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<SameDestinations> {
  const { rows } = await database.query<{ accountId: string; sameId: string }>({
    name: "read_same_destinations",
    text: `select account_id as "accountId", same_id as "sameId" from same_destinations($1, $2) order by account_id, same_id`,
    values: [organizationId, [...new Set(accountIds)]],
  });
  // In order of their ids: the first one names all of them.
  const firstOf = new Map<string, string>();
  for (const { accountId, sameId } of rows) {
    if (!firstOf.has(accountId)) firstOf.set(accountId, sameId);
  }
  const names = new Map(rows.map(({ accountId, sameId }) => [sameId, firstOf.get(accountId) ?? sameId]));
  return { nameOf: (id) => names.get(id) ?? id, allIds: [...names.keys()] };
}
