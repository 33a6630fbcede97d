/** A small fault, planted to learn whether a test notices it. */
export interface Mutant {
  /** Unique, and what `npm run mutate -- ID` takes. */
  id: string;
  kind: MutantKind;
  file: string;
  /** Text of the file. It occurs once, unless `nth` says which of several is meant. */
  from: string;
  to: string;
  /** From 1. */
  nth?: number;
  /** The test files that should notice it. */
  near: readonly string[];
  /** What goes wrong in the product with this fault. */
  why: string;
  /** Why no test is expected to notice it; docs/mutation.md lists these. */
  survives?: string;
}

/** LOCK and GUARD are what races and callers meet; BOUNDARY and VALUE are comparisons, arithmetic and constants. */
export type MutantKind = "LOCK" | "GUARD" | "BOUNDARY" | "VALUE";

/**
 * The file's text with the fault.
 * @throws Error naming the mutant unless its text is found as often as it says
 */
export function plant(mutant: Mutant, text: string): string {
  const { id, file, from, to, nth } = mutant;
  const pieces = text.split(from);
  const times = pieces.length - 1;
  if (times === 0) throw new Error(`${id}: ${file} does not contain ${JSON.stringify(from)}.`);
  if (nth === undefined && times > 1)
    throw new Error(`${id}: ${file} contains ${JSON.stringify(from)} ${times} times; say which with nth.`);
  if (nth !== undefined && (nth < 1 || nth > times || times === 1))
    throw new Error(
      `${id}: ${file} contains ${JSON.stringify(from)} ${times} times, so nth cannot be ${nth}.`,
    );
  if (from === to) throw new Error(`${id} changes nothing.`);
  const place = nth ?? 1;
  return `${pieces.slice(0, place).join(from)}${to}${pieces.slice(place).join(from)}`;
}

export const isSql = ({ file }: Mutant) => file.endsWith(".sql");
