import { randomBytes } from "node:crypto";
import { z } from "zod";
import { isVisible, seenText } from "@/lib/contract/plain-text";
import { findRecord, saveRecord } from "@/lib/core/keys/oauth-records";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { createEncryption } from "@/lib/platform/encryption";
import type { SecretSource } from "@/lib/platform/product-secrets";
import type { Services } from "@/lib/platform/services";

type ClientServices = Pick<Services, "pool" | "clock"> & { clientSecrets: ClientSecrets };

/** How long a self-registered program is remembered if it never connects. */
const UNUSED_MS = 24 * 60 * 60_000;
/** Registration is open: beyond this many that never connected, the oldest are forgotten. */
const MAXIMUM_UNUSED = 2_000;

const sealedSchema = z.looseObject({ sealed_secret: z.string().optional() });

/** Stores a self-registered client (RFC 7591): for a day, unless it connects. */
export async function keepRegisteredClient(
  { pool, clock, clientSecrets }: ClientServices,
  clientId: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + UNUSED_MS);
  const payload = encryptSecret(clientSecrets, clientId, metadata);
  await inTransaction(pool, async (client) => {
    await saveRecord(client, toRecord(clientId, payload, expiresAt), now);
    await forgetSurplus(client);
  });
}

/** Stores a client that the operator registered, until they remove it. */
async function keepOperatorsClient(
  { pool, clock, clientSecrets }: ClientServices,
  clientId: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  const payload = encryptSecret(clientSecrets, clientId, metadata);
  await saveRecord(pool, toRecord(clientId, payload, null), clock.now());
}

/** A client's metadata with its secret; null for an unknown or forgotten one. */
export async function findClient(
  { pool, clock, clientSecrets }: ClientServices,
  clientId: string,
): Promise<Record<string, unknown> | null> {
  const found = await findRecord(pool, "Client", clientId);
  if (!found || (found.expiresAt !== null && found.expiresAt <= clock.now())) return null;
  const { sealed_secret: sealed, ...metadata } = sealedSchema.parse(found.payload);
  return sealed === undefined
    ? metadata
    : { ...metadata, client_secret: clientSecrets.decrypt(sealed, clientId) };
}

function toRecord(id: string, payload: Record<string, unknown>, expiresAt: Date | null) {
  return { model: "Client", id, payload, connection: null, audience: null, expiresAt };
}

function encryptSecret(secrets: ClientSecrets, clientId: string, metadata: Record<string, unknown>) {
  const { client_secret: secret, ...rest } = metadata;
  return typeof secret === "string" ? { ...rest, sealed_secret: secrets.encrypt(secret, clientId) } : rest;
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

/** How the authorization server knows a client. */
type KnownBy = "OPERATOR" | "REGISTRATION" | "METADATA_DOCUMENT";

const PREFIXES = { OPERATOR: "op_", REGISTRATION: "dyn_" } as const;
const ID_BYTES = 16;

/** The prefix says how it is known; clients do not choose their ids. */
export function newClientId(knownBy: keyof typeof PREFIXES): string {
  return `${PREFIXES[knownBy]}${randomBytes(ID_BYTES).toString("base64url")}`;
}

/** A client whose id is a URL is described there (Client ID Metadata Document). */
export function knownByOf(clientId: string): KnownBy {
  if (/^https:\/\//i.test(clientId)) return "METADATA_DOCUMENT";
  return clientId.startsWith(PREFIXES.OPERATOR) ? "OPERATOR" : "REGISTRATION";
}

const LONGEST = 60;

/** A program's own name made safe to display: one line, nothing invisible, at most 60 characters. */
export function cleanClientName(name: string | undefined, fallback: string): string {
  const clean = seenText(name ?? "", " ")
    .replace(/\s+/g, " ")
    .trim();
  return Array.from(isVisible(clean) ? clean : fallback)
    .slice(0, LONGEST)
    .join("")
    .trim();
}

/** Encrypts the secrets of clients, which the authorization server must read again to compare them. */
export interface ClientSecrets {
  encrypt(secret: string, clientId: string): string;
  /** @throws DecryptionFailed when it was altered, or belongs to another client. */
  decrypt(sealed: string, clientId: string): string;
}

export function createClientSecrets(productSecret: SecretSource): ClientSecrets {
  const encryption = createEncryption(productSecret, "oauth client secrets");
  return {
    encrypt: (secret, clientId) => encryption.encrypt(secret, clientId).toString("base64url"),
    decrypt: (sealed, clientId) => encryption.decrypt(Buffer.from(sealed, "base64url"), clientId),
  };
}

interface NewClient {
  name: string;
  redirectUris: string[];
  /** It can keep a secret: a server, not a program on a person's machine. */
  isConfidential: boolean;
}

interface RegisteredClient {
  clientId: string;
  /** Shown once; null for a client that cannot keep one. */
  clientSecret: string | null;
}

/**
 * Registers a client for the operator of this machine, until it is removed.
 * @param client with validated addresses
 */
export async function registerClient(services: ClientServices, client: NewClient): Promise<RegisteredClient> {
  const clientId = newClientId("OPERATOR");
  const clientSecret = client.isConfidential ? randomBytes(32).toString("base64url") : null;
  await keepOperatorsClient(services, clientId, {
    client_id: clientId,
    client_name: cleanClientName(client.name, clientId),
    redirect_uris: client.redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: clientSecret === null ? "none" : "client_secret_basic",
    ...(clientSecret !== null && { client_secret: clientSecret, client_secret_expires_at: 0 }),
  });
  return { clientId, clientSecret };
}

const LISTED = 200;

/** A client that the operator registered. */
const operatorsClientSchema = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  /** How many connections use it, in all organizations. */
  connections: z.number(),
});

/** The clients that the operator registered, newest first. */
export async function listOperatorsClients(
  database: Queryable,
): Promise<z.infer<typeof operatorsClientSchema>[]> {
  const { rows } = await database.query(
    `select r.payload->>'client_id' as "clientId", r.payload->>'client_name' as name,
        r.payload->'redirect_uris' as "redirectUris",
        (select count(*)::int from api_keys k
          where k.client_id = r.payload->>'client_id' and k.revoked_at is null) as connections
       from oauth_records r
      where r.model = 'Client' and r.expires_at is null
      order by r.created_at desc limit ${LISTED}`,
  );
  return rows.map((row) => operatorsClientSchema.parse(row));
}

/**
 * Removes a client that the operator registered. Its connections get no new tokens and end when their last one expires.
 * @returns false when there is no such client.
 */
export async function removeOperatorsClient(database: Queryable, clientId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "delete from oauth_records where model = 'Client' and expires_at is null and payload->>'client_id' = $1",
    [clientId],
  );
  return rowCount === 1;
}
