import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { openSignedIn } from "@/e2e/support/journey";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";

const HREF = "/accounts/reconciliation";

/** A product of its own: the pages' examples add a difference to the shared one. */
let product: OwnProduct;
let demo: DemoDescription;
test.beforeAll(async () => {
  product = await startOwnProduct("reconciliation");
  demo = await readDemo(product.dataDirectory);
});
test.afterAll(() => product.close());

/** The sandbox bank charges a fee on its own, which nothing in Sluice announced. */
async function chargeFee(page: Page, amount: string): Promise<void> {
  await page.goto(`${product.url}/sandbox`);
  await page.getByLabel("What the bank books").selectOption("FEE");
  await page.getByLabel("Amount that the bank books").fill(amount);
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect(page.getByText(`The bank charged a fee of ${amount}`)).toBeVisible();
  await page.goto(`${product.url}${HREF}`);
}

test("a fee of the bank is found, booked from a pod, and bank and books agree again", async ({ page }) => {
  await openSignedIn(page, `${product.url}${HREF}`, "OWNER", demo);
  await page.getByRole("button", { name: "Reconcile now" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Books and bank agree");
  await chargeFee(page, "$12.34");
  await page.getByRole("button", { name: "Reconcile now" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("One difference needs you");

  // How both pages look is what every-page.spec.ts checks.
  await page.getByRole("link", { name: "Missing here" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/The bank took \$12\.34/);
  await page.getByLabel("What was asked, and whom").fill("Asked Ana what it is for");
  await page.getByRole("button", { name: "Note it" }).click();
  await expect(page.getByText("“Asked Ana what it is for”")).toBeVisible();
  await page.getByLabel("Paid from").selectOption({ label: "Operating" });
  await page.getByRole("button", { name: "Book it" }).click();
  await expect(page.getByText(/booked it$/)).toBeVisible();

  await page.goto(`${product.url}${HREF}`);
  await page.getByRole("button", { name: "Reconcile now" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Books and bank agree");
  await page.goto(`${product.url}/accounts`);
  await expect(page.getByText(/Pods and income sources add up to the bank’s balance/)).toBeVisible();
});
