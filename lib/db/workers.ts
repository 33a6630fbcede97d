import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type pg from "pg";
import { keepConnected } from "@/lib/db/kept-connection";
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
