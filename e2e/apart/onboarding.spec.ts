import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devices, expect, type Page, test } from "@playwright/test";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { type Product, startProduct } from "@/e2e/support/product";

/** A product of its own, without any account yet. */
let product: Product;
test.beforeAll(async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-onboarding-"));
  product = await startProduct(dataDirectory, undefined, { environment: { SLUICE_DEMO: "0" } });
});
test.afterAll(async () => {
  await product.stop();
  await rm(product.dataDirectory, { recursive: true, force: true });
});
// The second journey uses the account that the first one creates.
test.describe.configure({ mode: "serial" });

const EMAIL = "mara@northwind.example";
const PASSWORD = "a long password";
const NEW_PASSWORD = "an even longer password";

/** The newest email with this subject, open in the mailbox. */
async function openMail(page: Page, subject: string) {
  const mailbox = await page.context().newPage();
  await expect(async () => {
    await mailbox.goto(`${product.url}/mailbox`);
    await mailbox
      .getByRole("link", { name: new RegExp(subject) })
      .first()
      .click({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  return { mailbox, mail: mailbox.frameLocator("iframe") };
}

async function expectSound(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}

test("an empty product leads its first owner from sign-up to the first key", async ({ page }) => {
  await page.goto(product.url);
  await expect(page.getByRole("heading", { name: "Set up this Sluice" })).toBeVisible();
  await page.getByLabel("Your name").fill("Mara Okafor");
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("A password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expectSound(page);

  const { mailbox, mail } = await openMail(page, "Is this your address");
  const code = (await mail.getByText(/^\d{6}$/).textContent()) ?? "";
  await mailbox.close();
  await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("That code is not right. 4 tries left.")).toBeVisible();
  await page.getByLabel("Code").fill(code);
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: "Whose money it is" })).toBeVisible();
  await page.getByRole("button", { name: "An individual" }).click();
  await expect(page.getByLabel("Your legal name")).toHaveValue("Mara Okafor");
  await page.getByRole("button", { name: "Continue with identity" }).click();

  // A sandbox number that requires a document first.
  await expect(page.getByRole("heading", { name: "Who owns the money" })).toBeVisible();
  await page.getByLabel("Social security number").fill("123-45-0001");
  await page.getByLabel("Date of birth").fill("1988-04-02");
  await page.getByLabel("Street and number").fill("1 Main Street");
  await page.getByLabel("City").fill("New York");
  // By its code, as most people type it: by name alone, the browser would choose Nebraska.
  await page.getByLabel("State").pressSequentially("NY");
  await expect(page.getByLabel("State")).toHaveValue("NY");
  await page.getByLabel("ZIP code").fill("1001");
  await page.getByRole("button", { name: "Verify identity" }).click();
  await expect(page.getByText("The ZIP code must have five digits.")).toBeVisible();
  await expectSound(page);
  await page.getByLabel("ZIP code").fill("10013");
  await page.getByRole("button", { name: "Verify identity" }).click();
  await expect(page.getByRole("heading", { name: "Set up Mara Okafor" })).toBeVisible();
  await expectSound(page);
  await expect(page.getByRole("listitem").filter({ hasText: "Verify identity" })).toContainText(
    "Needs a document",
    { timeout: 20_000 },
  );

  // No account can be opened until it is approved, not even past the form.
  await page.goto(`${product.url}/welcome/pods`);
  await expect(page.getByText("You can open pods once the identity check is done.")).toBeVisible();
  await page.getByRole("link", { name: "See its progress" }).click();
  const owner = page.getByRole("listitem").filter({ hasText: "SSN ending in 0001" });
  await expect(owner).toContainText("Needs a document", { timeout: 20_000 });
  await page.getByLabel("Document of Mara Okafor").setInputFiles({
    name: "license.png",
    mimeType: "image/png",
    buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]),
  });
  await expect(owner).toContainText("Approved", { timeout: 20_000 });

  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Verify identity" })).toContainText("Approved");
  await page.goto(`${product.url}/welcome/bank`);
  await page.getByRole("link", { name: "Not now" }).click();
  await expect(page.getByRole("heading", { name: "Give every dollar a place" })).toBeVisible();
  await page.getByLabel("Share of Profit, in percent").fill("10");
  await page.getByLabel("Share of Operating, in percent").fill("25");
  await expectSound(page);
  await page.getByRole("button", { name: "Open these four pods" }).click();

  await expect(page.getByRole("heading", { name: "Put your money to work automatically" })).toBeVisible();
  await page.getByRole("link", { name: "Review your shares as a rule" }).click();
  await expect(page.getByText("10%").first()).toBeVisible();
  // Every other page leads back to what is left.
  await page.goto(`${product.url}/rules`);
  await page.getByRole("link", { name: "Continue setup" }).click();
  await expect(page.getByRole("link", { name: "Connect a bank" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Review your draft" })).toBeVisible();
  await page.goto(`${product.url}/welcome/bank`);
  await expect(page.getByRole("heading", { name: "Where your money is now" })).toBeVisible();
  await page.getByRole("link", { name: "First key" }).click();
  await page.getByRole("link", { name: "Create the first key" }).click();
  await expect(page).toHaveURL(`${product.url}/settings/api-keys/new`);
  await page.goto(`${product.url}/welcome/key`);
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page).not.toHaveURL(/\/welcome/);
  await page.goto(`${product.url}/rules`);
  await expect(page.getByRole("link", { name: "Rules", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue setup" })).toHaveCount(0);
});

test("on a phone, a forgotten password is reset, and a stranger learns nothing and gets no account", async ({
  browser,
}) => {
  const context = await browser.newContext(devices["Pixel 7"]);
  const page = await context.newPage();
  await page.goto(`${product.url}/sign-up`);
  await expect(page.getByRole("heading", { name: "Sign-up is closed" })).toBeVisible();
  await page.goto(`${product.url}/sign-in`);
  await expect(page.getByRole("link", { name: "Create an account" })).toHaveCount(0);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  for (const email of ["nobody@northwind.example", EMAIL]) {
    await page.goto(`${product.url}/forgot`);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send me a link" }).click();
    await expect(page.getByText("If that address has an account")).toBeVisible();
  }
  const { mailbox, mail } = await openMail(page, "Set a new password");
  const link = (await mail.getByRole("link", { name: "Set a new password" }).getAttribute("href")) ?? "";
  await mailbox.close();
  // Opened before by a mail scanner.
  expect((await context.request.get(link)).headers()["referrer-policy"]).toBe("no-referrer");
  await page.goto(link);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Set this password" }).click();
  await expect(page.getByText("The password must have at least 10 characters.")).toBeVisible();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set this password" }).click();
  await expect(page.getByRole("heading", { name: "Your password is changed" })).toBeVisible();
  await expectSound(page);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/sign-in/);
  await context.close();
});
