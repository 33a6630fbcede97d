import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";

/** A connection beside the pool that is opened again whenever it is lost. */
export interface KeptConnection {
  /** Null while there is none. */
  client(): pg.Client | null;
  /** Ends it for good. */
  close(): Promise<void>;
}

export interface KeptConnectionOptions {
  /** How it is named in PostgreSQL's views. */
  name: string;
  /** Run on each new connection before it counts as open; one that fails is tried again like a lost one. */
  prepare?: (client: pg.Client) => Promise<unknown>;
  log: Pick<Logger, "warn">;
  /** How often it is asked whether it is still there. */
  beatMs?: number;
}

/** One that a firewall or a dead host dropped without a word is found out by asking. */
const BEAT_MS = 30_000;
const QUERY_TIMEOUT_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const MAXIMUM_BACKOFF_MS = 30_000;

/**
 * Opens a connection and keeps it: lost, it is opened again after a pause that doubles up to half a minute. Who uses it
 * must get by without, as it may be gone at any moment.
 */
export function keepConnected(connection: pg.ClientConfig, options: KeptConnectionOptions): KeptConnection {
  const closing = new AbortController();
  let current: pg.Client | null = null;
  let failures = 0;

  async function holdOnce(): Promise<void> {
    const client = createClient(connection, options.name);
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
      // With a query that was never answered it cuts the connection off, and waits for nobody.
      await client.end();
    }
  }

  async function hold(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await holdOnce();
      } catch (err) {
        if (failures === 0)
          options.log.warn({ err, connection: options.name }, "a connection is tried again");
      }
      failures += 1;
      const longestMs = Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAXIMUM_BACKOFF_MS);
      // Jitter: the processes of a database that comes back do not all knock at once.
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

function createClient(connection: pg.ClientConfig, name: string): pg.Client {
  return new pg.Client({
    ...connection,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
}

/** @returns when it is over @throws when it does not answer */
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
