import { requireConnector } from "@/lib/core/connections/require-connector";
import { toConnectingProblem } from "@/lib/core/connections/to-connecting-problem";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { AggregatorPort, Institution } from "@/lib/ports/aggregator/aggregator-port";

const MAX_QUERY_LENGTH = 100;
/** At most so many are answered. */
export const INSTITUTION_RESULTS = 20;

/**
 * Institutions to connect, by name.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` while the provider does not answer.
 */
export async function searchInstitutions(
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  query: string,
): Promise<Institution[]> {
  requireConnector(context);
  try {
    return await aggregator.searchInstitutions({
      query: query.slice(0, MAX_QUERY_LENGTH),
      limit: INSTITUTION_RESULTS,
    });
  } catch (error) {
    throw toConnectingProblem(error);
  }
}
