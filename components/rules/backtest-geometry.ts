import { gridStep } from "@/components/accounts/balance-chart-geometry";
import type { BacktestWeekView } from "@/lib/contract/views/backtest-view";

/** The drawing in its own units; it scales to the width of the page. */
export const WIDTH = 640;
export const HEIGHT = 196;
/** Right of it stand the amounts. */
export const PLOT_WIDTH = 588;
const TOP = 20.5;
const BOTTOM = 156.5;
const BAR_WIDTH = 26;
/** Of paper, between the parts of a stack. */
const GAP = 1;
const DATES = 4;

export interface BacktestGeometry {
  grid: { y: number; amountInCents: number }[];
  /** `series` is the destination's place in their order. */
  bars: { x: number; y: number; width: number; height: number; series: number }[];
  dates: { x: number; startsOn: string }[];
}

/**
 * Where everything of a chart of weeks stands: a stack for each, from the bottom in the order of the destinations. Pure.
 * @param weeks at least one, in order
 */
export function backtestGeometry(weeks: readonly BacktestWeekView[]): BacktestGeometry {
  const sums = weeks.map(({ movedInCents }) => movedInCents.reduce((sum, cents) => sum + cents, 0));
  const highest = Math.max(100, ...sums);
  const step = gridStep(highest, 0);
  const lines = Math.ceil(highest / step);
  const heightOf = (cents: number) => (cents / (lines * step)) * (BOTTOM - TOP);
  const xOf = (index: number) => round((index * (PLOT_WIDTH - BAR_WIDTH)) / Math.max(1, weeks.length - 1));
  return {
    grid: Array.from({ length: lines + 1 }, (_, index) => ({
      y: round(BOTTOM - heightOf(index * step)),
      amountInCents: index * step,
    })),
    bars: weeks.flatMap((week, index) => stack(week, xOf(index), heightOf)),
    dates: datesOf(weeks, (index) => xOf(index) + BAR_WIDTH / 2),
  };
}

function stack(
  { movedInCents }: BacktestWeekView,
  x: number,
  heightOf: (cents: number) => number,
): BacktestGeometry["bars"] {
  let below = 0;
  return movedInCents.flatMap((cents, series) => {
    const full = heightOf(cents);
    const bottom = BOTTOM - heightOf(below);
    below += cents;
    // What is too thin to be seen beside its gap is not drawn; the table has it.
    const height = full - GAP;
    return height < 0.2
      ? []
      : [{ x, y: round(bottom - full), width: BAR_WIDTH, height: round(height), series }];
  });
}

function datesOf(
  weeks: readonly BacktestWeekView[],
  middleOf: (index: number) => number,
): BacktestGeometry["dates"] {
  const last = weeks.length - 1;
  const places = Array.from({ length: DATES }, (_, index) => Math.round((index * last) / (DATES - 1)));
  return [...new Set(places)].flatMap((index) => {
    const week = weeks[index];
    return week ? [{ x: round(middleOf(index)), startsOn: week.startsOn }] : [];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
