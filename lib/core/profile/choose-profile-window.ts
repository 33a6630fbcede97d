import { AppError } from "@/lib/contract/error";
import { DATE_WINDOW_MS, MAXIMUM_PROFILE_DAYS } from "@/lib/contract/limits";

export interface ProfileRange {
  /** Default: 90 days before `to`. */
  from: Date | null;
  /** Default: now. A later one is now: what has not happened is in no report. */
  to: Date | null;
}

export interface ProfileWindow {
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;

/**
 * The window of a profile, both ends inclusive.
 * @param now business time
 * @throws AppError `INVALID_PARAMETERS`
 */
export function chooseProfileWindow(range: ProfileRange, now: Date): ProfileWindow {
  const to = range.to && range.to < now ? range.to : now;
  const from = range.from ?? new Date(to.getTime() - DATE_WINDOW_MS);
  if (from > to) refuse("must not be after to, nor in the future");
  if (to.getTime() - from.getTime() > MAXIMUM_PROFILE_DAYS * DAY_MS) {
    refuse(`must be at most ${MAXIMUM_PROFILE_DAYS} days before to`);
  }
  return { from, to };
}

function refuse(message: string): never {
  throw new AppError("INVALID_PARAMETERS", `from: ${message}.`, [{ field: "from", message }]);
}
