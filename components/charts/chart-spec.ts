import { formatCents, type PlusSign } from "@/lib/contract/format-cents";

/** A token of app/styles/tokens.css. */
export type ChartColor =
  | "chart-1"
  | "chart-2"
  | "chart-3"
  | "chart-4"
  | "chart-5"
  | "chart-6"
  | "chart-7"
  | "chart-8"
  | "ink"
  | "ink-2"
  | "ink-3"
  | "paper"
  | "red"
  | "rule"
  | "rule-strong"
  | "sunken"
  | "water"
  | "water-3";

export interface ChartSeries {
  name: string;
  /** STEPS stay level until they change. A MARK is a dot on the zero line wherever its value is not 0. */
  shape: "STEPS" | "BAR" | "LINE" | "MARK";
  color: ChartColor;
  /** Bars with the same stack share a column; without one, a bar has its own. */
  stack?: string;
  plus?: PlusSign;
}

export interface ChartRow {
  /** Names the row in the tooltip and in the table: `19 Nov`. */
  label: string;
  /** Below the axis. */
  tick: string;
  /** One per series. */
  values: readonly number[];
  /** One more line of the tooltip. */
  note?: string;
  /** Forecast rather than recorded: drawn lighter. */
  isAhead?: boolean;
}

/**
 * What a chart shows, as data. Dates are formatted by the page, so that picture, chart and table use the page's zone
 * and language.
 */
export interface ChartSpec {
  unit: "CENTS" | "COUNT";
  /** In order of time. */
  rows: readonly ChartRow[];
  series: readonly ChartSeries[];
  /** A dashed line with its label: a floor, a goal. */
  level?: { label: string; value: number };
  /** A vertical line through the middle of a row. */
  divider?: { label: string; index: number };
  /** How wide the plot is on a desktop; bars are 30 pixels wide there if they fit. */
  usualWidth?: number;
}

export const colorOf = (color: ChartColor) => `var(--color-${color})`;

/** Plot width of a chart that spans the page, on a desktop. */
export const PAGE_PLOT_WIDTH = 1_060;

/** Distances of the plot from the edges of its box, in pixels; the first picture uses the same. */
export const PLOT_TOP = 12;
export const PLOT_RIGHT = 52;
export const PLOT_BOTTOM = 28;
export const BRUSH_HEIGHT = 40;
/** From this width on, a box has room for all ticks and for a brush. */
export const WIDE_BOX = 560;
/** With more rows, single ones are hard to hit with a pointer. */
const BRUSHED_ROWS = 60;

export function hasBrush({ rows }: Pick<ChartSpec, "rows">): boolean {
  return rows.length >= BRUSHED_ROWS;
}

export function hasBars({ series }: Pick<ChartSpec, "series">): boolean {
  return series.some(({ shape }) => shape === "BAR");
}

interface ChartScale {
  bottom: number;
  top: number;
  /** Two to four round values, 0 among them. */
  ticks: number[];
}

/** The scale of the values: contains all of them and zero. */
export function scaleOf(spec: ChartSpec): ChartScale {
  const ends = spec.rows.flatMap((row) => endsOf(spec, row.values));
  const highest = ends.reduce((most, value) => Math.max(most, value), Math.max(0, spec.level?.value ?? 0));
  const lowest = ends.reduce((least, value) => Math.min(least, value), Math.min(0, spec.level?.value ?? 0));
  const step = gridStep(highest, lowest, spec.unit === "CENTS" ? 100 : 1);
  const top = Math.max(lowest < 0 ? 0 : 1, Math.ceil(highest / step)) * step;
  const bottom = Math.floor(lowest / step) * step;
  const count = Math.round((top - bottom) / step) + 1;
  // Adding 0 turns −0 into 0.
  return {
    bottom: bottom + 0,
    top,
    ticks: Array.from({ length: count }, (_, index) => bottom + index * step),
  };
}

