import { createHash } from "node:crypto";

/** Whole numbers from `least` to `most`, the same ones for the same seed: for what invented people do, never for a secret. */
export type Draw = (least: number, most: number) => number;

/** Mulberry32, from a hash of the seed (FNV-1a: tens of thousands are made in one reading). */
export function drawnNumbers(seed: string): Draw {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  return (least, most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return least + Math.floor(fraction * (most - least + 1));
  };
}

/** A short name that is the same for the same parts. */
export function idOf(...parts: readonly string[]): string {
  return `sbx_${createHash("sha256").update(parts.join("|")).digest("hex").slice(0, 24)}`;
}
