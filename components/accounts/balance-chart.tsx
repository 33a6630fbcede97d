import { balanceGeometry } from "@/components/accounts/balance-chart-geometry";
import { BalanceDrawing, DailyTable } from "@/components/accounts/balance-drawing";
import { Link } from "@/components/ui/link";
import { formatCents } from "@/lib/contract/format-cents";
import {
  type AccountPageView,
  type BalanceHistory,
  type BalancePoint,
  HISTORY_DAYS,
} from "@/lib/contract/views/account-page-view";

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
      <BalanceDrawing
        geometry={geometry}
        floorInCents={view.floorInCents}
        label={sentence(view, history)}
        time={view.time}
      />
      <DailyTable
        points={points}
        caption={`Balance of ${view.name} at the end of each day on which it changed`}
        time={view.time}
      />
    </figure>
  );
}

function sentence(view: AccountPageView, { days, points }: BalanceHistory): string {
  const balances = points.map((point) => point.balanceInCents);
  const floor = view.floorInCents === null ? "" : ` Its floor is ${formatCents(view.floorInCents)}.`;
  return (
    `Balance of ${view.name} over ${days} days: between ${formatCents(Math.min(...balances))} and ` +
    `${formatCents(Math.max(...balances))}, now ${formatCents(balances.at(-1) ?? 0)}.${floor}`
  );
}
