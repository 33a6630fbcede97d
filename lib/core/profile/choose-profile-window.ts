import { AppError } from "@/lib/contract/error";
import { DATE_WINDOW_MS, MAXIMUM_PROFILE_DAYS } from "@/lib/contract/limits";

export interface ProfileRange {
  /** Default: 90 days before `to`. */
  from: Date | null;
  /** Default: now. A later date is treated as now: no report includes the future. */
  to: Date | null;
}

export interface ProfileWindow {
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;

/**
 * The window of a profile, inclusive at both ends.
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
