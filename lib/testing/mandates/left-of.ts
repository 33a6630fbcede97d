import { MAXIMUM_MANDATE_USES, type MandateLeft, type MandateTerms } from "@/lib/contract/mandates/mandate";
import { type MandateUse, usedOf } from "@/lib/engine/mandates/find-broken-part";

/**
 * What is left of each limit by itself at a moment; null where the mandate has no such limit. One transfer needs room in all of
 * them.
 */
export function leftOf(
  terms: MandateTerms,
  uses: readonly MandateUse[],
  now: Date,
  timeZone: string,
): MandateLeft {
  const used = usedOf(terms, uses, now, timeZone);
  const left = (limit: number | null | undefined, usedUp: number) =>
    limit === null || limit === undefined ? null : Math.max(0, limit - usedUp);
  return {
    dayInCents: left(terms.dayInCents, used.dayInCents),
    weekInCents: left(terms.weekInCents, used.weekInCents),
    monthInCents: left(terms.monthInCents, used.monthInCents),
    thirtyDaysInCents: left(terms.thirtyDaysInCents, used.thirtyDaysInCents),
    totalInCents: left(terms.totalInCents, used.totalInCents),
    uses: Math.max(0, (terms.maximumUses ?? MAXIMUM_MANDATE_USES) - used.uses),
    usesInPeriod: left(terms.recurrence?.atMost, used.usesInPeriod),
  };
}
