import {
  bankHolidayOn,
  bankingDateOf,
  bankingInstant,
  bankingTimeOf,
  isBankingDay,
  nextBankingDay,
} from "@/lib/contract/banking-days";
import type { SandboxDayView, SandboxJump } from "@/lib/contract/views/sandbox-view";

const DAYS_SHOWN = 8;
const DAY_MS = 86_400_000;
/** When banks have posted what settles in the morning. */
const AFTER_POSTING = "09:00";
const AFTERNOON = "13:00";

/** The days from business time on, with what is expected on each (`YYYY-MM-DD` in New York). */
export function planDays(now: Date, events: readonly { date: string; label: string }[]): SandboxDayView[] {
  const first = bankingInstant(bankingDateOf(now), "12:00");
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const date = bankingDateOf(new Date(first.getTime() + index * DAY_MS));
    return {
      date,
      isBankingDay: isBankingDay(date),
      holiday: bankHolidayOn(date),
      events: events.filter((event) => event.date === date).map((event) => event.label),
    };
  });
}

/** How far through its day in New York a moment is, 0 to 1. */
export function dayFraction(now: Date): number {
  const [hours = "0", minutes = "0"] = bankingTimeOf(now).split(":");
  return (Number(hours) * 60 + Number(minutes)) / (24 * 60);
}

/** Where one step may lead. */
export function planJumps(now: Date): SandboxJump[] {
  const today = bankingDateOf(now);
  const afternoon: SandboxJump[] =
    bankingTimeOf(now) < AFTERNOON
      ? [{ kind: "THIS_AFTERNOON", toAt: bankingInstant(today, AFTERNOON).toISOString() }]
      : [];
  return [
    ...afternoon,
    { kind: "NEXT_BANKING_DAY", toAt: bankingInstant(nextBankingDay(today), AFTER_POSTING).toISOString() },
    { kind: "NEXT_WEEK", toAt: new Date(now.getTime() + 7 * DAY_MS).toISOString() },
  ];
}
