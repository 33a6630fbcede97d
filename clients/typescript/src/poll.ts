import type { Answer, CallOptions, SluiceOptions } from "./call.js";
import { SluiceError, SluiceTimeoutError } from "./errors.js";

export interface WaitOptions {
  /** Total time to wait: pauses, requests and their retries. Default 60,000; an approval may take 24 hours. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What is polled, and how it ends. */
export interface PolledResource<Polled> {
  /** For messages: `Transfer 019a…`. */
  name: string;
  /** The error while it is not visible yet. */
  notFound: string;
  finalStatuses: readonly string[];
  /** Undefined: answers at once; else at the next change, after so many seconds at the latest. */
  read: (call: CallOptions, waitSeconds: number | undefined) => Promise<Answer<Polled>>;
}

const FIRST_POLL_MS = 500;
/** A decision is noticed this soon, however long it took. */
const LONGEST_POLL_MS = 30_000;
/** A resource may not be found right after it was created. */
const NOT_YET_VISIBLE_MS = 10_000;
/** The first read has at least this long, so that a short wait also learns the state. */
const SHORTEST_READ_MS = 1_000;

/** Below the time of one attempt, and what proxies allow. */
const LONGEST_WAIT_SECONDS = 25;

/** How long the server may wait for a change: less than what is left. */
function waitSecondsOf(leftMs: number): number | undefined {
  const seconds = Math.min(LONGEST_WAIT_SECONDS, Math.floor(leftMs / 1_000) - 1);
  return seconds >= 1 ? seconds : undefined;
}

const isTooMany = (error: unknown) => error instanceof SluiceError && error.code === "RATE_LIMIT_EXCEEDED";

/**
 * Reads until the status is final, or the time is up. The server answers at the next change; where it does not, or too
 * many wait already, reads are further and further apart.
 */
export async function poll<Polled extends { status: string }>(
  { timeoutMs = 60_000, signal }: WaitOptions,
  { name, notFound, finalStatuses, read }: PolledResource<Polled>,
  { wait, now }: Required<Pick<SluiceOptions, "wait" | "now">>,
): Promise<Polled> {
  const beganAt = now();
  const elapsedMs = () => now() - beganAt;
  let last: Polled | null = null;
  let canWait = true;
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_POLL_MS)) {
    const leftMs = Math.max(timeoutMs - elapsedMs(), last === null ? SHORTEST_READ_MS : 1);
    const waitSeconds: number | undefined = canWait && last !== null ? waitSecondsOf(leftMs) : undefined;
    const readAt = now();
    const deadline = AbortSignal.timeout(Math.min(Math.ceil(leftMs), MAXIMUM_TIMER_MS));
    try {
      const call = { signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
      last = (await read(call, waitSeconds)).data;
    } catch (error) {
      signal?.throwIfAborted();
      const isUnseen = error instanceof SluiceError && error.code === notFound;
      const hasRoom: boolean = waitSeconds === undefined || !isTooMany(error);
      canWait = hasRoom;
      if (hasRoom && !deadline.aborted && !(isUnseen && last === null && elapsedMs() < NOT_YET_VISIBLE_MS))
        throw error;
    }
    if (last && finalStatuses.includes(last.status)) return last;
    const restMs = timeoutMs - elapsedMs();
    if (restMs <= 0 || deadline.aborted) {
      throw new SluiceTimeoutError(`${name} is ${last?.status ?? "not found"} after ${timeoutMs} ms.`, last);
    }
    // What the server waited is not waited again.
    const pauseMs = delayMs * (0.8 + 0.2 * Math.random()) - (now() - readAt);
    if (pauseMs > 0) await wait(Math.min(pauseMs, restMs), signal);
  }
}

/** Timers count in 32 bits: a longer one would end at once. */
const MAXIMUM_TIMER_MS = 2_147_483_647;
