"use client";

import { Fragment, type ReactNode, useMemo, useRef, useState } from "react";
import {
  Area,
  Bar,
  type BarShapeProps,
  Brush,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  Tooltip,
  XAxis,
  type XAxisTickContentProps,
  YAxis,
  type YAxisTickContentProps,
} from "recharts";
import { AHEAD_OPACITY } from "@/components/charts/chart-picture";
import {
  axisValue,
  BRUSH_HEIGHT,
  barShares,
  type ChartSpec,
  colorOf,
  hasBars,
  hasBrush,
  PLOT_BOTTOM,
  PLOT_RIGHT,
  PLOT_TOP,
  scaleOf,
  tickAnchor,
  tickedRows,
  WIDE_BOX,
} from "@/components/charts/chart-spec";
import { ChartTip } from "@/components/charts/chart-tip";

interface PlotProps {
  spec: ChartSpec;
  label: string;
  width: number;
  height: number;
  /** From the left, where a finger asked before there was a chart: that row's tooltip is open at first. */
  touchedAt: number | null;
}

/** A row as Recharts reads it: `value0`, `value1` … by series. */
type PlotRow = Record<string, number | boolean | null>;

/** The part of the rows that a brush shows. */
interface ShownRows {
  /** Number of rows that it is a part of. */
  count: number;
  from: number;
  to: number;
}

const MARGIN = { top: PLOT_TOP, right: 0, bottom: 0, left: 0 };
const LINE_WIDTH = 1.75;

/**
 * The chart with its tooltip, drawn by Recharts. Not animated: it replaces a picture that looks the same, and readers
 * may prefer reduced motion.
 */
export function Plot({ spec, label, width, height, touchedAt }: PlotProps) {
  const { rows } = spec;
  const announcer = useRef<HTMLParagraphElement>(null);
  const [narrowed, setNarrowed] = useState<ShownRows | null>(null);
  const data = useMemo(() => rows.map((_, index) => toPlotRow(spec, index)), [spec, rows]);
  const scale = useMemo(() => scaleOf(spec), [spec]);
  const isBanded = hasBars(spec);
  const isWide = width >= WIDE_BOX;
  const isBrushed = isWide && hasBrush(spec);
  // Another range of days is shown in full; a refresh of the same range keeps what the reader chose.
  const isNarrowed = isBrushed && narrowed !== null && narrowed.count === rows.length;
  const { from, to } = isNarrowed ? narrowed : { from: 0, to: rows.length - 1 };
  const ticked = new Set(tickedRows(from, to, isWide));
  // Another range is another chart, in which nobody has touched anything.
  const [touchedCount] = useState(rows.length);
  const touched = touchedAt !== null && rows.length === touchedCount ? touchedAt : null;
  const { bar, gap } = barShares(spec);
  const slot = (width - PLOT_RIGHT) / Math.max(1, to - from + 1);
  return (
    <>
      <p ref={announcer} role="status" className="sr-only" />
      <ComposedChart
        // Recharts keeps the start of a brush when the number of rows changes, even beyond their end.
        key={rows.length}
        width={width}
        height={height}
        data={data}
        margin={MARGIN}
        barGap={gap * slot}
        stackOffset="sign"
        aria-label={`${label} Arrow keys move along the chart.`}
      >
        <CartesianGrid vertical={false} horizontalValues={scale.ticks} stroke={colorOf("rule")} />
        <XAxis
          dataKey="index"
          type="category"
          scale={isBanded ? "band" : "point"}
          height={PLOT_BOTTOM}
          interval={0}
          axisLine={false}
          tickLine={false}
          tick={(props: XAxisTickContentProps) => (
            <RowTick
              key={props.index}
              place={props}
              text={ticked.has(props.payload.value) ? rows[props.payload.value]?.tick : undefined}
              anchor={tickAnchor(spec, props.payload.value, from, to)}
              slot={isBanded ? slot : 0}
            />
          )}
        />
        <YAxis
          orientation="right"
          width={PLOT_RIGHT}
          domain={[scale.bottom, scale.top]}
          ticks={scale.ticks}
          interval={0}
          axisLine={false}
          tickLine={false}
          tick={({ y, payload }: YAxisTickContentProps) => (
            <text x={width} y={y} dy="0.35em" textAnchor="end" className="fill-ink-3 text-xs">
              {axisValue(spec.unit, payload.value)}
            </text>
          )}
        />
        <Tooltip
          content={<ChartTip spec={spec} announcer={announcer} />}
          cursor={{ stroke: colorOf("ink-3"), strokeWidth: 1 }}
          isAnimationActive={false}
          {...(touched !== null && {
            defaultIndex: rowAt(touched, width - PLOT_RIGHT, rows.length, isBanded),
          })}
        />
        <ReferenceLine y={0} stroke={colorOf("ink-3")} />
        {spec.series.map((_, place) => plotted(spec, place, bar * slot))}
        {spec.level ? (
          <ReferenceLine
            y={spec.level.value}
            stroke={colorOf("ink-2")}
            strokeDasharray="4 4"
            label={{
              value: spec.level.label,
              position: "insideBottomLeft",
              offset: 8,
              className: "fill-ink text-xs font-semibold",
            }}
          />
        ) : null}
        {spec.divider ? (
          <ReferenceLine
            x={spec.divider.index}
            stroke={colorOf("ink-2")}
            strokeDasharray="4 4"
            label={{
              value: spec.divider.label,
              position: "insideTopLeft",
              offset: 6,
              className: "fill-ink text-xs font-semibold",
            }}
          />
        ) : null}
        {isBrushed ? (
          <Brush
            dataKey="index"
            height={BRUSH_HEIGHT - 8}
            startIndex={from}
            endIndex={to}
            travellerWidth={10}
            fill={colorOf("sunken")}
            stroke={colorOf("ink-3")}
            tickFormatter={(index: number) => rows[index]?.tick ?? ""}
            ariaLabel="Part of the chart that is shown"
            onChange={(range) =>
              setNarrowed({ count: rows.length, from: range.startIndex, to: range.endIndex })
            }
          />
        ) : null}
      </ComposedChart>
    </>
  );
}

