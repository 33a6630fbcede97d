import { bankingDateOf, bankingInstant, previousBankingDay } from "@/lib/contract/banking-days";

/** Day of the month on which the card is due. */
const CARD_DUE_DAY = 25;

/** Days of the demo's history, counted back from the day of its creation, so that any day works. */
export interface DemoCalendar {
  /** The `n`-th banking day before today in New York; 1 is the latest. `YYYY-MM-DD` */
  bankingDay(n: number): string;
  /** That day at `time` (`HH:MM`) in New York. */
  at(n: number, time: string): Date;
  /** The latest banking day, as a number for `at`, that is at least `days` days before `date`. */
  bankingDayBefore(date: string, days: number): number;
  /** The card's due dates: the next one, and `count` before it, latest first. */
  nextCardDueDate: string;
  earlierCardDueDates(count: number): string[];
  /** The last `count` dates before `date` with this day of the month (1 to 28), latest first. */
  datesBefore(date: string, dayOfMonth: number, count: number): string[];
}

const DAY_MS = 86_400_000;

export function demoCalendar(now: Date, length: number): DemoCalendar {
  const today = bankingDateOf(now);
  const days: string[] = [];
  for (let date = today; days.length < length; ) {
    date = previousBankingDay(date);
    days.push(date);
  }
  function bankingDay(n: number): string {
    const day = days[n - 1];
    if (day === undefined) throw new RangeError(`The demo's history has ${length} banking days, not ${n}`);
    return day;
  }
  const dueThisMonth = monthsBefore(today, 0, CARD_DUE_DAY);
  const nextCardDueDate = dueThisMonth > today ? dueThisMonth : monthsBefore(today, -1, CARD_DUE_DAY);
  return {
    bankingDay,
    at: (n, time) => bankingInstant(bankingDay(n), time),
    bankingDayBefore(date, daysEarlier) {
      const latest = new Date(Date.parse(date) - daysEarlier * DAY_MS).toISOString().slice(0, 10);
      const index = days.findIndex((day) => day <= latest);
      if (index === -1) throw new RangeError(`The demo's history begins after ${latest}`);
      return index + 1;
    },
    nextCardDueDate,
    earlierCardDueDates: (count) => datesBefore(nextCardDueDate, CARD_DUE_DAY, count),
    datesBefore,
  };
}

function datesBefore(date: string, dayOfMonth: number, count: number): string[] {
  const isThisMonth = monthsBefore(date, 0, dayOfMonth) < date;
  return Array.from({ length: count }, (_, index) =>
    monthsBefore(date, index + (isThisMonth ? 0 : 1), dayOfMonth),
  );
}

/** The same day of the month, `count` months before `date`. */
function monthsBefore(date: string, count: number, dayOfMonth: number): string {
  const [year = 0, month = 0] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 - count, dayOfMonth)).toISOString().slice(0, 10);
}
