import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import { z } from "zod";
import { OAUTH_PATHS, REFRESH_GRACE_MS, SAME_MOMENT_MS } from "@/lib/api/oauth/settings";
import { endConnection } from "@/lib/core/keys/disconnect-assistant";
import { type ClientSecrets, findClient, keepRegisteredClient } from "@/lib/core/keys/oauth-clients";
import {
  consumeOnce,
  consumeRefreshToken,
  deleteRecord,
  type FoundRecord,
  findRecord,
  isRefreshReused,
  keepClientUntil,
  type NewRecord,
  parseAccountId,
  saveRecord,
} from "@/lib/core/keys/oauth-records";
import type { Services } from "@/lib/platform/services";

export interface AdapterServices extends Pick<Services, "pool" | "clock" | "appUrl"> {
  clientSecrets: ClientSecrets;
}

const payloadSchema = z.custom<AdapterPayload>((value) => typeof value === "object" && value !== null);

/** The models that `oidc-provider` stores. Sessions are not stored: see `noSessions`. */
export function createAdapter(services: AdapterServices): (model: string) => Adapter {
  return (model) => {
    if (model === "Session") return noSessions;
    if (model === "Client") return keepClients(services);
    return keepRecords(services, model);
  };
}

/**
 * Never finds a session. The member who connects is the one who consented to this very request; a session that
 * outlived it could hand one person's consent to the next person at the same browser.
 */
const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/** Clients that registered themselves. Clients with metadata documents are kept in memory only. */
function keepClients(services: AdapterServices): Adapter {
  return {
    ...noSessions,
    upsert: (id, payload) => keepRegisteredClient(services, id, { ...payload }),
    find: async (id) => {
      const metadata = await findClient(services, id);
      return metadata ? payloadSchema.parse(metadata) : undefined;
    },
    destroy: (id) => deleteRecord(services.pool, "Client", id),
  };
}

/** Models that make up a connection: ending any of them ends the whole connection, in one transaction. */
const OF_A_CONNECTION: readonly string[] = ["Grant", "AccessToken", "RefreshToken"];

function keepRecords(services: AdapterServices, model: string): Adapter {
  const { pool, clock } = services;
  return {
    upsert: async (id, payload) => {
      const record = toRecord(model, id, payload);
      await saveRecord(pool, record, clock.now());
      if (model === "RefreshToken" && payload.clientId !== undefined && record.expiresAt !== null)
        await keepClientUntil(pool, payload.clientId, record.expiresAt);
    },
    find: async (id) => {
      const found = await findRecord(pool, model, id);
      return found ? toPayload(services, model, id, found) : undefined;
    },
    consume: async (id) => {
      const now = clock.now();
      const isConsumed =
        model === "RefreshToken"
          ? await consumeRefreshToken(services, id, { now, retriedSince: retriedSince(now) })
          : await consumeOnce(pool, model, id, now);
      // A second use at the same moment gets nothing, and takes nothing from the first.
      if (!isConsumed) throw new errors.InvalidGrant(`${model} already consumed`);
    },
    destroy: async (id) => {
      if (!OF_A_CONNECTION.includes(model)) return deleteRecord(pool, model, id);
      const connectionId = model === "Grant" ? id : (await findRecord(pool, model, id))?.payload.grantId;
      if (typeof connectionId === "string") await endConnection(services, connectionId, reasonToEnd());
    },
    revokeByGrantId: (grantId) => endConnection(services, grantId, reasonToEnd()),
    // Only sessions and device codes call this, and neither exists here.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

/** Revocation is the client's own wish; anything else that ends a grant is a second use. */
function reasonToEnd(): "CLIENT" | "REUSE" {
  return Provider.ctx?.path === OAUTH_PATHS.revoke ? "CLIENT" : "REUSE";
}

function toRecord(model: string, id: string, payload: AdapterPayload): NewRecord {
  // The id is the bearer value: stored hashed, and nowhere else in the row.
  const { jti: _id, returnTo: _address, ...kept } = payload;
  const account = payload.accountId === undefined ? null : parseAccountId(payload.accountId);
  const grantId = model === "Grant" ? id : payload.grantId;
  return {
    model,
    id,
    payload: kept,
    connection:
      account && grantId !== undefined ? { organizationId: account.organizationId, id: grantId } : null,
    audience: typeof payload.aud === "string" ? payload.aud : null,
    expiresAt: payload.exp === undefined ? null : new Date(payload.exp * 1_000),
    parentId: model === "RefreshToken" ? Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti : undefined,
  };
}

async function toPayload(
  services: AdapterServices,
  model: string,
  id: string,
  found: FoundRecord,
): Promise<AdapterPayload> {
  const { appUrl } = services;
  return payloadSchema.parse({
    ...found.payload,
    jti: id,
    ...(model === "Interaction" && { returnTo: `${appUrl}${OAUTH_PATHS.authorize}/${id}` }),
    ...((await isUsedUp(services, model, id, found)) && { consumed: true }),
  });
}

/** True when the second use must be a stolen copy. */
async function isUsedUp(
  { pool, clock }: AdapterServices,
  model: string,
  id: string,
  { consumedAt }: FoundRecord,
): Promise<boolean> {
  const now = clock.now();
  if (model === "RefreshToken") return isRefreshReused(pool, id, retriedSince(now));
  if (consumedAt === null) return false;
  // A second use together with the first is refused, and nothing more.
  const lenienceMs = model === "AuthorizationCode" ? SAME_MOMENT_MS : 0;
  return now.getTime() - consumedAt.getTime() > lenienceMs;
}

function retriedSince(now: Date): Date {
  return new Date(now.getTime() - REFRESH_GRACE_MS);
}
