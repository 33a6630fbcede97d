import { createHash } from "node:crypto";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
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
}

const MINUTE_MS = 60_000;
/** A text that is no key now is not made one later: keys are drawn at random. */
const UNKNOWN_FOR_MS = 2_000;
const MAXIMUM_SPENT = 10_000;
const MAXIMUM_UNKNOWN = 1_000;

/**
 * Remembers, for each process, who is refused whatever they ask: a caller whose minute is used up, until it ends, and a
 * credential that nobody has, for two seconds. Asking the database again would let whoever is refused slow down everybody
 * else. What is let through is always asked for, so a key counts no longer than it is not revoked.
 *
 * Each process learns by itself that a minute is used up, from the counter that all of them share.
 * @returns a function that asks `look` unless the answer is known
 */
export function rememberRefusals<Caller extends Counted>() {
  // By pool: of several installations in one process each has its own.
  const memories = new WeakMap<object, Memory<Caller>>();
  return async (
    { pool, clock }: Pick<Services, "pool" | "clock">,
    credential: string,
    look: () => Promise<Caller | null>,
  ): Promise<Caller | null> => {
    const memory = memories.get(pool) ?? { minute: 0, spent: new Map(), unknown: new Map() };
    memories.set(pool, memory);
    const now = clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (memory.minute !== minute) {
      memory.minute = minute;
      memory.spent.clear();
    }
    const key = createHash("sha256").update(credential).digest("base64url");
    if (isUnknown(memory, key)) return null;
    const spent = memory.spent.get(key);
    if (spent) return { ...spent.caller, now: new Date(spent.caller.now.getTime() + sinceMs(spent, now)) };
    const caller = await look();
    if (caller === null) noteUnknown(memory, key);
    else if (caller.requestsThisMinute > REQUESTS_PER_MINUTE && memory.spent.size < MAXIMUM_SPENT)
      if (memory.minute === minute) memory.spent.set(key, { caller, at: now });
    return caller;
  };
}

const sinceMs = ({ at }: { at: Date }, now: Date) => Math.max(0, now.getTime() - at.getTime());

function isUnknown({ unknown }: Memory<Counted>, key: string): boolean {
  const until = unknown.get(key);
  if (until === undefined) return false;
  if (performance.now() < until) return true;
  unknown.delete(key);
  return false;
}

/** The oldest goes first, so that nobody makes it grow. */
function noteUnknown({ unknown }: Memory<Counted>, key: string): void {
  const [oldest] = unknown.keys();
  if (unknown.size >= MAXIMUM_UNKNOWN && oldest !== undefined) unknown.delete(oldest);
  unknown.set(key, performance.now() + UNKNOWN_FOR_MS);
}
