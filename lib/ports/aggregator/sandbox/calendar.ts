import { bankingInstant } from "@/lib/contract/banking-days";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Ten years of days: an organization whose clock was moved further sees no more of the sandbox's past. */
const MAX_DAYS = 3_660;

/** Dates (`YYYY-MM-DD`) from `first` to `last`, both inclusive. */
export function eachDate(first: string, last: string): string[] {
  const start = Date.parse(first);
  const count = Math.min(MAX_DAYS, Math.floor((Date.parse(last) - start) / DAY_MS) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => dateAt(start + index * DAY_MS));
}

export function addDays(date: string, days: number): string {
  return dateAt(Date.parse(date) + days * DAY_MS);
}

/** The same day of the month, `months` later (negative: earlier); `day` is at most 28, so that every month has it. */
export function dayInMonth(date: string, months: number, day: number): string {
  const [year = 0, month = 1] = date.split("-").map(Number);
  return dateAt(Date.UTC(year, month - 1 + months, day));
}

export function dayOfMonth(date: string): number {
  return Number(date.slice(8));
}

export function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}

/** Whole weeks since the start of 1970, to tell odd weeks from even ones. */
export function weekOf(date: string): number {
  return Math.floor(Date.parse(date) / DAY_MS / 7);
}

/** 0 = Sunday. */
export function weekdayOf(date: string): number {
  return new Date(Date.parse(date)).getUTCDay();
}

/** When days begin in New York. Computing an offset is slow, and a date always has the same one. */
const midnights = new Map<string, number>();

/** So many minutes after midnight in New York. */
export function newYorkTime(date: string, minutes: number): Date {
  let midnight = midnights.get(date);
  if (midnight === undefined) {
    // Bounded by the calendar's length.
    if (midnights.size > 2 * MAX_DAYS) midnights.clear();
    midnight = bankingInstant(date, "00:00").getTime();
    midnights.set(date, midnight);
  }
  return new Date(midnight + minutes * MINUTE_MS);
}

function dateAt(epoch: number): string {
  return new Date(epoch).toISOString().slice(0, 10);
}