function rowAt(x: number, plotWidth: number, count: number, isBanded: boolean): number {
  const share = x / plotWidth;
  const row = isBanded ? Math.floor(share * count) : Math.round(share * (count - 1));
  return Math.min(count - 1, Math.max(0, row));
}

function toPlotRow({ rows, series }: ChartSpec, index: number): PlotRow {
  const row = rows[index];
  const values = series.map(({ shape }, place): [string, number | null] => {
    const value = row?.values[place] ?? 0;
    // A mark is on the zero line, whatever its value.
    return [keyOf(place), shape === "MARK" ? (value === 0 ? null : 0) : value];
  });
  return { index, isAhead: row?.isAhead ?? false, ...Object.fromEntries(values) };
}

const keyOf = (place: number) => `value${place}`;

function plotted({ series, rows }: ChartSpec, place: number, barSize: number): ReactNode {
  const one = series[place];
  if (!one) return null;
  const color = colorOf(one.color);
  const { name, stack } = one;
  const common = { dataKey: keyOf(place), name, isAnimationActive: false };
  const hollow = { fill: colorOf("paper"), stroke: color, strokeWidth: LINE_WIDTH };
  switch (one.shape) {
    case "BAR":
      return (
        <Bar
          key={name}
          {...common}
          // Recharts puts columns without a stack after all others, so each has one.
          stackId={stack ?? name}
          barSize={barSize}
          fill={color}
          shape={(bar: BarShapeProps) => <BarPart bar={bar} isStacked={stack !== undefined} />}
        />
      );
    case "STEPS":
      return (
        <Fragment key={name}>
          <Area
            {...common}
            type="stepAfter"
            stroke={color}
            strokeWidth={LINE_WIDTH}
            fill={colorOf("water-3")}
            fillOpacity={1}
            activeDot={{ r: 4, ...hollow }}
          />
          <ReferenceDot x={rows.length - 1} y={rows.at(-1)?.values[place] ?? 0} r={4} {...hollow} />
        </Fragment>
      );
    case "LINE":
      return (
        <Line
          key={name}
          {...common}
          type="bumpX"
          stroke={color}
          strokeWidth={LINE_WIDTH}
          dot={{ r: 3.5, ...hollow }}
          activeDot={{ r: 4, fill: color, strokeWidth: 0 }}
        />
      );
    case "MARK":
      return (
        <Line
          key={name}
          {...common}
          stroke={color}
          strokeWidth={0}
          dot={{ r: 3, fill: color, strokeWidth: 0 }}
          activeDot={{ r: 3, fill: color, strokeWidth: 0 }}
        />
      );
  }
}

/** Thinner parts would be covered by their gap. */
const LEAST_EDGED = 4;

/** One bar, or one part of a stack with a gap of paper to the next. */
function BarPart({ bar, isStacked }: { bar: BarShapeProps; isStacked: boolean }) {
  const { x, y, width, height, fill } = bar;
  if (height === 0) return <g />;
  return (
    <rect
      x={x}
      y={Math.min(y, y + height)}
      width={width}
      height={Math.abs(height)}
      fill={fill}
      fillOpacity={bar.payload.isAhead ? AHEAD_OPACITY : 1}
      {...(isStacked && Math.abs(height) >= LEAST_EDGED && { stroke: colorOf("paper"), strokeWidth: 1 })}
    />
  );
}

interface RowTickProps {
  place: Pick<XAxisTickContentProps, "x" | "y">;
  /** Undefined: this row has none. */
  text: string | undefined;
  anchor: "start" | "middle" | "end";
  /** Width of a row; 0 if rows are points. */
  slot: number;
}

function RowTick({ place, text, anchor, slot }: RowTickProps) {
  if (text === undefined) return <g />;
  const shift = { start: -slot / 2, middle: 0, end: slot / 2 }[anchor];
  return (
    <text
      x={Number(place.x) + shift}
      y={place.y}
      dy="0.9em"
      textAnchor={anchor}
      className="fill-ink-3 text-xs"
    >
      {text}
    </text>
  );
}
