import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

/** "slui" in ASCII: one lock for everything that a start does to a database. */
const LOCK_KEY = 0x736c7569;
/** Another process may be running a backup or a long migration. */
const MAX_WAIT_MS = 600_000;
const RETRY_MS = 100;

/**
 * Runs `fn` while no other process prepares this database. The lock belongs to the session: a killed process leaves
 * none behind.
 * @param client a dedicated connection (not a pooled one), outside a transaction
 * @throws Error if another process does not release it within ten minutes
 */
export async function withStartLock<T>(client: pg.Client, fn: () => Promise<T>): Promise<T> {
  await take(client);
  try {
    return await fn();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK_KEY]);
  }
}

/** Polls instead of waiting inside a statement, which CREATE INDEX CONCURRENTLY would wait for in turn. */
async function take(client: pg.Client): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      LOCK_KEY,
    ]);
    if (rows[0]?.taken) return;
    if (performance.now() > deadline)
      throw new Error("Another process has been preparing this database for ten minutes.");
    await pause(RETRY_MS);
  }
}
