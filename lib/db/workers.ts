import type pg from "pg";
import { listenForWork, openWorkSignals } from "@/lib/db/work-signals";
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
