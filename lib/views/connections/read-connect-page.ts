import type { ConnectView } from "@/lib/contract/views/connect-view";
import { requireConnector } from "@/lib/core/connections/require-connector";
import { toConnectingProblem } from "@/lib/core/connections/to-connecting-problem";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort, Institution } from "@/lib/ports/aggregator/aggregator-port";
import { readConnectedNames } from "@/lib/views/connections/read-connected-names";

const MAX_QUERY_LENGTH = 100;

/** At most so many are answered. */
const INSTITUTION_RESULTS = 20;

/** The one real provider that there is an adapter of. */
export const PROVIDERS_DIALOG = { kind: "PROVIDERS_DIALOG" as const, providerName: "Plaid" };

/** Who cannot choose an institution here, and why; null: the member can. */
export function reasonNotToConnect(
  aggregator: Pick<AggregatorPort, "isSandbox">,
  { actor }: Context<MemberActor>,
): Exclude<ConnectView, { kind: "INSTITUTIONS" }> | null {
  if (!mayDecide(actor)) return { kind: "FOR_OWNERS" };
  // Only the sandbox is signed in at by choosing; Plaid has a dialog of its own.
  return aggregator.isSandbox ? null : PROVIDERS_DIALOG;
}

/**
 * The institutions whose name holds `query`, with what is connected there already.
 * @throws AppError `INVALID_PARAMETERS` while the provider does not answer.
 */
export async function readConnectPage(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  query: string,
): Promise<ConnectView> {
  const reason = reasonNotToConnect(aggregator, context);
  if (reason) return reason;
  const [found, connected] = await Promise.all([
    searchInstitutions(aggregator, context, query),
    readConnectedNames(services, aggregator, context),
  ]);
  return {
    kind: "INSTITUTIONS",
    query,
    institutions: found.map(({ id, name }) => ({
      name,
      href: `/accounts/connect/${id}`,
      connectedNames: connected.get(id) ?? [],
    })),
    isTruncated: found.length >= INSTITUTION_RESULTS,
  };
}

/**
 * Institutions to connect, by name.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` while the provider does not answer.
 */
async function searchInstitutions(
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
