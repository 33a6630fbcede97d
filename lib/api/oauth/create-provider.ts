import { createHmac, createPrivateKey, hkdfSync } from "node:crypto";
import type { ServerResponse } from "node:http";
import {
  type Configuration,
  errors,
  type FindAccount,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { type AdapterServices, createAdapter } from "@/lib/api/oauth/adapter";
import type { FetchDocument } from "@/lib/api/oauth/fetch-document";
import { mayReturnUnseen } from "@/lib/api/oauth/redirect-address";
import { renderError } from "@/lib/api/oauth/render-error";
import {
  AUTH_METHODS,
  consentPath,
  LIFETIMES,
  OAUTH_PATHS,
  OFFLINE_SCOPE,
  RESOURCE_SCOPE,
  resourceOf,
  SIGNING_ALGORITHMS,
} from "@/lib/api/oauth/settings";
import { checkTexts, dropEmpty, settleClient } from "@/lib/api/oauth/settle-client";
import { knownByOf, newClientId } from "@/lib/core/keys/oauth-clients";
import { isMember, parseAccountId } from "@/lib/core/keys/oauth-records";
import { hasCode } from "@/lib/platform/error-code";
import { factsOf } from "@/lib/platform/observe/request-facts";
import { derivedOf, type ProductSecrets, type SecretSource, toSecrets } from "@/lib/platform/product-secrets";
import type { Services } from "@/lib/platform/services";

/** PKCS #8 prefix of a 32-byte Ed25519 key (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

export interface ProviderServices extends AdapterServices, Services {
  productSecret: SecretSource;
  fetchDocument: FetchDocument;
  /** Whether this request may have a metadata document fetched; undefined while a member reads the consent page. */
  mayFetch: (ctx: KoaContextWithOIDC | undefined, clientId: string) => Promise<boolean>;
}

const COOKIE_NAMES = {
  /** Binds a request to the browser in which it began, at the consent page. */
  interaction: "sluice_connect",
  /** The same, for the path where the browser goes on. */
  resume: "sluice_connect_resume",
  /** Never set. */
  session: "sluice_connect_none",
};
const MAXIMUM_DOCUMENT_BYTES = 32 * 1_024;
const DOCUMENT_CACHE_SECONDS = { min: 60, max: 3_600 };

/** The authorization server (OAuth 2.1; specification, Part 5, "MCP server", OAuth; docs/oauth.md). */
export function createProvider(services: ProviderServices): Provider {
  const provider = new Provider(services.appUrl, {
    ...describeClients(services),
    ...describeConsent(services),
    adapter: createAdapter(services),
    features: describeFeatures(services),
    routes: {
      authorization: OAUTH_PATHS.authorize,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.register,
      revocation: OAUTH_PATHS.revoke,
    },
    scopes: [RESOURCE_SCOPE, OFFLINE_SCOPE],
    responseTypes: ["code"],
    pkce: { required: () => true },
    jwks: { keys: [deriveSigningKey(toSecrets(services.productSecret).current())] },
    clockTolerance: 5,
    ttl: {
      AccessToken: LIFETIMES.accessToken,
      AuthorizationCode: LIFETIMES.code,
      Grant: LIFETIMES.grant,
      Interaction: LIFETIMES.interaction,
      RefreshToken: (_ctx, token) => secondsOfRefreshToken(token.totalLifetime()),
      // None is stored: see the adapter.
      Session: LIFETIMES.interaction,
    },
    rotateRefreshToken: true,
    // Ending a part of a connection ends all of it.
    revokeGrantPolicy: () => true,
    issueRefreshToken: async (_ctx, client, source) =>
      client.grantTypeAllowed("refresh_token") && source.scopes.has(OFFLINE_SCOPE),
    expiresWithSession: async () => false,
    renderError,
  });
  nameSuccessors(provider, toSecrets(services.productSecret));
  provider.use(async (ctx, next) => {
    await next();
    dropSessionCookie(ctx.res);
    // `oidc-provider` has it only for a client that used this scheme; a 401 always needs one (RFC 9110, 15.5.2).
    if (ctx.status === 401 && !ctx.response.get("WWW-Authenticate")) {
      ctx.set("WWW-Authenticate", `Basic realm="${services.appUrl}", error="invalid_client"`);
    }
  });
  // Host and scheme that a request claims are replaced before it gets here.
  provider.proxy = true;
  // Runs before the answer, so headers set here take effect.
  provider.on("authorization.error", keepUnseenErrors);
  provider.on("server_error", (ctx, error) => {
    const requestId = factsOf(ctx.req)?.requestId;
    services.log.error({ err: error, requestId }, "oauth: request failed");
  });
  provider.onerror = (error) => {
    // On the answer's connection: a client that disconnects early is not a server error.
    const level = hasCode(error, "ECONNRESET", "EPIPE") ? "debug" : "error";
    services.log[level]({ err: error }, "oauth: request failed");
  };
  return provider;
}

