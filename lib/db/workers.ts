import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { createClient } from "@/lib/db/client";
import { boundGoodbye } from "@/lib/db/running-statements";
import type { Log } from "@/lib/platform/log";
import type { Tracing } from "@/lib/platform/observe/tracing";
import { startWork, type WorkKind } from "@/lib/platform/work";

/** Wakes the workers, in this process or in others. */
export interface Workers {
  /** Has work of this kind picked up soon; call it after the commit that made something due. */
  wake: (name: string) => void;
  /** Starts nothing more and resolves when everything running here has ended. */
  stop: () => Promise<void>;
  /** Ends the connection to the other processes: after the last request, which may still wake them. */
  close: () => Promise<void>;
}

/**
 * With the worker role, the kinds of work run here and listen to other processes' signals; without it they run
 * elsewhere and are woken there. A process with workers wakes only its own: one is enough.
 * @param connection beside the pool; signals do not get through a pooler that shares connections between clients, and
 *   polling finds the work
 */
export function openWorkers(
  kinds: readonly WorkKind[],
  {
    isWorker,
    connection,
    log,
    tracing,
  }: { isWorker: boolean; connection: pg.ClientConfig; log: Log; tracing?: Tracing },
): Workers {
  if (!isWorker) {
    const signals = openWorkSignals(connection, log);
    return { wake: signals.wake, stop: async () => {}, close: signals.close };
  }
  const runner = startWork(kinds, log, tracing);
  const names = kinds.map(({ name }) => name);
  const listener = listenForWork(connection, { names, wake: runner.wake, log });
  return { wake: runner.wake, stop: runner.stop, close: listener.close };
}

/** The name of a worker's own connection in PostgreSQL's views. */
export const WORKER_CONNECTION = "sluice-worker";
const CHANNEL = "sluice_work";
/**
 * At most one signal in this time for all kinds together: a NOTIFY locks the whole database while it commits, and one
 * in each transaction would halve throughput (architecture page, "Work that waits").
 */
const BETWEEN_SIGNALS_MS = 50;

interface WorkSignals {
  /** Tells workers elsewhere that there is work of this kind. A lost signal delays it until their next poll. */
  wake: (name: string) => void;
  close: () => Promise<void>;
}

/**
 * Wakes the workers of other processes: the first wake goes out at once, those of the next 50 ms together. Uses a
 * dedicated connection, outside every business transaction.
 */
export function openWorkSignals(connection: pg.ClientConfig, log: Log): WorkSignals {
  const kept = keepConnected(connection, { name: "sluice-signals", log });
  const waiting = new Set<string>();
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    // What one request makes due is signaled kind by kind, in the same turn.
    await turn();
    while (waiting.size > 0) {
      const names = [...waiting].join();
      waiting.clear();
      await send(kept.client(), names, log);
      await pause(BETWEEN_SIGNALS_MS);
    }
    isSending = false;
  }

  return {
    wake: (name) => {
      waiting.add(name);
      if (!isSending) void sendWaiting();
    },
    close: kept.close,
  };
}

/** Never rejects. */
async function send(client: pg.Client | null, names: string, log: Log): Promise<void> {
  try {
    await client?.query("select pg_notify($1, $2)", [CHANNEL, names]);
  } catch (err) {
    log.debug({ err }, "workers were not woken; they will find the work by polling");
  }
}

interface WorkListener {
  close: () => Promise<void>;
}

/**
 * Wakes the work of this process on signals of other processes.
 * @param names every kind of this process: all are woken on each new connection, since signals may have been missed;
 *   unknown names (of another version) are ignored
 */
function listenForWork(
  connection: pg.ClientConfig,
  { names, wake, log }: { names: readonly string[]; wake: (name: string) => void; log: Log },
): WorkListener {
  return keepConnected(connection, {
    name: WORKER_CONNECTION,
    log,
    prepare: async (client) => {
      client.on("notification", ({ payload = "" }) => {
        for (const name of payload.split(",")) if (names.includes(name)) wake(name);
      });
      await client.query(`listen ${CHANNEL}`);
      for (const name of names) wake(name);
    },
  });
}

/** A connection beside the pool that is reopened whenever it is lost. */
interface KeptConnection {
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
function keepConnected(connection: pg.ClientConfig, options: KeptConnectionOptions): KeptConnection {
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
