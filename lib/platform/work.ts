import type { Log } from "@/lib/platform/log";
import { tally } from "@/lib/platform/observe/tally";
import type { Tracing } from "@/lib/platform/observe/tracing";

/** One kind of due work. The rows themselves are the queue (architecture page, "Work that waits"). */
export interface WorkKind {
  name: string;
  /** Claims and does at most `batchSize` things; answers how many it did. */
  runBatch: () => Promise<number>;
  batchSize: number;
  /** How often to look when nobody wakes it: finds what other processes and passing time have made due. */
  pollIntervalMs: number;
  /** At least this long between two batches: wakes that come in crowds are answered together. */
  restMs?: number;
  /** Kinds that its work may have made due, woken after a batch that did something. */
  followedBy?: readonly string[];
  /** What the batches have begun and not waited for. */
  drain?: () => Promise<void>;
}

export interface WorkRunner {
  /** Looks for work of this kind at once. Unknown names are a mistake of ours and throw. */
  wake: (name: string) => void;
  /** Starts nothing more and resolves when everything that runs has ended. */
  stop: () => Promise<void>;
}

const MAXIMUM_BACKOFF_MS = 30_000;

/** Runs each kind in a loop of its own, so that a slow kind delays no other. */
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

/** Counts what a batch did and how long it took, and notes those that did something. */
async function observeBatch({ name, runBatch }: WorkKind, log: Log, tracing?: Tracing): Promise<number> {
  const startedAt = performance.now();
  try {
    const items = tracing ? await tracing.batch(name, runBatch) : await runBatch();
    tally("workItems", name, items);
    if (items > 0)
      log.debug({ work: name, items, durationMs: Math.round(performance.now() - startedAt) }, "work done");
    return items;
  } catch (error) {
    tally("workFailures", name);
    throw error;
  } finally {
    tally("workBatches", name);
    tally("workSeconds", name, (performance.now() - startedAt) / 1_000);
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

  /** Waits for a wake or for `timeoutMs`; a wake that came while working ends it at once. */
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
      // A full batch says that there may be more.
      return count >= kind.batchSize ? 0 : kind.pollIntervalMs;
    } catch (error) {
      failures += 1;
      const backoffMs = Math.min(250 * 2 ** failures, MAXIMUM_BACKOFF_MS);
      log.error({ err: error, work: kind.name, failures, backoffMs }, "work failed, will try again");
      return backoffMs;
    }
  }

  /** Nothing shortens it but the end. */
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
      // After a failure a wake does not shorten the backoff: a broken database is not hammered by every request.
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
