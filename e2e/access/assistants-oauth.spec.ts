import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { answerConsent, openSignedInScene, type SignedInScene } from "@/e2e/support/assistant-scene";
import { demoFolder } from "@/e2e/support/demo-folder";
import type { JoinedDatabase } from "@/e2e/support/join-database";
import { accountId, demo, signInWithoutForm } from "@/e2e/support/journey";
import { type CallbackServer, type DocumentServer, publishDocument } from "@/e2e/support/local-servers";
import {
  type AssistantOptions,
  createAssistant,
  describeClient,
  type Registration,
  type SdkAssistant,
} from "@/e2e/support/sdk-assistant";

/**
 * Assistants with the official client SDK, from their first call without a token to their end: in each of the three
 * ways to register, and in both kinds of protocol revisions. One browser, signed in once.
 */
test.describe.configure({ mode: "serial" });

let scene: SignedInScene;
let page: Page;
let callback: CallbackServer;
let database: JoinedDatabase;
test.beforeAll(async ({ browser }) => {
  scene = await openSignedInScene(browser);
  ({ page, callback, database } = scene);
});
test.afterAll(() => scene.close());

const mcpUrl = () => `${demo().appUrl}/mcp`;

const create = (
  registration: Registration,
  mode: AssistantOptions["mode"],
  name = `Claude ${randomUUID().slice(0, 6)}`,
) => createAssistant(mcpUrl(), { name, redirectUrl: callback.url, registration, mode });

async function connect(assistant: SdkAssistant, browser: Page = page): Promise<void> {
  const { url, finish } = await assistant.begin();
  await finish(await answerConsent(browser, url, "CONNECT", callback));
}

const transferSchema = z.object({
  structuredContent: z.object({
    data: z.object({ id: z.string(), status: z.string(), approvalUrl: z.string() }),
  }),
});

/**
 * Reads, and proposes to move money; the proposal waits for a person, and the audit log has it under the assistant's
 * name.
 */
async function readAndPropose(assistant: SdkAssistant): Promise<void> {
  const accounts = await assistant.callTool("listAccounts");
  expect(JSON.stringify(accounts.structuredContent)).toContain(accountId("Taxes"));
  const answer = await assistant.callTool("createTransfer", {
    sourceAccountId: accountId("Operating"),
    destinationAccountId: accountId("Taxes"),
    amountInCents: 4_321,
    reasonForApproval: "Setting taxes aside.",
  });
  const { status, approvalUrl } = transferSchema.parse(answer).structuredContent.data;
  expect(status).toBe("APPROVAL_PENDING");
  const log = JSON.stringify((await assistant.callTool("listAuditLog", { pageSize: 5 })).structuredContent);
  expect(log).toContain("/mcp#createTransfer");
  expect(log).toContain(assistant.name);
  await page.goto(approvalUrl);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("$43.21");
  await expect(page.getByText(assistant.name).first()).toBeVisible();
  await page.goto(`${demo().appUrl}/approvals`);
  // The closed filter names it as well.
  await expect(page.getByText(assistant.name).locator("visible=true").first()).toBeVisible();
}

/** As if its half hour were over. */
async function expireAccessToken(assistant: SdkAssistant): Promise<void> {
  const { rowCount } = await database.ownerPool.query(
    `update oauth_records r set expires_at = r.created_at from api_keys k
      where k.name = $1 and r.grant_id = k.id and r.model = 'AccessToken'`,
    [assistant.name],
  );
  expect(rowCount).toBe(1);
}

async function expectRefresh(assistant: SdkAssistant): Promise<void> {
  const before = assistant.tokens();
  await expireAccessToken(assistant);
  expect((await assistant.toolNames()).length).toBeGreaterThan(5);
  const after = assistant.tokens();
  expect(after.access_token).not.toBe(before.access_token);
  expect(after.refresh_token).not.toBe(before.refresh_token);
}

