/** Where the authorization server answers; all else below it is 404. */
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

/** The one resource for which there are tokens. */
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

/** How long things last, in seconds of real time (docs/oauth.md). */
export const LIFETIMES = {
  /** A client redeems its code in the same moment. */
  code: 60,
  /** Time to sign in and read the consent page. */
  interaction: 15 * 60,
  accessToken: 30 * 60,
  /** From its last use: a connection that nobody uses for so long ends by itself. */
  refreshToken: 60 * 86_400,
  /** From its consent, however much it is used: then a member is asked again whether it should go on. */
  connection: 365 * 86_400,
  /** Longer than any connection; it ends with its row in `api_keys`. */
  grant: 50 * 365 * 86_400,
  /** A program that registers and never connects. */
  unusedRegistration: 86_400,
} as const;

/** After its first use a refresh token counts once more for this long: its response was lost, or two asked at once. */
export const REFRESH_GRACE_MS = 30_000;

/** Of a code, what comes within this time of its first use came with it; what comes later is a replay. */
export const SAME_MOMENT_MS = 10_000;

/** How a client may prove who it is where it redeems and revokes. Most are programs that can keep no secret: `none`. */
export const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

/** With which a client that has keys may sign. */
export const SIGNING_ALGORITHMS = ["EdDSA", "ES256", "PS256", "RS256"] as const;
