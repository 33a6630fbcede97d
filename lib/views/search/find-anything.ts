import { readSearchQuery, type SearchQuery } from "@/lib/contract/search-query";
import type { SearchView } from "@/lib/contract/views/search-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { findThings } from "@/lib/views/search/find-things";
import { findTransfersByAmount, findTransfersById } from "@/lib/views/search/find-transfers";

/**
 * What the palette finds of the organization for a text: transfers by amount, anything by its id or the beginning of
 * it, and what has a name by a part of that. Every member reads all of it on the pages that it leads to.
 * @param text as typed; only its first 100 characters count
 */
export async function findAnything(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  text: string,
  time: TimeContext,
): Promise<SearchView> {
  const query = readSearchQuery(text);
  const [ofThisAmount, transfersOfThisId, things] = await Promise.all([
    byAmount(services, context, query),
    query.ids ? findTransfersById(services, context, query.ids) : [],
    query.name === "" ? [] : findThings(services, context, query),
  ]);
  return { ofThisAmount, transfersOfThisId, things, time };
}

function byAmount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { amountInCents }: SearchQuery,
) {
  return amountInCents === null ? [] : findTransfersByAmount(services, context, amountInCents);
}
