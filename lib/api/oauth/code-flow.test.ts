/**
 * A client gets access for a member by a code, over real HTTP and on a real database; the member acts through the
 * same functions that the consent page calls. Two servers on two pools stand for two processes.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticateAssistant } from "@/lib/core/keys/authenticate-assistant";
import { createClientSecrets, registerClient } from "@/lib/core/keys/oauth-clients";
import { useTestDatabase } from "@/lib/testing/database";
import {
  type AuthorizeOptions,
  askForTokens,
  authorizationPath,
  beginAuthorization,
  byMember,
  CookieJar,
  connect,
  makeProofKey,
  obtainCode,
  redeem,
  register,
  resume,
  startTestOAuth,
  TEST_PRODUCT_SECRET,
  TEST_REDIRECT,
  type TestOAuth,
} from "@/lib/testing/oauth";
import { createTestOrganization } from "@/lib/testing/organization";
import { createRealTimeServices } from "@/lib/testing/services";

const database = useTestDatabase();
let oauth: TestOAuth;
let second: TestOAuth;
let organization: Awaited<ReturnType<typeof createTestOrganization>>;
let clientId: string;
let operatorsId: string;

beforeAll(async () => {
  oauth = await startTestOAuth(createRealTimeServices(database.pool));
  second = await startTestOAuth(createRealTimeServices(database.ownerPool), { appUrl: oauth.appUrl });
  organization = await createTestOrganization(database, oauth.services);
  clientId = (await register(oauth)).body.client_id;
  operatorsId = (
    await registerClient(
      { ...oauth.services, clientSecrets: createClientSecrets(TEST_PRODUCT_SECRET) },
      { name: "Ours", redirectUris: [TEST_REDIRECT], isConfidential: false },
    )
  ).clientId;
});
afterAll(async () => {
  await Promise.all([oauth.close(), second.close()]);
});

const authenticate = (token: string) => authenticateAssistant(oauth.services, token, oauth.resource);
const obtain = (options: Partial<AuthorizeOptions> = {}) =>
  obtainCode(oauth, organization.owner, { clientId, ...options });

/** What an authorization request is answered with before anyone is asked. */
async function ask(options: Partial<AuthorizeOptions>) {
  const path = authorizationPath(oauth, { clientId, challenge: makeProofKey().challenge, ...options });
  const response = await oauth.ask(path);
  const location = response.headers.get("location");
  return {
    response,
    location,
    parameters: location === null ? null : new URL(location, oauth.origin).searchParams,
  };
}

