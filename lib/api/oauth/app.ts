import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { OAUTH_BASE_PATH, OAUTH_PATHS } from "@/lib/api/oauth/addresses";
import { createConnectionDesk } from "@/lib/api/oauth/connection-desk";
import { createProvider, type ProviderServices } from "@/lib/api/oauth/create-provider";
import type { FetchDocument } from "@/lib/api/oauth/fetch-document";
import { limitAddress, limitedAs } from "@/lib/api/oauth/limit-address";
import { createMetadata } from "@/lib/api/oauth/metadata";
import { answerTooMany } from "@/lib/api/oauth/render-error";
import { settleAuthorizationRequest } from "@/lib/api/oauth/settle-authorization-request";
import { createClientSecrets } from "@/lib/core/keys/client-secret";
import type { ConnectionDesk } from "@/lib/core/keys/connection-desk";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/client-address";
import type { Services } from "@/lib/platform/services";

export interface OAuthDoor {
  /** Answers what `isOAuthPath` says is its. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** For the consent page. */
  desk: ConnectionDesk;
}

/** An address of a description; a connection keeps it. */
const LONGEST_CLIENT_ID = 1_024;
const METADATA_PREFIX = "/.well-known/oauth-";

export function isOAuthPath(path: string): boolean {
  return (
    path === OAUTH_BASE_PATH || path.startsWith(`${OAUTH_BASE_PATH}/`) || path.startsWith(METADATA_PREFIX)
  );
}

/** The door for programs that want access for a person: the authorization server and what they find out about it. */
export function createOAuthDoor(
  services: Services,
  { productSecret, fetchDocument }: { productSecret: string; fetchDocument: FetchDocument },
): OAuthDoor {
  const provider = createProvider({
    ...services,
    productSecret,
    fetchDocument,
    clientSecrets: createClientSecrets(productSecret),
    mayFetch: createFetchLimit(services),
  });
  const answer = provider.callback();
  const toMetadata = getRequestListener(createMetadata(services.appUrl).fetch, {
    overrideGlobalObjects: false,
  });
  return {
    desk: createConnectionDesk(services, provider),
    handle: async (request, response) => {
      const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
      if (path.startsWith(METADATA_PREFIX)) return toMetadata(request, response);
      if (!isServed(path)) return answerJson(response, 404, NOTHING_HERE);
      // No text that PostgreSQL keeps can hold one, and no client means one.
      if (request.url?.includes("%00")) return answerJson(response, 400, NUL_IN_ADDRESS);
      if (path === OAUTH_PATHS.register && openToPages(request, response)) return;
      if (await isThrottled(services, path, request, response)) return;
      nameOurselves(request, services.appUrl);
      request.url = settleAuthorizationRequest(request.url ?? "/");
      await answer(request, response);
    },
  };
}

const NUL_IN_ADDRESS = {
  error: "invalid_request",
  error_description: "The address must not contain NUL characters.",
};

/**
 * Whoever asks for authorization names an address that this server fetches: so many for one network, and one for one
 * request. `oidc-provider` looks for the client again while it answers that the client could not be found.
 */
function createFetchLimit(services: Services): ProviderServices["mayFetch"] {
  const asked = new WeakSet<IncomingMessage>();
  return async (ctx, clientId) => {
    if (clientId.length > LONGEST_CLIENT_ID) return false;
    // A member reads the consent page of a request whose client was known.
    if (ctx === undefined) return true;
    if (asked.has(ctx.req)) return false;
    asked.add(ctx.req);
    return (await limitAddress(services, "document", addressOf(ctx.req))) === null;
  };
}

const NOTHING_HERE = { error: "not_found", error_description: "There is nothing at this address." };

const AUTHORIZATION = new RegExp(`^${OAUTH_PATHS.authorize}(/[\\w-]{1,64})?$`);

/** `oidc-provider` has more routes than those that are used here. */
function isServed(path: string): boolean {
  const { authorize: _authorize, ...exact } = OAUTH_PATHS;
  return AUTHORIZATION.test(path) || Object.values(exact).some((served) => served === path);
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: Record<string, string>,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    ...headers,
  });
  response.end(JSON.stringify(body));
}

function addressOf(request: IncomingMessage): string | null {
  const address = request.headers[CLIENT_ADDRESS_HEADER];
  return typeof address === "string" ? address : null;
}

/** Every address that is made from a request is APP_URL's, whatever it says of host, scheme and who sent it on. */
function nameOurselves(request: IncomingMessage, appUrl: string): void {
  const { host, protocol } = new URL(appUrl);
  for (const name of ["forwarded", "x-forwarded-host", "x-forwarded-for", "x-forwarded-port"])
    delete request.headers[name];
  request.headers.host = host;
  request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
}

/** `oidc-provider` has no CORS for registration, which programs in a browser need too. True: it was answered. */
function openToPages(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method !== "OPTIONS") return false;
  response.writeHead(204, {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "content-type",
    "Access-Control-Max-Age": "3600",
  });
  response.end();
  return true;
}

/** True: it was refused, and answered. */
async function isThrottled(
  services: Services,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const what = request.method === "OPTIONS" ? null : limitedAs(path);
  const throttled = what && (await limitAddress(services, what, addressOf(request)));
  if (!throttled) return false;
  const headers = { "Retry-After": String(throttled.retryAfterSeconds) };
  // A person looks at this one.
  if (what === "authorize") {
    answerTooMany(response, headers);
    return true;
  }
  const tooMany = {
    error: "temporarily_unavailable",
    error_description: "Too many requests from this network. Wait, then try again.",
  };
  answerJson(response, 429, tooMany, headers);
  return true;
}
