import { expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { button, type DemoRole, propose, signIn } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { addVirtualAuthenticator } from "@/e2e/support/virtual-authenticator";

/**
 * A product of its own: from a key's sixth proposal in an hour on, notices go into a digest, a quarter of an hour
 * later.
 */
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startOwnProduct("notifications");
});
test.afterAll(() => product.close());

test("a proposal reaches owners and co-owners by email and SMS, and the caller's text stays text", async ({
  page,
}) => {
  await propose(
    { amountInCents: 93_900, reasonForApproval: "<b>Bold</b> claims, see https://evil.example" },
    await readDemo(product.dataDirectory),
  );
  await page.goto(`${product.url}/mailbox`);
  await expect(async () => {
    await page.reload();
    const emails = page.getByRole("link", { name: /Move \$939\.00 from Operating to Taxes\?/ });
    await expect(emails).toHaveCount(3, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const sms = page.getByText(/Sluice: \$939\.00 waits for your approval until/).first();
  await expect(sms).not.toContainText("Bold");
  await page
    .getByRole("link", { name: /Move \$939\.00/ })
    .first()
    .click();
  const email = page.frameLocator("iframe");
  await expect(email.getByText("Sandbox bank: no real money").first()).toBeVisible();
  await expect(email.getByText(/<b>Bold<\/b> claims/)).toBeVisible();
  await expect(email.getByRole("link", { name: /evil/ })).toHaveCount(0);
});

const NOTIFICATIONS = "/settings/notifications";

async function open(page: Page, role: DemoRole): Promise<void> {
  await page.goto(`${product.url}${NOTIFICATIONS}`);
  await signIn(page, role, await readDemo(product.dataDirectory));
  await expect(page.getByRole("heading", { name: "Notifications", exact: true })).toBeVisible();
}

/** The code in the newest text message to this number, as the mailbox shows it. */
async function readCode(page: Page, number: string): Promise<string> {
  const mailbox = await page.context().newPage();
  let code: string | undefined;
  await expect(async () => {
    await mailbox.goto(`${product.url}/mailbox`);
    const phone = mailbox.locator("[data-phone]");
    await expect(phone).toContainText(`To ${number}`, { timeout: 500 });
    code = /Sluice: ([0-9]{6}) verifies this number/.exec((await phone.textContent()) ?? "")?.[1];
    expect(code).toBeDefined();
  }).toPass({ timeout: 20_000 });
  await mailbox.close();
  return code ?? "";
}

test("a number counts once the code sent there is entered, and the log records the message without the code", async ({
  page,
}) => {
  await open(page, "VIEWER");
  await expect(page.getByText("You can view Northwind Studio, not decide,")).toBeVisible();
  const addNumber = page.getByRole("button", { name: "Add a number" });
  await addNumber.click();
  const dialog = page.getByRole("dialog", { name: "Add a number" });
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByLabel("Phone number").fill("212 555");
  await dialog.getByRole("button", { name: "Send code" }).click();
  await expect(dialog.getByText("must be a number like +14155550100")).toBeVisible();
  await dialog.getByLabel("Phone number").fill("+1 212-555 0177");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^Not verified\. The code sent is valid until/)).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);

  const code = await readCode(page, "+12125550177");
  await page.getByLabel("Code from the SMS").fill(code === "000000" ? "000001" : "000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("That code is not right. 4 tries left.")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(code);
  await page.getByRole("button", { name: "Verify number" }).click();
  await expect(page.getByText(/^Verified /)).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "SMS to ••77" })).toBeVisible();

  await page.reload();
  const log = page.getByRole("table", { name: "Messages, newest first" });
  await expect(
    log.getByRole("row", { name: /Code to verify a number.*\+1 ••• ••• 0177.*Sent/ }),
  ).toBeVisible();
  const html = await (await page.request.get(`${product.url}${NOTIFICATIONS}`)).text();
  expect(html).not.toContain(code);
  expect(html).not.toContain("2125550177");
  expect(product.printed()).not.toContain(code);
});

test("a removed number gets a notice, and so does its owner", async ({ page }) => {
  await open(page, "VIEWER");
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("button", { name: "Remove number" }).click();
  await expect(page.getByText("You have no number")).toBeVisible();
  await page.goto(`${product.url}/mailbox`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("link", { name: /Your phone number was removed/ })).toBeVisible({
      timeout: 500,
    });
    await expect(page.locator("[data-phone]")).toContainText("no longer come to this number", {
      timeout: 500,
    });
  }).toPass({ timeout: 20_000 });
});

