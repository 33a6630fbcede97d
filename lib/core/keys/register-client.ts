import { randomBytes } from "node:crypto";
import { newClientId } from "@/lib/core/keys/client-id";
import { cleanClientName } from "@/lib/core/keys/client-name";
import { type ClientServices, keepOperatorsClient } from "@/lib/core/keys/keep-client";

export interface NewClient {
  name: string;
  redirectUris: string[];
  /** It can keep a secret: a server, not a program on somebody's machine. */
  isConfidential: boolean;
}

export interface RegisteredClient {
  clientId: string;
  /** Shown once; null for one that can keep none. */
  clientSecret: string | null;
}

/**
 * Registers a client for the operator of this machine, until it is removed.
 * @param client with addresses that were judged
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
