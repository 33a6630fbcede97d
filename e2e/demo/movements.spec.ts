import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { demo, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

test("an owner filters the transfers, opens one by keyboard, and exports the list", async ({ page }) => {
  await openSignedIn(page, `${demo().appUrl}/transfers`, "OWNER");
  await expect(page.getByRole("heading", { level: 1, name: /came in, .* went out$/ })).toBeVisible();
  await page.getByText("Status any").click();
  await page.getByRole("link", { name: "Returned" }).click();
  await expect(page).toHaveURL(/status=returned/);
  const row = page.getByRole("link", { name: "Juniper Foods to Client payments" });
  await expect(page.getByText("Returned by the bank, R10, not authorized")).toBeVisible();

  await row.focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("complementary", { name: /from Juniper Foods to Client payments/ });
  await expect(drawer.getByRole("heading", { name: "Reversal" })).toBeVisible();
  await expect(page).toHaveURL(/status=returned&open=/);
  await expect(drawer.getByRole("link", { name: "Close" })).toBeFocused();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(row).toBeFocused();

  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/^transfers-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines[0]).toContain("From,To,Amount (USD)");
  expect(lines.slice(1).every((line) => line.includes(",RETURNED,"))).toBe(true);
  expect(lines.join()).toContain(",Juniper Foods,Client payments,900.00,");
});

test("the search takes the cursor, refuses letters as an amount, and its matches are added up", async ({
  page,
}) => {
  await openSignedIn(page, `${demo().appUrl}/transfers`, "OWNER");
  await expect(page.getByRole("rowheader", { name: /^Sum of/ })).toHaveCount(0);
  await page.getByText("Search any").click();
  await page.keyboard.type("juniper");
  await page.getByLabel("Amount").fill("nine hundred");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Write an amount like 1,250.00.")).toBeVisible();
  const field = page.getByLabel("Amount");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("nine hundred");
  expect(await findAxeViolations(page)).toEqual([]);
  await field.fill("900");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=juniper&amount=900/);
  await expect(page.getByRole("row", { name: /^Sum of 1 transfer/ })).toContainText("$900.00");
});

test("on a phone a movement is a page, and a viewer reads all of it and exports nothing", {
  tag: "@gate",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, `${demo().appUrl}/transfers/cards`, "VIEWER");
  await expect(page.getByRole("heading", { level: 1, name: /^Your cards spent/ })).toBeVisible();
  await expect(page.getByText("Owners, co-owners and accountants can export this list.")).toBeVisible();
  const shown = await page.locator("main").getAttribute("data-shown");
  const refused = await page.request.get(`${demo().appUrl}/transfers/export?shown=${shown}`);
  expect([refused.status(), await refused.text()]).toEqual([
    403,
    "Only owners, co-owners and accountants may export. Ask an owner for the file, or for the role.\n",
  ]);
  await page.getByRole("link", { name: /^Transfers/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: /came in/ })).toBeVisible();
  await page
    .getByRole("row", { name: /Settled/ })
    .first()
    .getByRole("link")
    .click();
  await expect(page).toHaveURL(/\/transfers\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Balanced" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Move it back" })).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);
});
