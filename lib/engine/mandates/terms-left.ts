import { MAXIMUM_MANDATE_USES, type MandateTerms } from "@/lib/contract/mandates/mandate";

/** What a mandate has used for good: a use that is on its way may still fail, and then no longer counts. */
export interface SettledUses {
  uses: number;
  inCents: number;
}

/** What a mandate may still let through, as terms: its own, without what it has used for good. */
export function termsLeft(terms: MandateTerms, { uses, inCents }: SettledUses): MandateTerms {
  return {
    ...terms,
    maximumUses: Math.max(0, (terms.maximumUses ?? MAXIMUM_MANDATE_USES) - uses),
    totalInCents: terms.totalInCents === null ? null : Math.max(0, terms.totalInCents - inCents),
  };
}
