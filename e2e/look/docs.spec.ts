import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { callApi, demo, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { ERROR_STATUS } from "@/lib/contract/error";

const docs = (path = "") => `${demo().appUrl}/docs${path}`;

test("the reference reads without a sign-in and without a script", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(docs());
  await page.getByRole("navigation").getByRole("link", { name: "Make a transfer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Make a transfer");
  for (const fact of ["integer, 100 to 100,000,000,000,000", "IDEMPOTENCY_KEY_MISMATCH", "$SLUICE_KEY"]) {
    await expect(page.getByText(fact).first()).toBeVisible();
  }
  await page.goto(docs("/errors"));
  for (const code of Object.keys(ERROR_STATUS)) {
    await expect(page.getByRole("rowheader", { name: code, exact: true })).toBeVisible();
  }
  await context.close();
});

test("every operation of the OpenAPI document has its page", async ({ request }) => {
  const document: { paths: Record<string, Record<string, { operationId: string; summary: string }>> } =
    await (await request.get(`${demo().apiUrl}/openapi.json`)).json();
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(4);
  for (const { operationId, summary } of operations) {
    const page = await request.get(docs(`/${operationId}`));
    expect([operationId, page.status()]).toEqual([operationId, 200]);
    expect(await page.text()).toContain(summary);
  }
  expect((await request.get(docs("/noSuchOperation"))).status()).toBe(404);
});

test("every guide opens, with all that it contains", async ({ page, request }) => {
  await page.goto(docs());
  const guides = page.getByRole("region", { name: "Guides" }).getByRole("link");
  const paths = await guides.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    const opened = await request.get(`${demo().appUrl}${path}`);
    expect([path, opened.status()]).toEqual([path, 200]);
    // What code samples fill in.
    expect(await opened.text()).not.toMatch(/\{(?:baseUrl|mcpUrl)\}/);
  }
});

