import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { errors, type Provider } from "oidc-provider";
import { z } from "zod";
import { describeRedirect } from "@/lib/api/oauth/redirect-address";
import { LIFETIMES, OFFLINE_SCOPE, RESOURCE_SCOPE, resourceOf } from "@/lib/api/oauth/settings";
import type { AuthorizationRequests, ConnectionRequest } from "@/lib/core/keys/authorization-requests";
import { connectAssistant, decideRequest } from "@/lib/core/keys/connect-assistant";
import { cleanClientName, knownByOf } from "@/lib/core/keys/oauth-clients";
import type { Services } from "@/lib/platform/services";

type RequestServices = Pick<Services, "pool" | "clock" | "appUrl" | "log">;
type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;
type Client = NonNullable<Awaited<ReturnType<Provider["Client"]["find"]>>>;

const paramsSchema = z.looseObject({
  client_id: z.string(),
  redirect_uri: z.string(),
  scope: z.string(),
});

interface Undecided {
  interaction: Interaction;
  params: z.infer<typeof paramsSchema>;
  client: Client;
}

/** The authorization server's side of the consent page. */
export function createAuthorizationRequests(
  services: RequestServices,
  provider: Provider,
): AuthorizationRequests {
  return {
    read: async (uid, cookieHeader) => {
      const undecided = await findUndecided(services, provider, uid, cookieHeader);
      return undecided && describe(undecided);
    },
    allow: async (uid, cookieHeader, by) => {
      const undecided = await findUndecided(services, provider, uid, cookieHeader);
      return undecided && (await allow(services, undecided, by));
    },
    refuse: async (uid, cookieHeader) => {
      const undecided = await findUndecided(services, provider, uid, cookieHeader);
      return undecided && (await refuse(services, undecided));
    },
  };
}

/** The cookie is signed and bound to the request's id: knowing only the page's address is useless. */
async function findUndecided(
  services: RequestServices,
  provider: Provider,
  uid: string,
  cookieHeader: string,
): Promise<Undecided | null> {
  const interaction = await findInteraction(provider, cookieHeader);
  if (!interaction || interaction.uid !== uid || interaction.result !== undefined) return null;
  const params = paramsSchema.parse(interaction.params);
  const client = await findClient(services, provider, params.client_id);
  return client ? { interaction, params, client } : null;
}

/** The client's metadata document was readable when the request began, and may be gone by now. */
async function findClient(
  { log }: RequestServices,
  provider: Provider,
  clientId: string,
): Promise<Client | undefined> {
  try {
    return await provider.Client.find(clientId);
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    log.warn({ err: error }, "oauth: a client's metadata document could not be read again");
    return undefined;
  }
}

async function findInteraction(provider: Provider, cookieHeader: string): Promise<Interaction | null> {
  const request = new IncomingMessage(new Socket());
  request.headers.cookie = cookieHeader;
  try {
    return await provider.interactionDetails(request, new ServerResponse(request));
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  }
}

function describe({ interaction, params, client }: Undecided): ConnectionRequest {
  const { host, isLoopback } = describeRedirect(params.redirect_uri);
  const knownBy = knownByOf(client.clientId);
  return {
    uid: interaction.uid,
    clientId: client.clientId,
    clientName: cleanClientName(client.clientName, host),
    redirectHost: host,
    isLoopback,
    knownBy,
    clientIdHost: knownBy === "METADATA_DOCUMENT" ? new URL(client.clientId).host : null,
    askedAt: new Date(interaction.iat * 1_000),
    keepsAccess: keepsAccess(params.scope, client),
  };
}

function keepsAccess(scope: string, client: Client): boolean {
  return scope.split(" ").includes(OFFLINE_SCOPE) && client.grantTypeAllowed("refresh_token");
}

async function allow(
  services: RequestServices,
  { interaction, params, client }: Undecided,
  by: { organizationId: string; userId: string; now: Date },
): Promise<string | null> {
  const now = services.clock.now();
  const iat = Math.floor(now.getTime() / 1_000);
  const exp = iat + LIFETIMES.grant;
  const id = await connectAssistant(services, {
    interactionId: interaction.uid,
    client: {
      id: client.clientId,
      name: client.clientName,
      host: describeRedirect(params.redirect_uri).host,
    },
    by,
    keptUntil: new Date(exp * 1_000),
    clientKeptUntil: new Date((iat + LIFETIMES.refreshToken) * 1_000),
    describe: (connectionId, accountId) => ({
      // Written as oidc-provider's `Grant.save` would; here it shares a transaction with the connection itself.
      grant: {
        kind: "Grant",
        iat,
        exp,
        accountId,
        clientId: client.clientId,
        resources: { [resourceOf(services.appUrl)]: RESOURCE_SCOPE },
        openid: { scope: OFFLINE_SCOPE },
      },
      result: {
        login: { accountId, remember: false },
        consent: { grantId: connectionId },
        select_account: {},
      },
    }),
  });
  return id === null ? null : interaction.returnTo;
}

async function refuse(services: RequestServices, { interaction }: Undecided): Promise<string | null> {
  const result = { error: "access_denied", error_description: "The member denied access." };
  const isDecided = await decideRequest(services.pool, interaction.uid, result, services.clock.now());
  return isDecided ? interaction.returnTo : null;
}
