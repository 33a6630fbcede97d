import type { ScheduleDraft } from "@/lib/contract/rules/draft";

/**
 * The moment from which a schedule counts when it is to start on a calendar date of its zone: of one that runs once
 * its time on that date, else the date's beginning, so that a run on that date counts.
 * @param date `YYYY-MM-DD`
 * @returns ISO 8601 in UTC; null where date, time or zone is not one
 */
export function startOn(
  date: string,
  { frequency, time, timeZone }: Pick<ScheduleDraft, "frequency" | "time" | "timeZone">,
): string | null {
  const wallClock = `${date}T${frequency === "ONE_TIME" ? time : "00:00"}:00`;
  const asIfUtc = Date.parse(`${wallClock}Z`);
  const offset = Number.isNaN(asIfUtc) ? null : offsetAt(asIfUtc, timeZone);
  if (offset === null) return null;
  // The offset at the moment itself, which a change of clocks may have made another than the first guess.
  const settled = offsetAt(asIfUtc - offset, timeZone) ?? offset;
  return new Date(asIfUtc - settled).toISOString();
}

/** The date of a schedule's start in its zone, `YYYY-MM-DD`; null where there is none, or no such zone. */
export function startDate({ startAt, timeZone }: Pick<ScheduleDraft, "startAt" | "timeZone">): string | null {
  const at = startAt === null ? Number.NaN : Date.parse(startAt);
  const offset = Number.isNaN(at) ? null : offsetAt(at, timeZone);
  return offset === null ? null : new Date(at + offset).toISOString().slice(0, 10);
}

/** What a zone's clocks show less UTC, in ms; null for what is no zone. */
function offsetAt(at: number, timeZone: string): number | null {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const shown = Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
    return shown - Math.floor(at / 1_000) * 1_000;
  } catch {
    // Intl says so by throwing.
    return null;
  }
}
