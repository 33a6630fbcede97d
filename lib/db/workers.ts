import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import type { Log } from "@/lib/platform/log";
import type { Tracing } from "@/lib/platform/observe/tracing";
import { startWork, type WorkKind } from "@/lib/platform/work";

/** Whoever does the work that waits: this process or others. */
export interface Workers {
  /** Has work of this kind looked for soon; call it after the commit that made something due. */
  wake: (name: string) => void;
  /** Starts nothing more and resolves when everything that runs here has ended. */
  stop: () => Promise<void>;
  /** Ends the connection to the other processes: after the last request, which may still wake them. */
  close: () => Promise<void>;
}

/**
 * With the role of a worker the kinds run here, and listen to what other processes signal; without it they run
 * elsewhere, and are woken there. A process that has its own wakes only those: one of them is enough.
 * @param connection beside the pool; behind a pooler that shares connections between clients signals do not arrive,
 *   and polling finds the work
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

const CHANNEL = "sluice_work";
/**
 * One signal in this time at most, for all kinds together: a NOTIFY takes a lock of the whole database while it commits,
 * and one in each transaction halves how many there can be (architecture page, "Work that waits").
 */
const BETWEEN_SIGNALS_MS = 50;

interface WorkSignals {
  /** Tells workers elsewhere that there is work of this kind. A signal that is lost costs the wait for their next look. */
  wake: (name: string) => void;
  close: () => Promise<void>;
}

/**
 * Wakes the workers of other processes: the first wake goes out at once, those of the next 50 ms together. On a
 * connection of its own, outside every transaction of business.
 */
export function openWorkSignals(connection: pg.ClientConfig, log: Log): WorkSignals {
  const kept = keepConnected(connection, { name: "sluice-signals", log });
  const waiting = new Set<string>();
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    // What one request makes due is woken kind by kind, without a turn between them.
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
    log.debug({ err }, "workers were not woken; they will look by themselves");
  }
}

interface WorkListener {
  close: () => Promise<void>;
}

/**
 * Wakes the work of this process by what other processes signal.
 * @param names every kind of this process: all of them are woken whenever the connection is new, as signals may have
 *   been missed; a name that is not among them (of another version) is left alone
 */
function listenForWork(
  connection: pg.ClientConfig,
  { names, wake, log }: { names: readonly string[]; wake: (name: string) => void; log: Log },
): WorkListener {
  return keepConnected(connection, {
    name: "sluice-worker",
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

/** A connection beside the pool that is opened again whenever it is lost. */
interface KeptConnection {
  /** Null while there is none. */
  client(): pg.Client | null;
  /** Ends it for good. */
  close(): Promise<void>;
}

interface KeptConnectionOptions {
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
function keepConnected(connection: pg.ClientConfig, options: KeptConnectionOptions): KeptConnection {
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
