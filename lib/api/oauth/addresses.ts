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
