import { Hono } from "hono";
import { cors } from "hono/cors";
import {
  OAUTH_PATHS,
  OFFLINE_SCOPE,
  RESOURCE_METADATA_PATH,
  RESOURCE_PATH,
  RESOURCE_SCOPE,
  resourceOf,
  SERVER_METADATA_PATH,
} from "@/lib/api/oauth/addresses";
import { AUTH_METHODS, SIGNING_ALGORITHMS } from "@/lib/api/oauth/client-authentication";

const CACHE_SECONDS = 300;
/** How each client is connected, for people. */
const GUIDE_PATH = "/docs/assistants";

/** What programs find out before they begin, from APP_URL and from nothing that a request says of itself. */
export function createMetadata(appUrl: string): Hono {
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

/** RFC 8414. It says what there is: no ID tokens, no user information, no logout. */
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
    // Clients ask for what this lists, so one that is to stay connected has to find it here.
    scopes_supported: [RESOURCE_SCOPE, OFFLINE_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "Sluice",
    resource_documentation: `${appUrl}${GUIDE_PATH}`,
  };
}
