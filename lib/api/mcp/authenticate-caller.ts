import { bearerOf } from "@/lib/api/http/bearer";
import { OFFLINE_SCOPE, RESOURCE_SCOPE } from "@/lib/api/oauth/addresses";
import { type Authentication, authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { authenticateAssistant } from "@/lib/core/keys/authenticate-assistant";
import { isKeyText } from "@/lib/core/keys/key-text";
import type { Services } from "@/lib/platform/services";

/**
 * One scope, since what a caller may follows from its key or its member's role, and the one by which it stays connected:
 * clients ask for what the challenge names, and without that they get no refresh token.
 */
const CHALLENGED_SCOPES = `${RESOURCE_SCOPE} ${OFFLINE_SCOPE}`;

/** Who calls: an API key, or an assistant with an access token made for this very address. Null: nobody known. */
export async function authenticateCaller(
  services: Services,
  request: Request,
  mcpUrl: string,
): Promise<Authentication | null> {
  const credential = bearerOf({ header: (name) => request.headers.get(name) ?? undefined });
  if (!credential) return null;
  if (isKeyText(credential)) return authenticateApiKey(services, credential);
  return authenticateAssistant(services, credential, mcpUrl);
}

/** 401 that tells a client where to find the authorization server (RFC 9728, section 5.1; RFC 6750, section 3). */
export function challenge(request: Request, appUrl: string, requestId: string): Response {
  const hasCredential = request.headers.has("authorization");
  const parameters = [
    ...(hasCredential ? ['error="invalid_token"'] : []),
    `resource_metadata="${appUrl}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${CHALLENGED_SCOPES}"`,
  ];
  const description = hasCredential
    ? "This key or access token is unknown, has ended, or was made for another address. Connect again, or send an API key that is not revoked."
    : "Connect with OAuth, or send an API key in the header «Authorization: Bearer <API_KEY>».";
  return Response.json(
    { error: hasCredential ? "invalid_token" : "unauthorized", error_description: description, requestId },
    { status: 401, headers: { "WWW-Authenticate": `Bearer ${parameters.join(", ")}` } },
  );
}
