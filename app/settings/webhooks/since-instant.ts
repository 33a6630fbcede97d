import type { TimeContext } from "@/lib/contract/time-context";
import type { ReplaySince } from "@/lib/contract/webhooks";
import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

const HOUR_MS = 3_600_000;

/** Hours before now, or a local time of the organization. */
export function sinceInstant(since: ReplaySince, { nowAt, timeZone }: TimeContext): Date {
  if (since.kind === "HOURS") return new Date(Date.parse(nowAt) - since.hours * HOUR_MS);
  const [date = "", clock = ""] = since.local.split("T");
  const [hours, minutes] = clock.split(":").map(Number);
  const minutesOfDay = [(hours ?? 0) * 60 + (minutes ?? 0)];
  const [instant] = instantsOn(dayOf(date), { runsOn: () => true, minutesOfDay }, timeZone);
  // Skipped by a clock change at midnight: read as UTC, at most a day off.
  return new Date(instant ?? Date.parse(`${since.local}Z`));
}
