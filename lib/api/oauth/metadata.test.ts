/** What programs find out before they begin. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import {
  authorizationPath,
  makeProofKey,
  register,
  startTestOAuth,
  type TestOAuth,
} from "@/lib/testing/oauth";
import { createRealTimeServices } from "@/lib/testing/services";

const APP_URL = "https://sluice.example";
const database = useTestDatabase();
let oauth: TestOAuth;

beforeAll(async () => {
  oauth = await startTestOAuth(createRealTimeServices(database.pool), { appUrl: APP_URL });
});
afterAll(async () => {
  await oauth.close();
});

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await oauth.ask(path, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("the metadata", () => {
  it("of the authorization server says what it does, under its own name only", async () => {
    const { body, headers } = await read("/.well-known/oauth-authorization-server", {
      "x-forwarded-host": "evil.example",
    });
    expect(body).toMatchObject({
      issuer: APP_URL,
      authorization_endpoint: `${APP_URL}/oauth/authorize`,
      token_endpoint: `${APP_URL}/oauth/token`,
      registration_endpoint: `${APP_URL}/oauth/register`,
      revocation_endpoint: `${APP_URL}/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ["mcp", "offline_access"],
    });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(JSON.stringify(body)).not.toContain("evil.example");
  });

  it.each(["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])(
    "of the MCP server names who gives tokens for it, at %s",
    async (path) => {
      const { body, headers } = await read(path, { origin: "https://inspector.example" });
      expect(body).toEqual({
        resource: `${APP_URL}/mcp`,
        authorization_servers: [APP_URL],
        scopes_supported: ["mcp", "offline_access"],
        bearer_methods_supported: ["header"],
        resource_name: "Sluice",
        resource_documentation: `${APP_URL}/docs/assistants`,
      });
      expect(headers.get("access-control-allow-origin")).toBe("*");
    },
  );

  it.each([
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-protected-resource/other",
    "/oauth",
    "/oauth/jwks",
    "/oauth/session/end",
    "/oauth/register/dyn_x",
    "/oauth/introspect",
  ])("does not invent anything at %s", async (path) => {
    const { status, body } = await read(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: "not_found" });
  });

  it("is behind cookies that only https carries, where APP_URL is https", async () => {
    const { body } = await register(oauth);
    const path = authorizationPath(oauth, {
      clientId: body.client_id,
      challenge: makeProofKey().challenge,
    });
    const response = await oauth.ask(path);
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(4);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; secure/i);
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).toMatch(/; samesite=lax/i);
    }
  });
});
