import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { accountId, button, type DemoRole, openSignedIn, propose } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { addVirtualAuthenticator } from "@/e2e/support/virtual-authenticator";
import type { DemoDescription } from "@/lib/contract/demo";

/** A product of its own: while the gates are closed, nothing else in the organization would work. */
let product: OwnProduct;
let demo: DemoDescription;
test.beforeAll(async () => {
  product = await startOwnProduct("gates");
  demo = await readDemo(product.dataDirectory);
});
test.afterAll(() => product.close());

const CLOSED = { name: "All gates are closed" };
const OPEN = { name: "The gates are open" };

async function askStatus(): Promise<{ status: number; text: string }> {
  const response = await fetch(`${demo.apiUrl}/transfers`, {
    method: "POST",
    headers: { Authorization: `Bearer ${demo.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      sourceAccountId: accountId("Operating", demo),
      destinationAccountId: accountId("Taxes", demo),
      amountInCents: 12_300,
    }),
  });
  return { status: response.status, text: await response.text() };
}

async function open(page: Page, path: string, role: DemoRole = "OWNER"): Promise<void> {
  await openSignedIn(page, `${product.url}${path}`, role, demo);
}

function passwordOf(role: DemoRole): string {
  const member = demo.members.find((candidate) => candidate.role === role);
  if (!member) throw new Error(`The demo has no ${role}`);
  return member.password;
}

test("on a phone one tap on the page of a proposal stops everything; denying still works, and a passkey opens again", {
  tag: "@gate",
}, async ({ browser }) => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await phone.newPage();
  await addVirtualAuthenticator(phone, page);
  await open(page, "/settings/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/Name/).fill("Phone");
  await dialog.getByRole("button", { name: /Add|Make/ }).click();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: /Done|Close|saved/i }).click();
  const proposal = await propose({ amountInCents: 45_600 }, demo);
  await page.goto(proposal.approvalUrl);
  await page.getByRole("button", { name: "Close all gates" }).click();
  await expect(page.getByRole("heading", CLOSED)).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);

  const refused = await askStatus();
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining("All gates") });
  await page.goto(proposal.approvalUrl);
  await expect(
    page.getByText("All gates are closed. Open them to approve").filter({ visible: true }).first(),
  ).toBeVisible();
  await expect(button(page, /^Approve/)).toBeDisabled();
  await button(page, /^Deny/).click();
  await page.getByRole("button", { name: "Deny transfer" }).click();
  await expect(page.getByText(/You denied this/).first()).toBeVisible();

  await page.goto(`${product.url}/gates`);
  await page.getByRole("button", { name: "Open with passkey" }).first().click();
  await expect(page.getByRole("heading", OPEN)).toBeVisible();
  expect((await askStatus()).status).toBe(202);
  await phone.close();
});

test("⌘⇧X closes from any page, whatever has the focus, and members who may not open get no button", async ({
  page,
  browser,
}) => {
  await open(page, "/settings/members");
  await page.getByLabel("Email").first().focus();
  await page.keyboard.press("ControlOrMeta+Shift+X");
  await expect(page.getByRole("heading", CLOSED)).toBeVisible();
  const viewer = await browser.newContext();
  const viewerPage = await viewer.newPage();
  await open(viewerPage, "/accounts", "VIEWER");
  await expect(viewerPage.getByText("All gates are closed.")).toBeVisible();
  await viewerPage.getByRole("link", { name: "See what stopped" }).click();
  await expect(viewerPage.getByRole("heading", CLOSED)).toBeVisible();
  await expect(viewerPage.getByRole("button", { name: /^Open/ })).toHaveCount(0);
  await viewer.close();
});

test("the button shows its words at every width, and says before it is released that cards are declined too", async ({
  page,
}) => {
  // The journeys above may have left them closed.
  await open(page, "/overview", "CO_OWNER");
  if (await page.getByText("All gates are closed.").isVisible()) {
    await page.getByRole("button", { name: /^Open/ }).first().click();
    await page.getByLabel("Your password").fill(passwordOf("CO_OWNER"));
    await page.getByRole("dialog").getByRole("button", { name: "Open the gates" }).click();
    await expect(page.getByText("All gates are closed.")).toBeHidden();
  }
  const { approvalUrl } = await propose({ amountInCents: 78_900 }, demo);
  for (const address of [`${product.url}/overview`, approvalUrl]) {
    await page.goto(address);
    for (const width of [320, 390, 900, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const words = page.getByRole("button", { name: "Close all gates" }).getByText("Close all gates");
      const box = await words.boundingBox();
      expect(box?.width, `${address} at ${width}`).toBeGreaterThan(40);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${address} at ${width}`).toBeLessThanOrEqual(0);
      const find = await page.getByRole("button", { name: "Go, find or do" }).boundingBox();
      // A finger hits it, and not what stops everything.
      expect(find?.width, `the find button at ${width}`).toBeGreaterThanOrEqual(24);
      const icon = await page.getByRole("button", { name: "Go, find or do" }).locator("svg").boundingBox();
      expect((icon?.x ?? 0) - (find?.x ?? 0), `around its icon at ${width}`).toBeGreaterThan(4);
      const hint = page.getByRole("tooltip");
      await expect(hint).toBeHidden();
      await words.hover();
      await page.mouse.down();
      await expect(hint).toBeVisible();
      await expect(hint).toContainText("Card purchases are declined.");
      const place = await hint.boundingBox();
      expect(place?.x, `the hint at ${width}`).toBeGreaterThanOrEqual(0);
      expect((place?.x ?? 0) + (place?.width ?? 0), `the hint at ${width}`).toBeLessThanOrEqual(width);
      // Letting go elsewhere closes nothing.
      await page.mouse.move(width / 2, 500);
      await page.mouse.up();
    }
  }
  await page.goto(`${product.url}/gates`);
  await expect(page.getByRole("heading", OPEN)).toBeVisible();
});
