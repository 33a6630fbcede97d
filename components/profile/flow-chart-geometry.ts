import { gridStep } from "@/components/accounts/balance-chart-geometry";

/** The drawing in its own units; it scales to the width of the page. */
export const HEIGHT = 246;
/** On a phone the drawing is narrower, so that its words stay readable. */
export const WIDTHS = { WIDE: 1112, NARROW: 560 } as const;
/** Right of the plot stand the amounts. */
const AXIS = 72;
const TOP = 24;
const BOTTOM = 210;
const BAR = 30;
const BAR_GAP = 8;

export interface FlowMonth {
  inInCents: number;
  outInCents: number;
  netInCents: number;
}

export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FlowChartGeometry {
  plotWidth: number;
  zeroY: number;
  grid: { y: number; amountInCents: number }[];
  /** For each month: where its name stands, its two bars, and its net. */
  months: { x: number; in: Bar; out: Bar; netY: number }[];
  /** Through the nets, never beyond them. */
  netLine: string;
}

/** Where everything of the cash flow chart stands. Pure. @param months in order; up to a year of them */
export function flowChartGeometry(months: readonly FlowMonth[], drawnWidth: number): FlowChartGeometry {
  const plotWidth = drawnWidth - AXIS;
  const values = months.flatMap((month) => [month.inInCents, month.outInCents, month.netInCents]);
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const step = gridStep(highest, lowest);
  const top = Math.max(1, Math.ceil(highest / step)) * step;
  const bottom = Math.floor(lowest / step) * step;
  const yOf = (cents: number) => round(BOTTOM - ((cents - bottom) / (top - bottom)) * (BOTTOM - TOP));
  const slot = plotWidth / Math.max(1, months.length);
  // A year of months is narrower than two whole bars with white around them.
  const gap = Math.min(BAR_GAP, slot / 6);
  const width = Math.min(BAR, slot / 2 - gap);
  const placed = months.map((month, index) => {
    const x = round(slot * (index + 0.5));
    const bar = (cents: number, left: number): Bar => ({
      x: round(left),
      y: Math.min(yOf(cents), yOf(0)),
      width: round(width),
      height: round(Math.abs(yOf(cents) - yOf(0))),
    });
    return {
      x,
      in: bar(month.inInCents, x - width - gap / 2),
      out: bar(month.outInCents, x + gap / 2),
      netY: yOf(month.netInCents),
    };
  });
  return {
    plotWidth,
    zeroY: yOf(0),
    grid: Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => {
      const amountInCents = bottom + index * step;
      return { y: yOf(amountInCents), amountInCents };
    }),
    months: placed,
    netLine: smooth(placed.map(({ x, netY }) => ({ x, y: netY }))),
  };
}

/** A curve that is level at every point, so that it never shows more or less than there was. */
function smooth(points: readonly { x: number; y: number }[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      const middle = round((before.x + x) / 2);
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