/**
 * A refresh token's successor follows from it and the product's secret, so that a repeated refresh gets the same one: two
 * processes that share a store stay connected, whichever of them writes last. Only its hash is stored, as of any token.
 */
function nameSuccessors(provider: Provider, secrets: ProductSecrets): void {
  const keys = derivedOf(secrets, (secret) => derive(secret, "sluice oauth refresh successors"));
  // Not in the package's types; refresh.test.ts fails where it is no longer called.
  const { prototype } = provider.RefreshToken;
  const random: unknown = Reflect.get(prototype, "generateTokenId");
  if (typeof random !== "function") throw new Error("oidc-provider names its tokens differently");
  Reflect.set(prototype, "generateTokenId", function generateTokenId(this: unknown): unknown {
    const parentId = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
    if (parentId === undefined) return random.call(this);
    return createHmac("sha256", keys()[0]).update(parentId).digest("base64url");
  });
}

/** No token outlives its connection. One requested at the very end lasts a second, since zero would mean forever. */
function secondsOfRefreshToken(ageOfConnectionInSeconds: number): number {
  const left = LIFETIMES.connection - ageOfConnectionInSeconds;
  return Math.max(1, Math.min(LIFETIMES.refreshToken, left));
}

/** Once a person has decided (`resume`), the answer goes to the client, errors included. */
function keepUnseenErrors(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  if (ctx.oidc.route === "resume") return;
  const { client, params } = ctx.oidc;
  const address = params?.redirect_uri;
  const isTrusted = client !== undefined && knownByOf(client.clientId) === "OPERATOR";
  if (typeof address !== "string" || !mayReturnUnseen(address, isTrusted)) error.allow_redirect = false;
}

/** There are no sessions (see the adapter), so browsers get no session cookie. */
function dropSessionCookie(response: ServerResponse): void {
  const lines = response.getHeader("set-cookie");
  if (!Array.isArray(lines)) return;
  const kept = lines.filter((line) => !line.startsWith(COOKIE_NAMES.session));
  if (kept.length === 0) response.removeHeader("set-cookie");
  else response.setHeader("set-cookie", kept);
}

function describeClients({ fetchDocument }: ProviderServices): Configuration {
  return {
    clientAuthMethods: [...AUTH_METHODS],
    enabledJWA: { clientAuthSigningAlgValues: [...SIGNING_ALGORITHMS], idTokenSigningAlgValues: ["EdDSA"] },
    clientDefaults: {
      application_type: "native",
      // Programs that leave this out want both (RFC 7591, 2 names only the first as the default).
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "EdDSA",
    },
    extraClientMetadata: {
      // Attached to one property, the check runs once for the whole metadata.
      properties: ["sluice_settled"],
      validator: (_ctx, _key, _value, metadata) => settleClient(metadata),
    },
    // Tokens are not sent by cookie, so a page of any origin gets no more than a program does.
    clientBasedCORS: () => true,
    fetch: async (input) => withoutEmptyMembers(await fetchDocument(input)),
    fetchResponseBodyLimits: {
      "client_id metadata document": MAXIMUM_DOCUMENT_BYTES,
      jwks_uri: MAXIMUM_DOCUMENT_BYTES,
      sector_identifier_uri: 0,
    },
  };
}

