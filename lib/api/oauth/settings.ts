import { ACCESS_TOKEN_MINUTES, CONNECTION_DAYS, UNUSED_CONNECTION_DAYS } from "@/lib/contract/limits";

/** Base path of the authorization server; everything else below it is 404. */
export const OAUTH_BASE_PATH = "/oauth";

export const OAUTH_PATHS = {
  authorize: `${OAUTH_BASE_PATH}/authorize`,
  token: `${OAUTH_BASE_PATH}/token`,
  register: `${OAUTH_BASE_PATH}/register`,
  revoke: `${OAUTH_BASE_PATH}/revoke`,
} as const;

/** RFC 8414, RFC 9728. */
export const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The one resource that tokens are issued for. */
export const RESOURCE_PATH = "/mcp";
export const RESOURCE_SCOPE = "mcp";
export const OFFLINE_SCOPE = "offline_access";

/** The one resource, as a token's audience. */
export function resourceOf(appUrl: string): string {
  return `${appUrl}${RESOURCE_PATH}`;
}

/** The consent page of a request. */
export function consentPath(uid: string): string {
  return `/connect/${uid}`;
}

/** Lifetimes in seconds of real time (docs/oauth.md). */
export const LIFETIMES = {
  /** A client redeems its code at once. */
  code: 60,
  /** Time to sign in and read the consent page. */
  interaction: 15 * 60,
  accessToken: ACCESS_TOKEN_MINUTES * 60,
  /** Since its last use: a connection unused for this long ends by itself. */
  refreshToken: UNUSED_CONNECTION_DAYS * 86_400,
  /** Since consent, however much it is used: then a member is asked again. */
  connection: CONNECTION_DAYS * 86_400,
  /** Longer than any connection; it ends with its row in `api_keys`. */
  grant: 50 * 365 * 86_400,
  /** A program that registered and never connected. */
  unusedRegistration: 86_400,
} as const;

/**
 * A refresh token may be used again this soon after its first use, for the same successor: its response was lost, or two
 * processes share it.
 */
export const REFRESH_GRACE_MS = 30_000;

/** Uses of a code this close together were sent together; a later one is a replay. */
export const SAME_MOMENT_MS = 10_000;

/** How a client may authenticate at the token and revocation endpoints. Most cannot keep a secret: `none`. */
export const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

/** Signing algorithms for clients with keys. */
export const SIGNING_ALGORITHMS = ["EdDSA", "ES256", "PS256", "RS256"] as const;
