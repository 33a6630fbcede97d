import { formatMoment, formatShortDay } from "@/components/time/format-instant";
import type { AuditSpanView, AuditView } from "@/lib/contract/views/audit-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const WIDTH = 1112;
const BASE = 58;
const TALLEST = 50;
const SPANS_PER_DAY = 6;

/** Two weeks of requests by four hours, drawn on the server; failures stand on top. Its text twin is a sentence. */
export function RequestsChart({ view: { spans, mostInSpan }, time }: { view: AuditView; time: TimeContext }) {
  const most = Math.max(1, ...spans.map(({ succeeded, failed }) => Math.min(mostInSpan, succeeded + failed)));
  const step = WIDTH / Math.max(1, spans.length);
  const heightOf = (count: number) => (Math.min(count, mostInSpan) * TALLEST) / most;
  return (
    <figure className="aud-g">
      <svg className="chart aud" viewBox={`0 0 ${WIDTH} 84`} role="img" aria-label={sentence(spans, time)}>
        {spans.map((span, index) => {
          const good = heightOf(span.succeeded);
          const bad = heightOf(span.failed);
          return (
            <g key={span.at}>
              <rect className="ok" x={index * step} y={BASE - good} width={step - 6} height={good} />
              <rect className="no" x={index * step} y={BASE - good - bad} width={step - 6} height={bad} />
            </g>
          );
        })}
        <path className="zero" d={`M0 ${BASE}.5H${WIDTH}`} />
        {spans.map((span, index) =>
          index % (SPANS_PER_DAY * 2) === 0 ? (
            <text key={span.at} x={index * step} y="76">
              {formatShortDay(span.at, time)}
            </text>
          ) : null,
        )}
        <text className="strong" x={WIDTH} y="76" textAnchor="end">
          Today
        </text>
      </svg>
    </figure>
  );
}

function sentence(spans: readonly AuditSpanView[], time: TimeContext): string {
  const busiest = spans.reduce<AuditSpanView | null>(
    (best, span) => (best && best.succeeded + best.failed >= span.succeeded + span.failed ? best : span),
    null,
  );
  if (!busiest || busiest.succeeded + busiest.failed === 0) return "No requests in the last 14 days.";
  return (
    `Requests for each four hours of the last 14 days, failures on top. Most were from ` +
    `${formatMoment(busiest.at, time)}: ${busiest.succeeded + busiest.failed}.`
  );
}
