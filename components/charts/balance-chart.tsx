import type { ReactNode } from "react";
import { ChartFrame } from "@/components/charts/chart-frame";
import type { ChartSpec } from "@/components/charts/chart-spec";
import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import { calendarDate, dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import type { BalancePoint } from "@/lib/views/accounts/read-balance-history";

interface BalanceChartProps {
  /** In order; the last one is now. */
  points: readonly BalancePoint[];
  floorInCents?: number | null;
  /** The chart in a sentence. */
  label: string;
  /** Of the table. */
  caption: string;
  /** What the amounts are: `Balance`, `Total`. */
  name: string;
  time: TimeContext;
  actions?: ReactNode;
}

/** A balance at the end of each day, in steps, because a balance does not slide. */
export function BalanceChart({
  points,
  floorInCents = null,
  label,
  caption,
  name,
  time,
  actions,
}: BalanceChartProps) {
  const spec = balanceSpec(points, { floorInCents, name, time });
  if (spec.rows.length === 0) return null;
  return (
    <ChartFrame
      spec={spec}
      label={label}
      table={{ caption, rowHead: "Day", rows: "CHANGED" }}
      actions={actions}
    />
  );
}

interface BalanceWords {
  floorInCents: number | null;
  name: string;
  time: TimeContext;
}

/** One row for each day of the viewer, with the last balance of that day. Pure. */
export function balanceSpec(
  points: readonly BalancePoint[],
  { floorInCents, name, time }: BalanceWords,
): ChartSpec {
  const zone = time.viewerTimeZone ?? time.timeZone;
  const byDay = new Map(
    points.map(({ at, balanceInCents }) => [dayOf(calendarDate(new Date(at), zone)), balanceInCents]),
  );
  const [first, last] = [Math.min(...byDay.keys()), Math.max(...byDay.keys())];
  let before = points[0]?.balanceInCents ?? 0;
  const rows = Array.from({ length: byDay.size === 0 ? 0 : last - first + 1 }, (_, index) => {
    const balanceInCents = byDay.get(first + index) ?? before;
    const change = balanceInCents - before;
    before = balanceInCents;
    const date = formatDate(dateOf(first + index), time);
    return {
      label: date,
      tick: first + index === last ? "Today" : date,
      values: [balanceInCents],
      ...(change !== 0 && { note: `${formatCents(change, "whenPositive")} that day` }),
    };
  });
  return {
    unit: "CENTS",
    rows,
    series: [{ name, shape: "STEPS", color: "chart-1" }],
    ...(floorInCents !== null && {
      level: { label: `Floor ${formatCents(floorInCents)}`, value: floorInCents },
    }),
  };
}
