/**
 * What is counted while Sluice runs, for `/metrics`: how often it has happened since the process began. The label is of a
 * short list that the caller knows; an id, an address or a name never is one.
 */
export type TallyName =
  /** By kind of due work. */
  | "workBatches"
  | "workItems"
  | "workFailures"
  | "workSeconds"
  /** By who was over the limit. */
  | "rateLimited"
  /** By what became of the attempt. */
  | "webhookAttempts"
  /** Emails and SMS, by what became of the attempt. */
  | "messages"
  /** By what became of them. */
  | "transfers";

declare global {
  // Next evaluates a module several times in bundles of its own; the process's global object exists once.
  var sluiceTallies: Map<TallyName, Map<string, number>> | undefined;
}

/** No list of labels is as long: a mistake that labels by id would fill the memory of whoever stores the metrics. */
const MAXIMUM_LABELS = 60;
const OTHER = "other";

export function tally(name: TallyName, label: string, by = 1): void {
  const counts = countsOf(name);
  const known = counts.has(label) || counts.size < MAXIMUM_LABELS ? label : OTHER;
  counts.set(known, (counts.get(known) ?? 0) + by);
}

/** Each label with its count. */
export function readTally(name: TallyName): ReadonlyMap<string, number> {
  return countsOf(name);
}

function countsOf(name: TallyName): Map<string, number> {
  globalThis.sluiceTallies ??= new Map();
  const counts = globalThis.sluiceTallies.get(name) ?? new Map<string, number>();
  globalThis.sluiceTallies.set(name, counts);
  return counts;
}
