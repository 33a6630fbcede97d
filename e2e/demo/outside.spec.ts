import { type Browser, expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { joinDatabase } from "@/e2e/support/join-database";
import { accountId, callApi, type DemoRole, demo, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
] as const;

for (const { name, viewport } of SIZES) {
  test(`an owner connects accounts at an institution and sees them (${name})`, async ({ browser }) => {
    const page = await open(browser, viewport, "/accounts");
    await page.getByRole("link", { name: "Connect account" }).click();
    await expect(page.getByRole("heading", { name: "Which bank is it?" })).toBeVisible();
    await page.getByLabel("Name of the bank or card").fill("no such bank");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByText("No results")).toBeVisible();
    await page.getByLabel("Name of the bank or card").fill("cedar");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/q=cedar/);
    await page.getByRole("link", { name: "Cedar Home Loans" }).click();
    await expect(page.getByRole("heading", { name: "Which accounts at Cedar Home Loans?" })).toBeVisible();
    await page.getByRole("button", { name: "Connect accounts" }).click();
    await expect(page.getByText("Choose at least one account.")).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    const before = await countAccounts();
    await page.getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Connect one account" }).click();
    await expect(page.getByText(/^Cedar Home Loans is connected: /)).toBeVisible();
    await expect(
      page
        .getByRole("region", { name: "Owed" })
        .getByText(/Cedar Home Loans/)
        .first(),
    ).toBeVisible();
    expect(await countAccounts()).toBe(before + 1);
    await page.goto(`${demo().appUrl}/accounts/connect/sbx_cedar`);
    await expect(page.getByText(/^Already connected: /)).toBeVisible();
    await page.context().close();
  });

  test(`an owner issues a card, and freezes, thaws and closes it (${name})`, async ({ browser }) => {
    const page = await open(browser, viewport, "/cards");
    const card = `Journey ${name}`;
    await page.getByRole("link", { name: "Issue card" }).click();
    await expect(page.getByText("Sandbox cards: no real money")).toBeVisible();
    await page.getByLabel("Monthly limit").fill("12,50");
    await page.getByRole("button", { name: "Issue card" }).click();
    await expect(page.getByText("The name must not be empty.")).toBeVisible();
    await expect(page.getByText(/^The limit must be an amount like 500\.00/)).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByLabel("Name", { exact: true }).fill(card);
    await page.getByLabel("Spends from").selectOption({ label: "Operating" });
    await page.getByLabel("Cardholder").selectOption({ label: "Jonas Weil" });
    await page.getByLabel("Monthly limit").fill("1,250");
    // Signed in less than five minutes ago: no further proof is needed.
    await page.getByRole("button", { name: "Issue card" }).click();
    await expect(
      page.getByText(new RegExp(`^${card}, ••\\d{4}, can spend from Operating now\\.$`)),
    ).toBeVisible();
    const item = page.getByRole("listitem").filter({ hasText: card });
    await expect(item.getByText("$1,250.00 a month.")).toBeVisible();

    const freeze = item.getByRole("switch", { name: `Freeze ${card}` });
    await freeze.click();
    await expect(freeze).toBeChecked();
    await expect(item.getByText("Left when frozen")).toBeVisible();
    await page.goto(`${demo().appUrl}/accounts/${accountId("Operating")}/close`);
    await page.getByRole("link", { name: "under Cards" }).click();
    await freeze.click();
    await expect(freeze).not.toBeChecked();

    await item.getByRole("button", { name: `Close card ${card}` }).click();
    const dialog = page.getByRole("dialog", { name: `Close ${card}?` });
    expect(await findAxeViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close card" }).click();
    await expect(page.getByRole("table", { name: "Closed cards" }).getByText(card)).toBeVisible();
    await page.context().close();
  });
}

test("a viewer sees cards, freezes one, and learns who can connect, issue and thaw", async ({ browser }) => {
  const page = await open(browser, SIZES[0].viewport, "/accounts", "VIEWER");
  await expect(page.getByRole("link", { name: "Connect account" })).toHaveCount(0);
  for (const path of ["/accounts/connect", "/accounts/connect/sbx_meridian"]) {
    await page.goto(`${demo().appUrl}${path}`);
    await expect(page.getByRole("heading", { name: "Owners and co-owners connect accounts" })).toBeVisible();
    await expect(page.getByRole("checkbox")).toHaveCount(0);
  }
  await page.goto(`${demo().appUrl}/cards/new`);
  await expect(
    page.getByRole("heading", { name: "Only owners and co-owners can issue cards" }),
  ).toBeVisible();
  await page.goto(`${demo().appUrl}/cards`);
  await expect(page.getByRole("link", { name: "Issue card" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Close card/ })).toHaveCount(0);
  const travel = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Travel" }) });
  await travel.getByRole("switch", { name: "Freeze Travel" }).click();
  await expect(travel.getByText("Only an owner or co-owner can thaw it.")).toBeVisible();
  await page.context().close();
  const owner = await open(browser, SIZES[0].viewport, "/cards");
  const thaw = owner.getByRole("switch", { name: "Freeze Travel" });
  await thaw.click();
  await expect(thaw).not.toBeChecked();
  await owner.context().close();
});

// A browser left open issues no card. The proof is typed into a dialog beside the form: inside the form, the dialog's
// submit would be the page's.
test("a sign-in of an hour ago issues no card until the password is typed once more", async ({ browser }) => {
  const page = await open(browser, SIZES[0].viewport, "/cards/new", "CO_OWNER");
  const member = demo().members.find(({ role }) => role === "CO_OWNER");
  const { ownerPool, close } = await joinDatabase();
  await ownerPool.query(
    `update sessions set authenticated_at = authenticated_at - interval '1 hour'
      where user_id = (select id from users where email = $1)`,
    [member?.email],
  );
  await close();
  await page.getByLabel("Name", { exact: true }).fill("Left open");
  await page.getByRole("button", { name: "Issue card" }).click();
  const dialog = page.getByRole("dialog", { name: "Issue the card Left open" });
  await dialog.getByLabel("Your password").fill("not it, certainly");
  await dialog.getByRole("button", { name: "Issue card" }).click();
  await expect(dialog.getByText("That is not your password. Nothing was done.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Not confirmed. Nothing was changed.")).toBeVisible();
  await page.getByRole("button", { name: "Issue card" }).click();
  await dialog.getByLabel("Your password").fill(member?.password ?? "");
  await dialog.getByRole("button", { name: "Issue card" }).click();
  await expect(page.getByText(/^Left open, ••\d{4}, can spend from Operating now\.$/)).toBeVisible();
  await page.getByRole("button", { name: "Close card Left open" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close card" }).click();
  await expect(page.getByRole("table", { name: "Closed cards" }).getByText("Left open")).toBeVisible();
  await page.context().close();
});

async function open(
  browser: Browser,
  viewport: { width: number; height: number },
  path: string,
  role: DemoRole = "OWNER",
): Promise<Page> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await openSignedIn(page, `${demo().appUrl}${path}`, role);
  return page;
}

async function countAccounts(): Promise<number> {
  const list = z.object({ items: z.array(z.unknown()) });
  return list.parse(await callApi("GET", "/accounts?type=EXTERNAL_ACCOUNT&pageSize=100")).items.length;
}
