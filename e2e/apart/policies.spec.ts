import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { type DemoRole, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { POLICY_EDIT_HREF, POLICY_HREF, POLICY_PUBLISH_HREF } from "@/lib/contract/hrefs";

/** A product of its own: what must be approved by whom concerns every other journey. */
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startOwnProduct("policies");
});
test.afterAll(() => product.close());

async function open(page: Page, path: string, role: DemoRole): Promise<void> {
  await openSignedIn(page, `${product.url}${path}`, role, await readDemo(product.dataDirectory));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

async function expectSound(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
}

test("two people publish a policy after its backtest, the second one on a phone", async ({
  page,
  browser,
}) => {
  await open(page, POLICY_HREF, "OWNER");
  await expect(page.getByText("1 owner or co-owner approves, also the requester.")).toBeVisible();
  await expectSound(page);
  await page.getByRole("link", { name: "Edit as version 1" }).click();

  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByRole("button", { name: "More of rule 1" }).click();
  await page.getByLabel("Name").fill("Large payments");
  await page.getByRole("button", { name: "Add: an amount" }).click();
  await page.getByRole("textbox", { name: "More than" }).fill("2,000.00");
  await page.getByLabel("Within").selectOption("7");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: /How many sign in stage 1 of rule 1/ }).click();
  await page.getByLabel("At least").selectOption("2");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(/^Saved /)).toBeVisible();
  await expect(
    page.getByRole("table", { name: /by rule/ }).getByRole("rowheader", { name: "Large payments" }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Ask others about own moves" }).click();
  await expect(page.getByRole("button", { name: "More of rule 2" })).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "More of rule 2" }).click();
  await page.getByRole("button", { name: "Remove rule" }).click();
  await expect(page.getByText("Every rule can be reached")).toBeVisible();
  await expect(page.getByText("Version 1 needs 2 people to replace it.")).toBeVisible();
  await expectSound(page);

  await page.getByRole("button", { name: "Review version 1" }).click();
  await expect(page.getByRole("heading", { name: "Publish version 1?" })).toBeVisible();
  await expect(page.getByText("Needs 2 signatures")).toBeVisible();
  await page.getByRole("button", { name: /^Sign version 1/ }).click();
  await expect(page.getByText("Needs 1 more signature")).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw" })).toBeVisible();
  await expectSound(page);

  const phone = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  ).newPage();
  await open(phone, POLICY_PUBLISH_HREF, "CO_OWNER");
  await expectSound(phone);
  await phone.getByRole("button", { name: /^Sign version 1/ }).click();
  await expect(phone.getByRole("heading", { name: "Who must approve" })).toBeVisible();
  await expect(phone.getByText("Large payments")).toBeVisible();
  await expectSound(phone);
  await phone.context().close();

  await page.goto(`${product.url}${POLICY_HREF}`);
  await expect(page.getByText(/^Published .* signed by /)).toBeVisible();
  await expect(page.getByText(/2 owners or co-owners/)).toBeVisible();
});

test("a rule that another one catches whole forbids publishing, and says what to do", async ({ page }) => {
  await open(page, POLICY_EDIT_HREF, "OWNER");
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByRole("button", { name: "Add a rule" }).click();
  await expect(page.getByText(/is never reached$/).first()).toBeVisible();
  await expect(page.getByText(/catches all of it\. Move rule/).first()).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: /^Review version/ }).click();
  await expect(page.getByText("The draft cannot be published yet: see what must hold.")).toBeVisible();
  await page.goto(`${product.url}${POLICY_EDIT_HREF}`);
  await page.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByRole("heading", { name: "In this order" })).toBeVisible();
});

test("a viewer reads it and changes nothing", async ({ page }) => {
  await open(page, POLICY_HREF, "VIEWER");
  await expect(page.getByRole("link", { name: /Edit as version/ })).toHaveCount(0);
  await page.goto(`${product.url}${POLICY_EDIT_HREF}`);
  await expect(
    page.getByRole("heading", { name: "Only an owner or co-owner can change who must approve" }),
  ).toBeVisible();
});
