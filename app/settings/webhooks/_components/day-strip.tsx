import type { EndpointDayView } from "@/lib/views/webhooks/endpoint-facts";

const STEP = 6;
const BAR = 4;
const BASE = 22;
const TALLEST = 20;
const FAULT = 4;

/**
 * One bar a day: delivered as water, failed in red, and a mark below the line where attempts failed. `daysInWords` is
 * its text.
 */
export function DayStrip({ days }: { days: readonly EndpointDayView[] }) {
  const width = days.length * STEP;
  const most = Math.max(...days.map(({ delivered, gaveUp }) => delivered + gaveUp), 1);
  // The square root keeps one event visible beside a thousand.
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, TALLEST * Math.sqrt(count / most)));
  return (
    <svg
      className="block w-full h-auto"
      viewBox={`0 0 ${width} 30`}
      role="img"
      aria-label={daysInWords(days)}
    >
      <path className="stroke-rule-strong" d={`M0 ${BASE}.5H${width}`} />
      {days.map(({ day, delivered, gaveUp, failedAttempts }, index) => {
        const x = index * STEP + 1;
        const whole = height(delivered + gaveUp);
        const bad = Math.max(2, (whole * gaveUp) / (delivered + gaveUp));
        return (
          <g key={day}>
            {delivered > 0 ? (
              <rect className="fill-water" x={x} y={BASE - whole} width={BAR} height={whole} />
            ) : null}
            {gaveUp > 0 ? (
              <rect className="fill-red" x={x} y={BASE - whole} width={BAR} height={bad} />
            ) : null}
            {failedAttempts > 0 ? (
              <rect className="fill-red" x={x} y={BASE + 3} width={BAR} height={FAULT} />
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}

/** `In 30 days: 1,204 delivered, 3 failed; 12 failed attempts on 2 days.` */
export function daysInWords(days: readonly EndpointDayView[]): string {
  const sum = (count: (day: EndpointDayView) => number) => days.reduce((total, day) => total + count(day), 0);
  const [delivered, gaveUp, failed] = [
    sum((day) => day.delivered),
    sum((day) => day.gaveUp),
    sum((day) => day.failedAttempts),
  ];
  const when = `In ${days.length} days`;
  if (delivered + gaveUp + failed === 0) return `${when}: nothing was sent.`;
  const number = (count: number) => count.toLocaleString("en-US");
  const ended = `${when}: ${number(delivered)} delivered, ${number(gaveUp)} failed`;
  if (failed === 0) return `${ended}; no failed attempts.`;
  const failingDays = days.filter((day) => day.failedAttempts > 0).length;
  const on = failingDays === 1 ? "1 day" : `${failingDays} days`;
  return `${ended}; ${number(failed)} failed ${failed === 1 ? "attempt" : "attempts"} on ${on}.`;
}
