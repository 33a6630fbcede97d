import { once } from "node:events";
import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { callApi, openSignedIn, pressUntil, propose } from "@/e2e/support/journey";
import { findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";
import { transferSchema } from "@/lib/contract/transfer";

let product: OwnProduct;
let demo: DemoDescription;

// One for each: proposing 40 and reading them again is most of what a key may ask in a minute.
test.beforeEach(async () => {
  product = await startOwnProduct("review");
  demo = await readDemo(product.dataDirectory);
});
test.afterEach(() => product.close());

const STRUCK = [7, 10];
/** Each proposal of the review is a page. */
const TIMEOUT_MS = 300_000;

for (const { name, count, viewport, colorScheme } of [
  { name: "desktop, light", count: 40, viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  // The same pages, narrow: forty of them took a minute and a half.
  { name: "phone, dark", count: 12, viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const) {
  test(`${count} proposals are decided in one review with two struck (${name})`, async ({ browser }) => {
    test.setTimeout(TIMEOUT_MS);
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const proposed: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const reasonForApproval = `Invoice ${index + 1} on a ${name}`;
      const { id } = await propose({ to: "Profit", amountInCents: 100 + index, reasonForApproval }, demo);
      proposed.push(id);
    }
    await openSignedIn(page, `${demo.appUrl}/approvals`, "OWNER", demo);
    await page.getByText("Requester anyone").click();
    await page.getByRole("link", { name: "demo-key" }).click();
    await expect(page.getByText(new RegExp(`^${count} of \\d+ proposals$`)).first()).toBeVisible();
    await page
      .getByRole("link", { name: new RegExp(`^Review ${count}`) })
      .first()
      .click();
    await expect(
      page.getByText(`1 of ${count}`, { exact: true }).locator("visible=true").first(),
    ).toBeVisible();
    expect(await findLookFaults(page)).toEqual([]);

    for (let index = 0; index < count; index += 1) {
      await expect(page.getByText(`“Invoice ${index + 1} on a ${name}”`)).toBeVisible();
      if (index === 2) {
        await expect(page.getByText("With the 2 marked before it")).toBeVisible();
        expect(await findLookFaults(page)).toEqual([]);
      }
      await press(page, STRUCK.includes(index) ? "Deny" : "Approve");
    }
    const end = page.getByRole("heading", { level: 1, name: new RegExp(`^Approve ${count - 2} and deny 2`) });
    await expect(end).toBeVisible();
    // Back by key, and marked again as it was.
    await pressUntil(page, ["k"], () => expect(page).toHaveURL(/at=[0-9a-f-]{36}/, { timeout: 5_000 }));
    await expect(page.getByText(`“Invoice ${count} on a ${name}”`)).toBeVisible();
    await pressUntil(page, ["a"], () => expect(end).toBeVisible({ timeout: 5_000 }));

    await expect(page.getByRole("table", { name: "To deny" }).getByRole("rowheader")).toHaveCount(3);
    await page
      .getByLabel(/^Reason for denying/)
      .first()
      .selectOption("Too much");
    await page.getByLabel(/^In your words/).fill("One invoice a week.");
    expect(await findLookFaults(page)).toEqual([]);
    for (const id of proposed.slice(0, 3)) await expectStatus(id, "APPROVAL_PENDING");
    // Its answer is held until the page has said how far it is.
    const isDecided = held(page);
    await press(page, `Approve ${count - 2} and deny 2`);
    await expect(
      page.getByRole("button", { name: new RegExp(`^Deciding \\d+ of ${count}$`) }).locator("visible=true"),
    ).toBeVisible();
    isDecided();
    await expect(
      page.getByRole("heading", { level: 1, name: new RegExp(`^You approved ${count - 2} and denied 2`) }),
    ).toBeVisible();
    expect(await findLookFaults(page)).toEqual([]);

    for (const [index, id] of proposed.entries()) {
      await expectStatus(id, STRUCK.includes(index) ? "APPROVAL_DENIED" : "COMPLETE");
    }
    const [first = 0, second = 0] = STRUCK;
    expect((await readOne(proposed[first])).decision?.reason).toEqual({
      kind: "TOO_MUCH",
      text: "One invoice a week.",
    });
    expect((await readOne(proposed[second])).decision?.reason).toBeNull();
    await context.close();
  });
}

/**
 * Holds the answer of the page's decision.
 * @returns lets them go
 */
function held(page: Page): () => void {
  const released = new AbortController();
  // The first one asks how to confirm, the second one decides.
  let asked = 0;
  void page.route(/\/approvals\/review/, async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    asked += 1;
    if (asked === 1) return await route.continue();
    const response = await route.fetch();
    if (!released.signal.aborted) await once(released.signal, "abort");
    await route.fulfill({ response });
  });
  return () => released.abort();
}

/** The panel's button on a desktop, the bar's on a phone. */
async function press(page: Page, name: string): Promise<void> {
  await page
    .getByRole("button", { name: new RegExp(`^${name}`) })
    .locator("visible=true")
    .click();
}

async function readOne(id: string | undefined) {
  return transferSchema.parse(await callApi("GET", `/transfers/${id ?? ""}`, undefined, demo));
}

async function expectStatus(id: string, status: string): Promise<void> {
  expect((await readOne(id)).status).toBe(status);
}
