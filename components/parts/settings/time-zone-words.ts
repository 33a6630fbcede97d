import type { TimeContext } from "@/lib/contract/time-context";

/** `Eastern Time, New York`. */
export function timeZoneWords(
  timeZone: string,
  { nowAt, locale }: Pick<TimeContext, "nowAt" | "locale">,
): string {
  const name = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longGeneric" })
    .formatToParts(Date.parse(nowAt))
    .find(({ type }) => type === "timeZoneName")?.value;
  const place = timeZone.split("/").at(-1)?.replaceAll("_", " ") ?? timeZone;
  return !name || name.includes(place) ? (name ?? place) : `${name}, ${place}`;
}
