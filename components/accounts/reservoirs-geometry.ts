import { roundUp } from "@/components/sluice/basin-levels";

/** One basin of the drawing. */
export interface ReservoirInput {
  id: string;
  balanceInCents: number;
  goalInCents: number | null;
  /** Whether a proposal would take money out of it: its gate is amber. */
  hasWaiting: boolean;
}

export interface Reservoir {
  id: string;
  x: number;
  /** Top of the water. */
  waterY: number;
  waterHeight: number;
  goalY: number | null;
  goalInCents: number | null;
}

/** A gate between two basins; it belongs to the basin at its left. */
export interface ReservoirGate {
  x: number;
  isAmber: boolean;
}

export interface Reservoirs {
  basins: Reservoir[];
  gates: ReservoirGate[];
  basinWidth: number;
  gap: number;
}

export const WIDTH = 1112;
export const BRIM_Y = 20;
export const BED_Y = 164;
const GAP = 30.4;

/**
 * Basins side by side in one scale, so that levels can be compared. A goal above the brim is drawn at the brim's
 * scale too: the scale covers goals as well as balances. A negative balance draws no water.
 */
export function reservoirs(inputs: ReservoirInput[]): Reservoirs {
  const count = Math.max(1, inputs.length);
  const basinWidth = (WIDTH - (count - 1) * GAP) / count;
  const highest = Math.max(
    0,
    ...inputs.flatMap(({ balanceInCents, goalInCents }) => [balanceInCents, goalInCents ?? 0]),
  );
  const scale = roundUp(highest);
  const heightOf = (amountInCents: number) => round(Math.max(0, amountInCents / scale) * (BED_Y - BRIM_Y));
  const xOf = (index: number) => round(index * (basinWidth + GAP));
  return {
    basinWidth: round(basinWidth),
    gap: GAP,
    basins: inputs.map(({ id, balanceInCents, goalInCents }, index) => ({
      id,
      x: xOf(index),
      waterY: round(BED_Y - heightOf(balanceInCents)),
      waterHeight: heightOf(balanceInCents),
      goalY: goalInCents === null ? null : round(BED_Y - heightOf(goalInCents)),
      goalInCents,
    })),
    gates: inputs.slice(0, -1).map(({ hasWaiting }, index) => ({
      x: round(xOf(index) + basinWidth + GAP / 2),
      isAmber: hasWaiting,
    })),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
