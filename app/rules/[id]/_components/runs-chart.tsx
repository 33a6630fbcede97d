import { ChartFrame } from "@/components/charts/chart-frame";
import { type ChartSpec, PAGE_PLOT_WIDTH } from "@/components/charts/chart-spec";
import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { RunDaysView } from "@/lib/views/rules/read-run-days";
import { count } from "@/lib/words/keys/key-powers";

/** What a rule's live runs moved on each day, and on which days one failed. Hidden without any. */
export function RunsChart({ runs, time }: { runs: RunDaysView; time: TimeContext }) {
  if (runs.days.every((day) => day.runs === 0)) return null;
  return (
    <ChartFrame
      spec={runsSpec(runs, time)}
      label={sentence(runs)}
      table={{ caption: "Amounts moved by day", rowHead: "Day", rows: "NOT_ZERO" }}
      size="SHORT"
    />
  );
}

/** Pure. */
function runsSpec({ days }: RunDaysView, time: TimeContext): ChartSpec {
  return {
    unit: "CENTS",
    usualWidth: PAGE_PLOT_WIDTH,
    rows: days.map(({ date, runs, failed, movedInCents }, index) => ({
      label: formatDate(date, time),
      tick: index === days.length - 1 ? "Today" : formatDate(date, time),
      values: [movedInCents, failed],
      note: runs === 0 ? "No runs" : count(runs, "run"),
    })),
    series: [
      { name: "Moved", shape: "BAR", color: "chart-1" },
      { name: "Failed runs", shape: "MARK", color: "red" },
    ],
  };
}

function sentence({ days, isTruncated }: RunDaysView): string {
  const sum = (of: (day: RunDaysView["days"][number]) => number) =>
    days.reduce((total, day) => total + of(day), 0);
  const [runs, failed] = [sum((day) => day.runs), sum((day) => day.failed)];
  const which = isTruncated ? `The latest ${count(runs, "live run")}` : count(runs, "live run");
  const moved = formatCents(sum((day) => day.movedInCents));
  return `${which} in ${days.length} days moved ${moved}; ${failed === 0 ? "none failed" : `${failed} failed`}.`;
}