test("a reader tries a transfer with their key: a dry run, and the key stays in memory", async ({ page }) => {
  const { apiKey } = demo();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.headers().cookie ?? ""}`));
  await page.goto(docs("/createTransfer"));
  await page.getByRole("button", { name: "Send as a dry run" }).click();
  await expect(page.getByText("Paste a key first.")).toBeVisible();

  await page.getByLabel("API key").fill(apiKey);
  await page.getByRole("button", { name: "Choose from my accounts" }).click();
  await expect(page.getByText(/^\d+ accounts$/)).toBeVisible();
  await page.getByLabel("sourceAccountId").selectOption({ label: "Operating" });
  await page.getByLabel("destinationAccountId").selectOption({ label: "Taxes" });
  await page.getByLabel("amountInCents").fill("99");
  await page.getByRole("button", { name: "Send as a dry run" }).click();
  await expect(page.getByText("400 INVALID_PARAMETERS")).toBeVisible();
  await page.getByLabel("amountInCents").fill("123400");
  await page.getByRole("button", { name: "Send as a dry run" }).click();
  await expect(page.getByText(/^200 in \d+ ms$/)).toBeVisible();
  const answer = await page.getByRole("region", { name: "The answer to your call" }).innerText();
  const { data } = JSON.parse(answer);
  expect(data).toMatchObject({ executionMode: "SIMULATION", status: "COMPLETE", amountInCents: 123_400 });
  expect(await callApi("GET", `/transfers/${data.id}`)).toMatchObject({ executionMode: "SIMULATION" });

  await page.getByLabel("Dry run").uncheck();
  await expect(page.getByText(/This is a live call/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Send live" })).toBeVisible();

  // From page to page it is remembered; a reload forgets it.
  await page.getByRole("link", { name: "List transfers" }).click();
  await expect(page.getByLabel("API key")).toHaveValue(apiKey);
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  expect(stored).not.toContain(apiKey);
  expect(sent.join("\n")).not.toContain(apiKey);
  await page.reload();
  await expect(page.getByLabel("API key")).toHaveValue("");
});

test("a call from the reference uses only the key: it carries no session", async ({ page }) => {
  await openSignedIn(page, docs("/listAccounts"));
  await expect(page.getByRole("link", { name: "Back to the dashboard" })).toBeVisible();
  await page.getByLabel("API key").fill(demo().apiKey);
  const called = page.waitForRequest(/platform\/v1\/accounts/);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  expect((await (await called).allHeaders()).cookie).toBeUndefined();
  await expect(page.getByText(/^200 in \d+ ms$/)).toBeVisible();
});

test("the slash searches, and Enter opens the first result", async ({ page }) => {
  await page.goto(docs());
  // The key only works after hydration.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByLabel("Search the reference")).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type("unexpected_error");
  await expect(page.getByRole("navigation").getByRole("link", { name: "Errors" })).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: "Rate limits" })).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/docs\/errors$/);
});

test("on a phone the contents open, and close when a page is chosen", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(docs());
  const link = page.getByRole("navigation").getByRole("link", { name: "Idempotency" });
  await expect(link).toBeHidden();
  await page.getByText("Contents").click();
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A retry never moves money twice");
  await expect(link).toBeHidden();
  await context.close();
});

test("the guide to assistants names every tool, and each client has its commands", async ({ page }) => {
  const { apiKey, mcpUrl } = demo();
  await page.goto(docs());
  // Typing only works after hydration.
  await expect(async () => {
    await page.getByLabel("Search the reference").fill("chatgpt");
    await expect(page.getByText("1 found")).toBeAttached({ timeout: 500 });
  }).toPass();
  await page.getByRole("navigation").getByRole("link", { name: "Assistants (MCP)" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("An assistant proposes, and you decide");
  const headers = { Authorization: `Bearer ${apiKey}`, "MCP-Protocol-Version": "2025-11-25" };
  const listed = await page.request.post(mcpUrl, {
    headers,
    data: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  });
  const { tools }: { tools: { name: string }[] } = (await listed.json()).result;
  expect(tools.length).toBeGreaterThan(16);
  for (const { name } of tools) {
    await expect(page.getByRole("rowheader", { name, exact: true })).toBeVisible();
  }

  const panel = page.getByRole("tabpanel");
  await expect(panel).toHaveAccessibleName("Claude");
  await expect(panel.getByText(`claude mcp add --transport http sluice ${mcpUrl}`).first()).toBeVisible();
  for (const client of ["ChatGPT", "Cursor", "VS Code", "Command line"]) {
    await page.getByRole("tab", { selected: true }).press("ArrowRight");
    await expect(page.getByRole("tab", { name: client })).toBeFocused();
    await expect(panel).toHaveAccessibleName(client);
    expect(await findAxeViolations(page)).toEqual([]);
  }
  await expect(page.getByText("ChatGPT cannot connect to this address")).toBeVisible();
});

test("the curl commands in the guide to assistants do what they say", async ({ page }) => {
  await page.goto(docs("/assistants"));
  // Clicks only work after hydration.
  await expect(async () => {
    await page.getByRole("tab", { name: "Command line" }).click();
    await expect(page.getByRole("tabpanel")).toHaveAccessibleName("Command line", { timeout: 500 });
  }).toPass();
  const lines = await page
    .getByRole("tabpanel")
    .locator("pre", { hasText: /^curl / })
    .allInnerTexts();
  expect(lines).toHaveLength(2);
  const answers = await Promise.all(lines.map((line) => sendAsCurl(page, line)));
  expect(answers).toMatchObject([
    { result: { structuredContent: { data: { items: expect.any(Array) } } } },
    { result: { protocolVersion: "2025-11-25", serverInfo: { name: "sluice" } } },
  ]);
});

test("without a script the guide to assistants shows all clients below each other", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(docs("/assistants"));
  for (const line of ["codex mcp add sluice", "code --add-mcp"]) {
    await expect(page.getByText(line).first()).toBeVisible();
  }
  await context.close();
});

test("an operation's page ships under 165 kB of JavaScript", async ({ page, context }) => {
  const scripts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  await page.goto(docs("/createTransfer"), { waitUntil: "networkidle" });
  let bytes = 0;
  for (const url of scripts) bytes += gzipSync(await (await context.request.get(url)).body()).byteLength;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(165_000);
});

/** Sends what the command would, with the demo's key in place of the variable. */
async function sendAsCurl(page: Page, line: string): Promise<unknown> {
  const [, url = ""] = /^curl -s (\S+) /.exec(line) ?? [];
  const [, body = ""] = /-d '([^']+)'$/.exec(line.trim()) ?? [];
  const headers = [...line.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [
    name,
    value.replace("$SLUICE_KEY", demo().apiKey),
  ]);
  const answer = await page.request.post(url, {
    headers: Object.fromEntries(headers),
    data: JSON.parse(body),
  });
  return answer.json();
}
