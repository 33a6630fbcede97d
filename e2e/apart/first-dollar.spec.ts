import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { type Product, startProduct } from "@/e2e/support/product";

/** From the sign-up page of a new sandbox to settled money. Reading and waiting are not counted, nor is the step-up. */
const MOST_CLICKS_AND_FIELDS = 15;

/** A product of its own, without any account yet, where anyone may sign up. */
let product: Product;
test.beforeAll(async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-first-dollar-"));
  product = await startProduct(dataDirectory, undefined, {
    environment: { SLUICE_DEMO: "0", SLUICE_SIGNUP: "open" },
  });
});
test.afterAll(async () => {
  await product.stop();
  await rm(product.dataDirectory, { recursive: true, force: true });
});

/** Clicks and fills, and counts them. */
function createHand() {
  const done: string[] = [];
  return {
    done,
    click: async (target: Locator) => {
      done.push(`click ${target}`);
      await target.click();
    },
    fill: async (target: Locator, text: string) => {
      done.push(`fill ${target}`);
      await target.fill(text);
    },
  };
}

type Hand = ReturnType<typeof createHand>;

async function signUp(page: Page, hand: Hand, email: string): Promise<void> {
  await page.goto(`${product.url}/sign-up`);
  await hand.fill(page.getByLabel("Your name"), "Mara Okafor");
  await hand.fill(page.getByLabel("Email"), email);
  await hand.fill(page.getByLabel("A password"), "a long password");
  await hand.click(page.getByRole("button", { name: "Send a code" }));
  const opened = page.context().waitForEvent("page");
  await hand.click(page.getByRole("link", { name: "Open the mailbox" }));
  const mailbox = await opened;
  // The newest email is open there; it comes a moment after the page.
  const mail = mailbox.frameLocator("iframe").getByText(/^\d{6}$/);
  await expect(async () => {
    await mailbox.reload();
    await expect(mailbox.getByText(`To ${email}`).first()).toBeVisible({ timeout: 1_000 });
    await expect(mail).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  const code = (await mail.textContent()) ?? "";
  await mailbox.close();
  await hand.fill(page.getByLabel("Code"), code);
  await hand.click(page.getByRole("button", { name: "Verify address" }));
  await expect(page.getByRole("heading", { name: "Whose money it is" })).toBeVisible();
  await hand.fill(page.getByLabel("Legal name of the business"), "Northwind Studio LLC");
  await hand.click(page.getByRole("button", { name: "Continue with identity" }));
}

function step(page: Page, title: string): Locator {
  return page.getByRole("listitem").filter({ has: page.getByText(title, { exact: true }) });
}

for (const [at, viewport] of [
  ["on a desktop", { width: 1440, height: 900 }],
  ["on a phone", { width: 390, height: 844 }],
] as const) {
  test(`a new owner moves the first dollar within 15 clicks and fields, ${at}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const hand = createHand();
    await signUp(page, hand, `mara-${viewport.width}@northwind.example`);

    await expect(page.getByRole("heading", { name: "Who owns the money" })).toBeVisible();
    await hand.click(page.getByRole("button", { name: "Use a sample identity" }));
    await expect(page.getByRole("heading", { name: "Set up Northwind Studio LLC" })).toBeVisible();
    await expect(step(page, "Verify identity")).toContainText("Approved", { timeout: 30_000 });
    expect(await findAxeViolations(page)).toEqual([]);

    await hand.click(page.getByRole("button", { name: "Open 4 starter pods" }));
    await expect(step(page, "Open your first pods")).toContainText("done");
    await hand.click(page.getByRole("button", { name: "Get a test deposit of $1,000.00" }));
    await expect(step(page, "Bring in money")).toContainText("done", { timeout: 20_000 });
    await hand.click(page.getByRole("link", { name: "Move $100.00 to Taxes" }));
    const move = page.getByRole("button", { name: "Move $100.00", exact: true });
    await expect(move).toBeEnabled();
    await hand.click(move);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$100\.00 to Taxes/);

    // The same list, on Overview, agrees.
    await expect(async () => {
      await page.goto(product.url);
      await expect(step(page, "Move money").getByText("done")).toBeAttached({ timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
    await expect(
      step(page, "Activate a rule").getByRole("link", { name: "Review your draft" }),
    ).toBeVisible();
    await expect(step(page, "Add a passkey").getByRole("link")).toHaveAttribute("href", "/settings/security");
    await expect(step(page, "Add a phone number").getByRole("link")).toBeVisible();
    await page.goto(`${product.url}/accounts`);
    await expect(page.getByRole("main")).toContainText("$100.00");
    await expect(page.getByRole("main")).toContainText("$900.00");

    expect(hand.done.length, hand.done.join("\n")).toBeLessThanOrEqual(MOST_CLICKS_AND_FIELDS);
    await context.close();
  });
}

test("the sandbox page of a new organization deposits with its defaults, in one press", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const hand = createHand();
  await signUp(page, hand, "defaults@northwind.example");
  await hand.click(page.getByRole("button", { name: "Use a sample identity" }));
  await hand.click(page.getByRole("button", { name: "Open 4 starter pods" }));
  await expect(step(page, "Open your first pods")).toContainText("done");
  await page.goto(`${product.url}/sandbox`);
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  await expect(page.getByText("Deposited $7,100.00 from Test payer")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(/Settled in Income/)).toBeVisible({ timeout: 20_000 });
  await context.close();
});
