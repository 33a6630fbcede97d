import { expect, test } from "@playwright/test";
import pg from "pg";
import { examplesOf } from "@/e2e/pages/page-examples";
import { type PageFacts, readPageFacts } from "@/e2e/pages/page-facts";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { callApi, propose, signInWithoutForm } from "@/e2e/support/journey";
import { readDemo } from "@/e2e/support/product";
import { shownBy, signInOverHttp } from "@/e2e/support/sign-in-over-http";
import type { DemoDescription } from "@/lib/contract/demo";
import { withShownField } from "@/lib/contract/shown";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";

/**
 * An organization in which every text that a third party may have written attacks its readers: agents' reasons, names,
 * merchants, institutions, receivers' responses, browsers' names. It is written directly to the database, past the APIs
 * that would refuse some of it, since banks and networks do not use them. On every page, in every export and response,
 * it must stay text.
 */
const HOSTILE = `=1+1"><x-hostile onclick=a()>{{7*7}}</script>'`;
/** What it is if it became markup. */
const AS_MARKUP = /<x-hostile/i;

/**
 * The next navigation cuts off requests that are still open. Playwright runs scripts of its own in every frame, which
 * the mailbox's sandbox refuses (microsoft/playwright#33343); what is in that frame is looked at by itself.
 */
const IGNORED_COMPLAINTS = /net::ERR_|Blocked script execution in 'about:srcdoc'/;

/** Every text column that third parties write, except enumerations, addresses and hashes. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ["name", "description", "institution_name"],
  api_keys: ["name"],
  audit_entries: ["api_key_name", "reason", "error_detail"],
  bank_difference_events: ["by_name", "note"],
  bank_lines: ["description"],
  beneficiaries: ["name"],
  card_authorizations: ["merchant"],
  card_transactions: ["description"],
  cards: ["name"],
  connections: ["institution_name"],
  daily_flows: ["party"],
  external_transactions: ["description", "merchant_name"],
  organization_changes: ["subject", "value_before", "value_after"],
  organizations: ["name"],
  payee_details: ["name", "holder_name", "given_by_name", "call_back_note"],
  payee_events: ["by_name", "name", "note"],
  payees: ["name", "reason", "proposed_by_name"],
  proposals: ["decision_note"],
  provider_balances: ["error"],
  rule_executions: ["error_message", "reason_for_approval", "started_by_name"],
  rule_versions: ["created_by_name", "reason"],
  rules: ["name"],
  sandbox_actions: ["member_name"],
  sandbox_bank_orders: ["outside_name"],
  sandbox_card_purchases: ["merchant"],
  sessions: ["user_agent"],
  transfers: ["counterparty_name", "error_message", "proposed_by_name", "reason_for_approval"],
  users: ["name"],
  webhook_attempts: ["answer"],
};

let product: OwnProduct;
let demo: DemoDescription;
let facts: PageFacts;
test.beforeAll(async () => {
  product = await startOwnProduct("hostile-text");
  demo = {
    ...(await readDemo(product.dataDirectory)),
    appUrl: product.url,
    apiUrl: `${product.url}/platform/v1`,
  };
  const waiting = await propose({ amountInCents: 4_100, reasonForApproval: HOSTILE.slice(0, 40) }, demo);
  const engine = await openEmbeddedEngine({ dataDirectory: product.dataDirectory });
  const owner = new pg.Client(engine.owner);
  await owner.connect();
  try {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      // Audit log entries cannot be changed otherwise, not even by the owner.
      await owner.query(`alter table ${table} disable trigger user`);
      for (const column of columns) {
        // Some must differ from each other; the row's position does.
        await owner.query(`update ${table} set ${column} = $1 || ctid::text where ${column} is not null`, [
          HOSTILE,
        ]);
      }
    }
    const { rows } = await owner.query<{ id: string }>(
      "select organization_id as id from accounts where id = $1",
      [demo.accounts[0]?.id],
    );
    facts = { ...(await readPageFacts(owner, rows[0]?.id ?? "")), waitingTransferId: waiting.id };
  } finally {
    await owner.end();
    await engine.leave();
  }
});
test.afterAll(() => product.close());

test("hostile text is text on every page, in every export and in every answer", async () => {
  const cookie = await signInOverHttp(demo, product.url);
  const page = await fetch(`${product.url}/help`, { headers: { Cookie: cookie } });
  const headers = { Cookie: cookie };
  const shownByPage = shownBy(await page.text());
  const found: string[] = [];
  let shown = 0;
  for (const address of addresses()) {
    const answer = await fetch(withShownField(`${product.url}${address}`, shownByPage), { headers });
    const text = await answer.text();
    if (answer.status >= 500) found.push(`${address} answers ${answer.status}`);
    if (AS_MARKUP.test(text) && answer.headers.get("content-type")?.startsWith("text/html")) {
      found.push(`${address} has it as markup`);
    }
    if (text.includes("x-hostile")) shown += 1;
    if (answer.headers.get("content-type")?.startsWith("text/csv")) {
      const formulas = text.split("\r\n").filter((line) => /(^|,)"?=1\+1/.test(line));
      if (formulas.length > 0) found.push(`${address} has a formula: ${formulas[0]}`);
    }
  }
  expect(found).toEqual([]);
  expect(shown).toBeGreaterThan(25);
});

test("hostile text creates no element in the browser, runs nothing and breaks no page", async ({
  browser,
}) => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !IGNORED_COMPLAINTS.test(message.text())) {
      complaints.push(`${page.url()}: ${message.text()}`);
    }
  });
  await signInWithoutForm(page, "OWNER", demo);
  const { waitingTransferId, accountId, ruleId, endpointId } = facts;
  for (const address of [
    `/?approvalTransferId=${waitingTransferId}`,
    "/",
    "/transfers",
    "/transfers/outside",
    `/accounts/${accountId}`,
    `/rules/${ruleId}`,
    "/audit",
    `/settings/webhooks/${endpointId}`,
    "/settings/security",
    "/mailbox",
  ]) {
    await page.goto(`${product.url}${address}`);
    await expect(page.locator("h1").first()).toBeVisible();
    expect(await page.locator("x-hostile").count(), address).toBe(0);
  }
  const email = page.frameLocator("iframe");
  await expect(email.locator("body")).toContainText("x-hostile");
  expect(await email.locator("x-hostile, script, [onclick], [onerror], [onload]").count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

test("an assistant gets third-party text as quotations and in separate fields", async () => {
  const accounts = await callApi("GET", "/accounts", undefined, demo);
  expect(JSON.stringify(accounts)).toContain("x-hostile");
  const answer = await fetch(`${product.url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${demo.apiKey}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "listAccounts", arguments: {} },
    }),
  });
  const { result } = Object(await answer.json());
  const text = String(result.content[0].text);
  expect(text).toContain("x-hostile");
  // Within guillemets, which the text cannot close: whatever it says, it is not our sentence.
  for (const [before] of text.matchAll(/.(?==1\+1)/gs)) expect(before).toBe("«");
});

function addresses(): string[] {
  const pages = examplesOf(process.cwd()).flatMap(({ views }) => views(facts).flatMap(({ at }) => at ?? []));
  return [
    ...pages,
    "/transfers/export",
    "/transfers/cards/export",
    "/transfers/outside/export",
    "/approvals/export",
    "/audit/activity/export",
    "/audit/export/csv",
    "/audit/export/json",
    "/find?q=hostile",
    "/live",
  ];
}
