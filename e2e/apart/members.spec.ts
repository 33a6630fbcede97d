import { type Browser, expect, type Page, test } from "@playwright/test";
import { type OwnProduct, startOwnProduct } from "@/e2e/support/demo-folder";
import { type DemoRole, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { readDemo } from "@/e2e/support/product";
import { addVirtualAuthenticator } from "@/e2e/support/virtual-authenticator";

/** A product of its own: these journeys change who belongs to the organization and how they sign in. */
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startOwnProduct("members", { environment: { SUPPORT_EMAIL: "help@operator.example" } });
});
test.afterAll(() => product.close());

const MEMBERS = "/settings/members";
const BENEFICIARIES = "/settings/beneficiaries";

async function open(page: Page, path: string, role: DemoRole = "OWNER"): Promise<void> {
  await openSignedIn(page, `${product.url}${path}`, role, await readDemo(product.dataDirectory));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("radio", { name: new RegExp(`^${role}`) }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText(`The invitation to ${email} is on its way.`)).toBeVisible();
}

/** The link of the newest invitation to this address, as the mailbox shows it. */
async function readLink(page: Page, email: string): Promise<string> {
  const mailbox = await page.context().newPage();
  let link: string | undefined;
  await expect(async () => {
    await mailbox.goto(`${product.url}/mailbox`);
    await mailbox
      .getByRole("link", { name: /Join Northwind Studio on Sluice\?/ })
      .first()
      .click();
    await expect(mailbox.getByText(email, { exact: true })).toBeVisible({ timeout: 1_000 });
    const frame = mailbox.frameLocator("iframe");
    link = (await frame.getByRole("link", { name: "See the invitation" }).getAttribute("href")) ?? undefined;
    expect(link).toMatch(/\/invitations\/[A-Za-z0-9_-]{43}$/);
  }).toPass({ timeout: 20_000 });
  await mailbox.close();
  return link ?? "";
}

async function newPage(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  return (await browser.newContext(options)).newPage();
}

test("an invited person chooses a password and joins, and the link no longer works", async ({
  page,
  browser,
}) => {
  await open(page, MEMBERS);
  await expect(page.getByRole("heading", { name: "Three people can approve" })).toBeVisible();
  await invite(page, "ines@northwind.example", "Accountant");
  const waiting = page.getByRole("table", { name: "Pending invitations" });
  await expect(waiting.getByRole("row", { name: /ines@northwind\.example/ })).toContainText("Accountant");
  const link = await readLink(page, "ines@northwind.example");

  const ines = await newPage(browser);
  const referrers: string[] = [];
  ines.on("request", (request) => {
    const { referer } = request.headers();
    if (referer) referrers.push(referer);
  });
  const response = await ines.goto(link);
  expect(response?.headers()["referrer-policy"]).toBe("no-referrer");
  await expect(ines.getByRole("heading", { name: "Join Northwind Studio?" })).toBeVisible();
  // Opening it changes nothing: mail scanners open links too.
  await ines.reload();
  await ines.getByLabel("Your name").fill("Ines Ferreira");
  await ines.getByLabel("A password").fill("short");
  await ines.keyboard.press("Enter");
  await expect(ines.getByText("The password must have at least 10 characters.")).toBeVisible();
  await ines.getByLabel("A password").fill("tide and lock gate");
  await ines.keyboard.press("Enter");
  await expect(ines).toHaveURL(`${product.url}/`);
  await ines.goto(`${product.url}${MEMBERS}`);
  await expect(ines.getByText("Ines Ferreira, you")).toBeVisible();
  await expect(ines.getByRole("button", { name: "Send invitation" })).toHaveCount(0);
  await ines.goto(link);
  await expect(ines.getByRole("heading", { name: "This invitation no longer works" })).toBeVisible();

  await page.reload();
  await expect(page.getByRole("row", { name: /Ines Ferreira/ })).toContainText("invited by Mara Okafor");
  await expect(waiting).toHaveCount(0);
  const token = link.split("/").at(-1) ?? "";
  expect(referrers.join()).not.toContain(token);
  expect(product.printed()).not.toContain(token);
  await page.goto(`${product.url}/mailbox`);
  await expect(page.getByRole("link", { name: /Ines Ferreira joined as accountant/ })).toHaveCount(3);
});

