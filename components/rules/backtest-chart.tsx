import { axisValue, gridStep } from "@/components/charts/chart-spec";
import { Amount } from "@/components/money/amount";
import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { BacktestView, BacktestWeekView } from "@/lib/contract/views/rule-editor-view";

/** The drawing in its own units; it scales to the width of the page. */
const WIDTH = 640;

const HEIGHT = 196;

/** Room for the amounts on the right. */
const PLOT_WIDTH = 588;

const TOP = 20.5;

const BOTTOM = 156.5;

const BAR_WIDTH = 26;

/** The gap between the parts of a stack. */
const GAP = 1;

const DATES = 4;

/** What would have moved in each week, stacked by destination; drawn on the server, with a table below. */
export function BacktestChart({ view }: { view: BacktestView }) {
  const geometry = backtestGeometry(view.weeks);
  return (
    <figure className="bkt-c">
      <div className="legend">
        {view.destinations.map(({ accountId, name }, series) => (
          <span key={accountId}>
            <i className={`s${series + 1}`} />
            {name}
          </span>
        ))}
      </div>
      <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={sentence(view)}>
        {geometry.grid.map(({ y, amountInCents }) => (
          <g key={amountInCents}>
            <path className={amountInCents === 0 ? "zero" : "grid"} d={`M0 ${y}H${PLOT_WIDTH}`} />
            <text x={WIDTH} y={y + 3.5} textAnchor="end">
              {axisValue("CENTS", amountInCents)}
            </text>
          </g>
        ))}
        {geometry.bars.map(({ series, ...place }) => (
          <rect key={`${place.x} ${series}`} className={`s${series + 1}`} {...place} />
        ))}
        {geometry.dates.map(({ x, startsOn }, index) => (
          <text key={x} x={index === 0 ? 0 : x} y={HEIGHT - 20} textAnchor={index === 0 ? "start" : "middle"}>
            {formatDate(startsOn, view.time)}
          </text>
        ))}
      </svg>
      <WeeksTable view={view} />
    </figure>
  );
}

function sentence({ version, weeks }: BacktestView): string {
  const most = weeks.reduce((best, week) => (totalOf(week) > totalOf(best) ? week : best));
  return (
    `What version ${version.version} would have moved in each of the last ${weeks.length} weeks: ` +
    `at most ${formatCents(totalOf(most))} in one week, ${formatCents(version.movedInCents)} in total.`
  );
}

function totalOf({ movedInCents }: BacktestWeekView): number {
  return movedInCents.reduce((sum, cents) => sum + cents, 0);
}

function WeeksTable({ view }: { view: BacktestView }) {
  const weeks = view.weeks.filter((week) => totalOf(week) > 0);
  return (
    <details className="bal-t">
      <summary>Show as table</summary>
      <table className="ledger tight">
        <caption className="vh">What version {view.version.version} would have moved, week by week</caption>
        <thead>
          <tr>
            <th scope="col">Week of</th>
            <th scope="col" className="num">
              Moved
            </th>
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.startsOn}>
              <th scope="row">
                {formatDate(week.startsOn, view.time)}
                <span className="meta blk">{partsOf(week, view)}</span>
              </th>
              <td className="num">
                <Amount cents={totalOf(week)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** `Taxes $1,674.00, Payroll $1,500.00` */
function partsOf({ movedInCents }: BacktestWeekView, { destinations }: BacktestView): string {
  return destinations
    .flatMap(({ name }, series) => {
      const cents = movedInCents[series] ?? 0;
      return cents > 0 ? [`${name} ${formatCents(cents)}`] : [];
    })
    .join(", ");
}

interface BacktestGeometry {
  grid: { y: number; amountInCents: number }[];
  /** `series` is the destination's index. */
  bars: { x: number; y: number; width: number; height: number; series: number }[];
  dates: { x: number; startsOn: string }[];
}

/**
 * The layout of a chart of weeks: one stack per week, in the order of the destinations. Pure.
 * @param weeks at least one, in order
 */
function backtestGeometry(weeks: readonly BacktestWeekView[]): BacktestGeometry {
  const sums = weeks.map(({ movedInCents }) => movedInCents.reduce((sum, cents) => sum + cents, 0));
  const highest = Math.max(100, ...sums);
  const step = gridStep(highest, 0, 100);
  const lines = Math.ceil(highest / step);
  const heightOf = (cents: number) => (cents / (lines * step)) * (BOTTOM - TOP);
  const xOf = (index: number) => round((index * (PLOT_WIDTH - BAR_WIDTH)) / Math.max(1, weeks.length - 1));
  return {
    grid: Array.from({ length: lines + 1 }, (_, index) => ({
      y: round(BOTTOM - heightOf(index * step)),
      amountInCents: index * step,
    })),
    bars: weeks.flatMap((week, index) => stack(week, xOf(index), heightOf)),
    dates: datesOf(weeks, (index) => xOf(index) + BAR_WIDTH / 2),
  };
}

function stack(
  { movedInCents }: BacktestWeekView,
  x: number,
  heightOf: (cents: number) => number,
): BacktestGeometry["bars"] {
  let below = 0;
  return movedInCents.flatMap((cents, series) => {
    const full = heightOf(cents);
    const bottom = BOTTOM - heightOf(below);
    below += cents;
    // Parts thinner than the gap are not drawn; the table has them.
    const height = full - GAP;
    return height < 0.2
      ? []
      : [{ x, y: round(bottom - full), width: BAR_WIDTH, height: round(height), series }];
  });
}

function datesOf(
  weeks: readonly BacktestWeekView[],
  middleOf: (index: number) => number,
): BacktestGeometry["dates"] {
  const last = weeks.length - 1;
  const places = Array.from({ length: DATES }, (_, index) => Math.round((index * last) / (DATES - 1)));
  return [...new Set(places)].flatMap((index) => {
    const week = weeks[index];
    return week ? [{ x: round(middleOf(index)), startsOn: week.startsOn }] : [];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
