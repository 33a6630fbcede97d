import { MAXIMUM_MANDATE_USES, type MandateTerms } from "@/lib/contract/mandates/mandate";

/** Whether these terms let nothing through that the other ones would not: each limit is the same or tighter. */
export function isNarrower(terms: MandateTerms, than: MandateTerms): boolean {
  return (
    terms.sourceAccountIds.every((id) => than.sourceAccountIds.includes(id)) &&
    terms.destinationAccountIds.every((id) => than.destinationAccountIds.includes(id)) &&
    (terms.minimumInCents ?? 0) >= (than.minimumInCents ?? 0) &&
    terms.maximumInCents <= than.maximumInCents &&
    isWithin(terms.dayInCents, than.dayInCents) &&
    isWithin(terms.weekInCents, than.weekInCents) &&
    isWithin(terms.monthInCents, than.monthInCents) &&
    isWithin(terms.thirtyDaysInCents, than.thirtyDaysInCents) &&
    isWithin(terms.totalInCents, than.totalInCents) &&
    (terms.maximumUses ?? MAXIMUM_MANDATE_USES) <= (than.maximumUses ?? MAXIMUM_MANDATE_USES) &&
    isRarer(terms.recurrence, than.recurrence) &&
    terms.from >= than.from &&
    terms.until <= than.until &&
    (terms.keepsInCents ?? 0) >= (than.keepsInCents ?? 0)
  );
}

/** Null: no limit. */
function isWithin(limit: number | null, other: number | null): boolean {
  return other === null || (limit !== null && limit <= other);
}

/** Of different periods none is narrower than the other. */
function isRarer(recurrence: MandateTerms["recurrence"], other: MandateTerms["recurrence"]): boolean {
  if (other === null) return true;
  return (
    recurrence !== null &&
    recurrence.period === other.period &&
    recurrence.atMost <= other.atMost &&
    (recurrence.daysApart ?? 0) >= (other.daysApart ?? 0)
  );
}