/** Approves a proposal, about which the other deciders are then notified. */
async function approve(page: Page, amountInCents: number): Promise<void> {
  const { approvalUrl } = await propose({ amountInCents }, await readDemo(product.dataDirectory));
  await page.goto(approvalUrl);
  if (page.url().includes("sign-in")) await signIn(page, "CO_OWNER", await readDemo(product.dataDirectory));
  await button(page, /^Approve/).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You approved/);
}

async function expectEmails(page: Page, subject: RegExp, count: number): Promise<void> {
  await expect(async () => {
    await page.goto(`${product.url}/mailbox`);
    await expect(page.getByRole("link", { name: subject })).toHaveCount(count, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
}

test("what a member turns off by keyboard is no longer sent, and what stays on is", async ({ browser }) => {
  const mara = await (await browser.newContext()).newPage();
  const jonas = await (await browser.newContext()).newPage();
  await open(mara, "OWNER");
  await approve(jonas, 81_100);
  await expectEmails(mara, /\$811\.00/, 5);

  await mara.goto(`${product.url}${NOTIFICATIONS}`);
  const decided = mara.getByRole("switch", { name: "Someone else decided it: by email" });
  // Until its scripts hear it, a switch takes no focus.
  await expect(decided).toBeEnabled();
  await decided.focus();
  await mara.keyboard.press("Space");
  await expect(decided).toHaveAttribute("aria-checked", "false");
  await expect(async () => {
    await mara.reload();
    await expect(decided).toHaveAttribute("aria-checked", "false", { timeout: 500 });
  }).toPass();
  await approve(jonas, 82_200);
  // Notices come in order: once this one is there, none about the earlier decision follows.
  await propose({ amountInCents: 83_300 }, await readDemo(product.dataDirectory));
  await expectEmails(mara, /\$833\.00/, 3);
  await expectEmails(mara, /\$822\.00/, 4);

  await mara.goto(`${product.url}${NOTIFICATIONS}`);
  const log = mara.getByRole("table", { name: "Messages, newest first" });
  await expect(
    log.getByRole("row", { name: /Waiting for approval.*\$833\.00.*Jonas Weil.*j•••@/ }),
  ).toContainText("Sent");
  await expect(log.getByRole("row", { name: /Decided.*\$811\.00.*Mara Okafor/ })).toContainText("Sent");
});

test("the dialog of a number passes axe and fits a small phone, in light and dark", async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await open(page, "OWNER");
  await page.getByRole("button", { name: "Change" }).click();
  await expect(page.getByRole("dialog", { name: "Change your number" })).toBeVisible();
  expect(await findLookFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Change" })).toBeFocused();
  await page.context().close();
});

test("a session alone neither removes nor changes the verified number of a member with a passkey", async ({
  page,
  context,
}) => {
  const authenticator = await addVirtualAuthenticator(context, page);
  await page.goto(`${product.url}/settings/security`);
  await signIn(page, "CO_OWNER", await readDemo(product.dataDirectory));
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Jonas’ laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("dialog").getByRole("checkbox").check();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("Jonas’ laptop")).toBeVisible();

  // An attacker with the stolen password has a new session, but no passkey.
  await context.clearCookies();
  await open(page, "CO_OWNER");
  await authenticator.setPresent(false);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("button", { name: "Remove number" }).click();
  await expect(page.getByText("Your passkey was canceled. Nothing was changed.")).toBeVisible();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Change" }).click();
  const dialog = page.getByRole("dialog", { name: "Change your number" });
  await dialog.getByLabel("Phone number").fill("+12125550188");
  await dialog.getByRole("button", { name: "Send code" }).click();
  await expect(dialog.getByText("Your passkey was canceled. Nothing was changed.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "SMS to ••08" })).toBeVisible();

  await authenticator.setPresent(true);
  await page.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("Phone number").fill("+12125550188");
  await dialog.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByText(/^Not verified\. The code sent is valid until/)).toBeVisible();
  await expect(page.getByText("+1 ••• ••• 0188").first()).toBeVisible();
});
