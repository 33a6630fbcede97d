import { formatCents, writeCents } from "@/lib/contract/format-cents";
import type { BrokenMandate, MandateConstraint, MandatePeriod } from "@/lib/contract/mandates/mandate";
import { dateOf, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { dayCountWords, timesWords } from "@/lib/words/mandates/mandate-sentence";
import { dateWords, monthName } from "@/lib/words/rules/number-words";

/** Why a transfer is not inside a mandate of its route. */
type Breach = Omit<BrokenMandate, "mandateId">;

export interface BreachSetting {
  /** The day of the transfer, `YYYY-MM-DD` in the mandate's zone; null: that goes without saying. */
  on: string | null;
  /** Of the mandate's recurrence; null: unknown, or it has none. */
  period?: MandatePeriod | null;
  sourceName: string;
}

/**
 * For people, as the end of a row and without a full stop: `$70.00 above $350.00 at a time`, `Would make October $1,602.00`.
 */
export function breachWords({ constraint, limit, reached }: Breach, setting: BreachSetting): string {
  const { on, period, sourceName } = setting;
  if (typeof limit !== "number" || typeof reached !== "number")
    return withoutStop(BROKEN_MANDATE[constraint]);
  const would = (span: string) => `Would make ${span} ${formatCents(reached)}`;
  switch (constraint) {
    case "BELOW_MINIMUM":
      return `${formatCents(limit - reached)} below ${formatCents(limit)} at a time`;
    case "ABOVE_MAXIMUM":
      return `${formatCents(reached - limit)} above ${formatCents(limit)} at a time`;
    case "USES":
      return `Already used ${timesWords(limit)}`;
    case "RECURRENCE":
      return `Already used ${timesWords(limit)} ${duringWords(period ?? null, on)}`;
    case "DAYS_APART":
      return tooSoon(limit, reached);
    case "DAY":
      return would(on === null ? "the day" : shortDate(on));
    case "WEEK":
      return would(weekWords(on));
    case "MONTH":
      return would(monthWords(on));
    case "THIRTY_DAYS":
      return would("30 days");
    case "TOTAL":
      return `Would make ${formatCents(reached)} in all`;
    case "BALANCE":
      return `${sourceName} would hold ${formatCents(reached)}, less than ${formatCents(limit)}`;
    default:
      return withoutStop(BROKEN_MANDATE[constraint]);
  }
}

/** For the program that asked, a sentence. Without what the source holds: the program may lack the permission to read it. */
export function breachForProgram({ constraint, limit, reached }: Breach): string {
  if (typeof limit !== "number" || typeof reached !== "number") return BROKEN_MANDATE[constraint];
  const span = SPANS[constraint];
  if (span) {
    const [would, allows] = span;
    return `It would make ${writeCents(reached)} ${would}; the mandate allows ${writeCents(limit)} ${allows}.`;
  }
  switch (constraint) {
    case "BELOW_MINIMUM":
      return `${writeCents(limit - reached)} below the mandate's ${writeCents(limit)} at a time.`;
    case "ABOVE_MAXIMUM":
      return `${writeCents(reached - limit)} above the mandate's ${writeCents(limit)} at a time.`;
    case "USES":
      return `The mandate was already used ${timesWords(limit)}.`;
    case "DAYS_APART":
      return `${tooSoon(limit, reached)}.`;
    case "BALANCE":
      return `The source would hold less than the mandate's ${writeCents(limit)}.`;
    default:
      return BROKEN_MANDATE[constraint];
  }
}

const SPANS: Partial<Record<MandateConstraint, [would: string, allows: string]>> = {
  DAY: ["today", "a day"],
  WEEK: ["this week", "a week"],
  MONTH: ["this month", "a calendar month"],
  THIRTY_DAYS: ["within 30 days", "in any 30 days"],
  TOTAL: ["in all", "in all"],
};

/** The same without amounts, for where none are known. */
const BROKEN_MANDATE: Record<MandateConstraint, string> = {
  ROUTE: "The mandate does not name this route.",
  NOT_YET: "The mandate has not begun.",
  OVER: "The mandate is over.",
  SIGNATURES: "The mandate has to be signed again.",
  DESTINATION_CHANGED: "The destination changed after the mandate was signed.",
  BELOW_MINIMUM: "Less than the mandate allows at a time.",
  ABOVE_MAXIMUM: "More than the mandate allows at a time.",
  USES: "The mandate has no uses left.",
  RECURRENCE: "The mandate has no uses left in this period.",
  DAYS_APART: "Too soon after the mandate’s last use.",
  DAY: "More than the mandate has left today.",
  WEEK: "More than the mandate has left this week.",
  MONTH: "More than the mandate has left this month.",
  THIRTY_DAYS: "More than the mandate has left within 30 days.",
  TOTAL: "More than the mandate has left in all.",
  BALANCE: "The source would hold less than the mandate keeps in it.",
};

const withoutStop = (sentence: string) => sentence.replace(/\.$/, "");

/** `3 days after the last use, not 7`. */
function tooSoon(limit: number, reached: number): string {
  if (reached <= 0)
    return limit === 1 ? "On the day of the last use" : `On the day of the last use, not ${limit} days after`;
  return `${dayCountWords(reached)} after the last use, not ${limit}`;
}

/** `on Oct 9`, `in the week of Oct 5`, `in October`. */
function duringWords(period: MandatePeriod | null, on: string | null): string {
  if (period === null || on === null) return "in its period";
  if (period === "DAY") return `on ${shortDate(on)}`;
  return `in ${period === "WEEK" ? weekWords(on) : monthWords(on)}`;
}

/** `Oct 9`: the year goes without saying beside what happened. */
const shortDate = (on: string) => dateWords(on).replace(/,? \d{4}$/, "");
const monthWords = (on: string | null) =>
  on === null ? "the month" : monthName(describeDay(dayOf(on)).month);

function weekWords(on: string | null): string {
  if (on === null) return "the week";
  const day = dayOf(on);
  return `the week of ${shortDate(dateOf(day - describeDay(day).dayOfWeek + 1))}`;
}
