import type { Branch } from "@/components/rules/network-branches";

/** Measures of one kind of drawing, in its own units. */
export interface NetworkMeasures {
  /** Where the channel out of the trigger's account begins, ends, and where branches arrive. */
  trunkX: number;
  forkX: number;
  branchX: number;
  /** Top and height of the channel while there are few branches. */
  trunkY: number;
  trunkHeight: number;
  /** From the middle of one branch to that of the next, and of the first one. */
  pitch: number;
  firstY: number;
  /** Further down than this many branches reach, the channel moves down with their middle. */
  branchesAtRest: number;
  /** How long the channel is that comes out of another account than the trigger's. */
  ownChannel: number;
}

export interface Span {
  top: number;
  bottom: number;
}

export interface DrawnBranch {
  branch: Branch;
  /** Where it leaves the channel; of one out of another account, where it begins. */
  from: Span;
  to: Span;
  middleY: number;
  /** Where it begins. */
  fromX: number;
}

export interface Network {
  trunk: Span;
  branches: DrawnBranch[];
  /** The part of the channel that no branch takes away: it stays where it is. */
  leftover: Span | null;
  /** Bottom of the lowest branch with its words. */
  bottom: number;
}

const MINIMUM_WIDTH = 2;
/** Room for a branch's words under its middle. */
const WORDS_BELOW = 26;

/**
 * Lays a rule out to scale: the width of a channel is its amount, at least 2, and no branches together are wider than
 * what they leave. A branch without an amount keeps its place and takes nothing.
 * @param incomingAmountInCents what the channel stands for; null: what flows out of it
 */
export function layOutNetwork(
  branches: readonly Branch[],
  incomingAmountInCents: number | null,
  measures: NetworkMeasures,
): Network {
  const { pitch, firstY, branchX, forkX, trunkHeight } = measures;
  const restMiddle = measures.trunkY + trunkHeight / 2;
  const atRest = firstY + ((measures.branchesAtRest - 1) * pitch) / 2;
  const half = ((branches.length - 1) * pitch) / 2;
  const middle = Math.max(restMiddle, firstY + half - Math.max(0, atRest - restMiddle));
  const startY = Math.max(firstY, middle - half);
  const trunk = { top: round(middle - trunkHeight / 2), bottom: round(middle + trunkHeight / 2) };
  const full = scaleOf(branches, incomingAmountInCents);
  const widths = branches.map((branch) => widthOf(branch, full, trunkHeight));
  const own = branches.map(({ fromName }, index) => (fromName === null ? (widths[index] ?? 0) : 0));
  const together = own.reduce((sum, width) => sum + width, 0);
  const shrink = together > trunkHeight ? trunkHeight / together : 1;
  // Where nothing flows, the dashes begin in the middle, as for any of them.
  let taken = together === 0 ? middle : trunk.top;
  const drawn = branches.map((branch, index): DrawnBranch => {
    const middleY = round(startY + index * pitch);
    const width = widths[index] ?? 0;
    const to = { top: round(middleY - width / 2), bottom: round(middleY + width / 2) };
    if (branch.fromName !== null) {
      return { branch, from: to, to, middleY, fromX: branchX - measures.ownChannel };
    }
    const from = { top: round(taken), bottom: round(taken + width * shrink) };
    taken += width * shrink;
    return { branch, from, to, middleY, fromX: forkX };
  });
  const leftTop = together === 0 ? trunk.top : round(taken);
  const leftover = trunk.bottom - leftTop > 0.5 ? { top: leftTop, bottom: trunk.bottom } : null;
  const lowest = drawn.at(-1);
  const bottom = Math.max(
    trunk.bottom,
    (lowest?.middleY ?? 0) + Math.max(WORDS_BELOW, (widths.at(-1) ?? 0) / 2),
  );
  return { trunk, branches: drawn, leftover, bottom: round(bottom) };
}

/** The amount that fills the channel: all drawn channels share one scale. */
function scaleOf(branches: readonly Branch[], incomingAmountInCents: number | null): number {
  const leaving = branches.reduce(
    (sum, { fromName, amountInCents }) => sum + (fromName === null ? (amountInCents ?? 0) : 0),
    0,
  );
  const elsewhere = branches.map(({ amountInCents }) => amountInCents ?? 0);
  return Math.max(1, incomingAmountInCents ?? 0, leaving, ...elsewhere);
}

function widthOf({ state, amountInCents }: Branch, full: number, trunkHeight: number): number {
  if (state !== "FLOWS" || amountInCents === null) return 0;
  return Math.max(MINIMUM_WIDTH, (amountInCents / full) * trunkHeight);
}

/** The outline of a branch between two upright ends: its water, and its two banks. */
export function branchPaths(
  { fromX, from, to }: Pick<DrawnBranch, "fromX" | "from" | "to">,
  toX: number,
): { water: string; banks: string } {
  const bend = round((fromX + toX) / 2);
  const over = (y: number, otherY: number) =>
    `M${fromX} ${y}C${bend} ${y} ${bend} ${otherY} ${toX} ${otherY}`;
  return {
    // One unit into the channel, so that no hairline of paper shows where they meet.
    water: `M${fromX - 1} ${from.top}H${fromX}C${bend} ${from.top} ${bend} ${to.top} ${toX} ${to.top}V${to.bottom}C${bend} ${to.bottom} ${bend} ${from.bottom} ${fromX} ${from.bottom}H${fromX - 1}Z`,
    banks: `${over(from.top, to.top)}${over(from.bottom, to.bottom)}`,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
