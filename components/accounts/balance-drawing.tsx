import {
  axisAmount,
  type BalanceGeometry,
  HEIGHT,
  PLOT_WIDTH,
  WIDTH,
} from "@/components/accounts/balance-chart-geometry";
import { Amount } from "@/components/money/amount";
import { formatDay, formatShortDay } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { BalancePoint } from "@/lib/contract/views/account-page-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface BalanceDrawingProps {
  geometry: BalanceGeometry;
  floorInCents: number | null;
  /** The drawing as a sentence. */
  label: string;
  time: TimeContext;
}

/** A balance over time in steps, as a picture. */
export function BalanceDrawing({ geometry, floorInCents, label, time }: BalanceDrawingProps) {
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
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
            Floor {formatCents(floorInCents ?? 0)}
          </text>
        </>
      )}
      <circle className="dot" cx={geometry.last.x} cy={geometry.last.y} r="4" />
      {geometry.dates.map(({ x, at }, index) => (
        <text key={x} x={x} y={HEIGHT - 12} textAnchor={anchorOf(index, geometry.dates.length)}>
          {index === geometry.dates.length - 1 ? "Today" : formatShortDay(at, time)}
        </text>
      ))}
    </svg>
  );
}

function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

interface DailyTableProps {
  points: readonly BalancePoint[];
  caption: string;
  time: TimeContext;
}

/** The text twin of a balance over time. */
export function DailyTable({ points, caption, time }: DailyTableProps) {
  return (
    <details className="bal-t">
      <summary>Show as table</summary>
      <table className="ledger tight">
        <caption className="vh">{caption}</caption>
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

/** The last balance of each day of the reader's zone on which there is one, newest first. */
function dailyBalances(points: readonly BalancePoint[], time: TimeContext): BalancePoint[] {
  const byDay = new Map(points.map((point) => [formatDay(point.at, time), point]));
  return [...byDay.values()].reverse();
}
