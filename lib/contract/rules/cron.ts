/**
 * A cron expression of five fields, as crontab(5) defines it: minute, hour, day of month, month, day of week (0 to 7,
 * 0 and 7 are Sunday). A field is a list of `*`, `a`, `a-b`, each but `a` with an optional step `/s`. Months and days of the
 * week may be written by their first three letters, in any case.
 * Own code, because libraries mainly add the handling of clock changes, and there they differ from what we promise:
 * croner 11 runs a skipped 02:30 at 03:00, and runs a list of times twice in the repeated hour.
 */
export interface CronTimes {
  /** Minutes of the day, ascending: every hour with every minute. */
  minutesOfDay: readonly number[];
  daysOfMonth: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** 0 (Sunday) to 6. */
  daysOfWeek: ReadonlySet<number>;
  /** If both day fields are restricted (neither contains a `*`), a day in either of them counts. */
  isEitherDay: boolean;
}

interface Field {
  name: string;
  least: number;
  most: number;
  /** In the order of their numbers, from `least`. */
  names: readonly string[];
}

const MINUTE: Field = { name: "the minute", least: 0, most: 59, names: [] };
const HOUR: Field = { name: "the hour", least: 0, most: 23, names: [] };
const DAY_OF_MONTH: Field = { name: "the day of the month", least: 1, most: 31, names: [] };
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const MONTH: Field = { name: "the month", least: 1, most: 12, names: MONTHS };
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const DAY_OF_WEEK: Field = { name: "the day of the week", least: 0, most: 7, names: DAYS };

/** The maximum length of each month. */
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** A problem of an expression, to follow the name of its field: "must …". */
export class CronProblem extends Error {
  override readonly name = "CronProblem";
}

/** @throws CronProblem for an unreadable expression, or one that names no day of any year. */
export function parseCron(expression: string): CronTimes {
  const [minute, hour, dayOfMonth, month, dayOfWeek, ...more] = expression.split(" ");
  const isReadable = /^[!-~ ]*$/.test(expression);
  if (!isReadable || !minute || !hour || !dayOfMonth || !month || !dayOfWeek || more.length > 0) {
    throw new CronProblem("must be a cron expression of five fields");
  }
  const minutes = readField(MINUTE, minute);
  const minutesOfDay = readField(HOUR, hour).flatMap((hours) => minutes.map((minute) => hours * 60 + minute));
  const times: CronTimes = {
    minutesOfDay,
    daysOfMonth: new Set(readField(DAY_OF_MONTH, dayOfMonth)),
    months: new Set(readField(MONTH, month)),
    daysOfWeek: new Set(readField(DAY_OF_WEEK, dayOfWeek).map((day) => day % 7)),
    isEitherDay: !dayOfMonth.includes("*") && !dayOfWeek.includes("*"),
  };
  if (!canRun(times))
    throw new CronProblem(`must name a day that exists: day ${dayOfMonth} of month ${month} never comes`);
  return times;
}

/** Every day of the week occurs; a day of the month only if one of the months has it. */
function canRun({ isEitherDay, daysOfMonth, months }: CronTimes): boolean {
  if (isEitherDay) return true;
  const firstDay = Math.min(...daysOfMonth);
  return [...months].some((month) => firstDay <= (LONGEST_MONTHS[month - 1] ?? 0));
}

/** The values of a field, ascending. */
function readField(field: Field, text: string): number[] {
  const values = new Set(text.split(",").flatMap((part) => readPart(field, part)));
  return [...values].sort((left, right) => left - right);
}

function readPart(field: Field, part: string): number[] {
  const match = /^(?:(\*)|(\d{1,2}|[a-z]{3})(?:-(\d{1,2}|[a-z]{3}))?)(?:\/(\d{1,2}))?$/i.exec(part);
  const refuse = (what: string): never => {
    throw new CronProblem(`must be a cron expression: ${field.name} ${what}, not «${part}»`);
  };
  const [, star, from, to, step] = match ?? [];
  const numbers = field.names.length === 0 ? "numbers" : `numbers, names like ${field.names[1]}`;
  if (!match || [from, to].some((name) => name !== undefined && Number.isNaN(numberOf(field, name)))) {
    return refuse(`is a list of *, ${numbers}, and ranges with steps`);
  }
  if (step !== undefined && star === undefined && to === undefined)
    return refuse("has steps of * or of a range only");
  const first = star === undefined ? numberOf(field, from ?? "") : field.least;
  // `*` of the day of the week is Sunday to Saturday once, so a step counts from Sunday.
  const last =
    star === undefined
      ? endOf(field, to ?? from ?? "", first)
      : Math.min(field.most, field === DAY_OF_WEEK ? 6 : field.most);
  if (first < field.least || last > field.most) return refuse(`is ${field.least} to ${field.most}`);
  if (first > last) return refuse("has ranges from the lower to the higher");
  const stride = Number(step ?? 1);
  if (stride === 0) return refuse("has steps of at least 1");
  return Array.from(
    { length: Math.floor((last - first) / stride) + 1 },
    (_, index) => first + index * stride,
  );
}

/** Of a number or a name; NaN for a name that the field does not have. */
function numberOf({ names, least }: Field, text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const place = names.indexOf(text.toUpperCase());
  return place === -1 ? Number.NaN : place + least;
}

/** A range that ends on SUN ends with the week: 7 and not 0. */
function endOf(field: Field, text: string, first: number): number {
  const number = numberOf(field, text);
  return field === DAY_OF_WEEK && number === 0 && first > 0 && /^\D/.test(text) ? 7 : number;
}
