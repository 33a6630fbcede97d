import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { addOrganization, joinDatabase } from "@/e2e/support/join-database";
import { button } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { type Product, startProduct } from "@/e2e/support/product";
import { hashPassword } from "@/lib/core/sign-in/password";
import { newId } from "@/lib/platform/ids";
import { type IncreaseEmulator, openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

/**
 * Goal: at Increase's sandbox, a deposit arrives, a payment leaves, settles and comes back, and the pages say so. Method:
 * a product of its own against the emulator, which runs in real time; only the bank's window is not waited for.
 */
const EMAIL = "mara@example.com";
const PASSWORD = "tide and lock gate";

let product: Product;
let emulator: IncreaseEmulator;
let ticking: NodeJS.Timeout;
const incomeId = newId(new Date());
test.beforeAll(async () => {
  test.setTimeout(240_000);
  emulator = await openIncreaseEmulator({ startsAt: new Date(), apiKey: "emulated", openingInCents: 0 });
  ticking = setInterval(() => void emulator.advanceTo(new Date()), 1_000);
  product = await startProduct(await mkdtemp(join(tmpdir(), "sluice-increase-")), undefined, {
    environment: {
      INCREASE_API_KEY: "emulated",
      INCREASE_ENV: "sandbox",
      INCREASE_BASE_URL: emulator.url,
      // Nobody reads the messages of this journey.
      SMTP_URL: "smtp://127.0.0.1:9",
    },
  });
  await arrangeOrganization();
});
test.afterAll(async () => {
  clearInterval(ticking);
  await product?.stop();
  await emulator?.close();
  if (product) await rm(product.dataDirectory, { recursive: true, force: true });
});

/** An owner and an income source that waits for its number: signing up needs a mailbox. */
async function arrangeOrganization(): Promise<void> {
  const { ownerPool, close } = await joinDatabase(product.dataDirectory);
  const now = new Date();
  const userId = newId(now);
  const organizationId = await addOrganization(ownerPool, "Northwind Studio");
  await ownerPool.query(
    `insert into users (id, email, name, password_hash, created_at) values ($1, $2, 'Mara Okafor', $3, $4)`,
    [userId, EMAIL, await hashPassword(PASSWORD), now],
  );
  await ownerPool.query("insert into memberships values ($1, $2, 'OWNER', $3)", [
    organizationId,
    userId,
    now,
  ]);
  await ownerPool.query(
    `insert into accounts (organization_id, id, type, name, beneficiary_id, number_due_at, created_at, updated_at)
      select $1, $2, 'INCOME_SOURCE', 'Client payments', id, $3, $3, $3 from beneficiaries where organization_id = $1`,
    [organizationId, incomeId, now],
  );
  await ownerPool.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'MANAGED')", [
    organizationId,
    incomeId,
  ]);
  await close();
}

/** The order leaves now instead of after the bank's window. */
async function openWindow(): Promise<void> {
  const { ownerPool, close } = await joinDatabase(product.dataDirectory);
  await ownerPool.query("update transfers set due_at = now() where next_step = 'SUBMIT'");
  await close();
}

/** One happening of the page, by its title. */
const happening = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(title, { exact: true }) });

/** The page shows what the worker has done once it is loaded again. */
async function reloadUntil(page: Page, look: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.reload();
    await look();
  }).toPass({ timeout: 60_000 });
}

/** Moves the amount between these accounts, has the order leave, and the bank settle it. @returns the approval's page */
async function moveAndSettle(page: Page, route: string, words: string): Promise<string> {
  await page.goto(`${product.url}/transfers/new?${route}`);
  await button(page, new RegExp(`^Move ${words}`)).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`You approved ${words}`));
  const approval = page.url();
  await openWindow();
  await page.goto(`${product.url}/sandbox`);
  const settle = happening(page, "Settlement").getByRole("button", { name: "Settle" });
  await reloadUntil(page, () => expect(settle).toBeVisible({ timeout: 2_000 }));
  await settle.click();
  await reloadUntil(page, () =>
    expect(page.getByText(/It settled\.$/).first()).toBeVisible({ timeout: 2_000 }),
  );
  await page.goto(approval);
  await reloadUntil(page, () => expect(page.getByText(/settled/i).first()).toBeVisible({ timeout: 2_000 }));
  return approval;
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