test("a removed member is signed out at once; what they leave behind was shown before", async ({
  page,
  browser,
}) => {
  await open(page, MEMBERS);
  const tomas = await newPage(browser);
  await open(tomas, "/accounts", "VIEWER");
  await page.getByRole("button", { name: "More for Tomas Lind" }).click();
  const roles = page.getByRole("dialog", { name: "What can Tomas Lind do?" });
  await roles.getByRole("radio", { name: /^Accountant/ }).check();
  await roles.getByRole("button", { name: "Change role" }).click();
  await expect(roles).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Tomas Lind/ })).toContainText("Accountant");

  await page.getByRole("button", { name: "More for Tomas Lind" }).click();
  await roles.getByRole("button", { name: "Remove" }).click();
  const removal = page.getByRole("dialog", { name: "Remove Tomas Lind?" });
  await expect(removal.getByText("They lose access at once and are signed out.")).toBeVisible();
  await expect(removal.getByText("They made no key that still works.")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  await removal.getByRole("button", { name: "Remove" }).click();
  await expect(removal).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Tomas Lind/ })).toHaveCount(0);
  await tomas.goto(`${product.url}/accounts`);
  await expect(tomas).toHaveURL(/sign-in/);

  // Returns with the existing password, through a link that asks for no new one.
  await invite(page, "tomas@northwind.example", "Viewer");
  await tomas.goto(await readLink(page, "tomas@northwind.example"));
  await tomas.getByLabel("Your password").fill("not it, certainly");
  await tomas.keyboard.press("Enter");
  await expect(tomas.getByText("That is not your password.")).toBeVisible();
  const { members } = await readDemo(product.dataDirectory);
  await tomas.getByLabel("Your password").fill(members.find(({ role }) => role === "VIEWER")?.password ?? "");
  await tomas.keyboard.press("Enter");
  await expect(tomas).toHaveURL(`${product.url}/`);
});

test("an invitation is sent again and withdrawn by keyboard, and is refused to people signed in with another account", async ({
  page,
}) => {
  await open(page, MEMBERS);
  await page.getByLabel("Email").fill("no address");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The address must be an email address.")).toBeVisible();
  await invite(page, "ada@brandt-tax.example", "Viewer");
  const first = await readLink(page, "ada@brandt-tax.example");
  const sendAgain = page.getByRole("button", { name: "Send again to ada@brandt-tax.example" });
  await expect(sendAgain).toBeEnabled();
  await sendAgain.focus();
  await page.keyboard.press("Enter");
  let second = first;
  await expect(async () => {
    second = await readLink(page, "ada@brandt-tax.example");
    expect(second).not.toBe(first);
  }).toPass({ timeout: 20_000 });
  const other = await page.context().newPage();
  await other.goto(first);
  await expect(other.getByRole("heading", { name: "This invitation no longer works" })).toBeVisible();
  await other.goto(second);
  await expect(other.getByText(/You are signed in as mara@northwind\.example/)).toBeVisible();
  expect(await findAxeViolations(other)).toEqual([]);
  const withdraw = page.getByRole("button", { name: "Withdraw the invitation of ada@brandt-tax.example" });
  await expect(withdraw).toBeEnabled();
  await withdraw.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /ada@brandt-tax/ })).toHaveCount(0);
  await other.goto(second);
  await expect(other.getByRole("heading", { name: "This invitation no longer works" })).toBeVisible();
});

