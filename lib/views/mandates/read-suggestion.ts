import { newMandateHref } from "@/lib/contract/hrefs";
import { suggestMandate } from "@/lib/core/mandates/suggestions";
import type { TimedReading } from "@/lib/views/reading";

/** What the page of a waiting proposal suggests in place of many more; null: nothing. */
export async function readSuggestion({ services, context, time }: TimedReading, proposalId: string) {
  const suggested = await suggestMandate(services, context, proposalId, time.timeZone);
  if (!suggested) return null;
  const { apiKeyId, sourceAccountId, destinationAccountId, ...amounts } = suggested;
  const { maximumInCents, monthInCents } = amounts;
  return {
    ...amounts,
    /** The form of a new mandate, filled in. */
    href: newMandateHref(apiKeyId, {
      source: sourceAccountId,
      destination: destinationAccountId,
      maximumInCents,
      monthInCents,
    }),
  };
}

export type MandateSuggestionView = NonNullable<Awaited<ReturnType<typeof readSuggestion>>>;
