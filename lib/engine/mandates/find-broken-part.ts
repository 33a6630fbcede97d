import {
  MAXIMUM_MANDATE_USES,
  type MandateConstraint,
  type MandatePeriod,
  type MandateTerms,
} from "@/lib/contract/mandates/mandate";
import { firstDayOf, firstMomentOf, THIRTY_DAYS_MS } from "@/lib/engine/mandates/periods";
import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { dayAt } from "@/lib/engine/schedule/wall-clock";

/** A transfer under a mandate that counts: on its way, complete or returned. */
export interface MandateUse {
  acceptedAt: Date;
  amountInCents: number;
}

/** A transfer, and what a mandate compares it with. */
export interface MandateFacts {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  now: Date;
  uses: readonly MandateUse[];
  /** Of the mandate: the organization's when it was written. */
  timeZone: string;
  /** What the source would hold and could spend after the transfer. */
  heldAfterInCents: number;
  needsSignatures: boolean;
  isDestinationChanged: boolean;
}

/** Which part a transfer breaks; in cents, uses or days, both null where the part is not a number. */
export interface MandateBreach {
  constraint: MandateConstraint;
  limit: number | null;
  /** What the transfer would have made of it; of `BALANCE` what the source would hold. */
  reached: number | null;
}

/**
 * The first part of a mandate that a transfer breaks, in the order of `mandateConstraintSchema`; null: it is inside. The
 * database decides the same (lib/db/functions/mandates/mandate_problem.sql).
 */
export function findBrokenPart(terms: MandateTerms, facts: MandateFacts): MandateConstraint | null {
  return findBreach(terms, facts)?.constraint ?? null;
}

/** The same with its limit and what the transfer would have made of it. */
export function findBreach(terms: MandateTerms, facts: MandateFacts): MandateBreach | null {
  const constraint = brokenSetting(terms, facts);
  if (constraint) return { constraint, limit: null, reached: null };
  for (const part of partsOf(terms, facts)) {
    const { limit, reached, isLeast } = part;
    if (limit === null || reached === null) continue;
    if (isLeast ? reached < limit : reached > limit) return { constraint: part.constraint, limit, reached };
  }
  return null;
}

/** What is broken whatever the amount and the uses so far. */
function brokenSetting(terms: MandateTerms, facts: MandateFacts): MandateConstraint | null {
  const isOnRoute =
    terms.sourceAccountIds.includes(facts.sourceAccountId) &&
    terms.destinationAccountIds.includes(facts.destinationAccountId);
  if (!isOnRoute) return "ROUTE";
  const today = dayAt(facts.now.getTime(), facts.timeZone);
  if (today < dayOf(terms.from)) return "NOT_YET";
  if (today > dayOf(terms.until)) return "OVER";
  if (facts.needsSignatures) return "SIGNATURES";
  return facts.isDestinationChanged ? "DESTINATION_CHANGED" : null;
}

interface CountedPart {
  constraint: MandateConstraint;
  /** Null: the mandate has no such limit. */
  limit: number | null;
  /** Null: nothing to compare with yet. */
  reached: number | null;
  isLeast: boolean;
}

function partsOf(terms: MandateTerms, facts: MandateFacts): CountedPart[] {
  const { amountInCents } = facts;
  const used = usedOf(terms, facts.uses, facts.now, facts.timeZone);
  const most = (constraint: MandateConstraint, limit: number | null, reached: number) => ({
    constraint,
    limit,
    reached,
    isLeast: false,
  });
  const least = (constraint: MandateConstraint, limit: number | null, reached: number | null) => ({
    constraint,
    limit,
    reached,
    isLeast: true,
  });
  return [
    least("BELOW_MINIMUM", terms.minimumInCents, amountInCents),
    most("ABOVE_MAXIMUM", terms.maximumInCents, amountInCents),
    most("USES", terms.maximumUses ?? MAXIMUM_MANDATE_USES, used.uses + 1),
    most("RECURRENCE", terms.recurrence?.atMost ?? null, used.usesInPeriod + 1),
    least("DAYS_APART", terms.recurrence?.daysApart ?? null, used.daysSinceLast),
    most("DAY", terms.dayInCents, used.dayInCents + amountInCents),
    most("WEEK", terms.weekInCents, used.weekInCents + amountInCents),
    most("MONTH", terms.monthInCents, used.monthInCents + amountInCents),
    most("THIRTY_DAYS", terms.thirtyDaysInCents, used.thirtyDaysInCents + amountInCents),
    most("TOTAL", terms.totalInCents, used.totalInCents + amountInCents),
    least("BALANCE", terms.keepsInCents, facts.heldAfterInCents),
  ];
}

export interface MandateUsed {
  dayInCents: number;
  weekInCents: number;
  monthInCents: number;
  thirtyDaysInCents: number;
  totalInCents: number;
  uses: number;
  /** In the period of the recurrence; 0 without one. */
  usesInPeriod: number;
  /** Calendar days; null: never used. */
  daysSinceLast: number | null;
}

/**
 * What a mandate has used of each limit, at a moment. A period has no upper end: a use that another process accepted by a
 * clock ahead of this one counts too.
 */
export function usedOf(
  { recurrence }: Pick<MandateTerms, "recurrence">,
  uses: readonly MandateUse[],
  now: Date,
  timeZone: string,
): MandateUsed {
  const today = dayAt(now.getTime(), timeZone);
  const since = (period: MandatePeriod) => {
    const moment = firstMomentOf(firstDayOf(period, today), timeZone);
    return uses.filter(({ acceptedAt }) => acceptedAt.getTime() >= moment);
  };
  const within = uses.filter(({ acceptedAt }) => acceptedAt.getTime() > now.getTime() - THIRTY_DAYS_MS);
  const last = uses.reduce((latest, { acceptedAt }) => Math.max(latest, acceptedAt.getTime()), -Infinity);
  return {
    dayInCents: sumOf(since("DAY")),
    weekInCents: sumOf(since("WEEK")),
    monthInCents: sumOf(since("MONTH")),
    thirtyDaysInCents: sumOf(within),
    totalInCents: sumOf(uses),
    uses: uses.length,
    usesInPeriod: recurrence ? since(recurrence.period).length : 0,
    daysSinceLast: uses.length === 0 ? null : today - dayAt(last, timeZone),
  };
}

const sumOf = (uses: readonly MandateUse[]) =>
  uses.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
