import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { joinDatabase } from "@/e2e/support/join-database";
import { accountId, callApi, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";
import { keyMandatesHref, newMandateHref } from "@/lib/contract/hrefs";
import { type Transfer, transferSchema } from "@/lib/contract/transfer";

/** A product of its own: what moves under a mandate moves for every other journey. */
let product: OwnProduct;
let demo: DemoDescription;
let keyId: string;

test.beforeAll(async () => {
  product = await startOwnProduct("mandates");
  demo = await readDemo(product.dataDirectory);
  const { ownerPool, close } = await joinDatabase(product.dataDirectory);
  try {
    const { rows } = await ownerPool.query<{ id: string }>("select id from api_keys where name = 'demo-key'");
    keyId = rows[0]?.id ?? "";
  } finally {
    await close();
  }
});
test.afterAll(() => product.close());

async function expectSound(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
}

async function move(to: string, amountInCents: number): Promise<Transfer> {
  const body = {
    sourceAccountId: accountId("Operating", demo),
    destinationAccountId: accountId(to, demo),
    amountInCents,
    reasonForApproval: "Set aside as every week.",
  };
  return transferSchema.parse(await callApi("POST", "/transfers", body, demo));
}

for (const { name, to, viewport, colorScheme, isMobile } of [
  {
    name: "phone, dark",
    to: "Taxes",
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    isMobile: true,
  },
  {
    name: "desktop, light",
    to: "Profit",
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    isMobile: false,
  },
] as const) {
  test(`a mandate is written and signed, used five times, exceeded once and ended: ${name}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, colorScheme, isMobile, hasTouch: isMobile });
    const page = await context.newPage();
    await openSignedIn(page, `${product.url}${newMandateHref(keyId)}`, "OWNER", demo);
    await page.getByLabel("From", { exact: true }).selectOption({ label: "Operating" });
    await page.getByLabel("To", { exact: true }).selectOption({ label: to });
    await page.getByRole("button", { name: "Continue to sign" }).click();
    await expect(page.getByText("Enter the most that one transfer may move.")).toBeVisible();
    await page.getByLabel("At a time, at most").fill("350.00");
    await page.getByLabel("In a calendar month").fill("1,500.00");
    await page.getByLabel("Purpose").fill("weekly set-aside");
    await expectSound(page);
    await page.getByRole("button", { name: "Continue to sign" }).click();

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Let demo-key pay ${to} by itself?`);
    await expect(page.getByText(/^At most .*, only to/)).toBeVisible();
    await expectSound(page);
    await page.goto(`${product.url}/approvals`);
    await expect(page.getByRole("heading", { name: "Mandates to sign" })).toBeVisible();
    await page.getByRole("link", { name: new RegExp(`demo-key: ${to}`) }).click();
    await page.getByRole("button", { name: /^Sign/ }).click();
    await expect(page.getByRole("heading", { name: "What is left" })).toBeVisible();
    await expect(page.getByText("In use", { exact: true })).toBeVisible();
    await expectSound(page);
    const mandateUrl = page.url();

    for (const amountInCents of [5_000, 6_000, 7_000, 8_000, 9_000]) {
      const used = await move(to, amountInCents);
      expect(used.status).not.toBe("APPROVAL_PENDING");
      expect(`${product.url}/mandates/${used.mandateId}`).toBe(mandateUrl);
    }
    const beyond = await move(to, 42_000);
    expect(beyond).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });

    await page.reload();
    await expect(page.getByText("$1,150.00 left")).toBeVisible();
    await expect(page.getByRole("table", { name: "Uses" }).getByText("$350").first()).toBeVisible();
    await expect(page.getByText(/\$70\.00 above \$350\.00 at a time/)).toBeVisible();
    await expectSound(page);
    await page.goto(beyond.approvalUrl ?? "");
    await expect(page.getByText("Outside its mandate")).toBeVisible();

    await page.goto(`${product.url}/settings/api-keys/${keyId}`);
    await expect(page.getByText(/Under a mandate it moves up to/)).toBeVisible();
    await expect(page.getByText("By itself, under a mandate").locator("visible=true")).toHaveCount(1);
    await expectSound(page);
    // Another secret has none of it, and the dialog says so before.
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    const replacing = page.getByRole("dialog", { name: "Replace demo-key?" });
    await expect(replacing.getByText(/^Its mandate ends with the old secret\./)).toBeVisible();
    await replacing.getByLabel("Not at all; it ends now").check();
    await expect(replacing.getByText(/^Its mandate ends now\./)).toBeVisible();
    await expectSound(page);
    await replacing.getByRole("button", { name: "Keep the key" }).click();
    await page.goto(mandateUrl);
    await page.getByRole("button", { name: "End mandate" }).click();
    await expect(page.getByText("Ended", { exact: true })).toBeVisible();
    await expectSound(page);
    expect(await move(to, 5_100)).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });
    await page.goto(`${product.url}${keyMandatesHref(keyId)}`);
    await expect(page.getByRole("row", { name: new RegExp(to) })).toContainText("Ended");
    await expectSound(page);
    await context.close();
  });
}

test("a viewer reads a mandate and changes nothing", async ({ page }) => {
  await openSignedIn(page, `${product.url}${keyMandatesHref(keyId)}`, "VIEWER", demo);
  await page
    .getByRole("link", { name: /Operating/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
  await expect(page.getByRole("button", { name: /End mandate|Sign/ })).toHaveCount(0);
});
