import { ChartFrame } from "@/components/charts/chart-frame";
import { type ChartSpec, PAGE_PLOT_WIDTH } from "@/components/charts/chart-spec";
import { formatDate } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";
import type { InboxView } from "@/lib/views/approvals/list-proposals";
import type { ProposalDayView } from "@/lib/views/approvals/read-proposal-days";

/** How much was asked and how much decided, day by day. */
export function ProposalsChart({ view: { days, time } }: { view: Pick<InboxView, "days" | "time"> }) {
  return (
    <ChartFrame
      spec={proposalsSpec(days, time)}
      label={sentence(days)}
      table={{ caption: "Proposals asked and ended by day", rowHead: "Day", rows: "NOT_ZERO" }}
      size="SHORT"
    />
  );
}

/** Pure. */
function proposalsSpec(days: readonly ProposalDayView[], time: TimeContext): ChartSpec {
  return {
    unit: "COUNT",
    usualWidth: PAGE_PLOT_WIDTH,
    rows: days.map(({ date, asked, approved, denied, lapsed }, index) => ({
      label: formatDate(date, time),
      tick: index === days.length - 1 ? "Today" : formatDate(date, time),
      values: [asked, approved, denied, lapsed],
    })),
    series: [
      { name: "Asked", shape: "BAR", color: "chart-6" },
      { name: "Approved", shape: "BAR", color: "chart-1", stack: "ended" },
      { name: "Denied", shape: "BAR", color: "red", stack: "ended" },
      { name: "Expired or revoked", shape: "BAR", color: "rule-strong", stack: "ended" },
    ],
  };
}

function sentence(days: readonly ProposalDayView[]): string {
  const sum = (of: (day: ProposalDayView) => number) => days.reduce((total, day) => total + of(day), 0);
  return (
    `Proposals in ${days.length} days: ${sum((day) => day.asked)} asked, ${sum((day) => day.approved)} approved, ` +
    `${sum((day) => day.denied)} denied, ${sum((day) => day.lapsed)} expired or revoked.`
  );
}
