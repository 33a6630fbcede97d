/**
 * Clients whose id is the address of their own description. A server on this machine stands for the internet: the guard
 * lets exactly its address pass, and every other one is judged as ever.
 */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createFetchDocument, type DocumentSeams } from "@/lib/api/oauth/fetch-document";
import { systemClock } from "@/lib/platform/clock";
import { refuseAddress } from "@/lib/platform/egress/is-public-address";
import { useTestDatabase } from "@/lib/testing/database";
import {
  askForTokens,
  authorizationPath,
  beginAuthorization,
  makeProofKey,
  obtainCode,
  redeem,
  refresh,
  startTestOAuth,
  type TestOAuth,
} from "@/lib/testing/oauth";
import { createTestOrganization } from "@/lib/testing/organization";
import { makeCertificate } from "@/lib/testing/servers/certificate";
import { createRealTimeServices } from "@/lib/testing/services";

const INTERNET = "127.0.0.1";
const HOST = "assistant.example";
const REDIRECT = "http://localhost:7777/callback";

const database = useTestDatabase();
let oauth: TestOAuth;
/** Asked from a network of its own. */
let busy: TestOAuth;
let server: Server;
let seams: DocumentSeams;
let port: number;
let organization: Awaited<ReturnType<typeof createTestOrganization>>;
let resolved: string[] = [INTERNET];
/** What is published, by path. */
const published = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>();
let asked: string[] = [];

