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
  read: (call: CallOptions) => Promise<Answer<Polled>>;
}

const FIRST_POLL_MS = 500;
/** A decision is noticed this soon, however long it took. */
const LONGEST_POLL_MS = 30_000;
/** A resource may not be found right after it was created. */
const NOT_YET_VISIBLE_MS = 10_000;
/** The first read has at least this long, so that a short wait also learns the state. */
const SHORTEST_READ_MS = 1_000;

/** Reads until the status is final, or the time is up. */
export async function poll<Polled extends { status: string }>(
  { timeoutMs = 60_000, signal }: WaitOptions,
  { name, notFound, finalStatuses, read }: PolledResource<Polled>,
  { wait, now }: Required<Pick<SluiceOptions, "wait" | "now">>,
): Promise<Polled> {
  const beganAt = now();
  const elapsedMs = () => now() - beganAt;
  let last: Polled | null = null;
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_POLL_MS)) {
    const leftMs = Math.max(timeoutMs - elapsedMs(), last === null ? SHORTEST_READ_MS : 1);
    const deadline = AbortSignal.timeout(Math.min(Math.ceil(leftMs), MAXIMUM_TIMER_MS));
    try {
      last = (await read({ signal: signal ? AbortSignal.any([signal, deadline]) : deadline })).data;
    } catch (error) {
      signal?.throwIfAborted();
      const isUnseen = error instanceof SluiceError && error.code === notFound;
      if (!deadline.aborted && !(isUnseen && last === null && elapsedMs() < NOT_YET_VISIBLE_MS)) throw error;
    }
    if (last && finalStatuses.includes(last.status)) return last;
    const restMs = timeoutMs - elapsedMs();
    if (restMs <= 0 || deadline.aborted) {
      throw new SluiceTimeoutError(`${name} is ${last?.status ?? "not found"} after ${timeoutMs} ms.`, last);
    }
    await wait(Math.min(delayMs * (0.8 + 0.2 * Math.random()), restMs), signal);
  }
}

/** Timers count in 32 bits: a longer one would end at once. */
const MAXIMUM_TIMER_MS = 2_147_483_647;
