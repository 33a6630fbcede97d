import { expect, test } from "@playwright/test";
import { accountId, button, callApi, demo, openSignedIn, readTransfer } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { payeeSchema } from "@/lib/contract/payee";
import { transferSchema } from "@/lib/contract/transfer";

const ACCOUNT_NUMBER = "000123454321";

test("a payee is proposed by a key, confirmed by a member, paid, and its first payment is marked", async ({
  page,
}) => {
  const { id } = payeeSchema.parse(
    await callApi("POST", "/payees", {
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      email: "billing@example.com",
      reason: "Invoice 2291",
    }),
  );

  await openSignedIn(page, `${demo().appUrl}/payees`);
  await page.getByRole("link", { name: "Harbor Print Shop" }).click();
  await expect(page).toHaveURL(`${demo().appUrl}/payees/${id}`);
  await expect(page.getByText("Needs an account")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);

  await page.getByLabel("Account holder").fill("Harbor Print Shop LLC");
  await page.getByLabel("Routing number").fill("123456789");
  await page.getByLabel("Account number").fill(ACCOUNT_NUMBER);
  await page.getByRole("button", { name: "Save for confirmation" }).click();
  await expect(page.getByLabel("Routing number")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Routing number").fill("101050001");
  await page.getByRole("button", { name: "Save for confirmation" }).click();

  await expect(page.getByRole("heading", { name: "Waits for confirmation" })).toBeVisible();
  await expect(page.getByText("Ends in 4321").first()).toBeVisible();
  expect(await page.content()).not.toContain(ACCOUNT_NUMBER);
  await page.getByLabel("Who was called back?").fill("Ana, on the number of our contract");
  await page.getByRole("button", { name: "Confirm payee" }).click();
  await expect(page.getByText("Can be paid")).toBeVisible();
  await expect(page.getByText("Called back: Ana, on the number of our contract")).toBeVisible();

  const transfer = transferSchema.parse(
    await callApi("POST", "/transfers", {
      sourceAccountId: accountId("Operating"),
      destinationAccountId: id,
      amountInCents: 12_300,
    }),
  );
  await page.goto(transfer.approvalUrl ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Harbor Print Shop/);
  await expect(page.getByText("First payment to this payee")).toBeVisible();
  await button(page, /^Approve/).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved/);
  expect(await readTransfer(transfer.id)).toMatchObject({ destination: { id, name: "Harbor Print Shop" } });
});

test("a reload keeps what was typed about a payee, and never its numbers", async ({ page }) => {
  await openSignedIn(page, `${demo().appUrl}/payees/new`, "OWNER");
  await page.getByLabel("Name", { exact: true }).fill("Kept Supplies");
  await page.getByRole("button", { name: "Person" }).click();
  await page.getByLabel("Account holder").fill("Kay Kept");
  await page.getByLabel("Routing number").fill("021000021");
  await page.getByLabel("Account number").fill("12345678");
  await page.reload();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Kept Supplies");
  await expect(page.getByRole("button", { name: "Person" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("Account holder")).toHaveValue("Kay Kept");
  await expect(page.getByLabel("Account number")).toHaveValue("");
  await expect(page.getByText("Not kept when the page reloads: enter it again.").first()).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
  expect(stored).toContain("Kay Kept");
  expect(stored).not.toMatch(/021000021|12345678/);
});

test("a list from Mercury is matched, shown before anything is stored, and imported with its wrong line left out", async ({
  page,
}) => {
  const rows = [
    "Recipient Name,Email,Account Holder Name,Account Type,Routing Number,Account Number",
    "Café Zürich,billing@cafe.example,Café Zürich GmbH,businessChecking,101050001,000055556666",
    '"Nova Ltd,billing@nova.example,Nova,businessChecking,101050001,987654321012"',
    "Ruiz Design,ana@ruiz.example,,,,",
  ].join("\r\n");
  await openSignedIn(page, `${demo().appUrl}/payees/import`);
  const sample = page.getByRole("link", { name: "Download a sample file" });
  const [download] = await Promise.all([page.waitForEvent("download"), sample.click()]);
  expect(download.suggestedFilename()).toBe("payees-sample.csv");

  // As Excel saves it: Windows-1252.
  await page
    .getByLabel("CSV file")
    .setInputFiles({ name: "recipients.csv", mimeType: "text/csv", buffer: Buffer.from(rows, "latin1") });
  await expect(page.getByRole("heading", { name: "Which column holds what" })).toBeVisible();
  await expect(page.getByLabel("Routing number")).toHaveValue("4");
  await expect(page.getByText("No line can be imported yet.")).toBeVisible();
  await page.getByLabel("Business or person").selectOption("All are businesses");
  await expect(page.getByText("Café Zürich GmbH, checking ••••6666")).toBeVisible();
  await expect(page.getByText("The whole line is in quotes")).toBeVisible();
  expect(await page.content()).not.toMatch(/987654321012|000055556666/);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Import 2 payees" }).click();
  await expect(page.getByRole("heading", { name: "2 payees were added" })).toBeVisible();
  await page.getByRole("link", { name: "See the payees" }).click();
  await expect(page.getByRole("link", { name: "Café Zürich" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ruiz Design" })).toBeVisible();
  await expect(page.getByText("Nova")).toHaveCount(0);
});