test("a deposit arrives, and a payment to a payee settles and is returned", async ({ page }) => {
  await signIn(page);
  await page.goto(`${product.url}/sandbox`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Simulations at Increase");
  await expect(page.getByText("Business time")).toHaveCount(0);
  const deposit = happening(page, "Deposit").getByRole("button", { name: "Deposit" });
  await reloadUntil(page, () => expect(deposit).toBeVisible({ timeout: 2_000 }));
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  await deposit.click();
  await expect(page.getByText(/^Deposited \$7,100\.00 from/)).toBeVisible();
  await reloadUntil(page, () =>
    expect(page.getByText("Settled in Client payments.")).toBeVisible({ timeout: 2_000 }),
  );

  await page.goto(`${product.url}/payees/new`);
  await page.getByLabel("Name", { exact: true }).fill("Harbor Print Shop");
  await page.getByLabel("Account holder").fill("Harbor Print Shop LLC");
  await page.getByLabel("Routing number").fill("101050001");
  await page.getByLabel("Account number").fill("000123454321");
  await page.getByRole("button", { name: "Add payee" }).click();
  await page.getByLabel("Who was called back?").fill("Ana, on the number of our contract");
  await page.getByRole("button", { name: "Confirm payee" }).click();
  await expect(page.getByText("Can be paid")).toBeVisible();

  const payeeId = new URL(page.url()).pathname.split("/").at(-1);
  const route = `from=${incomeId}&to=${payeeId}&amountInCents=42500`;
  const approval = await moveAndSettle(page, route, "\\$425\\.00");

  await page.goto(`${product.url}/sandbox`);
  const returned = happening(page, "ACH return");
  await returned.getByLabel("Return code").selectOption("R02");
  await returned.getByRole("button", { name: "Send back" }).click();
  await expect(page.getByText(/^Sent back \$425\.00, Harbor Print Shop, R02/)).toBeVisible();
  await page.goto(approval);
  await reloadUntil(page, () => expect(page.getByText(/returned/i).first()).toBeVisible({ timeout: 2_000 }));
  await page.goto(`${product.url}/accounts`);
  await expect(page.getByText("$7,100.00").first()).toBeVisible();
});

test("money is drawn from a connected account once it is registered at the bank", async ({ page }) => {
  await signIn(page);
  await page.goto(`${product.url}/accounts/connect/sbx_first_harbor`);
  await page.getByLabel("Harbor Checking").check();
  await page.getByRole("button", { name: /^Connect (one|1) account$/ }).click();
  await page
    .getByRole("link", { name: /Harbor Checking/ })
    .first()
    .click();
  await expect(page.getByText("Harbor Checking is not registered at the bank yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Move money" })).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  const account = page.url();
  const accountId = new URL(account).pathname.split("/").at(-1);

  await page.goto(`${product.url}/transfers/new`);
  const unregistered = page.getByLabel("From").getByRole("option", { name: /Harbor Checking/ });
  await expect(unregistered).toHaveText("Harbor Checking, not registered at the bank");
  await expect(unregistered).toBeDisabled();

  await page.goto(account);
  await page.getByRole("link", { name: "Register at the bank" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Register Harbor Checking at Increase");
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  await page.getByLabel("Account holder").fill("");
  await page.getByRole("button", { name: "Register account" }).click();
  await expect(page.getByText("The account holder must not be empty.")).toBeVisible();
  await page.getByLabel("Account holder").fill("Northwind Studio LLC");
  await page.getByRole("button", { name: "Register account" }).click();
  await expect(page.getByText(/^Registered recently: payments to it/)).toBeVisible();
  await expect(page.getByText(/, by Mara Okafor$/)).toBeVisible();

  await moveAndSettle(page, `from=${accountId}&to=${incomeId}&amountInCents=15000`, "\\$150\\.00");
});

test("a pod's money goes to an account of its own at the bank, and back", async ({ page }) => {
  await signIn(page);
  await page.goto(`${product.url}/accounts/new`);
  await page.getByLabel("Name", { exact: true }).fill("Taxes");
  await page.getByRole("button", { name: "Open account" }).click();
  await expect(page.getByText("Part of the shared account")).toBeVisible();
  const pod = page.url();
  const podId = new URL(pod).pathname.split("/").at(-1);
  await page.goto(`${product.url}/transfers/new?from=${incomeId}&to=${podId}&amountInCents=50000`);
  await button(page, /^Move \$500\.00/).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$500\.00/);

  await page.goto(`${pod}/edit`);
  const away = page.getByRole("button", { name: "Give it its own account" });
  await expect(away).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findLookFaults(page)).toEqual([]);
  await away.click();
  await expect(page).toHaveURL(pod);
  await reloadUntil(page, () =>
    expect(page.getByText(/^Its own account, with \$500\.00/)).toBeVisible({ timeout: 2_000 }),
  );

  await page.goto(`${pod}/edit`);
  await page.getByRole("button", { name: "Return it to the shared account" }).click();
  await expect(page).toHaveURL(pod);
  await reloadUntil(page, () =>
    expect(page.getByText("Part of the shared account")).toBeVisible({ timeout: 2_000 }),
  );
  await page.goto(`${product.url}/audit/activity`);
  await expect(page.getByText("Gave Taxes its own account at the bank")).toBeVisible();
});