/** `oidc-provider` checks addresses of a fetched document before `settleClient` sees it. */
async function withoutEmptyMembers(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null) dropEmpty(document);
    return new Response(JSON.stringify(document), { status, headers });
  } catch {
    // Not JSON: refused as such by the reader.
    return new Response(text === "" ? null : text, { status, headers });
  }
}

function describeConsent(services: ProviderServices): Configuration {
  return {
    findAccount: createFindAccount(services),
    loadExistingGrant: async (ctx) => {
      const id = grantIdOf(ctx);
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
    },
    interactions: {
      policy: consentPolicy(),
      url: (_ctx, interaction) => consentPath(interaction.uid),
    },
    cookies: {
      names: COOKIE_NAMES,
      keys: toSecrets(services.productSecret).all().map(deriveCookieKey),
      short: { httpOnly: true, sameSite: "lax", signed: true, overwrite: true },
      long: { httpOnly: true, sameSite: "lax", signed: true, overwrite: true },
    },
  };
}

function describeFeatures({ appUrl, mayFetch }: ProviderServices): NonNullable<Configuration["features"]> {
  const resource = resourceOf(appUrl);
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      allowFetch: mayFetch,
      allowClient: async () => true,
      cacheDuration: DOCUMENT_CACHE_SECONDS,
    },
    registration: {
      enabled: true,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      // The first hook of a registration, before anything is built from the metadata.
      idFactory: (ctx) => {
        dropEmpty(ctx.oidc.body);
        checkTexts(ctx.oidc.body);
        return newClientId("REGISTRATION");
      },
    },
    revocation: {
      enabled: true,
      // A stranger learns nothing about another client's token (RFC 7009, 2.2).
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, asked) => {
        if (asked !== resource) throw new errors.InvalidTarget("tokens are issued for the MCP server only");
        return {
          scope: RESOURCE_SCOPE,
          audience: resource,
          accessTokenFormat: "opaque",
          accessTokenTTL: LIFETIMES.accessToken,
        };
      },
    },
  };
}

/** The member a token acts for; undefined once that member has left the organization. */
function createFindAccount({ pool }: Pick<Services, "pool">): FindAccount {
  return async (_ctx, id) => {
    const account = parseAccountId(id);
    if (!account || !(await isMember(pool, account))) return undefined;
    return { accountId: id, claims: () => ({ sub: id }) };
  };
}

/** Signs the cookies that bind a request to its browser. The same key in every process. */
function deriveCookieKey(productSecret: string): string {
  return derive(productSecret, "sluice oauth cookies").toString("base64url");
}

/**
 * `oidc-provider` requires a signing key. Nothing is signed with it: access tokens are opaque, and there are no ID
 * tokens.
 */
function deriveSigningKey(productSecret: string): JWK {
  const seed = derive(productSecret, "sluice oauth signing key");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const { x = "", d = "" } = key.export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", x, d, use: "sig", alg: "EdDSA" };
}

function derive(productSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", productSecret, "", purpose, 32));
}

const { Check, Prompt } = interactionPolicy;

/**
 * A person decides every request: earlier consent counts for nothing, so that a program that knows another's client
 * id gets nothing unseen. `login` and `select_account` are accepted and lead to the same page, which names who is
 * signed in.
 */
function consentPolicy(): interactionPolicy.Prompt[] {
  const undecided = new Check("undecided", "the member has to consent", "consent_required", (ctx) =>
    grantIdOf(ctx) === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [
    new Prompt({ name: "consent", requestable: true }, undecided),
    new Prompt({ name: "login", requestable: true }),
    new Prompt({ name: "select_account", requestable: true }),
  ];
}

/** The consent to this very request, never to an earlier one. */
function grantIdOf(ctx: KoaContextWithOIDC): string | undefined {
  return ctx.oidc.result?.consent?.grantId;
}
