import type { MovementSearch } from "@/lib/contract/movement-search";
import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

const DAY_MS = 86_400_000;

/** Instants between which a list looks, both inclusive; null: without an end. */
export interface MovementWindow {
  from: Date | null;
  to: Date | null;
}

/**
 * The instants that a search means. Days are those of the viewer's time zone, both inclusive.
 * @param now business time
 */
export function movementWindow(
  { days, from, to }: Pick<MovementSearch, "days" | "from" | "to">,
  now: Date,
  timeZone: string,
): MovementWindow {
  if (from !== null || to !== null) {
    return {
      from: from === null ? null : midnight(dayOf(from), timeZone),
      to: to === null ? null : new Date(midnight(dayOf(to) + 1, timeZone).getTime() - 1),
    };
  }
  return { from: days === "all" ? null : new Date(now.getTime() - Number(days) * DAY_MS), to: null };
}

/** When the day begins there: at midnight, or when the clocks first show it. */
function midnight(day: number, timeZone: string): Date {
  const [first] = instantsOn(day, { runsOn: (each) => each === day, minutesOfDay: [0] }, timeZone);
  return new Date(first ?? day * DAY_MS);
}
