import { expect, type Page, test } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { demo, signIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

/** The demo's co-owner: no other journey changes this password, and it is restored here. */
const SECURITY = "/settings/security";

function jonas() {
  const member = demo().members.find(({ role }) => role === "CO_OWNER");
  if (!member) throw new Error("The demo has no co-owner");
  return member;
}

/**
 * A code of this step of 30 seconds, or a later one. Those of the steps around it are valid, so the code of the step before
 * would end with this one, maybe before it is sent. Each counts once.
 */
function codeOf(secret: string, steps: number): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

async function givePassword(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(jonas().email);
  await page.getByLabel("Password").fill(jonas().password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
}

test("an authenticator app is added, required after the password, and removed", { tag: "@gate" }, async ({
  page,
  context,
}) => {
  await page.goto(`${demo().appUrl}${SECURITY}`);
  await signIn(page, "CO_OWNER");
  await page.getByRole("switch", { name: "Authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an authenticator app" });
  await expect(dialog.getByRole("img", { name: "QR code for the app" })).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
  expect(page.url()).not.toContain(secret);
  await dialog.getByLabel("Authenticator code").fill("12");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(/This code is wrong/)).toBeVisible();
  const used = codeOf(secret, 0);
  await dialog.getByLabel("Authenticator code").fill(used);
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Store these recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await codes.getByRole("checkbox").check();
  await codes.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("switch", { name: "Authenticator app" })).toBeChecked();

  await context.clearCookies();
  await page.goto(`${demo().appUrl}${SECURITY}`);
  await givePassword(page);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByLabel("Authenticator code").fill(used);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/not right, or was already used/)).toBeVisible();
  await page.getByLabel("Authenticator code").fill(codeOf(secret, 1));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${demo().appUrl}${SECURITY}`);

  await page.getByRole("switch", { name: "Authenticator app" }).click();
  await page.getByRole("button", { name: "Remove app" }).click();
  await expect(page.getByRole("switch", { name: "Authenticator app" })).not.toBeChecked();
});

test("an owner reads the process that the settings amount to, signs it, and sees what changed since", async ({
  page,
}) => {
  const at = `${demo().appUrl}/settings/fraud-monitoring`;
  await page.goto(`${demo().appUrl}/`);
  await signIn(page, "OWNER");
  await page.getByRole("link", { name: "Read and sign it" }).click();
  await expect(page.getByText("The yearly review is due.")).toBeVisible();
  await expect(page.getByText("For 24 hours after a confirmation")).toBeVisible();
  await page.getByLabel("Note").fill("Read with the bookkeeper");
  await page.getByRole("button", { name: "Sign the review" }).click();
  await expect(page.getByText(/^Signed\. The next one is due on/)).toBeVisible();

  await page.getByRole("link", { name: "Cool-off" }).click();
  await page.getByLabel(/hours/i).fill("48");
  const payees = page.getByRole("region", { name: "Payees" });
  await payees.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  // The refreshed page, which the button waits for, still says so.
  await expect(payees.getByRole("button", { name: "Save" })).toBeEnabled();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByLabel(/hours/i)).toHaveValue("48");
  await page.goto(at);
  const changes = page.getByRole("region", { name: "Changed since the last review" });
  await expect(changes.locator("del")).toHaveText(/^For 24 hours/);
  await expect(changes.locator("ins")).toHaveText(/^For 48 hours/);

  await page.getByRole("region", { name: "Signed reviews" }).getByRole("link").click();
  await expect(page.getByText("“Read with the bookkeeper”")).toBeVisible();
  await expect(page.getByText("For 24 hours after a confirmation")).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect((await saving).suggestedFilename()).toMatch(/^fraud-monitoring-signed-\d{4}-\d\d-\d\d\.md$/);
  await page.goto(`${demo().appUrl}/`);
  await expect(page.getByRole("heading", { name: "Needs your decision" })).toBeVisible();
  await expect(page.getByText("Yearly review of fraud monitoring")).toBeHidden();
});

test("on a phone a member sees their sessions and ends one, and the index is on top", async ({ browser }) => {
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const elsewhere = await browser.newContext();
  const [page, other] = [await phone.newPage(), await elsewhere.newPage()];
  await other.goto(`${demo().appUrl}${SECURITY}`);
  await signIn(other, "VIEWER");
  await page.goto(`${demo().appUrl}/settings`);
  await signIn(page, "VIEWER");
  await expect(page.getByText("Ask an owner or co-owner to change these.")).toBeVisible();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Security" }).click();
  await expect(page.getByText("This browser").first()).toBeVisible();
  const ends = page.getByRole("button", { name: /^End the session in/ });
  const before = await ends.count();
  expect(before).toBeGreaterThan(0);
  // The newest of the others comes first.
  await ends.first().click();
  await expect(ends).toHaveCount(before - 1);
  await other.reload();
  await expect(other).toHaveURL(/sign-in/);
  await phone.close();
  await elsewhere.close();
});

test("an owner moves the organization to another time zone and back, and finds who did", async ({ page }) => {
  await page.goto(`${demo().appUrl}/settings`);
  await signIn(page, "OWNER");
  const change = async (zone: string) => {
    await page.getByRole("button", { name: "Change: Time zone" }).click();
    await page.getByRole("dialog").getByLabel("Time zone").selectOption(zone);
    await page.getByRole("dialog").getByRole("button", { name: "Change time zone" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await change("Europe/Berlin");
  await expect(page.getByText(/Central European Time, Berlin/)).toBeVisible();
  await change("America/New_York");
  await expect(page.getByText(/Eastern Time, New York/)).toBeVisible();
  await page.getByRole("link", { name: "the activity of people" }).click();
  await expect(page).toHaveURL(/about=organization/);
  const row = page.getByRole("row", {
    name: /Changed the time zone from Europe\/Berlin to America\/New_York/,
  });
  await expect(row.first()).toContainText("Mara Okafor");
});

test("a new name that was typed for the organization survives a reload, and goes with its dialog", async ({
  page,
}) => {
  await page.goto(`${demo().appUrl}/settings`);
  await signIn(page, "OWNER");
  const dialog = page.getByRole("dialog", { name: "Rename the organization" });
  await page.getByRole("button", { name: /^Rename: / }).click();
  await dialog.getByLabel("Name").fill("Harbor Studio of Portland");
  await page.reload();
  await expect(dialog.getByLabel("Name")).toHaveValue("Harbor Studio of Portland");
  await dialog.getByRole("button", { name: "Keep the name" }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  // The page is alive, and opens the dialog with the name in force.
  await page.getByRole("button", { name: /^Rename: / }).click();
  await expect(dialog.getByLabel("Name")).not.toHaveValue("Harbor Studio of Portland");
});
