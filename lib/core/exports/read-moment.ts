/** As an operator writes it, or PostgreSQL: `2026-11-28 14:05:00+01`. */
const FORM =
  /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d(?:\.\d{1,6})?))?(?: ?(Z|UTC|([+-]\d\d)(?::?(\d\d))?))?$/i;
/** By how much clocks go back: an hour, or half of one on Lord Howe Island. */
const GO_BACK_MS = [1_800_000, 3_600_000];

/**
 * Reads a moment with a zone of its own, else in that of this machine. What no calendar or clock shows is refused, where
 * `Date` would make 3 March of 31 February, and so is a time that clocks show twice.
 * @throws Error that says what is wrong, to follow the name of an option
 */
export function readMoment(text: string): Date {
  const [, date = "", minutes = "", seconds = "00", zone = "", hours = "", restOfHour = "00"] =
    FORM.exec(text.trim()) ?? [];
  const written = `${date}T${minutes}:${seconds}`;
  if (date === "")
    throw new Error(
      'must be a moment such as "2026-11-28 14:05:00", in the time zone of this machine, or with one of its own: ' +
        '"2026-11-28 14:05:00+01:00", 2026-11-28T14:05:00Z',
    );
  const asUtc = new Date(`${written}Z`);
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(`${date}T${minutes}`))
    throw new Error("is a day or a time that does not exist");
  if (zone !== "") {
    const moment = new Date(`${written}${hours === "" ? "Z" : `${hours}:${restOfHour}`}`);
    if (Number.isNaN(moment.getTime())) throw new Error("has a zone that does not exist");
    return moment;
  }
  const local = new Date(written);
  if (showLocal(local) !== `${date}T${minutes}`)
    throw new Error("is a time that the clocks of this machine skip: add a zone, such as +01:00");
  if (GO_BACK_MS.some((ms) => [ms, -ms].some((by) => showLocal(local, by) === showLocal(local))))
    throw new Error("is a time that the clocks of this machine show twice: add a zone, such as +01:00");
  return local;
}

/** The date and the minute on the clocks of this machine, `later` milliseconds after a moment. */
function showLocal(moment: Date, later = 0): string {
  const at = new Date(moment.getTime() + later);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
