import { requireConnector } from "@/lib/core/connections/begin-connecting";
import { markBalancesUnknown } from "@/lib/core/connections/write-balances";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { REMOVE_CONNECTIONS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  type ConnectionAccess,
} from "@/lib/ports/aggregator/aggregator-port";

/** The error code of balances whose connection was ended here. */
const DISCONNECTED = "DISCONNECTED";

/**
 * Disconnects for a member who has just confirmed their presence: it cannot be undone, and everything that relies on its
 * balances stops.
 * @returns false where there is no such connection, or it has already ended.
 * @throws AppError `ACCESS_DENIED`; NotConfirmed without presence.
 */
export async function disconnectConfirmed(
  services: Pick<Services, "pool" | "wake" | "clock">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<boolean> {
  requireConnector(context);
  await requirePresence(
    services.pool,
    context.actor,
    services.clock.now(),
    `DISCONNECT_BANK:${connectionId}`,
  );
  return await disconnect(services, context, connectionId);
}

/**
 * Ends a connection at once; due work notifies the provider until that succeeds. The accounts and their history remain:
 * with an unknown balance they can be paid but no longer drawn on. Those that are registered at the bank are closed, so
 * that nothing is paid to an account that nobody sees anymore.
 * @returns false where there is no such connection, or it has already ended.
 * @throws AppError `ACCESS_DENIED`.
 */
export async function disconnect(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<boolean> {
  requireConnector(context);
  const isEnded = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ institutionName: string }>({
      name: "disconnect",
      text: `
        update connections set status = 'DISCONNECTED', refresh_due_at = null, leased_until = null, error_code = null
         where organization_id = $1 and id = $2 and status <> 'DISCONNECTED'
         returning institution_name as "institutionName"`,
      values: [context.organizationId, connectionId],
    });
    const [ended] = rows;
    if (!ended) return false;
    await markBalancesUnknown(client, context.organizationId, connectionId, DISCONNECTED);
    await closeRegistered(client, context, connectionId);
    const change = { subject: ended.institutionName, before: null, after: null };
    await recordChange(client, context, { kind: "BANK_DISCONNECTED", ...change });
    return true;
  });
  if (isEnded) services.wake(REMOVE_CONNECTIONS);
  return isEnded;
}

/** As after closing any account: what has not left yet ends, and rules and keys that name it are refused. */
async function closeRegistered(
  client: Queryable,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>({
    name: "close_registered_accounts",
    text: `
      with registered as materialized (
        select a.organization_id, a.id from accounts a
          join registered_accounts r on r.organization_id = a.organization_id and r.account_id = a.id
         where a.organization_id = $1 and a.connection_id = $2 and a.deleted_at is null and r.bank_reference is not null
         order by a.id for no key update of a)
      update accounts a set deleted_at = $3, updated_at = $3 from registered
       where a.organization_id = registered.organization_id and a.id = registered.id
       returning a.name`,
    values: [context.organizationId, connectionId, context.now],
  });
  for (const { name } of rows) {
    await recordChange(client, context, { kind: "ACCOUNT_CLOSED", subject: name, before: null, after: null });
  }
}

interface RemovedConnection extends Omit<ConnectionAccess, "businessNow"> {
  clockOffsetMs: number;
}

/** Real time until the next try; also keeps two workers from calling at once. */
const LEASE_MS = 10 * 60_000;

/**
 * Removes disconnected connections at the provider, then deletes the access token: until then the provider still reads
 * (and bills) on the organization's behalf.
 * @returns how many were tried.
 */
export async function removeDisconnected(
  services: Pick<Services, "pool" | "clock" | "log">,
  aggregator: AggregatorPort,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<RemovedConnection>({
    name: "lease_disconnected",
    text: `
      with taken as materialized (
        select c.organization_id, c.id from connections c
         where c.status = 'DISCONNECTED' and c.provider = $4 and c.sealed_access_token is not null
           and (c.leased_until is null or c.leased_until < $1)
         limit $3 for update skip locked)
      update connections c set leased_until = $1::timestamptz + $2 * interval '1 millisecond'
        from taken join organizations o on o.id = taken.organization_id
       where c.organization_id = taken.organization_id and c.id = taken.id
      returning c.organization_id as "organizationId", c.id as "connectionId", c.provider_item_id as "providerItemId",
          c.sealed_access_token as "sealedAccessToken", o.clock_offset_ms as "clockOffsetMs"`,
    values: [services.clock.now(), LEASE_MS, limit, aggregator.provider],
  });
  await Promise.all(rows.map((row) => removeOne(services, aggregator, row)));
  return rows.length;
}

async function removeOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  aggregator: AggregatorPort,
  { clockOffsetMs, ...access }: RemovedConnection,
): Promise<void> {
  try {
    await aggregator.remove({ ...access, businessNow: businessTime(services.clock, clockOffsetMs) });
    await services.pool.query({
      name: "forget_access",
      text: `update connections set sealed_access_token = null, leased_until = null
              where organization_id = $1 and id = $2 and status = 'DISCONNECTED'`,
      values: [access.organizationId, access.connectionId],
    });
  } catch (error) {
    const code = error instanceof AggregatorUnavailable ? error.code : undefined;
    services.log.warn(
      { err: error, connectionId: access.connectionId, code },
      "removing a connection at the provider failed",
    );
  }
}