test("granting a role that decides requires the granting member's passkey", async ({ page, context }) => {
  const authenticator = await addVirtualAuthenticator(context, page);
  await open(page, "/settings/security", "OWNER");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Mara’s laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("dialog").getByRole("checkbox").check();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

  // An attacker with the stolen password has a new session, but no passkey.
  await context.clearCookies();
  await open(page, MEMBERS);
  await authenticator.setPresent(false);
  await page.getByLabel("Email").fill("eve@evil.example");
  await page.getByRole("radio", { name: /^Owner/ }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Your passkey was canceled. Nothing was changed.")).toBeVisible();
  await page.getByRole("button", { name: "More for Jonas Weil" }).click();
  const roles = page.getByRole("dialog", { name: "What can Jonas Weil do?" });
  await roles.getByRole("radio", { name: /^Owner/ }).check();
  await roles.getByRole("button", { name: "Change role" }).click();
  await expect(roles.getByText("Your passkey was canceled. Nothing was changed.")).toBeVisible();
  await authenticator.setPresent(true);
  await roles.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByRole("row", { name: /Jonas Weil/ })).toContainText("Owner");
  await expect(page.getByRole("row", { name: /eve@evil/ })).toHaveCount(0);
});

test("a co-owner or owner adds a beneficiary that a new account can then belong to; a viewer does not", async ({
  page,
  browser,
}) => {
  await open(page, BENEFICIARIES, "CO_OWNER");
  await page.getByRole("button", { name: "Individual" }).click();
  await page.getByRole("button", { name: "Add beneficiary" }).click();
  await expect(page.getByText("The name must not be empty.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name" }).fill("Mara Okafor");
  await page.keyboard.press("Enter");
  const row = page.getByRole("listitem").filter({ hasText: "Mara Okafor" });
  await expect(row).toContainText("Individual");
  await expect(row).toContainText("No accounts yet");
  await page.getByRole("textbox", { name: "Name" }).fill("mara okafor");
  await page.keyboard.press("Enter");
  await expect(page.getByText("A beneficiary with this name already exists.")).toBeVisible();
  await page.goto(`${product.url}/accounts/new`);
  await expect(page.getByLabel("Owned by").getByRole("option", { name: "Mara Okafor" })).toHaveCount(1);

  const viewer = await newPage(browser);
  await open(viewer, BENEFICIARIES, "VIEWER");
  await expect(viewer.getByText("Ask an owner or co-owner to add or change beneficiaries.")).toBeVisible();
  await expect(viewer.getByRole("button", { name: "Add beneficiary" })).toHaveCount(0);
});

test("help names the server's operator, and starts the email with the details they will ask for", async ({
  page,
}) => {
  await open(page, "/help", "VIEWER");
  await page.goto(`${product.url}/help?request=7fq2-m81x-k03d`);
  const href = await page.getByRole("link", { name: "Write to support" }).getAttribute("href");
  const letter = new URL(href ?? "");
  expect(decodeURIComponent(letter.pathname)).toBe("help@operator.example");
  expect(letter.searchParams.get("subject")).toBe("Sluice, Northwind Studio: request 7fq2-m81x-k03d");
  await page.goto(`${product.url}/help?request=${encodeURIComponent("x\r\nBcc: eve@evil.example")}`);
  const forged = await page.getByRole("link", { name: "Write to support" }).getAttribute("href");
  expect(forged).not.toContain("evil");
  expect((await page.request.get(`${product.url}/readyz`)).status()).toBe(200);
});

test("an invitation and a member's role pass axe and fit small phones, in both themes", async ({
  browser,
}) => {
  const mara = await newPage(browser);
  await open(mara, MEMBERS);
  // A name and an address may be one long word.
  const email = "a.very.long.address.of.somebody.in.every.theme@accounting.northwind.example";
  await invite(mara, email, "Viewer");
  const guest = await newPage(browser, { reducedMotion: "reduce" });
  await guest.goto(await readLink(mara, email));
  await expect(guest.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await findLookFaults(guest)).toEqual([]);
  await guest.context().close();
  await mara.reload();
  const more = mara.getByRole("button", { name: "More for Tomas Lind" });
  await more.click();
  await expect(mara.getByRole("dialog")).toBeVisible();
  expect(await findLookFaults(mara)).toEqual([]);
  await mara.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await mara.context().close();
});

test("the phone's menu leads to members and settings", async ({ browser }) => {
  const page = await newPage(browser, { viewport: { width: 390, height: 664 } });
  await open(page, "/accounts");
  for (const [name, path] of [
    ["Members", MEMBERS],
    ["Settings", "/settings"],
  ]) {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("navigation", { name: "Main, phone" }).getByRole("link", { name }).click();
    await expect(page).toHaveURL(`${product.url}${path}`);
  }
  await page.context().close();
});

