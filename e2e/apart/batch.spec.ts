import { expect, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { accountId, button, callApi, openSignedIn, pressUntil, untilLive } from "@/e2e/support/journey";
import { findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { transferBatchSchema } from "@/lib/contract/approvals/batch";
import type { DemoDescription } from "@/lib/contract/demo";

let product: OwnProduct;
let demo: DemoDescription;

test.beforeAll(async () => {
  product = await startOwnProduct("batch");
  demo = await readDemo(product.dataDirectory);
});
test.afterAll(() => product.close());

const PODS = ["Taxes", "Profit", "Payroll"];

async function proposeBatch(reasonForApproval: string) {
  const transfers = Array.from({ length: 30 }, (_, index) => ({
    sourceAccountId: accountId("Operating", demo),
    destinationAccountId: accountId(PODS[index % PODS.length] ?? "", demo),
    amountInCents: 1_000 + 10 * index,
  }));
  const batch = await callApi("POST", "/transfers/batch", { reasonForApproval, transfers }, demo);
  return transferBatchSchema.parse(batch);
}

for (const { name, viewport, colorScheme } of [
  { name: "desktop, light", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const) {
  test(`a batch of 30 is signed with three lines struck out (${name})`, async ({ browser }) => {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const batch = await proposeBatch(`Thank-you payments on a ${name}`);
    await openSignedIn(page, `${demo.appUrl}/approvals`, "OWNER", demo);
    await expect(page.getByText("Batch of 30").first()).toBeVisible();

    await page.goto(batch.approvalUrl ?? "");
    await untilLive(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /^Move.*\$343\.50.*from Operating to 3 accounts\?$/,
    );
    for (const line of [12, 19]) {
      await page.getByRole("button", { name: new RegExp(`^Strike out line ${line},`) }).click();
    }
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("button", { name: /^(Strike out|Put back) line 26,/ }) });
    if (viewport.width > 1_000) {
      await page.getByRole("button", { name: /^Strike out line 25,/ }).focus();
      // The keys go on from the line that was struck out last.
      for (let presses = 0; presses < 7; presses += 1) await page.keyboard.press("j");
      await pressUntil(page, ["x"], () =>
        expect(row.getByRole("button", { name: "Put back" })).toBeVisible({ timeout: 2_000 }),
      );
    } else {
      const strike = row.getByRole("button");
      const box = await strike.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      await strike.click();
    }
    await expect(page.getByRole("row", { name: /^3 struck out/ })).toContainText("−$35.40");
    await expect(page.getByRole("row", { name: /^27 to approve/ })).toContainText("$308.10");
    expect(await findLookFaults(page)).toEqual([]);
    await page.setViewportSize(viewport);

    await button(page, /^Approve 27/).click();
    await expect(page.getByText("3 lines were struck out and denied.")).toBeVisible();
    await expect(page.getByText("Struck out", { exact: true }).locator("visible=true")).toHaveCount(3);
    const signed = transferBatchSchema.parse(
      await callApi("GET", `/transfer-batches/${batch.id}`, undefined, demo),
    );
    expect(signed).toMatchObject({ status: "APPROVED", approvedInCents: 30_810 });
    expect(signed.lines.filter(({ status }) => status === "APPROVAL_DENIED").map(({ line }) => line)).toEqual(
      [12, 19, 26],
    );
    expect(signed.lines.filter(({ status }) => status === "COMPLETE")).toHaveLength(27);
    expect(await findLookFaults(page)).toEqual([]);
    await context.close();
  });
}

test("a file of payments is previewed, corrected and proposed as a batch", async ({ page }) => {
  await openSignedIn(page, `${demo.appUrl}/transfers/batch`, "OWNER", demo);
  await untilLive(page);
  const choose = (text: string) =>
    page
      .getByLabel("CSV file")
      .setInputFiles({ name: "payments.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("payee;sum\nTaxes;12.50\nNobody;7.00\n");
  await expect(
    page
      .getByText(/^Choose the account that the money comes from/)
      .locator("visible=true")
      .first(),
  ).toBeVisible();
  await page.getByLabel("From").selectOption({ label: "All from Operating" });
  await expect(
    page.getByText("There is no account or payee “Nobody”.").locator("visible=true"),
  ).toBeVisible();
  await expect(page.getByText("1 line has a problem.")).toBeVisible();
  expect(await findLookFaults(page)).toEqual([]);
  await choose("from,to,amount,description\nOperating,Taxes,12.50,Q4 TAX\nOperating,Profit,7.00,\n");
  await page.getByLabel(/^Reason/).fill("Set aside by hand");
  await button(page, /^Propose 2 payments/).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/\$19\.50/);
  await button(page, /^Approve 2/).click();
  await expect(page.getByText("All lines were accepted together.")).toBeVisible();
});
