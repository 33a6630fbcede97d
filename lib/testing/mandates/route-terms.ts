import type { MandateConstraint, MandateTerms } from "@/lib/contract/mandates/mandate";
import { findBrokenPart, type MandateFacts } from "@/lib/engine/mandates/find-broken-part";

export const NEW_YORK = "America/New_York";
export const SOURCE_ID = "00000000-0000-4000-8000-00000000000a";
export const DESTINATION_ID = "00000000-0000-4000-8000-00000000000b";

/** A mandate of one route without any limit but its size, for two years. */
export function routeTerms(change: Partial<MandateTerms> = {}): MandateTerms {
  return {
    sourceAccountIds: [SOURCE_ID],
    destinationAccountIds: [DESTINATION_ID],
    minimumInCents: null,
    maximumInCents: 100_000,
    dayInCents: null,
    weekInCents: null,
    monthInCents: null,
    thirtyDaysInCents: null,
    totalInCents: null,
    maximumUses: null,
    recurrence: null,
    from: "2026-01-01",
    until: "2027-12-31",
    keepsInCents: null,
    purpose: null,
    ...change,
  };
}

/** A transfer on the mandate's route, with nothing else in its way. */
export function routeFacts(change: Partial<MandateFacts> = {}): MandateFacts {
  return {
    sourceAccountId: SOURCE_ID,
    destinationAccountId: DESTINATION_ID,
    amountInCents: 100,
    now: new Date("2026-11-20T16:00:00Z"),
    uses: [],
    timeZone: NEW_YORK,
    heldAfterInCents: 1_000_000,
    needsSignatures: false,
    isDestinationChanged: false,
    ...change,
  };
}

/** The part that such a transfer breaks. */
export const tryTransfer = (terms: MandateTerms, change: Partial<MandateFacts>): MandateConstraint | null =>
  findBrokenPart(terms, routeFacts(change));
