import type { ExternalAccountType } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import type { Refused } from "@/lib/contract/refused";
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
import type { Reading } from "@/lib/views/reading";

/** An institution to connect. */
export interface InstitutionView {
  name: string;
  href: string;
  /** Accounts there that are already connected. */
  connectedNames: string[];
}

/** The page on which an institution is chosen. */
export type ConnectView =
  /** The member only reads. */
  | { kind: "FOR_OWNERS" }
  /** The provider signs people in through its own dialog. */
  | { kind: "PROVIDERS_DIALOG"; providerName: string }
  | {
      kind: "INSTITUTIONS";
      query: string;
      /** Best match first. */
      institutions: InstitutionView[];
      /** There may be more than are listed. */
      isTruncated: boolean;
    };

export interface OfferedAccountView {
  /** The institution's name for the choice. */
  template: string;
  name: string;
  externalAccountType: ExternalAccountType;
}

/** The page on which accounts at one institution are chosen. */
export type OfferView =
  | Exclude<ConnectView, { kind: "INSTITUTIONS" }>
  /** The institution does not exist, or does not answer. */
  | Refused
  | {
      kind: "CHOOSE";
      institutionId: string;
      institutionName: string;
      accounts: OfferedAccountView[];
      connectedNames: string[];
    };

const MAX_QUERY_LENGTH = 100;

/** Most institutions returned by a search. */
const INSTITUTION_RESULTS = 20;

/** The only real provider with an adapter. */
const PROVIDERS_DIALOG = { kind: "PROVIDERS_DIALOG" as const, providerName: "Plaid" };

/** Why the member cannot choose an institution here; null: they can. */
function reasonNotToConnect(
  aggregator: Pick<AggregatorPort, "isSandbox">,
  { actor }: Context<MemberActor>,
): Exclude<ConnectView, { kind: "INSTITUTIONS" }> | null {
  if (!mayDecide(actor)) return { kind: "FOR_OWNERS" };
  // Only the sandbox signs in by choosing an institution; Plaid has its own dialog.
  return aggregator.isSandbox ? null : PROVIDERS_DIALOG;
}

/**
 * The institutions whose names contain `query`, with what is already connected there.
 * @throws AppError `INVALID_PARAMETERS` while the provider does not answer.
 */
export async function readConnectPage(
  { services, context }: Reading,
  aggregator: AggregatorPort,
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
 * Searches institutions by name.
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

/** The accounts that an institution offers to connect, with what is already connected there. */
export async function readOffer(
  { services, context }: Reading,
  aggregator: AggregatorPort,
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
    // An unknown institution in the URL, or one that is unavailable: the page shows why.
    if (error instanceof AppError) return { kind: "REFUSED", message: error.message };
    throw error;
  }
}

/** Enough names to prevent accidental duplicates. */
const MAXIMUM_NAMES = 500;

/** The names of accounts already connected, by the provider's institution ID. */
async function readConnectedNames(
  services: Pick<Services, "pool">,
  { provider }: Pick<AggregatorPort, "provider">,
  { organizationId }: Context,
): Promise<Map<string, string[]>> {
  const { rows } = await services.pool.query<{ institutionId: string; name: string }>({
    name: "read_connected_names",
    text: `
      select c.institution_id as "institutionId", a.name
        from connections c
        join accounts a
          on a.organization_id = c.organization_id and a.connection_id = c.id and a.deleted_at is null
       where c.organization_id = $1 and c.provider = $2 and c.status <> 'DISCONNECTED'
       order by c.id, a.id
       limit ${MAXIMUM_NAMES}`,
    values: [organizationId, provider],
  });
  const names = new Map<string, string[]>();
  for (const row of rows) names.set(row.institutionId, [...(names.get(row.institutionId) ?? []), row.name]);
  return names;
}
