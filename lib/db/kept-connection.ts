import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { createClient } from "@/lib/db/client";
import { boundGoodbye } from "@/lib/db/running-statements";

/** A connection beside the pool that is reopened whenever it is lost. */
export interface KeptConnection {
  /** Null while there is none. */
  client(): pg.Client | null;
  /** Ends it for good. */
  close(): Promise<void>;
}

interface KeptConnectionOptions {
  /** Its name in PostgreSQL's views. */
  name: string;
  /** Runs on each new connection before it counts as open; a failure is retried like a lost connection. */
  prepare?: (client: pg.Client) => Promise<unknown>;
  log: Pick<Logger, "warn">;
  /** How often to check that it is alive. */
  beatMs?: number;
}

/** Detects a connection that a firewall or a dead host dropped silently. */
const BEAT_MS = 30_000;
const QUERY_TIMEOUT_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const MAXIMUM_BACKOFF_MS = 30_000;

/**
 * Opens a connection and keeps it open: after a loss it reopens with a pause that doubles up to half a minute. Callers
 * must work without it, since it may be gone at any moment.
 */
export function keepConnected(connection: pg.ClientConfig, options: KeptConnectionOptions): KeptConnection {
  const closing = new AbortController();
  let current: pg.Client | null = null;
  let failures = 0;

  async function holdOnce(): Promise<void> {
    const client = createNamedClient(connection, options.name);
    const lost = new AbortController();
    client.once("end", () => lost.abort());
    client.on("error", (err) => options.log.warn({ err, connection: options.name }, "a connection was lost"));
    try {
      await client.connect();
      await options.prepare?.(client);
      current = client;
      failures = 0;
      await beat(client, options.beatMs ?? BEAT_MS, AbortSignal.any([closing.signal, lost.signal]));
    } finally {
      current = null;
      // A query without an answer makes it cut the connection off without waiting.
      await client.end();
    }
  }

  async function hold(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await holdOnce();
      } catch (err) {
        if (failures === 0) options.log.warn({ err, connection: options.name }, "reconnecting");
      }
      failures += 1;
      const longestMs = Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAXIMUM_BACKOFF_MS);
      // Jitter: the processes of a database that comes back do not all reconnect at once.
      await pauseUntil(longestMs * (0.5 + Math.random() / 2), closing.signal);
    }
  }

  const ended = hold();
  return {
    client: () => current,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

function createNamedClient(connection: pg.ClientConfig, name: string): pg.Client {
  const client = createClient({
    ...connection,
    application_name: name,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  boundGoodbye(client);
  return client;
}

/**
 * @returns when it is over
 * @throws if the server does not answer
 */
async function beat(client: pg.Client, everyMs: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await pauseUntil(everyMs, over);
    if (!over.aborted) await client.query("select 1");
  }
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
