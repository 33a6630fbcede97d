/** What a single key, or two in a row, do anywhere. */
export type KeyAct = { kind: "GO"; href: string } | { kind: "KEYS" } | { kind: "FILTER" };

/** How long after `G` the second key still belongs to it. */
const SEQUENCE_MS = 1_500;

const SINGLE: ReadonlyMap<string, KeyAct> = new Map([
  ["?", { kind: "KEYS" }],
  ["/", { kind: "FILTER" }],
  ["m", { kind: "GO", href: "/transfers/new" }],
]);

const AFTER_G: ReadonlyMap<string, KeyAct> = new Map([
  ["o", { kind: "GO", href: "/" }],
  ["a", { kind: "GO", href: "/approvals" }],
  ["m", { kind: "GO", href: "/transfers" }],
]);

/** When `G` was pressed, in milliseconds of any one clock; null when no sequence has begun. */
export type Sequence = number | null;

export interface KeyStep {
  sequence: Sequence;
  act: KeyAct | null;
  /** Whether the page may not hear of it: after `G`, no key approves or denies anything, whatever it stands for. */
  isTaken: boolean;
}

/** What a key does that was pressed at `at`. @param key `KeyboardEvent.key` in lower case */
export function pressKey(sequence: Sequence, key: string, at: number): KeyStep {
  // A modifier is pressed on the way to a key.
  if (key === "shift") return { sequence, act: null, isTaken: false };
  const isSecond = sequence !== null && at - sequence <= SEQUENCE_MS;
  if (isSecond) return { sequence: null, act: AFTER_G.get(key) ?? null, isTaken: true };
  if (key === "g") return { sequence: at, act: null, isTaken: true };
  const act = SINGLE.get(key) ?? null;
  return { sequence: null, act, isTaken: act !== null };
}
