import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { openSignedIn, propose } from "@/e2e/support/journey";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";

/**
 * People who try Sluice see events arrive, and a receiver fail and recover, without a program of their own. A product
 * of its own: a failing receiver would fail under the other journeys.
 */
let product: OwnProduct;
let demo: DemoDescription;

test.beforeAll(openProduct);
test.afterAll(() => product.close());

async function openProduct(): Promise<void> {
  product = await startOwnProduct("sandbox-receiver");
  demo = await readDemo(product.dataDirectory);
}

/** The receiver's requests about a transfer or an event, by the id of either. */
function receiptsOf(page: Page, id: string) {
  return page
    .getByRole("table", { name: "Last deliveries, newest first" })
    .getByRole("row")
    .filter({ has: page.locator(`[title$="${id}"]`) });
}

async function answerWith(page: Page, mode: string): Promise<void> {
  await page.getByLabel("What the receiver answers").selectOption(mode);
  await page.getByRole("button", { name: "Set response" }).click();
}

/** Reloads until it is there: the page shows the state when it was opened. */
async function seeReceipt(page: Page, id: string, answer: string, count = 1): Promise<void> {
  await expect(async () => {
    await page.reload();
    const receipts = receiptsOf(page, id).filter({ hasText: answer });
    await expect(receipts).toHaveCount(count, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
}

test("a receiver set to fail fails, is retried, and gets what it missed once it recovers", async ({
  page,
}) => {
  await openSignedIn(page, `${product.url}/sandbox`, "OWNER", demo);
  await expect(page.getByRole("heading", { name: "Webhook receiver" })).toBeVisible();

  const first = await propose({ amountInCents: 4_200 }, demo);
  await seeReceipt(page, first.id, "204");

  await answerWith(page, "UNAVAILABLE");
  await expect(page.getByText("The receiver answers 503 Unavailable")).toBeVisible();
  const second = await propose({ amountInCents: 4_300 }, demo);
  // Immediately, and five seconds later.
  await seeReceipt(page, second.id, "503", 2);
  const eventId = await receiptsOf(page, second.id)
    .first()
    .getByText("transfer.changed")
    .getAttribute("title");
  if (eventId === null) throw new Error("A receipt names its event");

  await answerWith(page, "OK");
  await expect(page.getByText("The receiver answers Received")).toBeVisible();
  await page
    .getByRole("button", { name: /One week ahead|To the next banking day/ })
    .first()
    .click();
  await expect(page.getByText(/Moved the clock by/)).toBeVisible();
  // The days passed send more than the sandbox page remembers, so the endpoint's own page is read.
  await page.getByRole("link", { name: "View deliveries" }).click();
  await expect(page).toHaveURL(/\/settings\/webhooks\//);
  const endpointUrl = page.url();
  await expect(async () => {
    await page.goto(`${endpointUrl}?event=${eventId}`);
    await page.getByText("Show what was sent").click({ timeout: 500 });
    const attempts = page.getByRole("table", { name: "Attempts, oldest first" });
    await expect(attempts.getByRole("row").last()).toContainText("204", { timeout: 500 });
  }).toPass({ timeout: 20_000 });
});

test("a viewer sees its requests, and cannot configure it", async ({ page }) => {
  await openSignedIn(page, `${product.url}/sandbox`, "VIEWER", demo);
  await expect(page.getByRole("table", { name: "Last deliveries, newest first" })).toBeVisible();
  await expect(page.getByRole("link", { name: "View deliveries" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Set response" })).toHaveCount(0);
});

/** @returns the milliseconds that the process took */
async function stopWhileOneIsSilent(page: Page): Promise<number> {
  await openSignedIn(page, `${product.url}/sandbox`, "OWNER", demo);
  await answerWith(page, "SILENT");
  await expect(page.getByText("The receiver answers nothing (timeout)")).toBeVisible();
  const transfer = await propose({ amountInCents: 4_400 }, demo);
  await seeReceipt(page, transfer.id, "Nothing");
  // A browser's connections are not what is measured.
  await page.context().close();
  const startedAt = performance.now();
  await product.stop();
  return performance.now() - startedAt;
}

test("a silent receiver blocks nothing: the process ends by itself while an event waits for its answer", async ({
  page,
}) => {
  await stopWhileOneIsSilent(page);
  expect(product.process.exitCode).toBe(0);
  // Neither the receiver's silence nor the sender's timeout ran out: nothing had to be cut off.
  expect(product.printed()).not.toMatch(/cut off|under way for too long/);
});

test("a silent receiver delays no stop: it takes less than six seconds", { tag: "@alone" }, async ({
  page,
}) => {
  // The test before may have stopped this one.
  await product.close();
  await openProduct();
  // The sender would have waited ten, the receiver fifteen.
  expect(await stopWhileOneIsSilent(page)).toBeLessThan(6_000);
});