/** The values at which a row's drawing ends: sums of stacks, and everything else. */
function endsOf({ series }: ChartSpec, values: readonly number[]): number[] {
  const columns = columnsOf(series);
  const stacked = columns.flatMap((members) => {
    const parts = members.map((index) => values[index] ?? 0);
    const sum = (isWanted: (value: number) => boolean) =>
      parts.filter(isWanted).reduce((total, value) => total + value, 0);
    return [sum((value) => value > 0), sum((value) => value < 0)];
  });
  const single = series.flatMap(({ shape }, index) =>
    shape === "STEPS" || shape === "LINE" ? [values[index] ?? 0] : [],
  );
  return [...stacked, ...single];
}

/** The columns of bars side by side: for each, the indexes of its series from the bottom. */
export function columnsOf(series: readonly ChartSeries[]): number[][] {
  const columns = new Map<string, number[]>();
  for (const [index, { shape, stack }] of series.entries()) {
    if (shape !== "BAR") continue;
    const key = stack ?? `series ${index}`;
    columns.set(key, [...(columns.get(key) ?? []), index]);
  }
  return [...columns.values()];
}

/** Grid lines above and below zero together, without zero. */
const LINES = 3;

/** The smallest round step that needs at most three lines above and below zero. @param least the finest step */
function gridStep(highest: number, lowest: number, least: number): number {
  const linesOf = (step: number) => Math.ceil(highest / step) + Math.ceil(-lowest / step);
  // Up to beyond the largest safe integer.
  for (let magnitude = least; magnitude < 1e17; magnitude *= 10) {
    for (const factor of [1, 2, 4, 5, 8]) {
      if (linesOf(factor * magnitude) <= LINES) return factor * magnitude;
    }
  }
  return 1e17;
}

const UNITS = [
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** `$8k`, `$1.2M`, `−$500`, `40`: short, for the axis; tooltip and table have exact values. */
export function axisValue(unit: ChartSpec["unit"], value: number): string {
  const size = unit === "CENTS" ? Math.abs(value) / 100 : Math.abs(value);
  const sign = `${value < 0 ? "−" : ""}${unit === "CENTS" ? "$" : ""}`;
  const found = UNITS.find(([least]) => size >= least);
  if (!found) return `${sign}${size}`;
  return `${sign}${Math.round((size / found[0]) * 10) / 10}${found[1]}`;
}

/** A value in full: `$4,250.00`, `1,204`. */
export function exactValue(unit: ChartSpec["unit"], value: number, plus?: PlusSign): string {
  return unit === "CENTS" ? formatCents(value, plus) : value.toLocaleString("en-US");
}

/** A year of months, the first and the last of them in part. */
const MANY_ROWS = 13;
const MANY_ROWS_ON_A_PHONE = 6;

/** The rows whose tick is written. @param from first row shown @param to last row shown */
export function tickedRows(from: number, to: number, isWide: boolean): number[] {
  const last = to - from;
  if (last < (isWide ? MANY_ROWS : MANY_ROWS_ON_A_PHONE))
    return Array.from({ length: last + 1 }, (_, index) => from + index);
  return [0, 1 / 3, 2 / 3, 1].map((part) => from + Math.round(part * last));
}

/** Labels at the edges stay inside the plot. */
export function tickAnchor(spec: ChartSpec, index: number, from: number, to: number) {
  if (hasBars(spec) && to - from < MANY_ROWS) return "middle";
  if (index === from) return "start";
  return index === to ? "end" : "middle";
}

interface BarShares {
  /** Of a row's width. */
  bar: number;
  gap: number;
}

const BAR_WIDTH = 30;
const BAR_GAP = 8;
const USUAL_WIDTH = 588;

/** Widths of bars and of the gaps between a row's columns, as shares, so that they do not depend on the window. */
export function barShares(spec: ChartSpec): BarShares {
  const columns = Math.max(1, columnsOf(spec.series).length);
  const perRow = (spec.usualWidth ?? USUAL_WIDTH) / Math.max(1, spec.rows.length);
  const wanted = (columns * BAR_WIDTH + (columns - 1) * BAR_GAP) / perRow;
  const group = Math.min(0.78, Math.max(0.16, wanted));
  const bar = (group * BAR_WIDTH) / (columns * BAR_WIDTH + (columns - 1) * BAR_GAP);
  return { bar, gap: (bar * BAR_GAP) / BAR_WIDTH };
}
