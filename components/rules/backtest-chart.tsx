import { axisAmount } from "@/components/accounts/balance-chart-geometry";
import { Amount } from "@/components/money/amount";
import { backtestGeometry, HEIGHT, PLOT_WIDTH, WIDTH } from "@/components/rules/backtest-geometry";
import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { BacktestView, BacktestWeekView } from "@/lib/contract/views/backtest-view";

/** What would have moved in each week, stacked by where it goes; drawn on the server, with its text twin under it. */
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
              {axisAmount(amountInCents)}
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
    `at most ${formatCents(totalOf(most))} in one, ${formatCents(version.movedInCents)} in all.`
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
