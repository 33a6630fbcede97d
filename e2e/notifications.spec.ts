import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { propose } from "@/e2e/journey";
import { type Product, readDemo, startProduct } from "@/e2e/product";

/** A product of its own: from the sixth proposal of a key in an hour on, they are told together, a quarter later. */
let product: Product;
test.beforeAll(async () => {
  product = await startProduct(await mkdtemp(join(tmpdir(), "sluice-notifications-")));
});
test.afterAll(async () => {
  await product.stop();
  await rm(product.dataDirectory, { recursive: true, force: true });
});

test("a proposal reaches owners and co-owners by email and SMS, and the caller's words stay words", async ({
  page,
}) => {
  await propose(
    { amountInCents: 93_900, reasonForApproval: "<b>Bold</b> claims, see https://evil.example" },
    await readDemo(product.dataDirectory),
  );
  await page.goto(`${product.url}/mailbox`);
  await expect(async () => {
    await page.reload();
    const emails = page.getByRole("link", { name: /Move \$939\.00 from Operating to Taxes\?/ });
    await expect(emails).toHaveCount(2, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const sms = page.getByText(/Sluice: \$939\.00 waits for your approval until/).first();
  await expect(sms).not.toContainText("Bold");
  await page
    .getByRole("link", { name: /Move \$939\.00/ })
    .first()
    .click();
  const email = page.frameLocator("iframe");
  await expect(email.getByText("Sandbox bank: no real money").first()).toBeVisible();
  await expect(email.getByText(/<b>Bold<\/b> claims/)).toBeVisible();
  await expect(email.getByRole("link", { name: /evil/ })).toHaveCount(0);
});
