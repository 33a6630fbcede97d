import { X } from "lucide-react";
import { Section } from "@/components/layout/section";
import { formatDate } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ConnectionPageView, RefreshDayState } from "@/lib/views/connections/read-connection-page";

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
      {/* Not one drawing: scaled to a phone, its words would be too small. */}
      <div className="mt-4 grid grid-cols-7 gap-x-2 gap-y-3 sm:grid-cols-14" aria-hidden="true">
        {days.map(({ date, state }, index) => (
          <Day
            key={date}
            state={state}
            label={index === days.length - 1 ? "Today" : String(Number(date.slice(8)))}
          />
        ))}
      </div>
      <ul className="sr-only">
        {days.map(({ date, state }) => (
          <li key={date}>
            {formatDate(date, time)}: {STATE_WORDS[state]}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const DAY_LOOK: Record<RefreshDayState, string> = {
  SUCCEEDED: "bg-water-2",
  FAILED: "border border-red",
  NONE: "border border-ink-3",
  CLOSED: "border border-rule bg-sunken",
};

function Day({ state, label }: { state: RefreshDayState; label: string }) {
  return (
    <span className="grid justify-items-center gap-1.5 text-xs">
      <span className={`grid h-5 w-8 place-items-center ${DAY_LOOK[state]}`}>
        {state === "FAILED" ? <X className="size-3.5 text-red" /> : null}
      </span>
      <span className={label === "Today" ? "font-semibold text-ink" : "text-ink-3"}>{label}</span>
    </span>
  );
}