beforeAll(async () => {
  const certificate = makeCertificate(HOST);
  server = createServer(certificate, (request, response) => {
    asked.push(request.url ?? "");
    const page = published.get(request.url ?? "");
    // An address without a page never answers.
    if (!page) return;
    response.writeHead(page.status ?? 200, { "content-type": "application/json", ...page.headers });
    response.end(page.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = portOf(server.address());
  seams = {
    ca: certificate.cert,
    timeoutMs: 1_000,
    resolve: async () => resolved,
    refuse: (address) => (address === INTERNET ? null : refuseAddress(address)),
  };
  const services = createRealTimeServices(database.pool);
  oauth = await startTestOAuth(services, { seams });
  busy = await startTestOAuth(services, { seams, networkAddress: "198.51.100.9" });
  organization = await createTestOrganization(database, oauth.services);
});
afterEach(() => {
  resolved = [INTERNET];
  asked = [];
});
afterAll(async () => {
  await Promise.all([oauth.close(), busy.close()]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address.port;
}

function publish(path: string, metadata: Record<string, unknown> = {}): string {
  const clientId = `https://${HOST}:${port}${path}`;
  published.set(path, {
    body: JSON.stringify({
      client_id: clientId,
      client_name: "Documented assistant",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token", "urn:example:other"],
      ...metadata,
    }),
  });
  return clientId;
}

/** A client's proof that it has its key (RFC 7523, 3). */
function makeAssertion(clientId: string, audience: string, key: KeyObject): string {
  const now = Math.floor(systemClock.now().getTime() / 1_000);
  const claims = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: now, exp: now + 60 };
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "ES256" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

const begin = (clientId: string, api = oauth) =>
  api.ask(authorizationPath(api, { clientId, redirectUri: REDIRECT, challenge: makeProofKey().challenge }));

describe("a client with a description", () => {
  it("connects without registering, and its host is shown as proven", async () => {
    const clientId = publish("/client.json");
    const { challenge } = makeProofKey();
    const { uid, jar } = await beginAuthorization(oauth, { clientId, redirectUri: REDIRECT, challenge });
    expect(await oauth.requests.read(uid, jar.header)).toMatchObject({
      clientName: "Documented assistant",
      knownBy: "METADATA_DOCUMENT",
      clientIdHost: `${HOST}:${port}`,
      redirectHost: "localhost:7777",
      isLoopback: true,
      keepsAccess: true,
    });
    const { code, verifier } = await obtainCode(oauth, organization.owner, {
      clientId,
      redirectUri: REDIRECT,
    });
    const { status, body } = await redeem(oauth, { clientId, code, verifier, redirectUri: REDIRECT });
    expect(status).toBe(200);
    expect((await refresh(oauth, clientId, body.refresh_token)).status).toBe(200);
    expect(asked, "it is fetched once, and remembered for a while").toEqual(["/client.json"]);
    const { rows } = await database.pool.query(
      "select count(*)::int from oauth_records where model = 'Client'",
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it("may leave members empty, or null: they count as absent", async () => {
    const clientId = publish("/empty.json", { client_uri: "", jwks: null, response_types: null, scope: "" });
    const { challenge } = makeProofKey();
    const { uid, jar } = await beginAuthorization(oauth, { clientId, redirectUri: REDIRECT, challenge });
    expect(await oauth.requests.read(uid, jar.header)).toMatchObject({ clientName: "Documented assistant" });
  });

  it("may prove itself with a key that it publishes, each proof once", async () => {
    const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const clientId = publish("/with-keys.json", {
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [{ ...own.publicKey.export({ format: "jwk" }), use: "sig", alg: "ES256" }] },
    });
    const redeemWith = async (assertion: string | null) => {
      const { code, verifier } = await obtainCode(oauth, organization.owner, {
        clientId,
        redirectUri: REDIRECT,
      });
      return askForTokens(oauth, {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
        ...(assertion !== null && {
          client_assertion: assertion,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        }),
      });
    };
    const proof = makeAssertion(clientId, oauth.appUrl, own.privateKey);
    expect((await redeemWith(proof)).status).toBe(200);
    expect((await redeemWith(proof)).body.error, "the same once more").toBe("invalid_client");
    expect((await redeemWith(null)).body.error).toBe("invalid_client");
    const forged = makeAssertion(clientId, oauth.appUrl, other.privateKey);
    expect((await redeemWith(forged)).body.error).toBe("invalid_client");
    const elsewhere = makeAssertion(clientId, "https://elsewhere.example", own.privateKey);
    expect((await redeemWith(elsewhere)).body.error).toBe("invalid_client");
  });

  it.each<[string, Record<string, unknown>]>([
    ["names another client", { client_id: "https://claude.ai/client.json" }],
    ["holds a secret", { client_secret: "everyone reads it" }],
    ["wants to prove itself with a secret", { token_endpoint_auth_method: "client_secret_post" }],
    ["has codes sent over plain http", { redirect_uris: ["http://client.example/"] }],
    ["has codes run as a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["goes back to no address at all", { redirect_uris: [] }],
    ["goes back elsewhere", { redirect_uris: ["https://client.example/"] }],
  ])("is refused when its description %s", async (name, metadata) => {
    const response = await begin(publish(`/${encodeURIComponent(name)}.json`, metadata));
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  });

  it.each<[string, { status?: number; headers?: Record<string, string>; body: string }]>([
    ["a redirect", { status: 302, headers: { location: "/client.json" }, body: "" }],
    ["a failure", { status: 500, body: "{}" }],
    ["no JSON", { body: "<html>" }],
    ["no object", { body: "[]" }],
    ["more than it may be", { body: JSON.stringify({ note: "a".repeat(40_000) }) }],
  ])("is refused when its address answers with %s", async (name, page) => {
    publish("/client.json");
    const path = `/${encodeURIComponent(name)}`;
    published.set(path, page);
    const response = await begin(`https://${HOST}:${port}${path}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("does not know this assistant");
    expect(asked).toEqual([path]);
  });

  it("is refused when its address does not answer in time", async () => {
    const response = await begin(`https://${HOST}:${port}/silence`);
    expect(response.status).toBe(400);
  });

  it.each(["10.0.0.1", "127.0.0.2", "169.254.169.254", "::1", "192.168.1.1"])(
    "is refused when its host leads to %s, which only this server can reach",
    async (address) => {
      resolved = [INTERNET, address];
      // A host of its own, to which no connection is open that was judged before.
      const host = `host-${address.replaceAll(/\W/g, "-")}.example`;
      const response = await begin(`https://${host}:${port}/client.json`);
      expect(response.status).toBe(400);
      expect(asked).toEqual([]);
    },
  );

  it.each([
    "http://assistant.example/client.json",
    "https://user@assistant.example/client.json",
    "https://assistant.example/a/../client.json",
    "https://assistant.example/client.json#part",
    `https://assistant.example/${"a".repeat(1_024)}`,
  ])("is unknown by the id %s, which nothing is fetched from", async (clientId) => {
    const response = await begin(clientId);
    expect(response.status).toBe(400);
    expect(asked).toEqual([]);
  });

  it("is known for a day where its host fails, and no more where the description is gone", async () => {
    const fetchDocument = createFetchDocument({ allowsPrivate: false }, seams);
    const clientId = publish("/fails.json");
    const first = await (await fetchDocument(clientId)).text();
    published.set("/fails.json", { status: 503, body: "" });
    expect(await (await fetchDocument(clientId)).text()).toBe(first);
    published.delete("/fails.json");
    expect(await (await fetchDocument(clientId)).text(), "it does not answer").toBe(first);
    published.set("/fails.json", { status: 404, body: "" });
    expect((await fetchDocument(clientId)).ok).toBe(false);
    resolved = ["10.0.0.1"];
    const elsewhere = createFetchDocument({ allowsPrivate: false }, seams);
    await expect(elsewhere(clientId)).rejects.toMatchObject({ problem: "ADDRESS" });
  });

  it("cannot have one network make this server fetch without end", async () => {
    const statuses: number[] = [];
    for (let made = 0; made < 31; made++) {
      published.set(`/many-${made}`, { status: 404, body: "" });
      statuses.push((await begin(`https://${HOST}:${port}/many-${made}`, busy)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(asked).toHaveLength(30);
  });
});
