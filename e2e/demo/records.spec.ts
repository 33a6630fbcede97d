import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js";
import { button, demo, openSignedIn, propose } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { parseCsv, parseJournal } from "@/lib/testing/exported-books";

test("an owner finds a refused request in the audit log, opens it, and downloads the year's books", async ({
  page,
}) => {
  const { apiUrl, apiKey } = demo();
  const refused = await fetch(`${apiUrl}/transfers/01900000-0000-7000-8000-000000000000`, {
    headers: { Authorization: `Bearer ${apiKey}`, "x-called-reason": "=looking for a lost transfer" },
  });
  expect(refused.status).toBe(404);

  await openSignedIn(page, `${demo().appUrl}/audit`, "OWNER");
  const filters = page.getByRole("search", { name: "Filter the audit log" });
  const choose = async (filter: string, choice: string) => {
    await filters.getByText(`${filter} any`).click();
    await filters.getByRole("link", { name: choice, exact: true }).click();
    await expect(filters.getByText(`${filter} ${choice}`)).toBeVisible();
  };
  await choose("Outcome", "Failed");
  await choose("Action", "Read a transfer");
  await filters.getByText("Search any").click();
  await filters.getByRole("searchbox").fill("lost transfer");
  await filters.getByRole("button", { name: "Search" }).click();
  // Empty fields leave nothing behind.
  await expect(page).toHaveURL(/\/audit\?(?!.*=(&|$)).*q=lost\+transfer/);
  const row = page.getByRole("row", { name: /looking for a lost transfer/ }).first();
  await expect(row).toContainText("Failed");
  await expect(page.getByRole("row", { name: /Success/ })).toHaveCount(0);
  await row.getByRole("link").click();
  const opened = page.getByRole("complementary", { name: "One request" });
  await expect(opened).toContainText("TRANSFER_NOT_FOUND");
  await expect(opened).toContainText("GET /transfers/01900000-0000-7000-8000-000000000000");
  await expect(async () => {
    await page.reload();
    await expect(opened).toContainText("Sealed, checked just now", { timeout: 1_000 });
  }).toPass();

  const exporting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const csv = parseCsv(await readFile(await (await exporting).path(), "utf8"));
  expect(csv.flat()).toContain("'=looking for a lost transfer");
  expect(csv.flat()).not.toContain("SUCCESS");

  await page.goto(`${demo().appUrl}/settings/year-end`);
  await expect(page.getByText("Balanced.")).toBeVisible();
  const making = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const download = await making;
  expect(download.suggestedFilename()).toMatch(/^sluice-northwind-studio-\d{4}\.zip$/);
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(await download.path())])), {
    useWebWorkers: false,
  });
  const files = new Map<string, string>();
  for (const entry of await zip.getEntries()) {
    if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
  }
  const journal = [...files].find(([name]) => name.endsWith(".journal"))?.[1] ?? "";
  expect(parseJournal(journal).assertionCount).toBeGreaterThan(5);
  const operating = [...files].find(([name]) => name.startsWith("accounts/operating-"))?.[1] ?? "";
  expect(parseCsv(operating).at(-1)).toContain("Closing balance");
});

test("an owner finds who did what in a month, by person and subject, and exports it", async ({ page }) => {
  const { approvalUrl } = await propose({ amountInCents: 61_700 });
  await openSignedIn(page, approvalUrl, "CO_OWNER");
  await button(page, /^Deny/).click();
  await page.getByLabel(/Note/).fill("Paid already.");
  await page.getByRole("button", { name: "Deny transfer" }).click();
  await expect(page.getByText(/You denied this/).first()).toBeVisible();

  await openSignedIn(page, `${demo().appUrl}/audit`, "OWNER");
  await page.getByRole("link", { name: "People’s activity" }).click();
  await expect(page).toHaveURL(/\/audit\/activity$/);
  await page.getByText("Who any").click();
  await page.getByRole("link", { name: "Jonas Weil" }).click();
  await expect(page).toHaveURL(/by=/);
  await page.getByText("About any").click();
  await page.getByRole("link", { name: "Approvals", exact: true }).last().click();
  await expect(page).toHaveURL(/about=approvals/);
  await page.getByText("When any").click();
  await page.getByLabel("From").fill("2020-01-01");
  await page.getByRole("button", { name: "Apply dates" }).click();
  await expect(page).toHaveURL(/from=2020-01-01/);
  const row = page.getByRole("row", { name: /Denied \$617\.00 from Operating to Taxes: “Paid already.”/ });
  await expect(row).toContainText("Jonas Weil");
  await expect(page.getByRole("row", { name: /Mara Okafor/ })).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);

  const exporting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const csv = parseCsv(await readFile(await (await exporting).path(), "utf8"));
  expect(csv[1]?.slice(1, 4)).toEqual([
    "Jonas Weil",
    "Denied $617.00 from Operating to Taxes: “Paid already.”",
    "approvals",
  ]);
  await row.getByRole("link").click();
  await expect(page.getByText("Jonas Weil denied this").first()).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a connection is signed in again when its bank asks, and no script of another site is loaded", async ({
    page,
  }) => {
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(demo().appUrl) && request.url().startsWith("http")) {
        elsewhere.push(request.url());
      }
    });
    await openSignedIn(page, `${demo().appUrl}/sandbox`, "OWNER");
    await page.getByLabel("Connection", { exact: true }).selectOption({ label: "First Harbor" });
    await page.getByLabel("Change").selectOption("SIGN_IN");
    // Leaving before the response would cancel the download.
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page
      .getByRole("listitem")
      .filter({ hasText: "needs a new sign-in" })
      .getByRole("button", { name: "Apply" })
      .click();
    await answered;
    await page.goto(`${demo().appUrl}/accounts`);
    await page
      .getByRole("row", { name: /First Harbor Checking/ })
      .getByRole("link", { name: "Connection" })
      .click();
    await expect(page).toHaveURL(/\/connections\/[0-9a-f-]{36}$/);
    await expect(async () => {
      await page.reload();
      await expect(
        page.getByRole("heading", { name: "First Harbor needs you to sign in again" }),
      ).toBeVisible({
        timeout: 1_000,
      });
    }).toPass();
    await expect(page.getByText(/No money moved\./)).toBeVisible();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await expect(page.getByRole("heading", { name: "First Harbor is connected" })).toBeVisible();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByRole("dialog")).toContainText("transfers on their way still settle");
    await page.getByRole("button", { name: "Keep it" }).click();
    expect(elsewhere).toEqual([]);
  });
});
