import { expect, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { accountId, openSignedIn, propose } from "@/e2e/support/journey";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";

/**
 * An owner plays the outside world in a browser. A product of its own: its moved clock would let the other journeys'
 * proposals expire.
 */
let product: OwnProduct;
let demo: DemoDescription;

test.beforeAll(async () => {
  product = await startOwnProduct("sandbox");
  demo = await readDemo(product.dataDirectory);
});
test.afterAll(() => product.close());

async function balanceOf(name: string): Promise<number> {
  const response = await fetch(`${demo.apiUrl}/accounts/${accountId(name, demo)}`, {
    headers: { Authorization: `Bearer ${demo.apiKey}` },
  });
  return (await response.json()).data.balance.balanceInCents;
}

test("a deposit arrives, money is returned, and a moved clock lets a proposal expire", async ({ page }) => {
  await openSignedIn(page, `${product.url}/sandbox`, "OWNER", demo);
  await expect(page.getByRole("heading", { name: "You are the bank here" })).toBeVisible();

  const before = await balanceOf("Client payments");
  await page.getByLabel("Amount of the deposit").fill("$1,234.56");
  await page.getByLabel("Account", { exact: true }).selectOption({ label: "Client payments" });
  await page.getByLabel("Who pays").fill("Orbit Maps");
  await page.getByRole("button", { name: "Deposit" }).click();
  await expect(page.getByText("Deposited $1,234.56 from Orbit Maps")).toBeVisible();
  await expect(page.getByText("Settled in Client payments.")).toBeVisible();
  expect(await balanceOf("Client payments")).toBe(before + 123_456);

  const returns = page.getByRole("listitem").filter({ hasText: "ACH return" });
  await returns.getByLabel("Transfer").selectOption({ label: "Orbit Maps, $1,234.56" });
  await returns.getByLabel("Return code").selectOption("R10");
  await returns.getByRole("button", { name: "Send back" }).click();
  await expect(page.getByText("Sent back $1,234.56, Orbit Maps, R10")).toBeVisible();
  await expect.poll(() => balanceOf("Client payments")).toBe(before);

  const proposal = await propose(
    { amountInCents: 4_200, reasonForApproval: "Nobody will decide this." },
    demo,
  );
  await page.getByRole("button", { name: "One week ahead" }).click();
  // All that falls due in a week is carried out first, for up to 25 s on a busy machine.
  await expect(page.getByText("Moved the clock by 7 days")).toBeVisible({ timeout: 60_000 });
  await expect
    .poll(async () => {
      const response = await fetch(`${demo.apiUrl}/transfers/${proposal.id}`, {
        headers: { Authorization: `Bearer ${demo.apiKey}` },
      });
      return (await response.json()).data.status;
    })
    .toBe("APPROVAL_DENIED");
});

test("a viewer sees what was done and changes nothing", async ({ page }) => {
  await openSignedIn(page, `${product.url}/sandbox`, "VIEWER", demo);
  await expect(page.getByText("Moved the clock by 7 days")).toBeVisible();
  await expect(page.getByRole("button", { name: "Deposit" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "One week ahead" })).toHaveCount(0);
});
