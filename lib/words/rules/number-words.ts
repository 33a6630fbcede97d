import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { writeClock, writeDay } from "@/lib/contract/write-date";

const NUMBERS = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** Small numbers in words: `five`, `13`. */
export function numberWords(count: number): string {
  return NUMBERS[count] ?? String(count);
}

/** `1st`, `22nd`, `13th`. */
export function ordinal(day: number): string {
  const lastTwo = Math.abs(day) % 100;
  const isTeen = lastTwo >= 11 && lastTwo <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][lastTwo % 10] ?? "th");
  return `${day}${ending}`;
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** @param day 1 (Monday) to 7; a rule may compare with another number, which is shown as is */
export function weekday(day: number): string {
  return WEEKDAYS[day - 1] ?? `day ${day} of the week`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** @param month 1 to 12 */
export function monthName(month: number): string {
  return MONTHS[month - 1] ?? `month ${month}`;
}

/** Shown in the place of a stored date that no calendar of ours reaches. */
export const UNREADABLE_DATE = "an unreadable date";

/** `2026-08-03` becomes `Aug 3, 2026`, or `3 Aug 2026` for readers who write it so. */
export function dateWords(date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return UNREADABLE_DATE;
  const [year, month, day] = date.split("-").map(Number);
  return writeDay({ day: day ?? 1, month: month ?? 1, ...(year && { year }) }, { space: " " });
}

/** `17:00`, as rules store it, becomes `5:00 PM` for readers who write it so. */
export function clockWords(time: string): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return writeClock({ hour, minute }, { space: " " });
}

/** `27%`, `0.0001%`: never in exponential notation. */
export function percentWords(percentage: number): string {
  return `${percentage.toFixed(4).replace(/\.?0+$/, "")}%`;
}

/** An account's name in sentences. An unreadable account is shown without its id, which means nothing to people. */
export function accountName(names: AccountNames, accountId: string): string {
  const account = names[accountId];
  if (!account) return "a removed account";
  return account.isClosed ? `${account.name} (closed)` : account.name;
}

/** Whether all of them are pods: `five pods`, otherwise `five accounts`. */
export function areAllPods(names: AccountNames, accountIds: readonly string[]): boolean {
  return accountIds.every((id) => names[id]?.kind === "POD");
}
