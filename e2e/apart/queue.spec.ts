import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { callApi, openSignedIn, pressUntil, propose } from "@/e2e/support/journey";
import { findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import type { DemoDescription } from "@/lib/contract/demo";
import { transferSchema } from "@/lib/contract/transfer";

let product: OwnProduct;
let demo: DemoDescription;

test.beforeAll(async () => {
  product = await startOwnProduct("queue");
  demo = await readDemo(product.dataDirectory);
});
test.afterAll(() => product.close());

for (const { name, viewport, colorScheme } of [
  { name: "desktop, light", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const) {
  test(`a route is looked at, narrowed to and denied with one reason, then the next is opened by key (${name})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const proposed = [];
    for (const [index, amountInCents] of [18_400, 9_600, 21_200, 32_000].entries()) {
      const reasonForApproval = `Invoice RP-${index} on a ${name}`;
      proposed.push(await propose({ to: "Profit", amountInCents, reasonForApproval }, demo));
    }
    await openSignedIn(page, `${demo.appUrl}/approvals`, "OWNER", demo);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^\d+ proposals need your decision$/);
    await page.getByText("Requester anyone").click();
    await page.getByRole("link", { name: "demo-key" }).click();
    await expect(page.getByText(/^4 of \d+ proposals$/).first()).toBeVisible();
    await expect(page.getByText(/^If you approve these 4, Operating/)).toBeVisible();
    await page.getByText("4 proposals", { exact: true }).click();
    await expect(page.getByText(`“Invoice RP-2 on a ${name}”`)).toBeVisible();
    expect(await findLookFaults(page)).toEqual([]);

    await page.getByText("Deny the 4 on this route").click();
    const dialog = page.getByRole("dialog", { name: "Deny these 4 proposals?" });
    await expect(dialog.getByText("$812.00 stays in Operating.")).toBeVisible();
    await dialog.getByLabel(/^Reason for/).selectOption("Too much");
    await dialog.getByLabel(/^In your words/).fill("One invoice a month from now on.");
    expect(await findLookFaults(page)).toEqual([]);
    await dialog.getByText("Deny 4 proposals", { exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("Clear a filter to see more.")).toBeVisible();
    for (const { id } of proposed) {
      const denied = transferSchema.parse(await callApi("GET", `/transfers/${id}`, undefined, demo));
      expect(denied).toMatchObject({
        status: "APPROVAL_DENIED",
        decision: {
          outcome: "DENIED",
          reason: { kind: "TOO_MUCH", text: "One invoice a month from now on." },
        },
      });
    }

    const [one, other] = [
      await propose({ to: "Profit", amountInCents: 1_234 }, demo),
      await propose({ to: "Profit", amountInCents: 5_678 }, demo),
    ];
    await page.goto(one.approvalUrl);
    await denyOn(page);
    const next = page.getByRole("link", { name: /^Next/ }).locator("visible=true");
    await expect(next).toBeFocused();
    // Keys rest for a second after the page changed by itself.
    await pressUntil(page, ["n"], () => expect(page).not.toHaveURL(one.approvalUrl, { timeout: 5_000 }));
    await expect(page).toHaveURL(/approvalTransferId=/);
    await callApi("POST", `/transfers/${other.id}/cancel`, {}, demo);
    await context.close();
  });
}

test("what could not be denied with the others is named, although its route is gone, and the focus goes on", async ({
  page,
}) => {
  const proposed = [];
  for (const amountInCents of [4_100, 4_200, 4_300])
    proposed.push(await propose({ to: "Taxes", amountInCents, reasonForApproval: "Set aside" }, demo));
  const key = await openQueueOf("demo-key", page);
  await key.getByText("3 proposals", { exact: true }).click();
  await page.getByText("Deny the 3 on this route").click();
  const dialog = page.getByRole("dialog", { name: "Deny these 3 proposals?" });
  await expect(dialog.getByText("$126.00 stays in Operating.")).toBeVisible();
  await callApi("POST", `/transfers/${proposed[1]?.id}/cancel`, {}, demo);
  await dialog.getByText("Deny 3 proposals", { exact: true }).click();
  const left = page.getByRole("dialog", { name: "2 denied, 1 not" });
  await expect(left).toBeVisible();
  await expect(key).toBeHidden();
  await expect(left).toBeVisible();
  await left.getByText("Close", { exact: true }).click();
  await expect(left).toBeHidden();
  await expect(page.locator("[data-queue] summary:focus")).toHaveCount(1);
});

test("the focus is on Next also for who decides second", async ({ page, browser }) => {
  const { approvalUrl } = await propose({ to: "Taxes", amountInCents: 4_400 }, demo);
  const context = await browser.newContext();
  const other = await context.newPage();
  await openSignedIn(page, approvalUrl, "OWNER", demo);
  await openSignedIn(other, approvalUrl, "CO_OWNER", demo);
  // Before the page notices by itself.
  await page.route("**/approvals/*/version*", (route) => route.abort());
  await page.getByRole("button", { name: /^Deny/ }).locator("visible=true").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await denyOn(other);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(/^You denied/);
  await page.getByRole("dialog").getByRole("button", { name: "Deny transfer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/ denied \$44\.00/);
  await expect(page.getByRole("link", { name: /^Next/ }).locator("visible=true")).toBeFocused();
  await context.close();
});

async function denyOn(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Deny/ }).locator("visible=true").click();
  await page.getByRole("dialog").getByRole("button", { name: "Deny transfer" }).click();
}

/** The section of a requester in the queue of all. */
async function openQueueOf(name: string, page: Page) {
  await openSignedIn(page, `${demo.appUrl}/approvals`, "OWNER", demo);
  return page.getByRole("region", { name: new RegExp(`^${name}`) });
}
