import { formatMoment } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An instant in the middle of a sentence: `today at 11:26`, `on Thu 19 Nov at 16:40`, `on 3 Aug 2025`. */
export function formatInSentence(at: string, time: TimeContext): string {
  const [day, clock] = formatMoment(at, time).split(", ");
  const when = day === "Today" ? "today" : `on ${day}`;
  return clock === undefined ? when : `${when} at ${clock}`;
}
