import { OAUTH_PATHS, OFFLINE_SCOPE, RESOURCE_SCOPE } from "@/lib/api/oauth/addresses";

/**
 * Makes an authorization request say what it comes to here. Other requests stay as they are.
 *
 * - Every connection is for the one scope that there is, whatever else was asked for and also when nothing was: what a
 *   token is good for is told with it (RFC 6749, 3.3). Scopes of OpenID Connect never get in: there are no ID tokens.
 * - Every request shows the consent page, so it counts as one that asked for it: `oidc-provider` leaves out
 *   `offline_access` otherwise, as OpenID Connect wants it, and plain OAuth clients do not say so.
 * @param target path and query, as in the request line
 */
export function settleAuthorizationRequest(target: string): string {
  const [path = "", ...rest] = target.split("?");
  if (path !== OAUTH_PATHS.authorize) return target;
  const query = new URLSearchParams(rest.join("?"));
  // One that is sent twice is refused as it is.
  if (query.getAll("scope").length < 2) query.set("scope", settleScope(query.get("scope")));
  if (query.getAll("prompt").length < 2) query.set("prompt", settlePrompt(query.get("prompt")));
  return `${path}?${query}`;
}

function settleScope(asked: string | null): string {
  const keeps = (asked ?? "").split(" ").includes(OFFLINE_SCOPE);
  return keeps ? `${RESOURCE_SCOPE} ${OFFLINE_SCOPE}` : RESOURCE_SCOPE;
}

/** `none` stays alone: it is answered with `consent_required`. */
function settlePrompt(asked: string | null): string {
  const prompts = (asked ?? "").split(" ").filter((prompt) => prompt !== "");
  return prompts.includes("none") || prompts.includes("consent")
    ? prompts.join(" ")
    : [...prompts, "consent"].join(" ");
}
