import { expect, type Page, test } from "@playwright/test";
import { demo, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";

/** The chip with the saved filters of the list. */
const chip = (page: Page) => page.locator("summary", { hasText: "Saved" });

async function save(page: Page, name: string): Promise<void> {
  await chip(page).click();
  await page.getByRole("button", { name: "Save these filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Save these filters" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save filters" }).click();
  await expect(dialog).toBeHidden();
  await expect(chip(page)).toHaveText(`Saved ${name}`);
}

test("a member saves filters of a list, picks them without scripts, renames and deletes them", async ({
  page,
  browser,
}) => {
  const { appUrl } = demo();
  await openSignedIn(page, `${appUrl}/transfers?status=returned&days=90`, "OWNER");
  await save(page, "Returned this quarter");
  expect(await findAxeViolations(page)).toEqual([]);

  // Another member of the same organization sees nothing of it.
  const other = await browser.newPage();
  await openSignedIn(other, `${appUrl}/transfers`, "CO_OWNER");
  await expect(chip(other)).toHaveText("Saved none");
  await other.close();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  await plain.addCookies(await page.context().cookies());
  const still = await plain.newPage();
  await still.goto(`${appUrl}/transfers`);
  await chip(still).click();
  await still.getByRole("link", { name: "Returned this quarter" }).click();
  await expect(still).toHaveURL(/\/transfers\?.*status=returned/);
  await expect(still.getByText("Returned by the bank, R10, not authorized").first()).toBeVisible();
  await plain.close();

  await page.goto(`${appUrl}/transfers?status=failed`);
  await chip(page).click();
  await page.getByRole("button", { name: "Save these filters" }).click();
  const saving = page.getByRole("dialog", { name: "Save these filters" });
  await saving.getByLabel("Name").fill("returned THIS quarter");
  await page.keyboard.press("Enter");
  await expect(saving.getByText("You already have a filter with this name here.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(saving).toBeHidden();

  await chip(page).click();
  await page.getByRole("button", { name: "Rename or delete" }).click();
  const managing = page.getByRole("dialog", { name: "Saved filters" });
  expect(await findAxeViolations(page)).toEqual([]);
  await managing.getByLabel("Name of Returned this quarter").fill("Came back");
  await managing.getByRole("button", { name: "Rename Returned this quarter" }).click();
  await expect(managing.getByLabel("Name of Came back")).toBeVisible();
  await managing.getByRole("button", { name: "Delete Came back" }).click();
  await expect(chip(page)).toHaveText("Saved none");
});

test("approvals and both audit logs save filters of their own", async ({ page }) => {
  const { appUrl } = demo();
  await openSignedIn(page, `${appUrl}/approvals?decided=denied`, "OWNER");
  await save(page, "Denied");
  await page.goto(`${appUrl}/audit?outcome=FAILURE`);
  await expect(chip(page)).toHaveText("Saved none");
  await save(page, "Refused requests");
  expect(await findLookFaults(page)).toEqual([]);
  await page.goto(`${appUrl}/audit/activity?about=rules`);
  await save(page, "Changes of rules");
  await page.goto(`${appUrl}/audit/activity`);
  await chip(page).click();
  await page.getByRole("link", { name: "Changes of rules" }).click();
  await expect(page).toHaveURL(/about=rules/);
});

test("on a phone a filter of every list opens in sight", async ({ browser }) => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await phone.newPage();
  for (const [path, label] of [
    ["/audit", "When any"],
    ["/audit/activity", "When any"],
    ["/approvals", "Decided any"],
    ["/transfers", "When"],
  ] as const) {
    await openSignedIn(page, `${demo().appUrl}${path}`);
    const filter = page.locator("search summary").filter({ hasText: new RegExp(`^${label}`) });
    await filter.click();
    const apply = page.locator("details[open]").getByRole("button", { name: "Apply dates" });
    await expect(apply, path).toBeVisible();
    const [chip, button] = [await filter.boundingBox(), await apply.boundingBox()];
    expect((button?.y ?? 9_999) - (chip?.y ?? 0), path).toBeLessThan(844);
  }
  await phone.close();
});
