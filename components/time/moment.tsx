import { formatMoment, formatUtcStamp } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface MomentProps {
  at: string;
  time: TimeContext;
  /** Defaults to `Today, 11:26`. */
  format?: (at: string, time: TimeContext) => string;
}

/** An instant in the viewer's zone, with the full UTC stamp on hover. */
export function Moment({ at, time, format = formatMoment }: MomentProps) {
  return (
    <time dateTime={at} title={formatUtcStamp(at)}>
      {format(at, time)}
    </time>
  );
}
