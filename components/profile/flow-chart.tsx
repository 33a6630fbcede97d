import { axisAmount, gridStep } from "@/components/accounts/balance-chart";
import { Amount } from "@/components/money/amount";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The drawing in its own units; it scales to the width of the page. */
export const HEIGHT = 246;
/** Narrower on a phone, so that its text stays readable. */
export const WIDTHS = { WIDE: 1112, NARROW: 560 } as const;
/** Room for the amounts right of the plot. */
const AXIS = 72;
const TOP = 24;
const BOTTOM = 210;
const BAR = 30;
const BAR_GAP = 8;

interface FlowMonth {
  inInCents: number;
  outInCents: number;
  netInCents: number;
}

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface FlowChartGeometry {
  plotWidth: number;
  zeroY: number;
  grid: { y: number; amountInCents: number }[];
  /** Per month: the position of its name, its two bars, and its net. */
  months: { x: number; in: Bar; out: Bar; netY: number }[];
  /** Passes through the net amounts without overshooting. */
  netLine: string;
}

/** The layout of the cash flow chart. Pure. @param months in order; up to a year */
export function flowChartGeometry(months: readonly FlowMonth[], drawnWidth: number): FlowChartGeometry {
  const plotWidth = drawnWidth - AXIS;
  const values = months.flatMap((month) => [month.inInCents, month.outInCents, month.netInCents]);
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const step = gridStep(highest, lowest);
  const top = Math.max(1, Math.ceil(highest / step)) * step;
  const bottom = Math.floor(lowest / step) * step;
  const yOf = (cents: number) => round(BOTTOM - ((cents - bottom) / (top - bottom)) * (BOTTOM - TOP));
  const slot = plotWidth / Math.max(1, months.length);
  // With a full year, bars must be narrower to leave gaps.
  const gap = Math.min(BAR_GAP, slot / 6);
  const width = Math.min(BAR, slot / 2 - gap);
  const placed = months.map((month, index) => {
    const x = round(slot * (index + 0.5));
    const bar = (cents: number, left: number): Bar => ({
      x: round(left),
      y: Math.min(yOf(cents), yOf(0)),
      width: round(width),
      height: round(Math.abs(yOf(cents) - yOf(0))),
    });
    return {
      x,
      in: bar(month.inInCents, x - width - gap / 2),
      out: bar(month.outInCents, x + gap / 2),
      netY: yOf(month.netInCents),
    };
  });
  return {
    plotWidth,
    zeroY: yOf(0),
    grid: Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => {
      const amountInCents = bottom + index * step;
      return { y: yOf(amountInCents), amountInCents };
    }),
    months: placed,
    netLine: smooth(placed.map(({ x, netY }) => ({ x, y: netY }))),
  };
}

/** A curve that is flat at every point, so that it never overshoots an amount. */
function smooth(points: readonly { x: number; y: number }[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      const middle = round((before.x + x) / 2);
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

type Month = FinancialProfile["cashFlow"]["months"][number];

/** In and out by month, with the net as a line. The table below says the same in text. */
export function FlowChart({
  view: { profile, time },
}: {
  view: { profile: Pick<FinancialProfile, "cashFlow">; time: TimeContext };
}) {
  const { months } = profile.cashFlow;
  return (
    <section className="sec" aria-labelledby="cash-flow">
      <div className="sec-h prof-h">
        <h2 className="h2" id="cash-flow">
          Cash flow
        </h2>
        <div className="legend" aria-hidden="true">
          <span>
            <i className="prof-in" />
            In
          </span>
          <span>
            <i className="prof-out" />
            Out
          </span>
          <span>
            <i className="ln prof-net" />
            Net
          </span>
        </div>
      </div>
      <figure className="bal">
        <Drawing months={months} time={time} width={WIDTHS.WIDE} className="hide-s" />
        <Drawing months={months} time={time} width={WIDTHS.NARROW} className="only-s" />
        <MonthTable months={months} time={time} />
      </figure>
    </section>
  );
}

interface DrawingProps {
  months: readonly Month[];
  time: TimeContext;
  width: number;
  /** The screen sizes that show it. */
  className: string;
}

/** Month names that fit side by side on a phone. */
const NAMED_WHEN_NARROW = 6;

function Drawing({ months, time, width, className }: DrawingProps) {
  const geometry = flowChartGeometry(months, width);
  const isCrowded = width === WIDTHS.NARROW && months.length > NAMED_WHEN_NARROW;
  const last = geometry.months.at(-1);
  const lastMonth = months.at(-1);
  return (
    <svg
      className={`chart prof-c ${className}`}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={sentence(months, time)}
    >
      {geometry.grid.map(({ y, amountInCents }) => (
        <g key={amountInCents}>
          <path className={amountInCents === 0 ? "zero" : "grid"} d={`M0 ${y + 0.5}H${geometry.plotWidth}`} />
          <text x={width} y={y + 4} textAnchor="end">
            {axisAmount(amountInCents)}
          </text>
        </g>
      ))}
      {months.map(({ month }, index) => {
        const placed = geometry.months[index];
        if (!placed) return null;
        return (
          <g key={month}>
            <Rect bar={placed.in} className="prof-in" />
            <Rect bar={placed.out} className="prof-out" />
            <text
              x={placed.x}
              y={HEIGHT - 12}
              textAnchor="middle"
              className={index === months.length - 1 ? "strong" : undefined}
            >
              {isCrowded && (months.length - 1 - index) % 3 !== 0 ? null : monthName(month, time, "short")}
              {index === months.length - 1 && width === WIDTHS.WIDE ? ", so far" : null}
            </text>
          </g>
        );
      })}
      <path className="line prof-l" d={geometry.netLine} />
      {geometry.months.map(({ x, netY }) => (
        <circle key={x} className="dot prof-l" cx={x} cy={netY} r="3.5" />
      ))}
      {last && lastMonth && width === WIDTHS.WIDE ? (
        <text className="strong halo" x={last.out.x + last.out.width + 8} y={last.netY + 4}>
          {axisNet(lastMonth.netInCents)}
        </text>
      ) : null}
    </svg>
  );
}

function Rect({ bar, className }: { bar: Bar; className: string }) {
  return <rect className={className} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />;
}

/** `+$15.3k` */
function axisNet(netInCents: number): string {
  return `${netInCents > 0 ? "+" : ""}${axisAmount(netInCents)}`;
}

function sentence(months: readonly Month[], time: TimeContext): string {
  const parts = months.map(
    ({ month, inInCents, outInCents }) =>
      `${monthName(month, time, "long")}: ${formatCents(inInCents)} in, ${formatCents(outInCents)} out`,
  );
  return `Money in and out by month. ${parts.join(". ")}.`;
}

function MonthTable({ months, time }: { months: readonly Month[]; time: TimeContext }) {
  return (
    <details className="bal-t">
      <summary>Show as table</summary>
      <table className="ledger tight">
        <caption className="vh">Money in, out and net by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" className="num">
              In
            </th>
            <th scope="col" className="num">
              Out
            </th>
            <th scope="col" className="num">
              Net
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row">{monthName(month.month, time, "long")}</th>
              <td className="num">
                <Amount cents={month.inInCents} />
              </td>
              <td className="num">
                <Amount cents={month.outInCents} />
              </td>
              <td className="num">
                <Amount cents={month.netInCents} plus="whenPositive" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
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
