import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { createAuthorizationRequests } from "@/lib/api/oauth/authorization-requests";
import { createProvider, type ProviderServices } from "@/lib/api/oauth/create-provider";
import type { FetchDocument } from "@/lib/api/oauth/fetch-document";
import { answerTooMany } from "@/lib/api/oauth/render-error";
import {
  AUTH_METHODS,
  OAUTH_BASE_PATH,
  OAUTH_PATHS,
  OFFLINE_SCOPE,
  RESOURCE_METADATA_PATH,
  RESOURCE_PATH,
  RESOURCE_SCOPE,
  resourceOf,
  SERVER_METADATA_PATH,
  SIGNING_ALGORITHMS,
} from "@/lib/api/oauth/settings";
import type { AuthorizationRequests } from "@/lib/core/keys/authorization-requests";
import { createClientSecrets } from "@/lib/core/keys/oauth-clients";
import { CLIENT_ADDRESS_HEADER, networkOf } from "@/lib/core/shared/network";
import { type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import type { SecretSource } from "@/lib/platform/product-secrets";
import type { Services } from "@/lib/platform/services";

const CACHE_SECONDS = 300;

/** How to connect each client, for people. */
const GUIDE_PATH = "/docs/assistants";

const MINUTE_MS = 60_000;

/** Per network, which a whole office may share. Each request adds a row or calls another server. */
const LIMITS = {
  authorize: { limit: 200, windowMs: 10 * MINUTE_MS },
  register: { limit: 60, windowMs: 10 * MINUTE_MS },
  token: { limit: 600, windowMs: 10 * MINUTE_MS },
  document: { limit: 30, windowMs: 10 * MINUTE_MS },
} as const;

export interface OAuthApi {
  /** Handles the paths that `isOAuthPath` accepts. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** For the consent page. */
  requests: AuthorizationRequests;
}

/** The address of a client's metadata document; a connection stores it. */
const LONGEST_CLIENT_ID = 1_024;
const METADATA_PREFIX = "/.well-known/oauth-";

export function isOAuthPath(path: string): boolean {
  return (
    path === OAUTH_BASE_PATH || path.startsWith(`${OAUTH_BASE_PATH}/`) || path.startsWith(METADATA_PREFIX)
  );
}

/** The authorization server and its metadata, for programs that want access on behalf of a person. */
export function createOAuth(
  services: Services,
  { productSecret, fetchDocument }: { productSecret: SecretSource; fetchDocument: FetchDocument },
): OAuthApi {
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
    requests: createAuthorizationRequests(services, provider),
    handle: async (request, response) => {
      const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
      if (path.startsWith(METADATA_PREFIX)) return toMetadata(request, response);
      if (!isServed(path)) return answerJson(response, 404, NOTHING_HERE);
      // PostgreSQL stores no NUL in text, and no client means one.
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
 * Anyone who asks for authorization names an address that this server fetches: limited per network, and to one fetch
 * per request. `oidc-provider` looks the client up again while answering that it could not be found.
 */
function createFetchLimit(services: Services): ProviderServices["mayFetch"] {
  const asked = new WeakSet<IncomingMessage>();
  return async (ctx, clientId) => {
    if (clientId.length > LONGEST_CLIENT_ID) return false;
    // A member is reading the consent page of a request whose client was found.
    if (ctx === undefined) return true;
    if (asked.has(ctx.req)) return false;
    asked.add(ctx.req);
    return (await limitAddress(services, "document", addressOf(ctx.req))) === null;
  };
}

const NOTHING_HERE = { error: "not_found", error_description: "There is nothing at this address." };

const AUTHORIZATION = new RegExp(`^${OAUTH_PATHS.authorize}(/[\\w-]{1,64})?$`);

/** `oidc-provider` has more routes than the product uses. */
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

/** Every URL built from a request uses APP_URL, whatever the request says about host, scheme and forwarding. */
function nameOurselves(request: IncomingMessage, appUrl: string): void {
  const { host, protocol } = new URL(appUrl);
  for (const name of ["forwarded", "x-forwarded-host", "x-forwarded-for", "x-forwarded-port"])
    delete request.headers[name];
  request.headers.host = host;
  request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
}

/** `oidc-provider` has no CORS for registration, which browser clients need too. True: answered here. */
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

/** True: refused and answered here. */
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
  // Shown to a person.
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

type Limited = keyof typeof LIMITS;

/** Paths of the authorization server with a limit of their own; the others cost nothing. */
function limitedAs(path: string): Limited | null {
  if (path === OAUTH_PATHS.register) return "register";
  if (path === OAUTH_PATHS.token || path === OAUTH_PATHS.revoke) return "token";
  return path === OAUTH_PATHS.authorize || path.startsWith(`${OAUTH_PATHS.authorize}/`) ? "authorize" : null;
}

/** Null: may proceed. */
async function limitAddress(
  services: Pick<Services, "pool" | "clock">,
  what: Limited,
  address: string | null,
): Promise<Throttled | null> {
  const subject = `oauth-${what}:${networkOf(address)}`;
  const taken = await takeAttempt(services, [{ subject, ...LIMITS[what] }]);
  return taken.kind === "THROTTLED" ? taken : null;
}

/**
 * Normalizes an authorization request; other requests stay as they are.
 * - Every connection gets the one scope there is, whatever was asked for: the token response names it (RFC 6749,
 * 3.3). Scopes of OpenID Connect are dropped, since there are no ID tokens.
 * - Every request shows the consent page, so `prompt=consent` is set: without it `oidc-provider` drops
 * `offline_access`, as OpenID Connect requires, and plain OAuth clients do not send it.
 * @param target path and query, as in the request line
 */
function settleAuthorizationRequest(target: string): string {
  const [path = "", ...rest] = target.split("?");
  if (path !== OAUTH_PATHS.authorize) return target;
  const query = new URLSearchParams(rest.join("?"));
  // A repeated parameter is refused by the provider, unchanged.
  if (query.getAll("scope").length < 2) query.set("scope", settleScope(query.get("scope")));
  if (query.getAll("prompt").length < 2) query.set("prompt", settlePrompt(query.get("prompt")));
  return `${path}?${query}`;
}

function settleScope(asked: string | null): string {
  const keeps = (asked ?? "").split(" ").includes(OFFLINE_SCOPE);
  return keeps ? `${RESOURCE_SCOPE} ${OFFLINE_SCOPE}` : RESOURCE_SCOPE;
}

/** `none` stays alone: answered with `consent_required`. */
function settlePrompt(asked: string | null): string {
  const prompts = (asked ?? "").split(" ").filter((prompt) => prompt !== "");
  return prompts.includes("none") || prompts.includes("consent")
    ? prompts.join(" ")
    : [...prompts, "consent"].join(" ");
}

/** The metadata that programs read first, built from APP_URL and nothing that a request claims. */
function createMetadata(appUrl: string): Hono {
  const app = new Hono();
  app.use(cors({ origin: "*", allowMethods: ["GET"], maxAge: 3_600 }));
  const server = describeServer(appUrl);
  const resource = describeResource(appUrl);
  const headers = { "Cache-Control": `public, max-age=${CACHE_SECONDS}` };
  app.get(SERVER_METADATA_PATH, (c) => c.json(server, 200, headers));
  app.get(RESOURCE_METADATA_PATH, (c) => c.json(resource, 200, headers));
  app.get(`${RESOURCE_METADATA_PATH}${RESOURCE_PATH}`, (c) => c.json(resource, 200, headers));
  app.notFound((c) =>
    c.json({ error: "not_found", error_description: "There is nothing at this address." }, 404),
  );
  return app;
}

/** RFC 8414. Lists only what exists: no ID tokens, no user information, no logout. */
function describeServer(appUrl: string) {
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${appUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${appUrl}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${appUrl}${OAUTH_PATHS.revoke}`,
    scopes_supported: [RESOURCE_SCOPE, OFFLINE_SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query", "fragment"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resourceOf(appUrl)],
    service_documentation: `${appUrl}${GUIDE_PATH}`,
  };
}

/** RFC 9728. */
function describeResource(appUrl: string) {
  return {
    resource: resourceOf(appUrl),
    authorization_servers: [appUrl],
    // Clients request the scopes listed here, so staying connected requires this one to be listed.
    scopes_supported: [RESOURCE_SCOPE, OFFLINE_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "Sluice",
    resource_documentation: `${appUrl}${GUIDE_PATH}`,
  };
}
