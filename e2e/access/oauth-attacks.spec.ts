import { createHash, randomBytes, randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { answerConsent, openSignedInScene, type SignedInScene } from "@/e2e/support/assistant-scene";
import type { JoinedDatabase } from "@/e2e/support/join-database";
import { demo } from "@/e2e/support/journey";
import { type CallbackServer, publishDocument } from "@/e2e/support/local-servers";
import { describeClient } from "@/e2e/support/sdk-assistant";

/** Attacks with raw requests on the authorization server of the running product. */
test.describe.configure({ mode: "serial" });

let scene: SignedInScene;
let page: Page;
let callback: CallbackServer;
let database: JoinedDatabase;
let client: Client;
test.beforeAll(async ({ browser }) => {
  scene = await openSignedInScene(browser);
  ({ page, callback, database } = scene);
  client = await register();
});
test.afterAll(() => scene.close());

interface Client {
  id: string;
  name: string;
}

const url = (path: string) => `${demo().appUrl}${path}`;

const registeredSchema = z.object({ client_id: z.string().optional(), error: z.string().optional() });

async function registerAt(redirectUrl: string, name = "Raw") {
  const answer = await fetch(url("/oauth/register"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(describeClient(name, redirectUrl)),
  });
  return { status: answer.status, ...registeredSchema.parse(await answer.json()) };
}

async function register(): Promise<Client> {
  const name = `Raw ${randomUUID().slice(0, 6)}`;
  const { client_id: id } = await registerAt(callback.url, name);
  if (id === undefined) throw new Error("A client in order was not registered");
  return { id, name };
}

const makeVerifier = () => randomBytes(32).toString("base64url");

/** A valid request for access except for the changes; null omits a parameter. */
function authorizeUrl(verifier: string, changes: Record<string, string | null> = {}, of = client): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: of.id,
    redirect_uri: callback.url,
    scope: "mcp offline_access",
    state: "state",
    resource: url("/mcp"),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return url(`/oauth/authorize?${query}`);
}

/** A code that the owner has consented to. */
async function getCode(of = client): Promise<{ code: string; verifier: string }> {
  const verifier = makeVerifier();
  const back = await answerConsent(page, authorizeUrl(verifier, {}, of), "CONNECT", callback);
  return { code: back.get("code") ?? "", verifier };
}

const tokensSchema = z.object({
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
  error: z.string().optional(),
});

async function askToken(fields: Record<string, string>) {
  const answer = await fetch(url("/oauth/token"), { method: "POST", body: new URLSearchParams(fields) });
  const { access_token, refresh_token, error } = tokensSchema.parse(await answer.json());
  return { status: answer.status, access_token, refresh_token, error };
}

const redeem = (from: { code: string; verifier: string }, changes: Record<string, string> = {}) =>
  askToken({
    grant_type: "authorization_code",
    client_id: client.id,
    redirect_uri: callback.url,
    code: from.code,
    code_verifier: from.verifier,
    resource: url("/mcp"),
    ...changes,
  });

const refresh = (token: string, changes: Record<string, string> = {}) =>
  askToken({ grant_type: "refresh_token", client_id: client.id, refresh_token: token, ...changes });

