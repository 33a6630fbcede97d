/** Who may become a client, by itself (RFC 7591): programs as they are, and nobody who would have codes sent elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createClientSecrets,
  listOperatorsClients,
  registerClient,
  removeOperatorsClient,
} from "@/lib/core/keys/oauth-clients";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { useTestDatabase } from "@/lib/testing/database";
import {
  askForTokens,
  authorizationPath,
  beginAuthorization,
  connect,
  makeProofKey,
  obtainCode,
  refresh,
  register,
  startTestOAuth,
  TEST_PRODUCT_SECRET,
  TEST_REDIRECT,
  type TestOAuth,
} from "@/lib/testing/oauth";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";

const database = useTestDatabase();
let oauth: TestOAuth;
let organization: Awaited<ReturnType<typeof createTestOrganization>>;

beforeAll(async () => {
  oauth = await startTestOAuth(createRealTimeServices(database.pool));
  organization = await createTestOrganization(database, oauth.services);
});
afterAll(async () => {
  await oauth.close();
});

const countClients = async () => {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int from oauth_records where model = 'Client'",
  );
  return rows[0]?.count;
};

describe("a program that registers", () => {
  it.each<[string, Record<string, unknown> & { redirect_uris?: string[] }]>([
    ["Claude", { redirect_uris: ["https://claude.ai/api/mcp/auth_callback"], scope: "mcp offline_access" }],
    ["ChatGPT", { redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"] }],
    ["Cursor", { redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"] }],
    [
      "VS Code",
      {
        redirect_uris: ["http://127.0.0.1/", "http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        application_type: "native",
      },
    ],
    [
      "a client that sends every member it knows",
      {
        client_name: "Client",
        redirect_uris: ["http://127.0.0.1:33418/"],
        token_endpoint_auth_method: "none",
        client_uri: "",
        grant_types: null,
        jwks: null,
      },
    ],
    [
      "one whose members are all null or empty",
      {
        ...Object.fromEntries(
          [
            ...[
              "client_name",
              "client_uri",
              "logo_uri",
              "scope",
              "contacts",
              "tos_uri",
              "policy_uri",
              "jwks_uri",
            ],
            ...[
              "jwks",
              "software_id",
              "software_version",
              "grant_types",
              "response_types",
              "application_type",
            ],
            ...[
              "token_endpoint_auth_method",
              "token_endpoint_auth_signing_alg",
              "id_token_signed_response_alg",
            ],
            ...[
              "subject_type",
              "sector_identifier_uri",
              "default_max_age",
              "require_auth_time",
              "client_secret",
            ],
          ].map((name, index) => [name, index % 2 === 0 ? null : ""]),
        ),
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1:33418/"],
      },
    ],
    ["a command line", { redirect_uris: ["http://localhost:3118/callback"], application_type: "web" }],
    ["a mobile app", { redirect_uris: ["com.example.assistant:/callback"] }],
    [
      "one that is made for OpenID Connect",
      {
        scope: "openid profile",
        response_types: ["code", "id_token"],
        logo_uri: "https://client.example/logo.png",
        contacts: ["not an address"],
        sector_identifier_uri: "https://client.example/sector",
      },
    ],
  ])("is taken as it is: %s", async (_name, metadata) => {
    const { status, body } = await register(oauth, metadata);
    expect(body).not.toHaveProperty("error");
    expect(status).toBe(201);
    expect(body.client_id).toMatch(/^dyn_/);
    // Another grant that a program names is left out: it cannot be used.
    expect(body).toHaveProperty("grant_types", ["authorization_code", "refresh_token"]);
    expect(body).not.toHaveProperty("client_secret");
    const [redirectUri = TEST_REDIRECT] = metadata.redirect_uris ?? [TEST_REDIRECT];
    const { uid } = await beginAuthorization(oauth, {
      clientId: body.client_id,
      redirectUri,
      challenge: makeProofKey().challenge,
    });
    expect(uid).toMatch(/^[\w-]+$/);
  });

  it("may come back to this machine on whatever port is free", async () => {
    const { body } = await register(oauth, { redirect_uris: ["http://localhost:3118/callback"] });
    const begin = (redirectUri: string) =>
      oauth.ask(
        authorizationPath(oauth, {
          clientId: body.client_id,
          redirectUri,
          challenge: makeProofKey().challenge,
        }),
      );
    expect((await begin("http://localhost:49152/callback")).status).toBe(303);
    expect((await begin("http://localhost:49152/elsewhere")).status).toBe(400);
    expect((await begin("http://localhost.evil.example:3118/callback")).status).toBe(400);
    expect((await begin("https://localhost:3118/callback")).status).toBe(400);
  });

  it.each([
    ["javascript:", ["javascript:alert(1)"]],
    ["data:", ["data:text/html,hello"]],
    ["plain http elsewhere", ["http://client.example/callback"]],
    ["http on a name that looks local", ["http://localhost.evil.example/callback"]],
    ["http on another loopback address", ["http://127.0.0.2/callback"]],
    ["a scheme that starts any program", ["ms-msdt:/id"]],
    ["a user in the address", ["https://claude.ai@evil.example/callback"]],
    ["a fragment", ["https://client.example/callback#code"]],
    ["a backslash", ["https://client.example\\@evil.example/"]],
    ["a line break", ["https://client.example/\ncallback"]],
    ["no address", ["callback"]],
    ["one wrong among right ones", [TEST_REDIRECT, "http://client.example/callback"]],
    ["far too many", Array.from({ length: 21 }, (_, index) => `https://client.example/${index}`)],
    ["one that is far too long", [`https://client.example/${"a".repeat(1_024)}`]],
    ["none", []],
    ["no list", "https://client.example/callback"],
    ["numbers", [1, 2]],
  ])("is refused for an address to go back to with %s, and not kept", async (_name, redirectUris) => {
    const before = await countClients();
    const { status, body } = await register(oauth, { redirect_uris: redirectUris });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
    expect(await countClients()).toBe(before);
  });

  it.each([
    ["a name of a thousand characters", { client_name: "a".repeat(1_000) }],
    ["a name that is none", { client_name: { toString: "x" } }],
    ["an algorithm that is none", { id_token_signed_response_alg: { toString: null } }],
    ["a list of what is none", { contacts: [{ toString: null }] }],
    [
      "keys without end",
      { jwks: { keys: Array.from({ length: 500 }, () => ({ kty: "EC", note: "a".repeat(50) })) } },
    ],
    ["a name that cannot be kept", { client_name: "a\u0000b" }],
    ["half a character in it", { client_name: "a\ud800b" }],
    ["a key that cannot be kept", { jwks: { keys: [{ kty: "EC", kid: "\udc00" }] } }],
    ["a way to prove itself that is not offered", { token_endpoint_auth_method: "client_secret_jwt" }],
  ])("is refused for %s", async (_name, metadata) => {
    const { status, body } = await register(oauth, metadata);
    expect(status).toBe(400);
    expect(body.error).toBe("invalid_client_metadata");
  });

  it("is refused for a body without bound, and for one that is none", async () => {
    const send = (body: string, type = "application/json") =>
      oauth.ask("/oauth/register", { method: "POST", headers: { "content-type": type }, body });
    for (const response of [
      await send(JSON.stringify({ redirect_uris: [TEST_REDIRECT], note: "a".repeat(100_000) })),
      await send("{"),
      await send("[]"),
      await send("redirect_uris=x", "application/x-www-form-urlencoded"),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: "invalid_request" });
    }
  });

  it("cannot choose its id, nor pass for one that the operator registered", async () => {
    const { body } = await register(oauth, { client_id: "op_mine", client_secret: "chosen" });
    expect(body.client_id).toMatch(/^dyn_/);
    expect(body).not.toHaveProperty("client_secret");
  });

  it("may do so from a page in a browser", async () => {
    const preflight = await oauth.ask("/oauth/register", {
      method: "OPTIONS",
      headers: { origin: "https://inspector.example", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    const { headers } = await register(oauth);
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("a client with a secret", () => {
  it.each(["client_secret_basic", "client_secret_post"])("gets tokens with it by %s only", async (method) => {
    const { body: client } = await register(oauth, { token_endpoint_auth_method: method });
    const secret = client.client_secret ?? "";
    const prove = (
      withSecret: string,
    ): { fields: Record<string, string>; headers: Record<string, string> } => {
      const basic = `Basic ${Buffer.from(`${client.client_id}:${withSecret}`).toString("base64")}`;
      return method === "client_secret_basic"
        ? { fields: {}, headers: { authorization: basic } }
        : { fields: { client_id: client.client_id, client_secret: withSecret }, headers: {} };
    };
    const { code, verifier } = await obtainCode(oauth, organization.owner, { clientId: client.client_id });
    const redeemWith = ({ fields, headers }: ReturnType<typeof prove>) =>
      askForTokens(
        oauth,
        {
          grant_type: "authorization_code",
          code,
          code_verifier: verifier,
          redirect_uri: TEST_REDIRECT,
          ...fields,
        },
        headers,
      );
    const without = await redeemWith({ fields: { client_id: client.client_id }, headers: {} });
    expect([without.status, without.body.error]).toEqual([401, "invalid_client"]);
    const wrong = await redeemWith(prove("wrong"));
    expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_client"]);
    for (const { headers } of [without, wrong]) {
      expect(headers.get("www-authenticate")).toMatch(/^Basic realm="/);
    }
    expect((await redeemWith(prove(secret))).status).toBe(200);
  });
});

describe("a client that the operator registered", () => {
  const clientSecrets = createClientSecrets(TEST_PRODUCT_SECRET);

  it("is shown as his, may have any scheme, and proves itself with a secret that is kept sealed", async () => {
    const services = { ...oauth.services, clientSecrets };
    const { clientId, clientSecret } = await registerClient(services, {
      name: "Desk agent",
      redirectUris: ["desk-agent://callback"],
      isConfidential: true,
    });
    const redirectUri = "desk-agent://callback";
    const { challenge } = makeProofKey();
    const { uid, jar } = await beginAuthorization(oauth, { clientId, redirectUri, challenge });
    expect(await oauth.requests.read(uid, jar.header)).toMatchObject({
      knownBy: "OPERATOR",
      clientName: "Desk agent",
      redirectHost: "desk-agent:",
      isLoopback: true,
    });
    const { code, verifier } = await obtainCode(oauth, organization.owner, { clientId, redirectUri });
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const { status } = await askForTokens(
      oauth,
      {
        grant_type: "authorization_code",
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      },
      { authorization: `Basic ${basic}` },
    );
    expect(status).toBe(200);
    const [listed] = await listOperatorsClients(database.pool);
    expect(listed).toMatchObject({ clientId, name: "Desk agent", connections: 1 });
  });

  it("is gone when he removes it, and no other is", async () => {
    const services = { ...oauth.services, clientSecrets };
    const client = { name: "Old agent", redirectUris: [TEST_REDIRECT], isConfidential: false };
    const { clientId } = await registerClient(services, client);
    const { body: other } = await register(oauth);
    expect(await removeOperatorsClient(database.pool, other.client_id)).toBe(false);
    expect(await removeOperatorsClient(database.pool, clientId)).toBe(true);
    const path = authorizationPath(oauth, { clientId, challenge: makeProofKey().challenge });
    expect((await oauth.ask(path)).status).toBe(400);
  });
});

describe("registrations", () => {
  it("that never connect are forgotten after a day; those that do stay", async () => {
    const { clientId, tokens } = await connect(oauth, organization.owner);
    const { body: unused } = await register(oauth);
    await database.pool.query(
      "update oauth_records set created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours' where model = 'Client'",
    );
    const path = authorizationPath(oauth, {
      clientId: unused.client_id,
      challenge: makeProofKey().challenge,
    });
    const before = await oauth.ask(path);
    expect(before.status, "it counts no more, also before it is swept up").toBe(400);
    await forgetExpired(oauth.services, 1_000);
    expect(await countClients()).toBeGreaterThanOrEqual(1);
    expect((await refresh(oauth, clientId, tokens.refresh_token)).status).toBe(200);
  });

  it("are bounded in number: the oldest that never connected makes room", async () => {
    const { clientId } = await connect(oauth, organization.owner);
    await database.pool.query(
      `insert into oauth_records (model, id_hash, payload, created_at, expires_at)
        select 'Client', sha256(n::text::bytea), '{}', now() - n * interval '1 second', now() + interval '23 hours'
          from generate_series(1, 2100) n`,
    );
    await database.pool.query(
      "update oauth_records set created_at = created_at - interval '2 hours' where payload->>'client_id' = $1",
      [clientId],
    );
    await register(oauth);
    const { rows } = await database.pool.query(
      "select count(*)::int as unused from oauth_records where model = 'Client' and expires_at <= created_at + interval '1 day'",
    );
    expect(rows).toEqual([{ unused: 2_000 }]);
    expect(
      (await oauth.ask(authorizationPath(oauth, { clientId, challenge: makeProofKey().challenge }))).status,
    ).toBe(303);
  });
});

describe("one network", () => {
  it("cannot register without limit, and learns when it may again", async () => {
    const busy = await startTestOAuth(oauth.services, {
      networkAddress: "198.51.100.9",
      appUrl: oauth.appUrl,
    });
    try {
      const answers = [];
      for (let made = 0; made < 61; made++) answers.push(await register(busy, { redirect_uris: [] }));
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
      expect(answers.at(-1)?.body.error).toBe("temporarily_unavailable");
      expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await register(oauth)).status, "another network").toBe(201);

      const path = authorizationPath(busy, { clientId: "dyn_nobody", challenge: makeProofKey().challenge });
      expect((await busy.ask(path)).status).toBe(400);
      await database.pool.query(
        "update throttles set attempts = 200 where subject = 'oauth-authorize:198.51.100.9'",
      );
      const refused = await busy.ask(path);
      expect(refused.status).toBe(429);
      expect(await refused.text()).toContain("Too many requests");
    } finally {
      await busy.close();
    }
  });
});
