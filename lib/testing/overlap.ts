import type { Pool, PoolClient } from "pg";
import type { TestDatabase } from "@/lib/testing/database";
import { waitUntil } from "@/lib/testing/wait-until";

/** Rolls back what `use` has not committed, so that a race that fails frees its locks at once. */
export async function inOpenTransaction<T>(
  pool: Pick<Pool, "connect">,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    return await use(client);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/**
 * Runs `first` in a transaction that stays open until `second` has ended or waits for a lock, and commits it then: two
 * transactions that overlap for certain, in a known order.
 * @returns the result of `second`, and whether it waited
 */
export function overlap<T>(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  first: (client: PoolClient) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<{ hasWaited: boolean; result: T }> {
  return inOpenTransaction(ownerPool, async (client) => {
    await first(client);
    let hasEnded = false;
    const later = second().finally(() => {
      hasEnded = true;
    });
    // Awaited below; the race may fail before that.
    later.catch(() => undefined);
    await waitUntil(
      "the second transaction ends or waits",
      async () => hasEnded || (await isWaiting(ownerPool)),
    );
    const hasWaited = !hasEnded;
    await client.query("commit");
    return { hasWaited, result: await later };
  });
}

/** Not in the open transaction, which keeps what it saw first. Other roles hide what they wait for, but not their locks. */
async function isWaiting(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database() limit 1`,
  );
  return rowCount !== 0;
}
