"use client";

import type { ReactNode } from "react";
import { ChartPicture } from "@/components/charts/chart-picture";
import { type ChartSpec, colorOf, hasBrush } from "@/components/charts/chart-spec";
import { ChartTable, type ChartTableWords } from "@/components/charts/chart-table";
import { LivePlot } from "@/components/charts/live-plot";

/** Heights are fixed, so that the page does not move when the script arrives. */
const HEIGHTS = {
  TALL: ["h-62", "h-62 @min-[560px]:h-72"],
  MEDIUM: ["h-52", "h-52 @min-[560px]:h-62"],
  SHORT: ["h-36", "h-36 @min-[560px]:h-46"],
} as const;

interface ChartFrameProps {
  spec: ChartSpec;
  /** The chart in a sentence, for screen readers. */
  label: string;
  table: ChartTableWords;
  size?: keyof typeof HEIGHTS;
  /** The choice of a range, at the right. */
  actions?: ReactNode;
}

/**
 * The frame of every chart: legend, a first picture from the server, the chart with tooltips once its script has
 * loaded, and the same numbers as a table. All three are drawn from one `spec`: as server components, each of their
 * elements would be sent twice.
 */
export function ChartFrame({ spec, label, table, size = "MEDIUM", actions }: ChartFrameProps) {
  const hasLegend = spec.series.length > 1;
  return (
    <figure aria-label={label} data-chart="">
      {hasLegend || actions ? (
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 pt-3">
          {hasLegend ? <Legend spec={spec} /> : <span />}
          {actions}
        </div>
      ) : null}
      <div className="@container mt-3">
        <div className={HEIGHTS[size][hasBrush(spec) ? 1 : 0]}>
          <LivePlot spec={spec} label={label}>
            <ChartPicture spec={spec} />
          </LivePlot>
        </div>
      </div>
      <ChartTable spec={spec} words={table} />
    </figure>
  );
}

const SWATCH = {
  STEPS: "size-3 rounded-[2px]",
  BAR: "size-3 rounded-[2px]",
  LINE: "h-0.5 w-4",
  MARK: "size-1.5 rounded-full",
} as const;

function Legend({ spec }: { spec: ChartSpec }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
      {spec.series.map(({ name, shape, color }) => (
        <li key={name} className="inline-flex items-center gap-2">
          <span className={SWATCH[shape]} style={{ background: colorOf(color) }} />
          {name}
        </li>
      ))}
    </ul>
  );
}
