import { processValues } from "@/lib/contract/process-values";

/**
 * Counters for `/metrics`, since the start of the process. Labels come from a short list that the caller knows, never
 * from an id, an address or a name.
 */
export type CounterName =
  /** By kind of due work. */
  | "workBatches"
  | "workItems"
  | "workFailures"
  | "workSeconds"
  /** By kind of caller over the limit. */
  | "rateLimited"
  /** By outcome of the attempt. */
  | "webhookAttempts"
  /** Emails and SMS, by outcome of the attempt. */
  | "messages"
  /** By outcome. */
  | "transfers";

declare global {
  interface ProcessValues {
    counters: Map<CounterName, Map<string, number>>;
    workSuccesses: Map<string, number>;
  }
}

/** No list of labels is this long: labeling by id by mistake would fill the memory of the metrics store. */
const MAXIMUM_LABELS = 60;
const OTHER = "other";

export function incrementCounter(name: CounterName, label: string, by = 1): void {
  const counts = countsOf(name);
  const known = counts.has(label) || counts.size < MAXIMUM_LABELS ? label : OTHER;
  counts.set(known, (counts.get(known) ?? 0) + by);
}

/** Each label with its count. */
export function readCounter(name: CounterName): ReadonlyMap<string, number> {
  return countsOf(name);
}

function countsOf(name: CounterName): Map<string, number> {
  const values = processValues();
  values.counters ??= new Map();
  const counts = values.counters.get(name) ?? new Map<string, number>();
  values.counters.set(name, counts);
  return counts;
}

/** Notes that a look for due work of this kind ended without an error. */
export function noteWorkSuccess(work: string): void {
  const values = processValues();
  values.workSuccesses ??= new Map();
  values.workSuccesses.set(work, performance.now());
}

/** When each kind last succeeded, on the clock of `performance.now()`; those that never did are missing. */
export function readWorkSuccesses(): ReadonlyMap<string, number> {
  return processValues().workSuccesses ?? new Map();
}
