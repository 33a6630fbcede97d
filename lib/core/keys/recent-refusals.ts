import { hash } from "node:crypto";
import { AppError } from "@/lib/contract/error";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

interface Counted {
  requestsThisMinute: number;
  /** Business time of the organization. */
  now: Date;
}

interface Spent<Caller> {
  caller: Caller;
  /** Real time. */
  at: Date;
}

interface Memory<Caller> {
  /** The clock minute of `spent`. */
  minute: number;
  spent: Map<string, Spent<Caller>>;
  /** Until when, on the monotonic clock, in milliseconds. */
  unknown: Map<string, number>;
  /** Credentials that were valid at their last look-up, the most recent at the end. */
  familiar: Set<string>;
  lane: Lane;
}

/** The queue of look-ups for unfamiliar credentials. */
interface Lane {
  inProgress: number;
  waiting: (() => void)[];
  /** How many more look-ups may find no caller now. */
  missesLeft: number;
  /** When `missesLeft` was computed, on the monotonic clock. */
  countedAtMs: number;
}

const MINUTE_MS = 60_000;
/** A text that is not a key now only becomes one if it waits for signatures: then it is known this much later. */
const UNKNOWN_FOR_MS = 2_000;
const MAXIMUM_SPENT = 10_000;
const MAXIMUM_UNKNOWN = 1_000;
const MAXIMUM_FAMILIAR = 10_000;
/** Most connections of the pool stay free for callers whose credential was valid before. */
const LOOK_UPS_AT_ONCE = 2;
/** To a process that has just started every credential is unfamiliar: at its first moment all valid ones wait here. */
const MAXIMUM_WAITING = 1_000;
const MISSES_AT_ONCE = 100;
const MISSES_PER_SECOND = 25;
export const CROWDED_RETRY_SECONDS = 1;

/**
 * Remembers, per process, whom to refuse without asking the database: a caller whose minute is used up, until the minute
 * ends, and an unknown credential, for two seconds. Otherwise refused callers could slow down everyone else. Admitted
 * callers are always looked up, so a revocation takes effect at once.
 *
 * Bounds a flood of random credentials: unfamiliar ones are looked up two at a time, and after a hundred misses 25 times
 * a second. Valid credentials use none of that budget.
 *
 * Each process learns that a minute is used up from the counter that all share.
 * @returns a function that asks `look`, with whether the credential was valid at its last look-up, unless the answer is
 * known; it throws AppError `RATE_LIMIT_EXCEEDED` for an
 * unfamiliar credential while too many others are looked up: retry after `CROWDED_RETRY_SECONDS`
 */
export function rememberRefusals<Caller extends Counted>() {
  // Per pool: several installations in one process each have their own.
  const memories = new WeakMap<object, Memory<Caller>>();
  return async (
    { pool, clock }: Pick<Services, "pool" | "clock">,
    credential: string,
    look: (isFamiliar: boolean) => Promise<Caller | null>,
  ): Promise<Caller | null> => {
    const memory = memories.get(pool) ?? newMemory<Caller>();
    memories.set(pool, memory);
    const now = clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (memory.minute !== minute) {
      memory.minute = minute;
      memory.spent.clear();
    }
    const key = hash("sha256", credential);
    if (isUnknown(memory, key)) return null;
    const spent = memory.spent.get(key);
    if (spent) return { ...spent.caller, now: new Date(spent.caller.now.getTime() + sinceMs(spent, now)) };
    const caller = memory.familiar.has(key)
      ? await look(true)
      : await lookInLane(memory.lane, () => look(false));
    noteFamiliar(memory, key, caller !== null);
    if (caller === null) noteUnknown(memory, key);
    else if (caller.requestsThisMinute > REQUESTS_PER_MINUTE && memory.spent.size < MAXIMUM_SPENT)
      if (memory.minute === minute) memory.spent.set(key, { caller, at: now });
    return caller;
  };
}

function newMemory<Caller>(): Memory<Caller> {
  const lane = { inProgress: 0, waiting: [], missesLeft: MISSES_AT_ONCE, countedAtMs: performance.now() };
  return { minute: 0, spent: new Map(), unknown: new Map(), familiar: new Set(), lane };
}

/** Each wait ends with the look-ups before it, which end by the database's timeouts. */
async function lookInLane<Caller>(lane: Lane, look: () => Promise<Caller | null>): Promise<Caller | null> {
  refuseCrowd(lane);
  if (lane.inProgress < LOOK_UPS_AT_ONCE) lane.inProgress += 1;
  else {
    if (lane.waiting.length >= MAXIMUM_WAITING) throw crowded();
    // A finished look-up hands over its place, so `inProgress` is unchanged.
    await new Promise<void>((resolve) => lane.waiting.push(resolve));
  }
  try {
    // Earlier look-ups may have used up the rest of the budget.
    refuseCrowd(lane);
    const caller = await look();
    if (caller === null) lane.missesLeft -= 1;
    return caller;
  } finally {
    const next = lane.waiting.shift();
    if (next) next();
    else lane.inProgress -= 1;
  }
}

function refuseCrowd(lane: Lane): void {
  const now = performance.now();
  const gained = ((now - lane.countedAtMs) / 1_000) * MISSES_PER_SECOND;
  lane.missesLeft = Math.min(MISSES_AT_ONCE, lane.missesLeft + gained);
  lane.countedAtMs = now;
  if (lane.missesLeft < 1) throw crowded();
}

function crowded(): AppError {
  incrementCounter("rateLimited", "unknown");
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests with unknown credentials. This one was not processed. Try again in ${CROWDED_RETRY_SECONDS} second.`,
  );
}

/** The least recently used goes first. */
function noteFamiliar({ familiar }: Memory<Counted>, key: string, isGood: boolean): void {
  familiar.delete(key);
  if (!isGood) return;
  const [oldest] = familiar;
  if (familiar.size >= MAXIMUM_FAMILIAR && oldest !== undefined) familiar.delete(oldest);
  familiar.add(key);
}

const sinceMs = ({ at }: { at: Date }, now: Date) => Math.max(0, now.getTime() - at.getTime());

function isUnknown({ unknown }: Memory<Counted>, key: string): boolean {
  const until = unknown.get(key);
  if (until === undefined) return false;
  if (performance.now() < until) return true;
  unknown.delete(key);
  return false;
}

/** The oldest goes first, so that no one can make it grow. */
function noteUnknown({ unknown }: Memory<Counted>, key: string): void {
  const [oldest] = unknown.keys();
  if (unknown.size >= MAXIMUM_UNKNOWN && oldest !== undefined) unknown.delete(oldest);
  unknown.set(key, performance.now() + UNKNOWN_FOR_MS);
}
