import { formatClock } from "@/components/time/format-instant";
import { comingAttempts, markWords, scheduleInWords } from "@/components/webhooks/delivery-words";
import { SCHEDULE_WIDTH, type ScheduleMark, scheduleMarks } from "@/components/webhooks/schedule-geometry";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { DeliveryView } from "@/lib/contract/views/webhooks-view";

const TOP = 40;
const BOTTOM = 52;
const MIDDLE = 46.5;

/** Attempts that were, and that come, on one line; water up to where it stands. */
export function ScheduleDrawing({ delivery, time }: { delivery: DeliveryView; time: TimeContext }) {
  const marks = scheduleMarks({
    attempts: delivery.history,
    nowAt: time.nowAt,
    nextAttempts: comingAttempts(delivery),
  });
  // One attempt that arrived is no schedule.
  if (marks.length < 2) return null;
  const words = scheduleInWords(delivery, time);
  const now = marks.find(({ kind }) => kind === "NOW");
  const waterTo = now?.x ?? marks.at(-1)?.x ?? 0;
  const height = marks.some((mark) => mark.hasLabel && markWords(mark.at, time).day) ? 96 : 80;
  return (
    <>
      <svg className="chart rt" viewBox={`0 0 ${SCHEDULE_WIDTH} ${height}`} role="img" aria-label={words}>
        <path className="w" d={`M0 ${TOP + 1}H${waterTo}V${BOTTOM}H0z`} />
        <path className="b" d={`M0 ${TOP}.5H${SCHEDULE_WIDTH}M0 ${BOTTOM}.5H${SCHEDULE_WIDTH}`} />
        {marks.map((mark) => (
          <Mark key={`${mark.kind} ${mark.at}`} mark={mark} time={time} />
        ))}
      </svg>
      <p className="meta only-s" aria-hidden="true">
        {words}
      </p>
    </>
  );
}

function Mark({ mark, time }: { mark: ScheduleMark; time: TimeContext }) {
  const { kind, x } = mark;
  if (kind === "NOW") {
    return (
      <>
        <path className="now" d={`M${x}.5 30V58`} />
        <text
          className="strong"
          x={Math.min(Math.max(x, 34), SCHEDULE_WIDTH - 34)}
          y="20"
          textAnchor="middle"
        >
          Now {formatClock(time.nowAt, time)}
        </text>
      </>
    );
  }
  return (
    <>
      {kind === "FAILED" ? <path className="x" d={`m${x - 4} 42.5 8 8m0-8-8 8`} /> : null}
      {kind === "DELIVERED" ? <path className="y" d={`m${x - 4} 46.5 3 4 5-8`} /> : null}
      {kind === "NEXT" ? <circle className="nx" cx={x} cy={MIDDLE} r="5" /> : null}
      {mark.hasLabel ? <MarkLabel mark={mark} time={time} /> : null}
    </>
  );
}

function MarkLabel({ mark: { at, x }, time }: { mark: ScheduleMark; time: TimeContext }) {
  const { clock, day } = markWords(at, time);
  const isFirst = x < 20;
  const isLast = x > SCHEDULE_WIDTH - 20;
  const place = {
    x: isFirst ? 0 : isLast ? SCHEDULE_WIDTH : x,
    textAnchor: isFirst ? ("start" as const) : isLast ? ("end" as const) : ("middle" as const),
  };
  return (
    <>
      <text {...place} y="74">
        {clock}
      </text>
      {day ? (
        <text {...place} y="90">
          {day}
        </text>
      ) : null}
    </>
  );
}
