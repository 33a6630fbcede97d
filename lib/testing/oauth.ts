import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOAuth } from "@/lib/api/oauth/app";
import { createFetchDocument, type DocumentSeams } from "@/lib/api/oauth/fetch-document";
import type { AuthorizationRequests } from "@/lib/core/keys/authorization-requests";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { systemClock } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

export const TEST_PRODUCT_SECRET = "a product secret for tests only, 32+";
export const TEST_REDIRECT = "https://client.example/callback";

export interface TestTokens {
  access_token: string;
  refresh_token?: string;
  scope: string;
  expires_in: number;
  token_type: string;
}

export interface TestAnswer<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

export type TestOAuth = Awaited<ReturnType<typeof startTestOAuth>>;

/** The authorization server over HTTP, on its own port; several on one database are several processes. */
export async function startTestOAuth(
  base: Services,
  options: { appUrl?: string; seams?: DocumentSeams; networkAddress?: string } = {},
) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://localhost:${portOf(server.address())}`;
  const appUrl = options.appUrl ?? origin;
  // oidc-provider has its own clock, which is real.
  const services: Services = { ...base, clock: systemClock, appUrl };
  const api = createOAuth(services, {
    productSecret: TEST_PRODUCT_SECRET,
    fetchDocument: createFetchDocument({ allowsPrivate: false }, options.seams),
  });
  server.on("request", (request, response) => {
    request.headers[CLIENT_ADDRESS_HEADER] = options.networkAddress ?? "203.0.113.7";
    void api.handle(request, response);
  });
  return {
    services,
    requests: api.requests,
    origin,
    appUrl,
    resource: `${appUrl}/mcp`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    /** Requests this server, whatever APP_URL says. Redirects are answers. */
    ask: (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, { redirect: "manual", ...init }),
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}

/** Registers a client, and returns the server's response. */
export async function register(oauth: TestOAuth, metadata: Record<string, unknown> = {}) {
  const response = await oauth.ask("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Test assistant",
      redirect_uris: [TEST_REDIRECT],
      token_endpoint_auth_method: "none",
      ...metadata,
    }),
  });
  const body: { client_id: string; client_secret?: string; error?: string; error_description?: string } =
    await response.json();
  return { status: response.status, body, headers: response.headers };
}

/** A proof key (RFC 7636). */
export function makeProofKey() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export interface AuthorizeOptions {
  clientId: string;
  redirectUri?: string;
  challenge: string;
  scope?: string | null;
  /** Null omits a parameter that is sent by default. */
  parameters?: Record<string, string | null>;
}

export function authorizationPath(oauth: TestOAuth, options: AuthorizeOptions): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: options.clientId,
    redirect_uri: options.redirectUri ?? TEST_REDIRECT,
    state: "state of the client",
    code_challenge: options.challenge,
    code_challenge_method: "S256",
    resource: oauth.resource,
  });
  if (options.scope !== null) query.set("scope", options.scope ?? "mcp offline_access");
  for (const [name, value] of Object.entries(options.parameters ?? {})) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return `/oauth/authorize?${query}`;
}

/** A browser's cookies, of every path: only which browser has them matters here. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      const value = pair.slice(at + 1);
      if (value === "") this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), value);
    }
  }

  get header(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }

  get names(): string[] {
    return [...this.#cookies.keys()];
  }
}

/** Begins a request in a browser and returns the consent page that it leads to. */
export async function beginAuthorization(oauth: TestOAuth, options: AuthorizeOptions) {
  const jar = new CookieJar();
  const response = await oauth.ask(authorizationPath(oauth, options));
  jar.take(response);
  const location = response.headers.get("location") ?? "";
  const uid = /\/connect\/([\w-]+)$/.exec(location)?.[1];
  if (uid === undefined)
    throw new Error(`No consent page: ${response.status} ${location} ${await response.text()}`);
  return { uid, jar };
}

type By = Parameters<AuthorizationRequests["allow"]>[2];

/** As the consent page calls it for a member. */
export function byMember(context: Context<MemberActor>): By {
  return { organizationId: context.organizationId, userId: context.actor.id, now: systemClock.now() };
}

/** Follows the browser from the decided request to the client, and returns what the client receives. */
export async function resume(oauth: TestOAuth, address: string, jar: CookieJar) {
  const url = new URL(address);
  const response = await oauth.ask(`${url.pathname}${url.search}`, { headers: { cookie: jar.header } });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`Nobody was sent back: ${response.status} ${await response.text()}`);
  return { response, parameters: new URL(location).searchParams, location };
}

/** A code, with the consent of this member. */
export async function obtainCode(
  oauth: TestOAuth,
  member: Context<MemberActor>,
  options: Omit<AuthorizeOptions, "challenge">,
) {
  const { verifier, challenge } = makeProofKey();
  const { uid, jar } = await beginAuthorization(oauth, { ...options, challenge });
  const address = await oauth.requests.allow(uid, jar.header, byMember(member));
  if (address === null) throw new Error("The request could not be allowed");
  const { parameters } = await resume(oauth, address, jar);
  const code = parameters.get("code");
  if (code === null) throw new Error(`No code: ${parameters}`);
  return { code, verifier, jar, parameters };
}

/** Any request to the token endpoint. */
export async function askForTokens(
  oauth: TestOAuth,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestAnswer<TestTokens & { error?: string; error_description?: string }>> {
  const response = await oauth.ask("/oauth/token", {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export function redeem(
  oauth: TestOAuth,
  fields: { clientId: string; code: string; verifier: string; redirectUri?: string },
) {
  return askForTokens(oauth, {
    grant_type: "authorization_code",
    client_id: fields.clientId,
    code: fields.code,
    code_verifier: fields.verifier,
    redirect_uri: fields.redirectUri ?? TEST_REDIRECT,
  });
}

export function refresh(oauth: TestOAuth, clientId: string, refreshToken: string | undefined) {
  return askForTokens(oauth, {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: refreshToken ?? "",
  });
}

/** A connected assistant of this member, with its tokens. */
export async function connect(
  oauth: TestOAuth,
  member: Context<MemberActor>,
  options: { scope?: string | null } = {},
) {
  const { body: client } = await register(oauth);
  const { code, verifier } = await obtainCode(oauth, member, { clientId: client.client_id, ...options });
  const { status, body } = await redeem(oauth, { clientId: client.client_id, code, verifier });
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  return { clientId: client.client_id, tokens: body };
}
