import type { SandboxDayView, SandboxView } from "@/lib/views/sandbox/read-sandbox-page";

/**
 * Business time in days: banking days hold water, closed days are dry. Not one drawing: scaled to a narrow window, its
 * words would be too small.
 */
export function DayStrip({ view }: { view: Pick<SandboxView, "days" | "dayFraction"> }) {
  return (
    <figure className="mt-2">
      <div
        className="hidden auto-cols-fr grid-flow-col grid-rows-[auto_26px_auto] gap-x-1 text-xs text-ink-3 sm:grid"
        aria-hidden="true"
      >
        {view.days.map((day, index) => (
          <Day key={day.date} day={day} nowAt={index === 0 ? view.dayFraction : null} />
        ))}
      </div>
      <ul className="grid gap-1.5 text-sm sm:sr-only">
        {view.days.map((day) => (
          <li key={day.date}>
            {dayName(day)}
            {day.events.length > 0 ? `: ${day.events.join(", ")}` : ""}
          </li>
        ))}
      </ul>
    </figure>
  );
}

interface DayProps {
  day: SandboxDayView;
  /** How far through this day business time is, 0 to 1; null on another day. */
  nowAt: number | null;
}

function Day({ day, nowAt }: DayProps) {
  const [first] = day.events;
  const water = day.isBankingDay ? "bg-water-2" : "border-x border-t border-rule bg-sunken";
  return (
    <div className="group/day row-span-3 grid min-w-0 grid-rows-subgrid">
      <span className="line-clamp-2 self-end px-1 pb-2 text-center [overflow-wrap:break-word]">
        {day.events.length > 1 ? `${day.events.length} settle` : first}
      </span>
      <span className={`relative grid place-items-center ${water}`}>
        <span className="absolute inset-x-0 bottom-0 -mr-1 border-b border-ink-3 group-last/day:mr-0" />
        {first ? <span className="size-2 rounded-full bg-teal" /> : null}
        {nowAt === null ? null : (
          <span className="absolute -inset-y-1.5 w-0.5 bg-ink" style={{ left: `${nowAt * 100}%` }} />
        )}
      </span>
      <span className={nowAt === null ? "pt-2" : "pt-2 font-semibold text-ink"}>{dayName(day)}</span>
    </div>
  );
}

function dayName(day: SandboxDayView): string {
  const name = new Intl.DateTimeFormat("en-US", { weekday: "short", timeZone: "UTC" }).format(
    Date.parse(`${day.date}T12:00:00Z`),
  );
  const words = `${name} ${Number(day.date.slice(8))}`;
  if (day.holiday) return `${words}, ${day.holiday}`;
  return day.isBankingDay ? words : `${words}, closed`;
}
