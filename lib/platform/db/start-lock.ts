import type pg from "pg";

/** "slui" in ASCII: one lock for all that a start does to a database. */
const LOCK_KEY = 0x736c7569;
/** Another process may be at a long migration. */
const MAX_WAIT_MS = 600_000;

/**
 * Runs `fn` while no other process prepares this database. The lock belongs to the session: it ends with the
 * connection, so a process that is killed leaves none behind.
 * @param client a connection of its own (not a pooled one), outside a transaction
 */
export async function withStartLock<T>(client: pg.Client, fn: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ lock_timeout: string }>("show lock_timeout");
  await setLockTimeout(client, `${MAX_WAIT_MS}ms`);
  await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
  try {
    await setLockTimeout(client, rows[0]?.lock_timeout ?? "0");
    return await fn();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [LOCK_KEY]);
  }
}

async function setLockTimeout(client: pg.Client, value: string): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [value]);
}
