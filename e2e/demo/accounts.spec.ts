import { expect, type Page, test } from "@playwright/test";
import { ageSignIns } from "@/e2e/support/join-database";
import { accountId, callApi, demo, openSignedIn, signIn, untilLive } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { accountSchema } from "@/lib/contract/account";

test("an owner opens a pod, the API has it, its floor is changed, and it is closed and opened again", async ({
  page,
}) => {
  await page.goto(`${demo().appUrl}/accounts`);
  await signIn(page, "OWNER");
  await page.getByRole("link", { name: "New account" }).click();
  await page.getByLabel("Name").fill("Summer fund");
  await page.getByLabel("Savings target").fill("8,0000");
  await page.getByRole("button", { name: "Open account" }).click();
  await expect(page.getByText("The target must be an amount like 8,000.00.")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Summer fund");
  await page.getByLabel("Savings target").fill("$1,200");
  await page.getByRole("button", { name: "Open account" }).click();
  await expect(page.getByRole("heading", { name: "Summer fund" })).toBeVisible();
  await expect(page.getByText("0% of $1,200.00")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const read = async () => accountSchema.parse(await callApi("GET", `/accounts/${id}`));
  expect(await read()).toMatchObject({
    type: "POD",
    name: "Summer fund",
    savingsTargetInCents: 120_000,
    balance: { balanceInCents: 0 },
  });

  await loadAhead(page, "Edit");
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Floor").fill("50");
  await page.getByLabel("Pays").selectOption({ label: "Summit Visa" });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("complementary").getByText("$50.00", { exact: true })).toBeVisible();
  expect((await read()).linkedAccount?.name).toBe("Summit Visa");

  // An old session lowers no floor before its member proves who they are. The pointer rested on the link before each
  // press, so that the page behind it was loaded ahead, the first time before the change.
  const owner = demo().members.find(({ role }) => role === "OWNER");
  await ageSignIns(owner?.email ?? "");
  await loadAhead(page, "Edit");
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: "Floor" })).toHaveValue("50.00");
  await page.getByRole("textbox", { name: "Floor" }).fill("20");
  await page.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Lower the floor of Summer fund" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await expect(
    dialog.getByText("A lower floor lets rules and keys take more from this account."),
  ).toBeVisible();
  // Nothing is refused yet.
  await expect(page.getByText(/Nothing was changed/)).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Not confirmed. Nothing was changed.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Floor" })).toHaveValue("20");
  await page.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByLabel("Your password").fill(owner?.password ?? "");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("complementary").getByText("$20.00", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Close account" }).click();
  await expect(page.getByRole("heading", { name: "Close Summer fund?" })).toBeVisible();
  await page.getByRole("button", { name: "Close account" }).click();
  await expect(page.getByText("Summer fund is closed. Its history is kept.")).toBeVisible();
  expect((await read()).deletedAt).not.toBeNull();
  await page.getByRole("button", { name: "Reopen account" }).click();
  await expect(page.getByRole("link", { name: "Edit" })).toBeVisible();
  expect((await read()).deletedAt).toBeNull();
});

/** Rests the pointer on a link until its page is asked for: one that is kept from before is not. */
async function loadAhead(page: Page, name: string): Promise<void> {
  const link = page.getByRole("link", { name });
  const path = (await link.getAttribute("href")) ?? "";
  await untilLive(page);
  const loading = page.waitForRequest((request) => request.url().includes(`${path}?_rsc=`), {
    timeout: 20_000,
  });
  await link.hover();
  await loading;
}

test("an income source gets its number from the bank", async ({ page }) => {
  await openSignedIn(page, `${demo().appUrl}/accounts/new`, "OWNER");
  await page.getByRole("button", { name: "Income source" }).click();
  await page.getByLabel("Name").fill("Shop sales");
  await page.getByRole("button", { name: "Open account" }).click();
  await expect(page.getByRole("heading", { name: "Shop sales" })).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(
      page
        .getByRole("complementary")
        .getByText(/••••\d{4}/)
        .first(),
    ).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

test("a blocked close explains what blocks it, with links", async ({ page }) => {
  await openSignedIn(page, `${demo().appUrl}/accounts/${accountId("Operating")}/close`, "OWNER");
  await expect(page.getByRole("heading", { name: "Operating can’t be closed yet" })).toBeVisible();
  await expect(page.getByText(/^It holds \$[\d,.]+\. Move that to another account\.$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Close account" })).toHaveCount(0);
});

test("a viewer reads the account and learns who can change it", async ({ page }) => {
  const path = `${demo().appUrl}/accounts/${accountId("Operating")}`;
  await openSignedIn(page, path, "VIEWER");
  await expect(page.getByRole("heading", { name: "Movements" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit" })).toHaveCount(0);
  for (const form of [`${path}/edit`, `${path}/close`, `${demo().appUrl}/accounts/new`]) {
    await page.goto(form);
    await expect(page.getByRole("heading", { name: /^Only an owner or co-owner can/ })).toBeVisible();
  }
});

test("movements are filtered and the chart widened in the URL", async ({ page }) => {
  await openSignedIn(page, `${demo().appUrl}/accounts/${accountId("Operating")}`, "OWNER");
  await page.getByRole("link", { name: "In", exact: true }).click();
  await expect(page).toHaveURL(/show=in/);
  await page.getByRole("link", { name: "90 days" }).click();
  await expect(page).toHaveURL(/days=90&show=in/);
  await expect(page.getByRole("figure", { name: /^Balance of Operating over 90 days/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "Movements, newest first" }).getByText("−$")).toHaveCount(0);
});
