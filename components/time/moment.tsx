import { formatMoment, formatUtcStamp } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";

interface MomentProps {
  at: string;
  time: TimeContext;
  /** Defaults to `Today, 11:26`. */
  format?: (at: string, time: TimeContext) => string;
}

/** Between the day and its clock: `Thu, Nov 19,` or `on Thu, Nov 19 at`, and `4:40 PM`. */
const BEFORE_CLOCK = /(?<=,|\bat) (?=\d{1,2}:\d{2})/;

/**
 * An instant in the viewer's zone, with the full UTC stamp on hover. In a narrow column it breaks into two lines at most,
 * before the clock.
 */
export function Moment({ at, time, format = formatMoment }: MomentProps) {
  const [day, clock] = format(at, time).split(BEFORE_CLOCK);
  return (
    <time dateTime={at} title={formatUtcStamp(at)}>
      <span className="whitespace-nowrap">{day}</span>
      {clock === undefined ? null : (
        <>
          {" "}
          <span className="whitespace-nowrap">{clock}</span>
        </>
      )}
    </time>
  );
}
