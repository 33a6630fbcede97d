import { randomUUID } from "node:crypto";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { answerConsent } from "@/e2e/support/assistant-scene";
import { joinDatabase } from "@/e2e/support/join-database";
import { accountId, button, type DemoRole, demo, signIn, signInWithoutForm } from "@/e2e/support/journey";
import { type CallbackServer, openCallback } from "@/e2e/support/local-servers";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { createAssistant, type SdkAssistant } from "@/e2e/support/sdk-assistant";

/** The pages of assistants: who sees what, who may disconnect what, and what a member reads before granting access. */

let callback: CallbackServer;
test.beforeAll(async () => {
  callback = await openCallback();
});
test.afterAll(() => callback.close());

const ASSISTANTS = "/settings/assistants";
const newName = (name: string) => `${name} ${randomUUID().slice(0, 6)}`;

async function openAs(browser: Browser, role: DemoRole): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signInWithoutForm(page, role);
  return page;
}

function create(name: string): SdkAssistant {
  return createAssistant(`${demo().appUrl}/mcp`, {
    name,
    redirectUrl: callback.url,
    registration: { kind: "DYNAMIC" },
    mode: "auto",
  });
}

async function connect(page: Page, name: string): Promise<SdkAssistant> {
  const assistant = create(name);
  const { url, finish } = await assistant.begin();
  await finish(await answerConsent(page, url, "CONNECT", callback));
  return assistant;
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

/** An open dialog hides the rest of the page from roles. */
async function expectGone(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(rowOf(page, name)).toHaveCount(0);
}

const proposedSchema = z.object({
  structuredContent: z.object({ data: z.object({ approvalUrl: z.string() }) }),
});

async function propose(assistant: SdkAssistant): Promise<string> {
  const answer = await assistant.callTool("createTransfer", {
    sourceAccountId: accountId("Operating"),
    destinationAccountId: accountId("Taxes"),
    amountInCents: 7_654,
    reasonForApproval: "Looked at by a journey.",
  });
  return proposedSchema.parse(answer).structuredContent.data.approvalUrl;
}

test("disconnecting an assistant shows beforehand what it denies, and denies it", async ({ browser }) => {
  const page = await openAs(browser, "OWNER");
  const name = newName("Claude");
  const assistant = await connect(page, name);
  const approvalUrl = await propose(assistant);

  await page.goto(approvalUrl);
  const requester = page.getByRole("region", { name: "Requester" });
  await expect(requester).toContainText(name);
  await expect(requester).toContainText("Assistant, connected by Mara Okafor");
  await expect(page.getByText("It can only propose")).toBeVisible();
  await expect(page.getByText(/within the key’s limit/i)).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);

  await page.goto(`${demo().appUrl}/settings/api-keys`);
  await expect(page.getByText(name)).toHaveCount(0);

  await page.goto(`${demo().appUrl}${ASSISTANTS}`);
  await expect(rowOf(page, name)).toContainText("Connected by you on");
  await expect(rowOf(page, name)).toContainText("asks to move money and to run rules");
  await rowOf(page, name)
    .getByRole("button", { name: `Disconnect ${name}` })
    .click();
  const dialog = page.getByRole("dialog", { name: `Disconnect ${name}?` });
  await expect(dialog).toContainText("Its waiting proposal of $76.54 is denied.");
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Disconnect and deny 1" }).click();
  await expectGone(page, name);

  await page.getByRole("link", { name: /^Show (it|them)$/ }).click();
  await expect(rowOf(page, name)).toContainText("Disconnected by Mara Okafor today at");
  await page.goto(approvalUrl);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Assistant disconnected");
  await page.context().close();
});

test("a viewer disconnects the assistant that they connected, by keyboard alone, and no one else's", async ({
  browser,
}) => {
  const owner = await openAs(browser, "OWNER");
  const [theirs, own] = [newName("Claude"), newName("Ledgerly")];
  await connect(owner, theirs);
  const page = await openAs(browser, "VIEWER");
  await connect(page, own);
  await page.goto(`${demo().appUrl}${ASSISTANTS}`);
  await expect(rowOf(page, own)).toContainText("Reads only, because you are a viewer.");
  await expect(rowOf(page, theirs).getByRole("button")).toHaveCount(0);

  const disconnect = rowOf(page, own).getByRole("button", { name: `Disconnect ${own}` });
  await expect(disconnect).toBeEnabled();
  await disconnect.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("It has nothing waiting or on its way.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(disconnect).toBeFocused();
  await disconnect.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).press("Enter");
  await expectGone(page, own);

  await owner.goto(`${demo().appUrl}${ASSISTANTS}`);
  await rowOf(owner, theirs).getByRole("button").click();
  await owner.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expectGone(owner, theirs);
  await owner.context().close();
  await page.context().close();
});

