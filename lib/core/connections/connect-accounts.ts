import { MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import { providerText } from "@/lib/core/connections/apply-transactions";
import { requireConnector, toConnectingProblem } from "@/lib/core/connections/begin-connecting";
import { writeBalances } from "@/lib/core/connections/write-balances";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { REFRESH_CONNECTIONS } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type {
  AggregatorPort,
  ConnectingProof,
  NewConnection,
  ProviderAccount,
  ProviderBalance,
} from "@/lib/ports/aggregator/aggregator-port";

export interface Connected {
  connectionId: string;
  /** In the order of the institution's list. */
  accountIds: string[];
}

/**
 * Creates a connection from what the member brought from the provider: the connection and an `EXTERNAL_ACCOUNT` with its
 * balance for each account, in one transaction. Transactions follow with the first refresh.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` with what to do.
 */
export async function connectAccounts(
  services: Pick<Services, "pool" | "log" | "wake">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  proof: ConnectingProof,
): Promise<Connected> {
  requireConnector(context);
  const connectionId = newId(context.now);
  try {
    const { connection, accounts, balances } = await fetchNew(aggregator, context, connectionId, proof);
    const accountIds = await inTransaction(services.pool, async (client) => {
      await insertConnection(client, aggregator, context, connectionId, connection);
      const ids = await insertAccounts(client, context, connectionId, connection, accounts);
      await writeBalances(client, context.organizationId, ids, balances);
      return [...ids.values()];
    });
    services.wake(REFRESH_CONNECTIONS);
    return { connectionId, accountIds };
  } catch (error) {
    throw toConnectingProblem(error);
  }
}

/** Revokes the access at once if reading fails: without a row, no one would know that it exists. */
async function fetchNew(
  aggregator: AggregatorPort,
  { organizationId, now }: Context,
  connectionId: string,
  proof: ConnectingProof,
) {
  const connection = await aggregator.completeConnecting({
    organizationId,
    connectionId,
    proof,
    businessNow: now,
  });
  const { providerItemId, sealedAccessToken } = connection;
  const access = { organizationId, connectionId, providerItemId, sealedAccessToken, businessNow: now };
  try {
    const accounts = await aggregator.listAccounts(access);
    const balances: ProviderBalance[] = await aggregator.readBalances(access);
    return { connection, accounts, balances };
  } catch (error) {
    await aggregator.remove(access).catch(() => undefined);
    throw error;
  }
}

async function insertConnection(
  client: Queryable,
  { provider }: AggregatorPort,
  { organizationId, actor, now }: Context<MemberActor>,
  id: string,
  { providerItemId, institution, sealedAccessToken }: NewConnection,
): Promise<void> {
  await client.query({
    name: "insert_connection",
    text: `
      insert into connections (organization_id, id, provider, provider_item_id, institution_id, institution_name, status,
          sealed_access_token, created_by, created_at, refresh_due_at)
      values ($1, $2, $3, $4, $5, $6, 'ACTIVE', $7, $8, $9, $9)`,
    values: [
      organizationId,
      id,
      provider,
      providerItemId,
      institution.id,
      providerText(institution.name, 200),
      sealedAccessToken,
      actor.id,
      now,
    ],
  });
}

/** @returns our ids by the provider's. */
async function insertAccounts(
  client: Queryable,
  { organizationId, now }: Context,
  connectionId: string,
  { institution }: NewConnection,
  accounts: readonly ProviderAccount[],
): Promise<Map<string, string>> {
  const ids = new Map(accounts.map(({ providerAccountId }) => [providerAccountId, newId(now)]));
  await client.query({
    name: "insert_connected_accounts",
    text: `
      insert into accounts (organization_id, id, type, name, external_account_type, beneficiary_id, institution_name,
          routing_number_last4, account_number_last4, connection_id, provider_account_id, created_at, updated_at)
      select $1, r.id, 'EXTERNAL_ACCOUNT', r.name, r.type, o.default_beneficiary_id, $3, r.routing,
          r.number, $2, r.provider_id, $4, $4
        from organizations o,
             unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
               as r (id, name, type, routing, number, provider_id)
       where o.id = $1`,
    values: [
      organizationId,
      connectionId,
      providerText(institution.name, 200),
      now,
      accounts.map(({ providerAccountId }) => ids.get(providerAccountId)),
      accounts.map(({ name }) => providerText(name, MAXIMUM_ACCOUNT_NAME_LENGTH) || "Account"),
      accounts.map(({ externalAccountType }) => externalAccountType),
      accounts.map(({ routingNumberLast4 }) => routingNumberLast4),
      accounts.map(({ numberLast4 }) => numberLast4),
      accounts.map(({ providerAccountId }) => providerAccountId),
    ],
  });
  return ids;
}
