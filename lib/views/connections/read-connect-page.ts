import { AppError } from "@/lib/contract/error";
import type { ConnectView, OfferView } from "@/lib/contract/views/connections-view";
import { providerText } from "@/lib/core/connections/apply-transactions";
import {
  beginConnecting,
  requireConnector,
  toConnectingProblem,
} from "@/lib/core/connections/begin-connecting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort, Institution } from "@/lib/ports/aggregator/aggregator-port";

const MAX_QUERY_LENGTH = 100;

/** At most so many are answered. */
const INSTITUTION_RESULTS = 20;

/** The one real provider that there is an adapter of. */
const PROVIDERS_DIALOG = { kind: "PROVIDERS_DIALOG" as const, providerName: "Plaid" };

/** Who cannot choose an institution here, and why; null: the member can. */
function reasonNotToConnect(
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

/** The accounts that an institution offers to connect, with what is connected there already. */
export async function readOffer(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  institutionId: string,
): Promise<OfferView> {
  const reason = reasonNotToConnect(aggregator, context);
  if (reason) return reason;
  try {
    const [step, connected] = await Promise.all([
      beginConnecting(services, aggregator, context, { institutionId, again: null }),
      readConnectedNames(services, aggregator, context),
    ]);
    if (step.kind !== "CHOOSE") return PROVIDERS_DIALOG;
    return {
      kind: "CHOOSE",
      institutionId: step.institution.id,
      institutionName: providerText(step.institution.name, 200),
      accounts: step.accounts.map(({ template, name, externalAccountType }) => ({
        template,
        name: providerText(name, 100),
        externalAccountType,
      })),
      connectedNames: connected.get(step.institution.id) ?? [],
    };
  } catch (error) {
    // An address that was typed, or an institution that is away: the page says so.
    if (error instanceof AppError) return { kind: "REFUSED", message: error.message };
    throw error;
  }
}

/** More than this need no reminding. */
const MAXIMUM_NAMES = 500;

/** The names of the accounts that are connected already, by the provider's id of their institution. */
async function readConnectedNames(
  services: Pick<Services, "pool">,
  { provider }: Pick<AggregatorPort, "provider">,
  { organizationId }: Context,
): Promise<Map<string, string[]>> {
  const { rows } = await services.pool.query<{ institution_id: string; name: string }>({
    name: "read_connected_names",
    text: `
      select c.institution_id, a.name
        from connections c
        join accounts a
          on a.organization_id = c.organization_id and a.connection_id = c.id and a.deleted_at is null
       where c.organization_id = $1 and c.provider = $2 and c.status <> 'DISCONNECTED'
       order by c.id, a.id
       limit ${MAXIMUM_NAMES}`,
    values: [organizationId, provider],
  });
  const names = new Map<string, string[]>();
  for (const row of rows) names.set(row.institution_id, [...(names.get(row.institution_id) ?? []), row.name]);
  return names;
}
