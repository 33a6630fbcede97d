import { Amount } from "@/components/money/amount";
import { formatDay, formatShortDay } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { BalancePoint } from "@/lib/contract/views/account-page-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The drawing in its own units; it scales to the width of the page. */
const WIDTH = 640;
export const HEIGHT = 206;
/** Room for the amounts on the right. */
export const PLOT_WIDTH = 588;
const TOP = 20.5;
const BOTTOM = 170.5;
/** Grid lines above and below zero together, without zero. */
const LINES = 3;

interface BalanceGeometry {
  /** The line, in steps. */
  line: string;
  /** The water below it, down to zero. */
  area: string;
  zeroY: number;
  last: { x: number; y: number };
  grid: { y: number; amountInCents: number }[];
  /** Null without a floor, or if it is outside the drawing. */
  floorY: number | null;
  /** Positions of the dates, from first to last. */
  dates: { x: number; at: string }[];
}

/**
 * The layout of a balance chart. Pure.
 * @param points at least one, in order
 */
export function balanceGeometry(
  points: readonly [BalancePoint, ...BalancePoint[]],
  floorInCents: number | null,
): BalanceGeometry {
  const balances = points.map((point) => point.balanceInCents);
  const highest = Math.max(0, ...balances, floorInCents ?? 0);
  const lowest = Math.min(0, ...balances);
  const step = gridStep(highest, lowest);
  const top = Math.max(1, Math.ceil(highest / step)) * step;
  const bottom = Math.floor(lowest / step) * step;
  const yOf = (cents: number) => round(BOTTOM - ((cents - bottom) / (top - bottom)) * (BOTTOM - TOP));
  const xOf = timeScale(points);
  const steps = points.map((point) => `H${xOf(point.at)}V${yOf(point.balanceInCents)}`).join("");
  const line = `M0 ${yOf(points[0].balanceInCents)}${steps}`;
  const last = points.at(-1) ?? points[0];
  const grid = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => {
    const amountInCents = bottom + index * step;
    return { y: yOf(amountInCents), amountInCents };
  });
  return {
    line,
    area: `${line}V${yOf(0)}H0Z`,
    zeroY: yOf(0),
    last: { x: xOf(last.at), y: yOf(last.balanceInCents) },
    grid,
    floorY: floorInCents === null ? null : yOf(floorInCents),
    dates: datesOf(points[0].at, last.at),
  };
}

function timeScale(points: readonly [BalancePoint, ...BalancePoint[]]): (at: string) => number {
  const from = Date.parse(points[0].at);
  const spanMs = Math.max(1, Date.parse((points.at(-1) ?? points[0]).at) - from);
  return (at) => round(((Date.parse(at) - from) / spanMs) * PLOT_WIDTH);
}

/** The smallest round step that needs at most three lines above and below zero. */
export function gridStep(highest: number, lowest: number): number {
  const linesOf = (step: number) => Math.ceil(highest / step) + Math.ceil(-lowest / step);
  // From one dollar to beyond the largest safe integer of cents.
  for (let magnitude = 100; magnitude < 1e17; magnitude *= 10) {
    for (const factor of [1, 2, 4, 5, 8]) {
      if (linesOf(factor * magnitude) <= LINES) return factor * magnitude;
    }
  }
  return 1e17;
}

function datesOf(from: string, to: string): { x: number; at: string }[] {
  const fromMs = Date.parse(from);
  const spanMs = Date.parse(to) - fromMs;
  return [0, 1 / 3, 2 / 3, 1].map((part) => ({
    x: round(part * PLOT_WIDTH),
    at: new Date(fromMs + part * spanMs).toISOString(),
  }));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `$8k`, `$1.2M`, `−$500`: short, for the axis; the table has exact amounts. */
export function axisAmount(amountInCents: number): string {
  const dollars = Math.abs(amountInCents) / 100;
  const sign = amountInCents < 0 ? "−" : "";
  for (const [size, unit] of [
    [1e9, "B"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (dollars >= size) return `${sign}$${round(dollars / size)}${unit}`;
  }
  return `${sign}$${dollars}`;
}

interface BalanceDrawingProps {
  geometry: BalanceGeometry;
  floorInCents: number | null;
  /** The text alternative of the drawing. */
  label: string;
  time: TimeContext;
}

/** A balance over time in steps, as a picture. */
export function BalanceDrawing({ geometry, floorInCents, label, time }: BalanceDrawingProps) {
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {geometry.grid.map(({ y, amountInCents }) => (
        <g key={amountInCents}>
          <path className={amountInCents === 0 ? "zero" : "grid"} d={`M0 ${y}H${PLOT_WIDTH}`} />
          <text x={WIDTH} y={y + 3.5} textAnchor="end">
            {axisAmount(amountInCents)}
          </text>
        </g>
      ))}
      <path className="area" d={geometry.area} />
      <path className="zero" d={`M0 ${geometry.zeroY}H${PLOT_WIDTH}`} />
      <path className="line" d={geometry.line} />
      {geometry.floorY === null ? null : (
        <>
          <path className="floor" d={`M0 ${geometry.floorY}H${PLOT_WIDTH}`} />
          <text className="strong" x="8" y={geometry.floorY - 7.5}>
            Floor {formatCents(floorInCents ?? 0)}
          </text>
        </>
      )}
      <circle className="dot" cx={geometry.last.x} cy={geometry.last.y} r="4" />
      {geometry.dates.map(({ x, at }, index) => (
        <text key={x} x={x} y={HEIGHT - 12} textAnchor={anchorOf(index, geometry.dates.length)}>
          {index === geometry.dates.length - 1 ? "Today" : formatShortDay(at, time)}
        </text>
      ))}
    </svg>
  );
}

function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

interface DailyTableProps {
  points: readonly BalancePoint[];
  caption: string;
  time: TimeContext;
}

/** A balance over time, as a table. */
export function DailyTable({ points, caption, time }: DailyTableProps) {
  return (
    <details className="bal-t">
      <summary>Show as table</summary>
      <table className="ledger tight">
        <caption className="vh">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className="num">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {dailyBalances(points, time).map((day) => (
            <DayRow key={day.at} day={day} time={time} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function DayRow({ day, time }: { day: BalancePoint; time: TimeContext }) {
  return (
    <tr>
      <th scope="row">{formatShortDay(day.at, time)}</th>
      <td className="num">
        <Amount cents={day.balanceInCents} />
      </td>
    </tr>
  );
}

/** The last balance of each day in the viewer's zone, newest first. */
function dailyBalances(points: readonly BalancePoint[], time: TimeContext): BalancePoint[] {
  const byDay = new Map(points.map((point) => [formatDay(point.at, time), point]));
  return [...byDay.values()].reverse();
}
