import { type Browser, expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { callApi, demo, openSignedIn, propose, signIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { accountSchema } from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";

const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
] as const;
type Viewport = (typeof SIZES)[number]["viewport"];

/** The sum of all managed accounts, as the API reports it; other journeys open accounts of their own. */
async function readManaged(): Promise<number> {
  const { items } = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(await callApi("GET", "/accounts?type=POD&type=INCOME_SOURCE&pageSize=100"));
  let totalInCents = 0;
  for (const { id } of items) {
    const { balance } = accountSchema.parse(await callApi("GET", `/accounts/${id}`));
    totalInCents += balance?.balanceInCents ?? 0;
  }
  return totalInCents;
}

for (const { name, viewport } of SIZES) {
  const isPhone = name === "phone";

  test(`an owner sees at sign-in what there is and what waits, and opens the next one (${name})`, async ({
    browser,
  }) => {
    await propose({ amountInCents: 93_400, reasonForApproval: "Seen from the overview." });
    const page = await open(browser, viewport);
    await expect(page).toHaveURL(`${demo().appUrl}/`);
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeAttached();
    const total = page.getByRole("region", { name: /^In Sluice, across \d+ accounts/ });
    await expect(total).toContainText(formatCents(await readManaged()));
    await expect(total).toContainText(/You owe \$[\d,.]+ on (Summit Visa|\d accounts)/);

    const map = page.getByRole("region", { name: "Money map" });
    await expect(map.getByRole("img")).toHaveCount(isPhone ? 0 : 1);
    await expect(map.getByRole("list", { name: /^Through your accounts/ })).toHaveCount(isPhone ? 1 : 0);
    await map.getByText("Show as table").click();
    await expect(map.getByRole("table", { name: "Flows between accounts in 30 days" })).toBeVisible();
    await map.getByRole("link", { name: "90 days" }).click();
    await expect(page).toHaveURL(/\/\?days=90$/);
    await expect(map.getByRole("link", { name: "90 days" })).toHaveAttribute("aria-current", "true");
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);

    await page.getByRole("link", { name: "Review next" }).click();
    await expect(page).toHaveURL(/\/\?approvalTransferId=[0-9a-f-]{36}$/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("?");
    await page.context().close();
  });

  test(`a viewer reads the financial profile over each of its windows, by keyboard (${name})`, async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ viewport })).newPage();
    await openSignedIn(page, demo().appUrl, "VIEWER");
    await expect(page.getByRole("heading", { name: "Waiting for approval" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Review next" })).toHaveCount(0);
    await page.goto(`${demo().appUrl}/profile`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You (kept|spent) (<1|\d+)% /);
    const windows = page.getByRole("navigation", { name: "Period of the profile" });
    await windows.getByRole("link", { name: "12 months" }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/profile\?days=365$/);
    await expect(windows.getByRole("link", { name: "12 months" })).toHaveAttribute("aria-current", "true");
    await page.getByRole("region", { name: "Cash flow" }).getByText("Show as table").focus();
    await page.keyboard.press("Enter");
    const months = page.getByRole("table", { name: "Money in, out and net by month" });
    await expect(months.getByRole("row")).toHaveCount(14);
    await expect(page.getByRole("table", { name: "Payers, frequencies and amounts" })).toContainText(
      "Halden Health",
    );
    await expect(page.getByRole("table", { name: /^Recurring bills with/ })).toContainText("Each month");
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.context().close();
  });
}

test("the overview, the accounts and the movements show the same total, in and out", async ({ page }) => {
  await openSignedIn(page, demo().appUrl);
  const amounts = async (text: Promise<string>) => (await text).match(/[\d,]+\.\d\d/g) ?? [];
  const label = await page.getByRole("heading", { level: 2, name: /^In Sluice/ }).innerText();
  const [total] = await amounts(page.getByRole("region", { name: /^In Sluice/ }).innerText());
  const map = page.getByRole("region", { name: "Money map" });
  const sumOf = (term: string) =>
    amounts(map.locator("dl > div", { has: page.getByText(term, { exact: true }) }).innerText());
  const [[inside], [outside]] = [await sumOf("In"), await sumOf("Out")];

  await page.getByRole("link", { name: "Accounts", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: /^Accounts/ })).toContainText(total ?? "?");
  await expect(page.locator("main")).toContainText(label.split(",").slice(0, 2).join(","));
  await page.getByRole("link", { name: "Movements", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `$${inside} came in, $${outside} went out`,
  );
});

async function open(browser: Browser, viewport: Viewport): Promise<Page> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(`${demo().appUrl}/sign-in`);
  await signIn(page);
  return page;
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}
