import { ChartFrame } from "@/components/charts/chart-frame";
import type { ChartColor, ChartRow, ChartSpec } from "@/components/charts/chart-spec";
import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { BacktestView, BacktestWeekView } from "@/lib/views/rules/read-backtest";

const COLORS: readonly ChartColor[] = ["chart-1", "chart-2", "chart-3", "chart-4", "chart-5"];

/** What would have moved in each week and what would move in the coming ones, stacked by destination. */
export function BacktestChart({ view }: { view: BacktestView }) {
  return (
    <ChartFrame
      spec={backtestSpec(view)}
      label={sentence(view)}
      table={{
        caption: `What version ${view.version.version} would have moved and would move, week by week`,
        rowHead: "Week of",
        rows: "NOT_ZERO",
      }}
    />
  );
}

/** Pure. */
function backtestSpec({ weeks, ahead, destinations, time }: BacktestView): ChartSpec {
  const coming = new Map(ahead?.weeks.map((week) => [week.startsOn, week.movedInCents]));
  const last = weeks.at(-1)?.startsOn;
  const past = weeks.map((week) => weekRow(week, coming.get(week.startsOn), time));
  const later = (ahead?.weeks ?? [])
    .filter(({ startsOn }) => last === undefined || startsOn > last)
    .map((week): ChartRow => ({ ...weekRow(week, undefined, time), note: "Forecast", isAhead: true }));
  return {
    unit: "CENTS",
    rows: [...past, ...later],
    series: destinations.map(({ name }, index) => ({
      // Two accounts may have the same name.
      name: isNamedTwice(destinations, name) ? `${name} (${index + 1})` : name,
      shape: "BAR",
      color: COLORS[index] ?? "chart-5",
      stack: "moved",
    })),
    ...(later.length > 0 && { divider: { label: "This week", index: past.length - 1 } }),
  };
}

/** @param coming what the rest of the week would add */
function weekRow(
  { startsOn, movedInCents }: BacktestWeekView,
  coming: readonly number[] | undefined,
  time: BacktestView["time"],
): ChartRow {
  const date = formatDate(startsOn, time);
  return {
    label: `Week of ${date}`,
    tick: date,
    values: movedInCents.map((cents, index) => cents + (coming?.[index] ?? 0)),
    ...(coming?.some((cents) => cents > 0) && { note: "So far, and forecast for the rest" }),
  };
}

function isNamedTwice(destinations: BacktestView["destinations"], name: string): boolean {
  return destinations.filter((destination) => destination.name === name).length > 1;
}

function sentence({ version, weeks, ahead }: BacktestView): string {
  const most = Math.max(0, ...weeks.map(totalOf));
  const past =
    `What version ${version.version} would have moved in each of the last ${weeks.length} weeks: ` +
    `at most ${formatCents(most)} in one week, ${formatCents(version.movedInCents)} in total.`;
  return ahead
    ? `${past} Forecast for the next ${ahead.weeks.length - 1} weeks: ${formatCents(ahead.version.movedInCents)}.`
    : past;
}

function totalOf({ movedInCents }: BacktestWeekView): number {
  return movedInCents.reduce((sum, cents) => sum + cents, 0);
}
