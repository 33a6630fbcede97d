import type { SandboxDayView, SandboxView } from "@/lib/contract/views/sandbox-view";

const DAY_WIDTH = 134;
const STEP = 138;
const HEIGHT = 92;

/** Business time in days: banking days hold water, closed days are dry. */
export function DayStrip({ view }: { view: Pick<SandboxView, "days" | "dayFraction"> }) {
  const nowX = Math.round(view.dayFraction * DAY_WIDTH);
  const width = view.days.length * STEP;
  return (
    <figure className="days-f">
      <svg className="days" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {view.days.map((day, index) => (
          <Day key={day.date} day={day} x={index * STEP} isFirst={index === 0} />
        ))}
        <path className="b" d={`M0 60.5H${width - 4}`} />
        <path className="now" d={`M${nowX} 30V68`} />
      </svg>
      <ul className="days-l">
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

function Day({ day, x, isFirst }: { day: SandboxDayView; x: number; isFirst: boolean }) {
  const [first] = day.events;
  const middle = x + DAY_WIDTH / 2;
  return (
    <g>
      <rect className={day.isBankingDay ? "o" : "c"} x={x} y={34} width={DAY_WIDTH} height={26} />
      <text className={isFirst ? "strong" : undefined} x={x} y={82}>
        {dayName(day)}
      </text>
      {first ? (
        <>
          <circle className="ev" cx={middle} cy={47} r={4} />
          <text x={middle} y={26} textAnchor="middle">
            {day.events.length === 1 ? shorten(first) : `${day.events.length} settle`}
          </text>
        </>
      ) : null}
    </g>
  );
}

/** Characters that fit in a day's width. */
function shorten(words: string): string {
  return words.length <= 21 ? words : `${words.slice(0, 20)}…`;
}

function dayName(day: SandboxDayView): string {
  const name = new Intl.DateTimeFormat("en-US", { weekday: "short", timeZone: "UTC" }).format(
    Date.parse(`${day.date}T12:00:00Z`),
  );
  const words = `${name} ${Number(day.date.slice(8))}`;
  if (day.holiday) return `${words}, ${day.holiday}`;
  return day.isBankingDay ? words : `${words}, closed`;
}
