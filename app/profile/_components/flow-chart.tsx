import { partOfMonth } from "@/app/profile/_components/profile-words";
import { ChartFrame } from "@/components/charts/chart-frame";
import { type ChartRow, type ChartSpec, PAGE_PLOT_WIDTH } from "@/components/charts/chart-spec";
import { SECTION, SECTION_HEAD } from "@/components/layout/section";
import { SECTION_TITLE } from "@/components/ui/text-styles";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import { capitalized, joinWords } from "@/lib/words/rules/phrases";

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
    <section className={SECTION} aria-labelledby="cash-flow">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="cash-flow">
          Cash flow
        </h2>
      </div>
      <ChartFrame
        spec={spec}
        label={sentence(months, time)}
        table={{ caption: "Money in, out and net by month", rowHead: "Month" }}
        size="TALL"
      />
      <PartMonths window={profile.window} months={months} time={time} />
    </section>
  );
}

interface PartMonthsProps {
  window: FinancialProfile["window"];
  months: readonly Month[];
  time: TimeContext;
}

/** Below the chart, since a lower bar of half a month looks like less money. */
function PartMonths({ window, months, time }: PartMonthsProps) {
  const parts = months.flatMap(({ month }) => {
    const words = partOfMonth(month, window, time);
    return words === null ? [] : [`${monthName(month, time, "name")} ${words}`];
  });
  return parts.length > 0 ? (
    <p className="text-sm text-ink-3">Not whole months: {joinWords(parts)}.</p>
  ) : null;
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
  const part = partOfMonth(month, window, time);
  return {
    label: monthName(month, time, "long"),
    tick: monthName(month, time, "short"),
    ...(part !== null && { note: capitalized(part) }),
  };
}

/** `2026-11` reads `Nov`, `November` or `November 2026`. */
function monthName(month: string, { locale }: TimeContext, length: "short" | "name" | "long"): string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: "UTC",
    month: length === "short" ? "short" : "long",
    ...(length === "long" && { year: "numeric" as const }),
  });
  return format.format(new Date(`${month}-15T12:00:00Z`));
}