test("a request answered in one tab is over in the other, which connects nothing more", async ({
  browser,
}) => {
  const page = await openAs(browser, "OWNER");
  const name = newName("Claude");
  const { url } = await create(name).begin();
  await page.goto(url);
  const consentUrl = page.url();
  const other = await page.context().newPage();
  await other.goto(consentUrl);
  await expect(other.getByRole("heading", { level: 1 })).toContainText("wants to connect to");
  await button(page, /^Connect$/).click();
  await expect(page.getByRole("heading", { name: "Back at the assistant" })).toBeVisible();
  await other.bringToFront();
  await button(other, /^Connect$/).click();
  await expect(other.getByRole("heading", { name: "This request is over" })).toBeVisible();
  expect(await findAxeViolations(other)).toEqual([]);
  await other.getByRole("link", { name: "See what is connected" }).click();
  await expect(rowOf(other, name)).toHaveCount(1);
  await page.context().close();
});

test("the consent to a program with a long name passes axe and fits its width, in both themes", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  const { url } = await create("A program with a name as long as one that may be shown here").begin();
  await page.goto(url);
  await signIn(page, "VIEWER");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("wants to connect to");
  await expect(button(page, /^Connect$/)).toBeVisible();
  expect(await findLookFaults(page)).toEqual([]);
  await page.context().close();
});

/** Makes the viewer the owner of a second organization for the rest of the journey. */
async function withSecondOrganization(run: (name: string) => Promise<void>): Promise<void> {
  const database = await joinDatabase();
  const { ownerPool } = database;
  const [id, name] = [randomUUID(), newName("Lind Accounting")];
  const email = demo().members.find(({ role }) => role === "VIEWER")?.email;
  await ownerPool.query(
    "insert into organizations values ($1, $2, 'BUSINESS', 'America/New_York', 0, $3, $4, now())",
    [id, name, randomUUID(), randomUUID()],
  );
  await ownerPool.query(
    `insert into memberships (organization_id, user_id, role, created_at)
       select $1, id, 'OWNER', now() from users where email = $2`,
    [id, email],
  );
  try {
    await run(name);
  } finally {
    await ownerPool.query("delete from memberships where organization_id = $1", [id]);
    await database.close();
  }
}

test("a member of two organizations sees to which one it would be connected, and changes it", async ({
  browser,
}) => {
  await withSecondOrganization(async (second) => {
    const page = await openAs(browser, "VIEWER");
    const { url } = await create(newName("Claude")).begin();
    await page.goto(url);
    const title = page.getByRole("heading", { level: 1 });
    const panel = page.getByRole("region", { name: "You agree as" });
    // Either may come first.
    await expect(panel).toContainText(/(Viewer of Northwind Studio|Owner of Lind Accounting)/);
    if ((await title.textContent())?.includes(second)) {
      await page.getByRole("button", { name: "Northwind Studio", exact: true }).last().click();
    }
    await expect(title).toContainText("wants to connect to Northwind Studio");
    await expect(panel).toContainText("Viewer of Northwind Studio");
    await expect(page.getByText("You are a viewer, so it only reads")).toBeVisible();

    await page.getByRole("region", { name: "Connect it to another instead" }).getByRole("button").click();
    await expect(title).toContainText(`wants to connect to ${second}`);
    await expect(panel).toContainText(`Owner of ${second}`);
    await expect(page.getByText("Propose to move money")).toBeVisible();

    // Another tab switched back: consent applies to what was on the screen, or to nothing.
    const other = await page.context().newPage();
    await other.goto(`${demo().appUrl}/approvals`);
    await other.getByRole("button", { name: /^Account/ }).click();
    await other.getByRole("button", { name: "Northwind Studio", exact: true }).click();
    await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(other.getByRole("button", { name: /^Account/ })).toContainText("Northwind Studio");
    await page.bringToFront();
    await button(page, /^Connect$/).click();
    await expect(page.getByText(/you switched to Northwind Studio since/).first()).toBeVisible();
    await page.context().close();
  });
});
