import { z } from "zod";
import type { ClientSecrets } from "@/lib/core/keys/client-secret";
import { findRecord, saveRecord } from "@/lib/core/keys/oauth-records";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export type ClientServices = Pick<Services, "pool" | "clock"> & { clientSecrets: ClientSecrets };

/** How long a program is remembered that registers itself and never connects. */
const UNUSED_MS = 24 * 60 * 60_000;
/** Anybody may register: beyond this many that never connected, the oldest of them are forgotten. */
const MAXIMUM_UNUSED = 2_000;

const sealedSchema = z.looseObject({ sealed_secret: z.string().optional() });

/** Keeps a client that registered itself (RFC 7591): a day, unless it connects. */
export async function keepRegisteredClient(
  { pool, clock, clientSecrets }: ClientServices,
  clientId: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + UNUSED_MS);
  const payload = sealSecret(clientSecrets, clientId, metadata);
  await inTransaction(pool, async (client) => {
    await saveRecord(client, toRecord(clientId, payload, expiresAt), now);
    await forgetSurplus(client);
  });
}

/** Keeps a client that the operator of this machine knows, until he removes it. */
export async function keepOperatorsClient(
  { pool, clock, clientSecrets }: ClientServices,
  clientId: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  const payload = sealSecret(clientSecrets, clientId, metadata);
  await saveRecord(pool, toRecord(clientId, payload, null), clock.now());
}

/** What a client said of itself, with its secret; null for one that is unknown or forgotten. */
export async function findClient(
  { pool, clock, clientSecrets }: ClientServices,
  clientId: string,
): Promise<Record<string, unknown> | null> {
  const found = await findRecord(pool, "Client", clientId);
  if (!found || (found.expiresAt !== null && found.expiresAt <= clock.now())) return null;
  const { sealed_secret: sealed, ...metadata } = sealedSchema.parse(found.payload);
  return sealed === undefined
    ? metadata
    : { ...metadata, client_secret: clientSecrets.open(sealed, clientId) };
}

function toRecord(id: string, payload: Record<string, unknown>, expiresAt: Date | null) {
  return { model: "Client", id, payload, connection: null, audience: null, expiresAt };
}

function sealSecret(secrets: ClientSecrets, clientId: string, metadata: Record<string, unknown>) {
  const { client_secret: secret, ...rest } = metadata;
  return typeof secret === "string" ? { ...rest, sealed_secret: secrets.seal(secret, clientId) } : rest;
}

async function forgetSurplus(database: Queryable): Promise<void> {
  await database.query({
    name: "forget_surplus_registrations",
    text: `
      delete from oauth_records where ctid = any (array(
        select r.ctid from oauth_records r
         where r.model = 'Client' and r.expires_at <= r.created_at + $1 * interval '1 millisecond'
         order by r.created_at desc offset $2))`,
    values: [UNUSED_MS, MAXIMUM_UNUSED],
  });
}
