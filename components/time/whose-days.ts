import { formatClock, inOrganization } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";
import { zoneWords } from "@/lib/words/rules/schedule-words";

/** Follows a number of days where the organization's are not the reader's: ` (New York time)`. */
export function whoseDays(time: TimeContext): string {
  const { viewerTimeZone, timeZone, nowAt } = time;
  if (!viewerTimeZone || formatClock(nowAt, time) === formatClock(nowAt, inOrganization(time))) return "";
  return ` (${zoneWords(timeZone)})`;
}