test("an organization requires a second factor: members without one add one before they continue", async ({
  page,
  context,
  browser,
}) => {
  const tomas = await newPage(browser);
  await open(tomas, MEMBERS, "VIEWER");
  await expect(tomas.getByText("Not required")).toBeVisible();
  await expect(tomas.getByRole("button", { name: "Require for everyone" })).toHaveCount(0);

  await addVirtualAuthenticator(context, page);
  await open(page, MEMBERS, "CO_OWNER");
  await page.getByRole("button", { name: "Require for everyone" }).click();
  const question = page.getByRole("dialog", { name: "Require a second factor for everyone?" });
  await question.getByRole("button", { name: "Require for everyone" }).click();
  await expect(question.getByText(/You have no second factor yourself/)).toBeVisible();
  await page.goto(`${product.url}/settings/security`);
  await addPasskey(page, "Jonas’ laptop");
  await page.goto(`${product.url}${MEMBERS}`);
  await page.getByRole("button", { name: "Require for everyone" }).click();
  await question.getByRole("button", { name: "Require for everyone" }).click();
  await expect(page.getByText("Required", { exact: true })).toBeVisible();
  await expect(page.getByText(/members have neither: .*Tomas Lind/)).toBeVisible();

  // He is signed in but has no access anymore: no page, no file, no action of an open page.
  const file = await tomas.request.get(`${product.url}/transfers/export`, { maxRedirects: 0 });
  expect(file.status()).not.toBe(200);
  await tomas.goto(`${product.url}/accounts`);
  await expect(tomas).toHaveURL(`${product.url}/second-factor?next=%2Faccounts`);
  await expect(tomas.getByRole("heading", { name: "Add a second factor" })).toBeVisible();
  await expect(tomas.getByText("Operating")).toHaveCount(0);
  expect(await findLookFaults(tomas)).toEqual([]);
  const authenticator = await addVirtualAuthenticator(tomas.context(), tomas);
  await tomas.getByRole("button", { name: "Add a passkey" }).click();
  await keepCodes(tomas, "Tomas’ phone");
  await expect(tomas).toHaveURL(`${product.url}/accounts`);
  await expect(tomas.getByText("Operating").first()).toBeVisible();

  // From now on his password alone is not enough; his passkey is required too.
  await tomas.context().clearCookies();
  await open(tomas, "/approvals", "VIEWER");
  await expect(tomas.getByRole("heading", { name: "One more step" })).toBeVisible();
  expect(await findLookFaults(tomas)).toEqual([]);
  await authenticator.setPresent(false);
  await tomas.getByRole("button", { name: "Continue with passkey" }).click();
  await expect(tomas.getByText("Your passkey was canceled.")).toBeVisible();
  await authenticator.setPresent(true);
  await tomas.getByRole("button", { name: "Continue with passkey" }).click();
  await expect(tomas).toHaveURL(`${product.url}/approvals`);

  await page.getByRole("button", { name: "Stop requiring it" }).click();
  await page
    .getByRole("dialog", { name: "Stop requiring a second factor?" })
    .getByRole("button", { name: "Stop requiring" })
    .click();
  await expect(page.getByText("Not required")).toBeVisible();
  await page.goto(`${product.url}/settings`);
  await page.getByRole("link", { name: "the activity of people" }).click();
  await expect(page.getByText("Stopped requiring a second factor").first()).toBeVisible();
  await tomas.context().close();
});

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await keepCodes(page, name);
  await expect(page.getByText(name)).toBeVisible();
}

/** Names the passkey being added, and confirms that its ten codes are stored. */
async function keepCodes(page: Page, name: string): Promise<void> {
  const naming = page.getByRole("dialog", { name: "Add a passkey" });
  await naming.getByLabel("Name").fill(name);
  await naming.getByRole("button", { name: "Add passkey" }).click();
  const codes = page.getByRole("dialog", { name: "Store these recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await codes.getByRole("checkbox").check();
  await codes.getByRole("button", { name: "Close" }).click();
}