/** It has no access anymore, neither with its tokens nor by refreshing without the person. */
async function expectEnded(assistant: SdkAssistant): Promise<void> {
  const { access_token: token } = assistant.tokens();
  const answer = await fetch(mcpUrl(), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  expect(answer.status).toBe(401);
  await expect(assistant.callTool("listAccounts")).rejects.toThrow(UnauthorizedError);
}

async function disconnect(assistant: SdkAssistant): Promise<void> {
  await page.goto(`${demo().appUrl}/settings/assistants`);
  const row = page.getByRole("row").filter({ hasText: assistant.name });
  await row.getByRole("button", { name: /^Disconnect/ }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await dialog.getByRole("button", { name: /^Disconnect/ }).click();
  // An open dialog hides the rest of the page from roles.
  await expect(dialog).toHaveCount(0);
  await expect(row).toHaveCount(0);
}

test("an assistant that registers itself gets access, proposes, stays connected, and is disconnected by its owner", {
  tag: "@gate",
}, async () => {
  const assistant = create({ kind: "DYNAMIC" }, "auto");
  await connect(assistant);
  expect(assistant.revision()).toBe("2026-07-28");
  await readAndPropose(assistant);
  await expectRefresh(assistant);
  await assistant.reconnect("legacy");
  expect(assistant.revision()).toBe("2025-11-25");
  expect(await assistant.toolNames()).toContain("createTransfer");
  await disconnect(assistant);
  await expectEnded(assistant);
});

test("an assistant identified by its metadata document gets access, and revokes it itself", async () => {
  const name = `Cursor ${randomUUID().slice(0, 6)}`;
  const document: DocumentServer = await publishDocument((url) => ({
    client_id: url,
    ...describeClient(name, callback.url),
  }));
  const assistant = create({ kind: "DOCUMENT", url: document.url }, { pin: "2026-07-28" }, name);
  const { url, finish } = await assistant.begin();
  await page.goto(url);
  // What is proven about it, and what it merely claims.
  await expect(page.getByText(new URL(document.url).host).first()).toBeVisible();
  await finish(await answerConsent(page, url, "CONNECT", callback));
  expect(assistant.clientId()).toBe(document.url);
  await readAndPropose(assistant);
  await expectRefresh(assistant);
  await giveBack(assistant);
  await expectEnded(assistant);
  await page.goto(`${demo().appUrl}/settings/assistants?disconnected=show`);
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("It gave up its access");
  await document.close();
});

/** What a program does when its person signs out of it (RFC 7009). */
async function giveBack(assistant: SdkAssistant): Promise<void> {
  const answer = await fetch(`${demo().appUrl}/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: assistant.clientId() ?? "",
      token: assistant.tokens().refresh_token ?? "",
      token_type_hint: "refresh_token",
    }),
  });
  expect(answer.status).toBe(200);
}

test("an assistant registered by the operator gets access with its secret, in the older revision", async () => {
  const name = `ChatGPT ${randomUUID().slice(0, 6)}`;
  const assistant = create({ kind: "OPERATOR", client: await registerAsOperator(name) }, "legacy", name);
  await connect(assistant);
  expect(assistant.revision()).toBe("2025-11-25");
  await readAndPropose(assistant);
  await expectRefresh(assistant);
  await disconnect(assistant);
  await expectEnded(assistant);
});

/** By the command, on the product's machine, while it runs. */
async function registerAsOperator(name: string) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["scripts/run.mjs", "client-register", "--name", name, "--redirect-uri", callback.url, "--confidential"],
    { env: { ...process.env, APP_URL: demo().appUrl, SLUICE_DATA_DIR: demoFolder() } },
  );
  const [, clientId, secret] = /Client id:\s+(\S+)\s+Client secret, shown once:\s+(\S+)/.exec(stdout) ?? [];
  if (clientId === undefined || secret === undefined) throw new Error(`No client was registered:\n${stdout}`);
  return { client_id: clientId, client_secret: secret, issuer: demo().appUrl };
}

test("«Not now» connects nothing, and the assistant gets the refusal", async () => {
  const assistant = create({ kind: "DYNAMIC" }, "legacy");
  const { url, finish } = await assistant.begin();
  const back = await answerConsent(page, url, "NOT_NOW", callback);
  expect([back.get("error"), back.get("code"), back.get("iss")]).toEqual([
    "access_denied",
    null,
    demo().appUrl,
  ]);
  await expect(finish(back)).rejects.toThrow();
  await page.goto(`${demo().appUrl}/settings/assistants?disconnected=show`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(assistant.name)).toHaveCount(0);
});

test("a viewer's assistant only reads, and an owner cannot consent on a viewer's page", async ({
  browser,
}) => {
  const viewer = await browser.newContext();
  const viewerPage = await viewer.newPage();
  await signInWithoutForm(viewerPage, "VIEWER");
  const assistant = create({ kind: "DYNAMIC" }, "auto");
  const { url, finish } = await assistant.begin();
  await viewerPage.goto(url);
  await expect(viewerPage.getByRole("heading", { level: 1 })).toContainText(assistant.name);

  // The viewer sends the owner the page with the decision: there it decides nothing.
  await page.goto(viewerPage.url());
  await expect(page.getByRole("heading", { name: "This request is over" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Connect/ })).toHaveCount(0);

  // Or embeds it in another site's page.
  const around = await viewer.newPage();
  await around.goto(new URL("/", callback.url).href);
  await around.setContent(`<iframe src="${viewerPage.url()}"></iframe>`);
  await expect.poll(() => around.frames().at(-1)?.url()).toContain("chrome-error:");

  await finish(await answerConsent(viewerPage, url, "CONNECT", callback));
  const names = await assistant.toolNames();
  expect(names).toContain("listAccounts");
  for (const name of ["createTransfer", "triggerRule", "createAccount"]) expect(names).not.toContain(name);
  const refused = await assistant.callTool("createTransfer", {
    sourceAccountId: accountId("Operating"),
    destinationAccountId: accountId("Taxes"),
    amountInCents: 1_000,
  });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.structuredContent)).toContain("ACCESS_DENIED");
  await viewer.close();
});
