import type { UsageByPeriod } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

type Period = RuleDefinition["limits"][number]["period"];
const DAY_MS = 86_400_000;

/**
 * The first day of the limit period that contains a calendar date; weeks start on Monday. Null for `TRANSFER`, which has
 * no period.
 * @param date `YYYY-MM-DD` in the organization's time zone
 */
export function periodStart(period: Period, date: string): string | null {
  switch (period) {
    case "TRANSFER":
      return null;
    case "DAY":
      return date;
    case "WEEK": {
      // Midnight UTC represents the date, because UTC has no daylight saving time.
      const epoch = Date.parse(`${date}T00:00:00Z`);
      const daysSinceMonday = (new Date(epoch).getUTCDay() + 6) % 7;
      return new Date(epoch - daysSinceMonday * DAY_MS).toISOString().slice(0, 10);
    }
    case "MONTH":
      return `${date.slice(0, 7)}-01`;
    case "YEAR":
      return `${date.slice(0, 4)}-01-01`;
  }
}

/**
 * The usage of each limit in its period, as an evaluation needs it. A limit that is new to the rule has used nothing.
 * @returns cents by the limit's id; without limits per transfer, which have no usage
 */
export function usageOf(limits: RuleDefinition["limits"], used: UsageByPeriod): Record<string, number> {
  return Object.fromEntries(
    limits.flatMap(({ id, period }) =>
      // Own properties only: a limit may be named “constructor”, which every object inherits.
      period === "TRANSFER" ? [] : [[id, Object.hasOwn(used[period], id) ? (used[period][id] ?? 0) : 0]],
    ),
  );
}

/** The id of the limit that a planned move counts toward; null if its action has none. */
export function limitOfMove(
  rule: Pick<RuleDefinition, "steps">,
  plan: Pick<RulePlan, "stepIndexMatched">,
  move: Pick<PlannedMove, "actionIndex">,
): string | null {
  if (plan.stepIndexMatched === null) return null;
  return rule.steps[plan.stepIndexMatched]?.actions[move.actionIndex]?.limitId ?? null;
}
