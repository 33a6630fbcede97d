import { calendarDate, dayOf, midnightOf } from "@/lib/engine/schedule/calendar-day";

/** Converts between instants and a time zone's wall clock. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** UTC offsets range from −12:00 to +14:00. */
const MOST_AHEAD_MS = 14 * HOUR_MS;
const MOST_BEHIND_MS = 12 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

interface Zone {
  format: Intl.DateTimeFormat;
  /** The UTC offset in milliseconds at the edges of cells, by their number. */
  edges: Map<number, number>;
  /** The changes within a cell whose edges differ, by its number. */
  changes: Map<number, readonly Change[]>;
}

/** From this moment on, clocks have this offset. */
interface Change {
  at: number;
  offset: number;
}

/** Formatters are expensive to create and few: one per time zone in use. */
const zones = new Map<string, Zone>();
const MAXIMUM_ZONES = 500;
/** Clocks never change and change back within a cell: one offset at both edges is that of the whole cell. */
const CELL_MS = 4 * DAY_MS;
/** Of one zone: a century. */
const MAXIMUM_EDGES = 10_000;

/** The calendar day of a moment in the zone. */
export function dayAt(instant: number, timeZone: string): number {
  return dayOf(calendarDate(new Date(instant), timeZone));
}

/**
 * The moments of one local day at which something with these days and times runs: in order, each once. A time that clocks
 * skip is the same number of minutes after the gap (02:30 → 03:30), on the day that they show then; one that they show
 * twice is the first of the two.
 * @param minutesOfDay ascending
 * @returns milliseconds since 1970
 */
export function instantsOn(
  day: number,
  { runsOn, minutesOfDay }: { runsOn: (day: number) => boolean; minutesOfDay: readonly number[] },
  timeZone: string,
): number[] {
  const isSpilling = runsOn(day - 1) && steadyOffset(day - 1, timeZone) === null;
  if (!isSpilling && !runsOn(day)) return [];
  const offset = isSpilling ? null : steadyOffset(day, timeZone);
  if (offset !== null) return minutesOfDay.map((minutes) => midnightOf(day) + minutes * MINUTE_MS - offset);
  const named = [day - 1, day]
    .filter(runsOn)
    .flatMap((each) => minutesOfDay.map((minutes) => midnightOf(each) + minutes * MINUTE_MS));
  const instants = new Set(named.map((asIfUtc) => instantShowing(asIfUtc, timeZone)));
  // Clocks may change at the end of a day: times skipped then belong to the next day.
  return [...instants]
    .filter((instant) => Math.floor((instant + offsetAt(instant, timeZone)) / DAY_MS) === day)
    .sort((left, right) => left - right);
}

/** The UTC offset of the whole day, in milliseconds; null if it changes during the day. */
function steadyOffset(day: number, timeZone: string): number | null {
  const before = offsetAt(midnightOf(day) - MOST_AHEAD_MS, timeZone);
  const after = offsetAt(midnightOf(day) + DAY_MS + MOST_BEHIND_MS, timeZone);
  return before === after ? before : null;
}

/** @param asIfUtc the wall-clock time, as if it were UTC */
function instantShowing(asIfUtc: number, timeZone: string): number {
  const before = asIfUtc - offsetAt(asIfUtc - MOST_AHEAD_MS, timeZone);
  const after = asIfUtc - offsetAt(asIfUtc + MOST_BEHIND_MS, timeZone);
  const shows = (instant: number) => instant + offsetAt(instant, timeZone) === asIfUtc;
  const [first] = [before, after].filter(shows).sort((left, right) => left - right);
  // Neither: the time is skipped. The offset before the gap puts it equally long after the gap.
  return first ?? before;
}

/** Asking Intl takes as long as all else about a day, so an offset is asked once for many days. */
function offsetAt(instant: number, timeZone: string): number {
  const zone = zoneOf(timeZone);
  const cell = Math.floor(instant / CELL_MS);
  let offset = edgeOffset(zone, cell);
  if (offset === edgeOffset(zone, cell + 1)) return offset;
  for (const change of changesIn(zone, cell)) if (instant >= change.at) offset = change.offset;
  return offset;
}

/** A schedule may run every minute of a day on which clocks change, and asks for the offset several times each. */
function changesIn(zone: Zone, cell: number): readonly Change[] {
  const known = zone.changes.get(cell);
  if (known) return known;
  if (zone.changes.size >= MAXIMUM_EDGES) zone.changes.clear();
  const from = { at: cell * CELL_MS, offset: edgeOffset(zone, cell) };
  const to = { at: (cell + 1) * CELL_MS, offset: edgeOffset(zone, cell + 1) };
  const changes = changesBetween(zone, from, to);
  zone.changes.set(cell, changes);
  return changes;
}

/** By bisection, to the second: clocks change at whole seconds. Offsets that are equal at both ends do not change between. */
function changesBetween(zone: Zone, from: Change, to: Change): Change[] {
  if (from.offset === to.offset) return [];
  if (to.at - from.at <= SECOND_MS) return [to];
  const at = Math.floor((from.at + to.at) / 2 / SECOND_MS) * SECOND_MS;
  const middle = { at, offset: readOffset(zone, at) };
  return [...changesBetween(zone, from, middle), ...changesBetween(zone, middle, to)];
}

function edgeOffset(zone: Zone, cell: number): number {
  const known = zone.edges.get(cell);
  if (known !== undefined) return known;
  if (zone.edges.size >= MAXIMUM_EDGES) zone.edges.clear();
  const offset = readOffset(zone, cell * CELL_MS);
  zone.edges.set(cell, offset);
  return offset;
}

function readOffset({ format }: Zone, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  // Clocks show whole seconds.
  return shown - Math.floor(instant / SECOND_MS) * SECOND_MS;
}

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  if (zones.size >= MAXIMUM_ZONES) zones.clear();
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const zone = { format, edges: new Map<number, number>(), changes: new Map<number, Change[]>() };
  zones.set(timeZone, zone);
  return zone;
}

/**
 * The first moment of a calendar day in a time zone, even if clocks skip midnight.
 * @param date `YYYY-MM-DD`
 */
export function startOfDay(date: string, timeZone: string): Date {
  const [first] = instantsOn(dayOf(date), { runsOn: () => true, minutesOfDay: [0] }, timeZone);
  if (first === undefined) throw new RangeError(`There is no midnight on ${date} in ${timeZone}`);
  return new Date(first);
}