describe("a member's consent", () => {
  it("gives a token that speaks for this member, with the role that he has", async () => {
    const { tokens, clientId: itsId } = await connect(oauth, organization.owner);
    expect(tokens).toMatchObject({ token_type: "Bearer", scope: "mcp", expires_in: 1_800 });
    const caller = await authenticate(tokens.access_token);
    expect(caller).toMatchObject({
      organizationId: organization.organizationId,
      actor: {
        kind: "ASSISTANT",
        name: "Test assistant",
        memberId: organization.owner.actor.id,
        role: "OWNER",
      },
    });
    const { rows } = await database.pool.query(
      "select client_id, client_host, permissions, key_hash from api_keys where id = $1",
      [caller?.actor.id],
    );
    expect(rows).toEqual([
      { client_id: itsId, client_host: "client.example", permissions: [], key_hash: null },
    ]);
  });

  it("is asked for each time, also by a client that was connected a moment ago", async () => {
    const { jar } = await obtain();
    const path = authorizationPath(oauth, { clientId, challenge: makeProofKey().challenge });
    const response = await oauth.ask(path, { headers: { cookie: jar.header } });
    expect(response.headers.get("location")).toMatch(/^\/connect\/[\w-]+$/);
  });

  it("says on the page who asks, where the browser goes back to, and for how long", async () => {
    const { body: local } = await register(oauth, {
      client_name: "Editor\u202e\n  of\u0007 code",
      redirect_uris: ["http://127.0.0.1/callback"],
    });
    const { uid, jar } = await beginAuthorization(oauth, {
      clientId: local.client_id,
      redirectUri: "http://127.0.0.1:50123/callback",
      challenge: makeProofKey().challenge,
      scope: "mcp",
    });
    expect(await oauth.requests.read(uid, jar.header)).toMatchObject({
      uid,
      clientName: "Editor of code",
      redirectHost: "127.0.0.1:50123",
      isLoopback: true,
      knownBy: "REGISTRATION",
      clientIdHost: null,
      keepsAccess: false,
    });
  });

  it("counts in the browser in which the request began, and in no other", async () => {
    const { uid, jar } = await beginAuthorization(oauth, { clientId, challenge: makeProofKey().challenge });
    const other = await beginAuthorization(oauth, { clientId, challenge: makeProofKey().challenge });
    const forged = `sluice_connect=${uid}; sluice_connect.sig=${"A".repeat(27)}`;
    for (const cookies of ["", other.jar.header, `sluice_connect=${uid}`, forged]) {
      expect(await oauth.requests.read(uid, cookies)).toBeNull();
      expect(await oauth.requests.allow(uid, cookies, byMember(organization.owner))).toBeNull();
      expect(await oauth.requests.refuse(uid, cookies)).toBeNull();
    }
    const address = await oauth.requests.allow(uid, jar.header, byMember(organization.owner));
    expect(address).not.toBeNull();
    // What was allowed here does not go on elsewhere.
    const path = new URL(address ?? "").pathname;
    const stolen = await oauth.ask(path);
    expect(stolen.status).toBe(400);
    expect(await stolen.text()).toContain("This request has expired");
    const mixedUp = await oauth.ask(path, { headers: { cookie: other.jar.header } });
    expect(mixedUp.headers.get("location"), "its own request goes on, undecided").toMatch(/^\/connect\//);
  });

  it("is given once, and is whose it is: the next person at the browser gets nothing of it", async () => {
    const { uid, jar } = await beginAuthorization(oauth, { clientId, challenge: makeProofKey().challenge });
    const allowed = await Promise.all(
      [oauth, second, oauth].map(({ requests }) =>
        requests.allow(uid, jar.header, byMember(organization.owner)),
      ),
    );
    expect(allowed.filter((address) => address !== null)).toHaveLength(1);
    expect(await oauth.requests.read(uid, jar.header)).toBeNull();

    // The same browser, another person signed in to the dashboard.
    const viewer = await organization.addMember("VIEWER", "Vera");
    const { verifier, challenge } = makeProofKey();
    const response = await oauth.ask(authorizationPath(oauth, { clientId, challenge }), {
      headers: { cookie: jar.header },
    });
    jar.take(response);
    const next = /\/connect\/([\w-]+)$/.exec(response.headers.get("location") ?? "")?.[1] ?? "";
    const address = await oauth.requests.allow(next, jar.header, byMember(viewer));
    const { parameters } = await resume(oauth, address ?? "", jar);
    const { body } = await redeem(oauth, { clientId, code: parameters.get("code") ?? "", verifier });
    expect((await authenticate(body.access_token))?.actor).toMatchObject({ memberId: viewer.actor.id });
    expect(jar.names.filter((name) => name.includes("none"))).toEqual([]);
  });

  it("is refused with access_denied and the issuer's name", async () => {
    const { uid, jar } = await beginAuthorization(oauth, { clientId, challenge: makeProofKey().challenge });
    const address = await oauth.requests.refuse(uid, jar.header);
    expect(await oauth.requests.allow(uid, jar.header, byMember(organization.owner))).toBeNull();
    const { parameters, location } = await resume(oauth, address ?? "", jar);
    expect(location.startsWith(TEST_REDIRECT)).toBe(true);
    expect(Object.fromEntries(parameters)).toMatchObject({
      error: "access_denied",
      iss: oauth.appUrl,
      state: "state of the client",
    });
  });

  it("comes to nothing for someone who left the organization meanwhile", async () => {
    const leaver = await organization.addMember("VIEWER", "Lea");
    const { uid, jar } = await beginAuthorization(oauth, { clientId, challenge: makeProofKey().challenge });
    await database.ownerPool.query("delete from memberships where user_id = $1", [leaver.actor.id]);
    expect(await oauth.requests.allow(uid, jar.header, byMember(leaver))).toBeNull();
    expect(await oauth.requests.read(uid, jar.header), "it stays undecided").not.toBeNull();
  });
});

describe("an authorization request", () => {
  it("is answered with the code, the client's state and the issuer (RFC 9207)", async () => {
    const { parameters } = await obtain();
    expect([...parameters.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(parameters.get("iss")).toBe(oauth.appUrl);
    expect(parameters.get("state")).toBe("state of the client");
  });

  it.each([
    ["a foreign address to go back to", { redirectUri: "https://evil.example/callback" }, "would return to"],
    ["another path there", { redirectUri: `${TEST_REDIRECT}/more` }, "would return to"],
    ["an unknown client", { clientId: "dyn_nobody" }, "does not know this assistant"],
    [
      "markup in what it says",
      { clientId: "<script>alert(1)</script>", redirectUri: "https://evil.example/<script>" },
      "does not know this assistant",
    ],
  ])("with %s sends the browser nowhere, and says so in plain words", async (_name, options, words) => {
    const { response, location } = await ask(options);
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(location).toBeNull();
    expect(page).toContain(words);
    expect(page).not.toContain("<script>");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it.each([
    ["no proof key", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["a plain proof key", { code_challenge_method: "plain" }, "invalid_request"],
    ["a proof key whose method is left out", { code_challenge_method: null }, "invalid_request"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["no type that there is", { response_type: "token" }, "unsupported_response_type"],
    ["prompt=none", { prompt: "none" }, "consent_required"],
    ["a request object", { request: "x.y.z" }, "request_not_supported"],
  ])(
    "with %s goes back to the operator's own client, with the error and the issuer",
    async (_name, parameters, error) => {
      const answer = await ask({ clientId: operatorsId, parameters });
      expect(answer.location?.startsWith(TEST_REDIRECT)).toBe(true);
      const reported = answer.parameters ?? new URLSearchParams();
      // An implicit answer comes in the fragment.
      const fragment = new URLSearchParams(new URL(answer.location ?? "").hash.slice(1));
      expect(reported.get("error") ?? fragment.get("error")).toBe(error);
      expect(reported.get("iss") ?? fragment.get("iss")).toBe(oauth.appUrl);
    },
  );

  it.each([
    ["no proof key", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["no type that there is", { response_type: "token" }, "unsupported_response_type"],
    ["prompt=none", { prompt: "none" }, "consent_required"],
    ["a request object", { request: "x.y.z" }, "request_not_supported"],
  ])(
    "with %s leads to no site of a client that anyone registered: a page says it",
    async (_name, parameters, error) => {
      const { response, location } = await ask({ parameters });
      const page = await response.text();
      expect([response.status, location]).toEqual([400, null]);
      expect(page).toContain(error);
      expect(page).not.toMatch(/client\.example|<a |<form/);
    },
  );

  it("with an error goes back to a program on the person's own machine, who would wait for ever", async () => {
    const redirectUri = "http://127.0.0.1/callback";
    const { body: local } = await register(oauth, { redirect_uris: [redirectUri] });
    const answer = await ask({ clientId: local.client_id, redirectUri, parameters: { prompt: "none" } });
    expect(answer.location).toMatch(/^http:\/\/127\.0\.0\.1\/callback\?error=consent_required/);
  });

  it.each(["state", "client_id", "redirect_uri", "code_challenge", "nonce"])(
    "with a NUL in its %s, which cannot be stored, is refused without an internal error",
    async (name) => {
      const { response, location } = await ask({ parameters: { [name]: "a\u0000b" } });
      expect([response.status, location]).toEqual([400, null]);
    },
  );

  it.each([
    ["without a scope", null, "mcp", false],
    ["for the resource alone", "mcp", "mcp", false],
    ["to stay connected", "mcp offline_access", "mcp", true],
    ["to stay connected and nothing else", "offline_access", "mcp", true],
    ["with scopes of OpenID Connect", "openid profile email offline_access", "mcp", true],
  ])("%s gets the scopes available to it, and learns which", async (_name, scope, granted, isKept) => {
    const { code, verifier } = await obtain({ scope });
    const { body } = await redeem(oauth, { clientId, code, verifier });
    expect(body.scope).toBe(granted);
    expect(body.refresh_token !== undefined).toBe(isKept);
    expect(body).not.toHaveProperty("id_token");
  });

  it("is for the one resource also when it does not say so", async () => {
    const { code, verifier } = await obtain({ parameters: { resource: null } });
    const { body } = await redeem(oauth, { clientId, code, verifier });
    expect(await authenticate(body.access_token)).not.toBeNull();
    expect(
      await authenticateAssistant(oauth.services, body.access_token, `${oauth.appUrl}/other`),
    ).toBeNull();
  });

  it("takes its own name from APP_URL, whatever host the request names", async () => {
    const response = await oauth.ask(
      authorizationPath(oauth, { clientId, challenge: makeProofKey().challenge }),
      { headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" } },
    );
    const jar = new CookieJar();
    jar.take(response);
    const uid = /\/connect\/([\w-]+)$/.exec(response.headers.get("location") ?? "")?.[1] ?? "";
    const address = await oauth.requests.allow(uid, jar.header, byMember(organization.owner));
    expect(address).toBe(`${oauth.appUrl}/oauth/authorize/${uid}`);
    expect(response.headers.getSetCookie().join()).not.toContain("evil.example");
  });
});

describe("a code", () => {
  it("is redeemed by one of twenty requests at once, in two processes, and that one's token works", async () => {
    const { code, verifier } = await obtain();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        redeem(index % 2 === 0 ? oauth : second, { clientId, code, verifier }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(19);
    expect(await authenticate(won[0]?.body.access_token ?? "")).not.toBeNull();
  });

  it("gives its tokens in the body of a response that nobody stores, and nowhere else", async () => {
    const { code, verifier } = await obtain();
    const { body, headers } = await redeem(oauth, { clientId, code, verifier });
    expect(headers.get("cache-control")).toBe("no-store");
    const written = JSON.stringify([...headers]);
    for (const token of [body.access_token, body.refresh_token ?? "no token"])
      expect(written).not.toContain(token);
  });

  it("that comes again later was stolen: its whole connection ends, with the reason", async () => {
    const { code, verifier } = await obtain();
    const { body } = await redeem(oauth, { clientId, code, verifier });
    const caller = await authenticate(body.access_token);
    // Within its minute, and not in the same moment.
    await database.pool.query(
      "update oauth_records set consumed_at = consumed_at - interval '11 seconds' where model = 'AuthorizationCode' and grant_id = $1",
      [caller?.actor.id],
    );
    expect(await redeem(oauth, { clientId, code, verifier })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await authenticate(body.access_token)).toBeNull();
    const { rows } = await database.pool.query("select revoked_because from api_keys where id = $1", [
      caller?.actor.id,
    ]);
    expect(rows).toEqual([{ revoked_because: "REUSE" }]);
  });

  it.each([
    ["another proof", { code_verifier: makeProofKey().verifier }, "invalid_grant"],
    ["no proof", { code_verifier: "" }, "invalid_grant"],
    ["another address", { redirect_uri: "https://client.example/other" }, "invalid_grant"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
  ])("is invalid with %s", async (_name, fields, error) => {
    const { code, verifier } = await obtain();
    const { status, body } = await askForTokens(oauth, {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: TEST_REDIRECT,
      ...fields,
    });
    expect(status).toBe(400);
    expect(body.error).toBe(error);
    expect(body).not.toHaveProperty("access_token");
  });

  it.each([
    ["password", { username: "owner@example.com", password: "a password" }],
    ["client_credentials", {}],
    ["implicit", {}],
    ["urn:ietf:params:oauth:grant-type:device_code", { device_code: "x" }],
  ])("is the only beginning: there is no grant %s", async (grant, fields: Record<string, string>) => {
    for (const client of [clientId, operatorsId]) {
      const { status, body } = await askForTokens(oauth, { grant_type: grant, client_id: client, ...fields });
      expect([status, body.error]).toEqual([400, "unsupported_grant_type"]);
    }
  });

  it("is useless to another client", async () => {
    const { code, verifier } = await obtain();
    const { body: other } = await register(oauth);
    const { status, body } = await redeem(oauth, { clientId: other.client_id, code, verifier });
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
  });

  it("is invalid after its minute", async () => {
    const { code, verifier } = await obtain();
    await database.pool.query(
      "update oauth_records set payload = jsonb_set(payload, '{exp}', to_jsonb((payload->>'exp')::int - 61)) where model = 'AuthorizationCode' and consumed_at is null",
    );
    const { body } = await redeem(oauth, { clientId, code, verifier });
    expect(body.error).toBe("invalid_grant");
  });
});

describe("what is kept", () => {
  it("holds no secret in clear: not a code, a token, a request's id or a client's secret", async () => {
    const { body: client } = await register(oauth, { token_endpoint_auth_method: "client_secret_post" });
    const { verifier, challenge } = makeProofKey();
    const { uid, jar } = await beginAuthorization(oauth, { clientId: client.client_id, challenge });
    const kept = async () => {
      const { rows } = await database.ownerPool.query<{ text: string }>(
        "select r::text as text from oauth_records r",
      );
      return rows.map(({ text }) => text).join("\n");
    };
    expect(await kept()).not.toContain(uid);
    const address = await oauth.requests.allow(uid, jar.header, byMember(organization.owner));
    const { parameters } = await resume(oauth, address ?? "", jar);
    const code = parameters.get("code") ?? "";
    expect(await kept()).not.toContain(code);
    const { body } = await askForTokens(oauth, {
      grant_type: "authorization_code",
      client_id: client.client_id,
      client_secret: client.client_secret ?? "",
      code,
      code_verifier: verifier,
      redirect_uri: TEST_REDIRECT,
    });
    const everything = await kept();
    for (const secret of [code, verifier, client.client_secret, body.access_token, body.refresh_token]) {
      expect(secret).toBeTypeOf("string");
      expect(everything).not.toContain(secret);
    }
  });
});
