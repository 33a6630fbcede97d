import Link from "next/link";
import {
  axisAmount,
  type BalanceGeometry,
  balanceGeometry,
  HEIGHT,
  PLOT_WIDTH,
  WIDTH,
} from "@/components/accounts/balance-chart-geometry";
import { dailyBalances } from "@/components/accounts/daily-balances";
import { Amount } from "@/components/money/amount";
import { formatShortDay } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import {
  type AccountPageView,
  type BalanceHistory,
  type BalancePoint,
  HISTORY_DAYS,
} from "@/lib/contract/views/account-page-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface BalanceChartProps {
  view: AccountPageView;
  history: BalanceHistory;
}

/** The balance over the last days in steps, drawn on the server; its text twin is the table under it. */
export function BalanceChart({ view, history }: BalanceChartProps) {
  const [first, ...rest] = history.points;
  if (!first) return null;
  const points: [BalancePoint, ...BalancePoint[]] = [first, ...rest];
  const geometry = balanceGeometry(points, view.floorInCents);
  return (
    <figure className="bal">
      <nav className="filters" aria-label="Time that the chart shows">
        <span className="seg">
          {HISTORY_DAYS.map((days) => (
            <Link
              key={days}
              href={view.historyHrefs[days]}
              scroll={false}
              aria-current={days === history.days ? "true" : undefined}
            >
              {days} days
            </Link>
          ))}
        </span>
      </nav>
      <Drawing geometry={geometry} view={view} history={history} />
      <DailyTable points={points} view={view} />
    </figure>
  );
}

function Drawing({ geometry, view, history }: BalanceChartProps & { geometry: BalanceGeometry }) {
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={sentence(view, history)}>
      {geometry.grid.map(({ y, amountInCents }) => (
        <g key={amountInCents}>
          <path className={amountInCents === 0 ? "zero" : "grid"} d={`M0 ${y}H${PLOT_WIDTH}`} />
          <text x={WIDTH} y={y + 3.5} textAnchor="end">
            {axisAmount(amountInCents)}
          </text>
        </g>
      ))}
      <path className="area" d={geometry.area} />
      <path className="zero" d={`M0 ${geometry.zeroY}H${PLOT_WIDTH}`} />
      <path className="line" d={geometry.line} />
      {geometry.floorY === null ? null : (
        <>
          <path className="floor" d={`M0 ${geometry.floorY}H${PLOT_WIDTH}`} />
          <text className="strong" x="8" y={geometry.floorY - 7.5}>
            Floor {formatCents(view.floorInCents ?? 0)}
          </text>
        </>
      )}
      <circle className="dot" cx={geometry.last.x} cy={geometry.last.y} r="4" />
      {geometry.dates.map(({ x, at }, index) => (
        <text key={x} x={x} y={HEIGHT - 12} textAnchor={anchorOf(index, geometry.dates.length)}>
          {index === geometry.dates.length - 1 ? "Today" : formatShortDay(at, view.time)}
        </text>
      ))}
    </svg>
  );
}

function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

function sentence(view: AccountPageView, { days, points }: BalanceHistory): string {
  const balances = points.map((point) => point.balanceInCents);
  const floor = view.floorInCents === null ? "" : ` Its floor is ${formatCents(view.floorInCents)}.`;
  return (
    `Balance of ${view.name} over ${days} days: between ${formatCents(Math.min(...balances))} and ` +
    `${formatCents(Math.max(...balances))}, now ${formatCents(balances.at(-1) ?? 0)}.${floor}`
  );
}

function DailyTable({ points, view: { time, name } }: { points: BalancePoint[]; view: AccountPageView }) {
  return (
    <details className="bal-t">
      <summary>Show as table</summary>
      <table className="ledger tight">
        <caption className="vh">Balance of {name} at the end of each day on which it changed</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className="num">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {dailyBalances(points, time).map((day) => (
            <DayRow key={day.at} day={day} time={time} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function DayRow({ day, time }: { day: BalancePoint; time: TimeContext }) {
  return (
    <tr>
      <th scope="row">{formatShortDay(day.at, time)}</th>
      <td className="num">
        <Amount cents={day.balanceInCents} />
      </td>
    </tr>
  );
}
