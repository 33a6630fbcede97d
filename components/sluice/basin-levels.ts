/** What one end of a movement holds now; null where the balance is not known. */
interface BasinBalance {
  nowInCents: number | null;
}

/** Where water stands in a basin and where the hatched band lies, in percent of the basin's height. */
export interface BasinLevel {
  waterPercent: number;
  bandBottomPercent: number;
  bandPercent: number;
}

export interface BasinLevels {
  source: BasinLevel;
  destination: BasinLevel;
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Both ends of one movement in one scale. While the amount has not moved, the band is the part of the source that
 * would leave and the space in the destination that it would fill; `isPending` false draws the balances alone.
 */
export function basinLevels(
  source: BasinBalance,
  destination: BasinBalance,
  amountInCents: number,
  isPending: boolean,
): BasinLevels {
  const held = Math.max(0, source.nowInCents ?? 0);
  const kept = Math.max(0, destination.nowInCents ?? 0);
  const moving = isPending ? amountInCents : 0;
  // Both states of one movement share this scale, so that the levels move, and not the ruler, when it settles.
  const scale = roundUp(Math.max(held, amountInCents, kept + amountInCents));
  const leaving = source.nowInCents === null ? moving : Math.min(moving, held);
  const staying = source.nowInCents === null ? 0 : held - leaving;
  return {
    source: level(staying, leaving, scale),
    destination: level(kept, moving, scale),
  };
}

/** One basin filled to `amountInCents` where `scaleInCents` is its brim. */
export function fillPercent(amountInCents: number, scaleInCents: number): number {
  if (scaleInCents <= 0) return 0;
  return Math.round(Math.min(1, Math.max(0, amountInCents / scaleInCents)) * 1000) / 10;
}

/** The next round number that leaves some air above `amountInCents`. */
export function roundUp(amountInCents: number): number {
  if (amountInCents <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(amountInCents));
  const step = STEPS.find((candidate) => candidate * magnitude >= amountInCents * 1.04) ?? 15;
  return step * magnitude;
}

function level(waterInCents: number, bandInCents: number, scale: number): BasinLevel {
  const waterPercent = fillPercent(waterInCents, scale);
  return { waterPercent, bandBottomPercent: waterPercent, bandPercent: fillPercent(bandInCents, scale) };
}
