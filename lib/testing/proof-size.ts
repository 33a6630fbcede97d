/** `npm run proof` runs at the sizes that the promises name; `npm test` smaller, with the same seeds. */
const isFull = process.env.SLUICE_PROOF === "full";

export function proofSize(reduced: number, full: number): number {
  return isFull ? full : reduced;
}

/** One seed for all random proofs, printed by fast-check on failure; SLUICE_SEED replays another. */
export const proofSeed = Number(process.env.SLUICE_SEED ?? 20_261_120);
