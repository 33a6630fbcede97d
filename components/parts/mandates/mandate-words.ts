import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { LevelView, MandateStanding } from "@/lib/views/mandates/describe-mandate";

/** What a mandate does now, in a few words: `In use`, `Used up until Dec 1`. */
export function standingWords(standing: MandateStanding, time: TimeContext): string {
  switch (standing.kind) {
    case "WAITING":
      return "Needs signatures";
    case "EXPIRED":
      return "Expired unsigned";
    case "IN_USE":
      return "In use";
    case "OVER":
      return "Over";
    case "ENDED":
      return "Ended";
    case "DENIED":
      return "Denied";
    case "NOT_YET":
      return `From ${formatDate(standing.from, time)}`;
    case "USED_UP":
      return standing.until === null ? "Used up" : `Used up until ${formatDate(standing.until, time)}`;
    case "STOPPED":
      return STOPPED[standing.because];
  }
}

const STOPPED = {
  SIGNATURES: "Stopped: sign it again",
  DESTINATION_CHANGED: "Stopped: a bank account changed",
  BALANCE: "Stopped: not enough money",
  GATES: "Stopped: gates are closed",
} as const;

/** What a level measures: `Today`, `December`. */
export function levelName({ part }: LevelView, time: TimeContext): string {
  switch (part) {
    case "DAY":
      return "Today";
    case "WEEK":
      return "This week";
    case "MONTH":
      return new Intl.DateTimeFormat("en-US", { month: "long", timeZone: time.timeZone }).format(
        new Date(time.nowAt),
      );
    case "THIRTY_DAYS":
      return "Last 30 days";
    case "TOTAL":
      return "In all";
    case "PERIOD_USES":
      return "Uses in this period";
    case "USES":
      return "Uses";
  }
}

/** `$488.00 left` and `of $700.00`; `15 uses left` and `of 20 uses`. */
export function levelWords({ part, left, of }: LevelView): { left: string; of: string } {
  if (part !== "USES" && part !== "PERIOD_USES") return { left: formatCents(left), of: formatCents(of) };
  return { left: usesWords(left), of: usesWords(of) };
}

export function usesWords(uses: number): string {
  return uses === 1 ? "1 use" : `${uses.toLocaleString("en-US")} uses`;
}

export function percentOf({ left, of }: LevelView): number {
  return of === 0 ? 0 : Math.min(100, (left / of) * 100);
}
