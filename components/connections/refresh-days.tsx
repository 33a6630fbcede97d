import { formatDate } from "@/components/time/format-instant";
import { Section } from "@/components/ui/section";
import type { ConnectionPageView, RefreshDayState } from "@/lib/contract/views/connections-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const STEP = 44;
const DAY = { width: 32, height: 20, y: 10 };

const STATE_WORDS: Record<RefreshDayState, string> = {
  SUCCEEDED: "refreshed",
  FAILED: "failed",
  NONE: "no refresh",
  CLOSED: "no banking",
};

/** The refreshes of two weeks, with a list for screen readers. */
export function RefreshDays({ view: { days }, time }: { view: ConnectionPageView; time: TimeContext }) {
  const failed = days.filter(({ state }) => state === "FAILED").length;
  return (
    <Section
      id="refreshes"
      title="Refreshes"
      fact={`${failed === 0 ? "None failed" : `${failed} failed`}. Gray: no banking day.`}
    >
      <svg className="days cnn-d" viewBox={`0 0 ${days.length * STEP + 4} 56`} aria-hidden="true">
        {days.map(({ date, state }, index) => (
          <Day
            key={date}
            x={8 + index * STEP}
            state={state}
            label={index === days.length - 1 ? "Today" : String(Number(date.slice(8)))}
          />
        ))}
      </svg>
      <ul className="vh">
        {days.map(({ date, state }) => (
          <li key={date}>
            {formatDate(date, time)}: {STATE_WORDS[state]}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const DAY_CLASS: Record<RefreshDayState, string> = { SUCCEEDED: "o", FAILED: "x", NONE: "b", CLOSED: "c" };

function Day({ x, state, label }: { x: number; state: RefreshDayState; label: string }) {
  const middle = x + DAY.width / 2;
  return (
    <>
      <rect className={DAY_CLASS[state]} x={x} {...DAY} />
      {state === "FAILED" ? <path className="x" d={`M${middle - 4} 16l8 8m0-8l-8 8`} /> : null}
      <text className={label === "Today" ? "strong" : undefined} x={middle} y="46" textAnchor="middle">
        {label}
      </text>
    </>
  );
}
