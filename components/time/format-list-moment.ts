import { formatMoment } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An instant in a narrow column: `11:24` of today, `Thu 19 Nov`, `3 Aug 2025` in another year. */
export function formatListMoment(at: string, time: TimeContext): string {
  const [day = "", clock] = formatMoment(at, time).split(", ");
  return day === "Today" && clock !== undefined ? clock : day;
}