/** The MCP server's response to this token. */
async function mcpStatus(token: string | undefined): Promise<number> {
  const answer = await fetch(url("/mcp"), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return answer.status;
}

const REFUSED_GRANT = { status: 400, error: "invalid_grant", access_token: undefined };

for (const [what, changes] of [
  ["another site", { redirect_uri: "https://evil.example/callback" }],
  ["another path", { redirect_uri: "http://localhost/elsewhere" }],
  ["our address with a foreign one appended", { redirect_uri: "http://localhost@evil.example/callback" }],
  ["a script", { redirect_uri: "javascript:alert(1)" }],
  ["nowhere", { redirect_uri: null, client_id: "nobody" }],
] as const) {
  test(`a request that wants the code sent to ${what} gets its error here, and redirects nowhere`, async () => {
    const answer = await fetch(authorizeUrl(makeVerifier(), changes), { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    const text = await answer.text();
    expect(text).not.toMatch(/<a |<script|<meta[^>]+refresh|<form/i);
  });
}

for (const [what, changes, error] of [
  ["no proof key", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
  ["a plain-text proof key", { code_challenge_method: "plain" }, "invalid_request"],
  ["a proof key without its method", { code_challenge_method: null }, "invalid_request"],
  ["a token in the address", { response_type: "token" }, "unsupported_response_type"],
  ["a token for another address", { resource: "https://other.example/mcp" }, "invalid_target"],
  ["no prompt allowed", { prompt: "none" }, "consent_required"],
] as const) {
  test(`a request with ${what} gets an error and no consent page`, async () => {
    const answer = await fetch(authorizeUrl(makeVerifier(), changes), { redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "");
    expect(`${back.origin}${back.pathname}`).toBe(callback.url);
    // A request for a token in the address gets its error there, too.
    const reported = back.hash === "" ? back.searchParams : new URLSearchParams(back.hash.slice(1));
    expect([reported.get("error"), reported.get("code"), reported.get("iss")]).toEqual([
      error,
      null,
      demo().appUrl,
    ]);
  });
}

for (const [what, redirect] of [
  ["over plain http", "http://evil.example/callback"],
  ["to a script", "javascript:alert(1)"],
  ["to a file", "file:///etc/passwd"],
] as const) {
  test(`nobody registers to have codes sent ${what}`, async () => {
    const { status, error } = await registerAt(redirect);
    expect([status, error]).toEqual([400, "invalid_redirect_uri"]);
  });
}

test("a metadata document is valid only at its own address", async () => {
  const borrowed = await publishDocument(() => ({
    client_id: "https://claude.ai/oauth/client.json",
    ...describeClient("Claude", callback.url),
  }));
  const answer = await fetch(authorizeUrl(makeVerifier(), { client_id: borrowed.url }), {
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  expect(borrowed.fetched()).toBeGreaterThan(0);
  await borrowed.close();
});

test("a code is good for its own client, with its own proof, at its own address, once", async () => {
  const granted = await getCode();
  const other = await register();
  expect(await redeem(granted, { client_id: other.id })).toMatchObject(REFUSED_GRANT);
  expect(await redeem(granted, { code_verifier: makeVerifier() })).toMatchObject(REFUSED_GRANT);
  expect(await redeem(granted, { redirect_uri: `${callback.url}/x` })).toMatchObject(REFUSED_GRANT);
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(granted)));
  const redeemed = answers.filter(({ status }) => status === 200);
  expect(redeemed).toHaveLength(1);
  expect(await mcpStatus(redeemed[0]?.access_token)).toBe(200);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(answer).toMatchObject(REFUSED_GRANT);
  }
});

test("a replayed code ends the access it had opened", async () => {
  const granted = await getCode();
  const { access_token: token } = await redeem(granted);
  expect(await mcpStatus(token)).toBe(200);
  await letPass("AuthorizationCode", 60);
  expect(await redeem(granted)).toMatchObject(REFUSED_GRANT);
  expect(await mcpStatus(token)).toBe(401);
});

test("a copied refresh token ends the connection, and its owner reads why", async () => {
  const thief = await register();
  const mine = await register();
  const { refresh_token: first = "" } = await redeem(await getCode(mine), { client_id: mine.id });
  // It is useless to another client, at another address, or by itself.
  expect(await refresh(first, { client_id: thief.id })).toMatchObject(REFUSED_GRANT);
  // A refused address counts as a use, so each request has its own token.
  const spare = await register();
  const { refresh_token: elsewhere = "" } = await redeem(await getCode(spare), { client_id: spare.id });
  expect(
    await refresh(elsewhere, { client_id: spare.id, resource: "https://other.example/mcp" }),
  ).toMatchObject({ status: 400, error: "invalid_target", access_token: undefined });
  expect(await mcpStatus(first)).toBe(401);
  const { access_token: token, refresh_token: second = "" } = await refresh(first, { client_id: mine.id });
  expect([await mcpStatus(token), second === first]).toEqual([200, false]);
  // A lost response may be requested again; half a minute later it counts as an attack.
  expect((await refresh(first, { client_id: mine.id })).status).toBe(200);
  await letPass("RefreshToken", 31);
  expect(await refresh(first, { client_id: mine.id })).toMatchObject(REFUSED_GRANT);
  expect(await mcpStatus(token)).toBe(401);
  expect(await refresh(second, { client_id: mine.id })).toMatchObject(REFUSED_GRANT);
  await page.goto(url("/settings/assistants?disconnected=show"));
  await expect(page.getByRole("row").filter({ hasText: mine.name })).toContainText("used twice");
});

test("a client revokes its own tokens, and no other client's", async () => {
  const other = await register();
  const { access_token: token = "", refresh_token: kept = "" } = await redeem(await getCode());
  const giveBack = (text: string, by: Client) =>
    fetch(url("/oauth/revoke"), {
      method: "POST",
      body: new URLSearchParams({ client_id: by.id, token: text }),
    });
  await giveBack(token, other);
  await giveBack(kept, other);
  expect(await mcpStatus(token)).toBe(200);
  expect((await giveBack(token, client)).status).toBe(200);
  expect(await mcpStatus(token)).toBe(401);
  expect(await refresh(kept)).toMatchObject(REFUSED_GRANT);
});

/** As if everything was used so many seconds earlier. */
async function letPass(model: string, seconds: number): Promise<void> {
  await database.ownerPool.query(
    "update oauth_records set consumed_at = consumed_at - $2 * interval '1 second' where model = $1 and consumed_at is not null",
    [model, seconds],
  );
}
