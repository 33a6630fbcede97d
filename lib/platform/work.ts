import type { Log } from "@/lib/platform/log";
import { incrementCounter, noteWorkSuccess } from "@/lib/platform/observe/counters";
import type { Tracing } from "@/lib/platform/observe/tracing";

/** One kind of due work. The rows themselves are the queue (architecture page, "Work that waits"). */
export interface WorkKind {
  name: string;
  /** Claims and handles at most `batchSize` items; returns how many it handled. */
  runBatch: () => Promise<number>;
  batchSize: number;
  /** The polling interval without wakes: finds what other processes and passing time have made due. */
  pollIntervalMs: number;
  /** Minimum time between two batches: wakes that come close together are answered by one. */
  restMs?: number;
  /** Kinds that its work may have made due, woken after a batch that did something. */
  followedBy?: readonly string[];
  /** Work that batches have begun without waiting for it. */
  drain?: () => Promise<void>;
}

export interface WorkRunner {
  /** Runs work of this kind at once. An unknown name is a bug and throws. */
  wake: (name: string) => void;
  /** Starts nothing more and resolves when everything in progress has ended. */
  stop: () => Promise<void>;
}

const MAXIMUM_BACKOFF_MS = 30_000;

/** Runs each kind in its own loop, so that a slow kind delays no other. */
export function startWork(kinds: readonly WorkKind[], log: Log, tracing?: Tracing): WorkRunner {
  const runBatch = (kind: WorkKind) => observeBatch(kind, log, tracing);
  const loops = new Map(kinds.map((kind) => [kind.name, startLoop(kind, runBatch, log, wake)]));
  function wake(name: string): void {
    const loop = loops.get(name);
    if (!loop) throw new Error(`There is no work called ${name}`);
    loop.wake();
  }
  return {
    wake,
    stop: async () => {
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
    },
  };
}

/** Counts what a batch did and how long it took, and traces those that did something. */
async function observeBatch({ name, runBatch }: WorkKind, log: Log, tracing?: Tracing): Promise<number> {
  const startedAt = performance.now();
  try {
    const items = tracing ? await tracing.batch(name, runBatch) : await runBatch();
    incrementCounter("workItems", name, items);
    noteWorkSuccess(name);
    if (items > 0)
      log.debug({ work: name, items, durationMs: Math.round(performance.now() - startedAt) }, "work done");
    return items;
  } catch (error) {
    incrementCounter("workFailures", name);
    throw error;
  } finally {
    incrementCounter("workBatches", name);
    incrementCounter("workSeconds", name, (performance.now() - startedAt) / 1_000);
  }
}

function startLoop(
  kind: WorkKind,
  runBatch: (kind: WorkKind) => Promise<number>,
  log: Log,
  wakeOther: (name: string) => void,
) {
  let isStopping = false;
  let isWoken = false;
  let isResting = false;
  let failures = 0;
  let endPause: (() => void) | null = null;

  /** Waits for a wake or for `timeoutMs`; a wake that came while working ends the wait at once. */
  async function pause(timeoutMs: number): Promise<void> {
    if ((isWoken && !isResting) || isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endPause = null;
  }

  async function runOnce(): Promise<number> {
    try {
      const count = await runBatch(kind);
      failures = 0;
      if (count > 0) for (const name of kind.followedBy ?? []) wakeOther(name);
      // A full batch means that there may be more.
      return count >= kind.batchSize ? 0 : kind.pollIntervalMs;
    } catch (error) {
      failures += 1;
      const backoffMs = Math.min(250 * 2 ** failures, MAXIMUM_BACKOFF_MS);
      log.error({ err: error, work: kind.name, failures, backoffMs }, "work failed; will try again");
      return backoffMs;
    }
  }

  /** Only the end shortens it. */
  async function rest(): Promise<void> {
    if (!kind.restMs) return;
    isResting = true;
    await pause(kind.restMs);
    isResting = false;
  }

  const ended = (async () => {
    while (!isStopping) {
      isWoken = false;
      const pauseMs = await runOnce();
      await rest();
      // After a failure a wake does not shorten the backoff, so requests do not hammer a broken database.
      if (failures > 0) isWoken = false;
      if (pauseMs > 0) await pause(pauseMs);
    }
    await kind.drain?.();
  })();

  return {
    wake: () => {
      isWoken = true;
      if (failures === 0 && !isResting) endPause?.();
    },
    stop: async () => {
      isStopping = true;
      endPause?.();
      await ended;
    },
  };
}
