import { ChartFrame } from "@/components/charts/chart-frame";
import { type ChartRow, type ChartSpec, PAGE_PLOT_WIDTH } from "@/components/charts/chart-spec";
import { formatShortDay } from "@/components/time/format-instant";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

type Month = FinancialProfile["cashFlow"]["months"][number];

interface FlowChartProps {
  view: { profile: Pick<FinancialProfile, "cashFlow" | "window">; time: TimeContext };
}

/** In and out by month, with the net as a line. */
export function FlowChart({ view: { profile, time } }: FlowChartProps) {
  const { months } = profile.cashFlow;
  const spec: ChartSpec = {
    unit: "CENTS",
    usualWidth: PAGE_PLOT_WIDTH,
    rows: months.map(({ month, inInCents, outInCents, netInCents }) => ({
      ...monthRow(month, profile.window, time),
      values: [inInCents, outInCents, netInCents],
    })),
    series: [
      { name: "In", shape: "BAR", color: "chart-2" },
      { name: "Out", shape: "BAR", color: "chart-6" },
      { name: "Net", shape: "LINE", color: "ink", plus: "whenPositive" },
    ],
  };
  return (
    <section className="sec" aria-labelledby="cash-flow">
      <div className="sec-h">
        <h2 className="h2" id="cash-flow">
          Cash flow
        </h2>
      </div>
      <ChartFrame
        spec={spec}
        label={sentence(months, time)}
        table={{ caption: "Money in, out and net by month", rowHead: "Month" }}
        size="TALL"
      />
    </section>
  );
}

function sentence(months: readonly Month[], time: TimeContext): string {
  const parts = months.map(
    ({ month, inInCents, outInCents }) =>
      `${monthName(month, time, "long")}: ${formatCents(inInCents)} in, ${formatCents(outInCents)} out`,
  );
  return `Money in and out by month. ${parts.join(". ")}.`;
}

/** A month as a row; one that the window contains only partly says so. */
export function monthRow(
  month: string,
  window: FinancialProfile["window"],
  time: TimeContext,
): Pick<ChartRow, "label" | "tick" | "note"> {
  const organizationTime = { ...time, viewerTimeZone: time.timeZone };
  const [from, to] = [window.from, window.to].map((at) => formatShortDay(at, organizationTime));
  const [first, last] = [window.from, window.to].map((at) => monthOf(at, time.timeZone));
  const note =
    month === first && month === last
      ? `${from} to ${to}`
      : month === first
        ? `From ${from}`
        : month === last
          ? `Until ${to}`
          : undefined;
  return {
    label: monthName(month, time, "long"),
    tick: monthName(month, time, "short"),
    ...(note !== undefined && { note }),
  };
}

function monthOf(at: string, timeZone: string): string {
  return calendarDate(new Date(at), timeZone).slice(0, 7);
}

/** `2026-11` reads `Nov`, or `November 2026`. */
function monthName(month: string, { locale }: TimeContext, length: "short" | "long"): string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    month: length,
    ...(length === "long" && { year: "numeric" as const }),
  });
  return format.format(new Date(`${month}-15T12:00:00Z`));
}
