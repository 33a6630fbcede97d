import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { z } from "zod";
import {
  accountId,
  callApi,
  demo,
  pressUntil,
  propose,
  readBalance,
  readTransfer,
} from "@/e2e/support/journey";
import { accountSchema } from "@/lib/contract/account";
import { ruleSchema, writtenRuleSchema } from "@/lib/contract/rules/rule";

/** More stops than any of these pages has: beyond them, the target cannot be reached. */
const MAXIMUM_STOPS = 90;

/** Moves the focus by a key until it is on `target`, as without a mouse, and checks that it is visible. */
async function reach(target: Locator, key = "Tab"): Promise<void> {
  const page = target.page();
  await expect(target.first()).toBeVisible();
  // Before its scripts hear it, a button is not a tab stop.
  await expect(target.first()).toBeEnabled();
  for (let stop = 0; stop < MAXIMUM_STOPS && !(await hasFocus(target)); stop += 1)
    await page.keyboard.press(key);
  await expect(target).toBeFocused();
  await seesFocus(page);
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** The focus is visible, on the element itself or on the frame around it. */
async function seesFocus(page: Page): Promise<void> {
  const isMarked = await page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused?.matches(":focus-visible")) return false;
    const parts = [focused, focused.parentElement, focused.nextElementSibling].filter(
      (part) => part !== null,
    );
    return parts.some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(part);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    });
  });
  expect(isMarked).toBe(true);
}

/** Tab cycles in an open dialog, forward and back, and never reaches the page behind it; Esc returns the focus. */
async function keepsFocus(dialog: Locator, opener: Locator): Promise<void> {
  const page = dialog.page();
  for (const key of ["Tab", "Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    // Between the last control and the first, the focus is the browser's own.
    const isBehind = await dialog.evaluate((element) => {
      const focused = document.activeElement;
      return focused !== document.body && !element.contains(focused);
    });
    expect(isBehind).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
}

/** Goes to the approvals by G A, down the list by J to this proposal, and opens it. */
async function openProposal(page: Page, approvalUrl: string): Promise<void> {
  await pressUntil(page, ["g", "a"], () => expect(page).toHaveURL(/\/approvals$/, { timeout: 25_000 }));
  const { pathname, search } = new URL(approvalUrl);
  const link = page.locator("#waiting, [data-queue] li").locator(`a[href="${pathname}${search}"]`);
  // From four proposals on, they are grouped by route.
  await expect(link).toBeAttached();
  const route = page
    .locator("[data-queue] details")
    .filter({ has: page.locator(`li > a[href="${pathname}${search}"]`) })
    .locator("summary");
  if ((await route.count()) > 0) {
    await reach(route, "j");
    // Right after other keys, Enter is typing.
    await pressUntil(page, ["Enter"], () => expect(link).toBeVisible({ timeout: 2_000 }));
  }
  await reach(link, "j");
  await page.keyboard.press("k");
  await reach(link, "j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(approvalUrl);
}

/** Finds something by ⌘K and goes there. */
async function goByPalette(page: Page, words: string, address: RegExp | string): Promise<void> {
  const palette = page.getByRole("dialog", { name: "Go, find or do" });
  const field = palette.getByRole("combobox");
  await pressUntil(page, ["ControlOrMeta+k"], () => expect(field).toBeFocused({ timeout: 4_000 }));
  await page.keyboard.type(words);
  await expect(palette.getByRole("option", { name: words }).first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(address);
}

test.describe
  .serial("without a mouse", () => {
    let context: BrowserContext;
    let page: Page;

    test.beforeAll(async ({ browser }) => {
      context = await browser.newContext();
      page = await context.newPage();
      const owner = demo().members.find(({ role }) => role === "OWNER");
      await page.goto(`${demo().appUrl}/sign-in`);
      await reach(page.getByLabel("Email"));
      await page.keyboard.type(owner?.email ?? "");
      await reach(page.getByLabel("Password"));
      await page.keyboard.type(owner?.password ?? "");
      await page.keyboard.press("Enter");
      await expect(page).not.toHaveURL(/sign-in/);
    });

    test.afterAll(() => context.close());

    test("an owner approves: goes to the list, down to the proposal, opens it, and approves it", async () => {
      const transfer = await propose({ amountInCents: 40_611 });
      await openProposal(page, transfer.approvalUrl);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/\$406\.11/);
      // Tab reaches the button too, for people who turned single-key shortcuts off.
      await reach(page.getByRole("button", { name: /^Approve/ }).filter({ visible: true }));
      await page.keyboard.press("a");
      const approve = page.getByRole("button", { name: /^Approve/ }).filter({ visible: true });
      await expect(page.getByText("Press again to approve $406.11.").filter({ visible: true })).toBeVisible();
      await expect(approve).toBeFocused();
      expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");
      await page.keyboard.press("a");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$406\.11/);
      await expect.poll(async () => (await readTransfer(transfer.id)).status).toBe("COMPLETE");
    });

    test("a password typed beside its field opens, decides and leaves nothing", async () => {
      const transfer = await propose({ amountInCents: 40_655 });
      await openProposal(page, transfer.approvalUrl);
      const approve = page.getByRole("button", { name: /^Approve/ }).filter({ visible: true });
      await expect(approve).toBeEnabled();
      // Soon after the keys of the list, it is typing; soon after the page changed, it rests.
      await pressUntil(page, ["a"], () => expect(approve).toBeFocused({ timeout: 2_000 }));
      // The member expects the password's dialog, and types on.
      await page.keyboard.type("madame dread", { delay: 60 });
      await page.keyboard.press("Enter");
      await expect(approve).not.toBeFocused();
      await expect(page.getByText(/^Press again/)).toHaveCount(0);
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page).toHaveURL(transfer.approvalUrl);
      expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");
    });

    test("an owner denies with a note; the dialog keeps the focus and returns it, and typing decides nothing", async () => {
      const before = await readBalance("Operating");
      const transfer = await propose({ amountInCents: 40_722 });
      await openProposal(page, transfer.approvalUrl);
      const deny = page.getByRole("button", { name: /^Deny/ }).filter({ visible: true });
      const dialog = page.getByRole("dialog", { name: /^Deny \$407\.22 from Operating to / });
      const note = dialog.getByLabel(/^Note/);
      await reach(deny);
      await page.keyboard.press("Enter");
      await expect(note).toBeFocused();
      await keepsFocus(dialog, deny);
      expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");

      await page.keyboard.press("d");
      await expect(note).toBeFocused();
      await page.keyboard.type("A duplicate, and paid");
      await expect(note).toHaveValue("A duplicate, and paid");
      expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");
      await reach(dialog.getByRole("button", { name: "Deny transfer" }));
      await page.keyboard.press("Enter");
      await expect(dialog).toBeHidden();
      await expect.poll(async () => (await readTransfer(transfer.id)).status).toBe("APPROVAL_DENIED");
      expect(await readBalance("Operating")).toBe(before);
    });

    test("an owner creates a key: by ⌘K to the form, through its fields, and on with the secret that is shown once", async () => {
      await goByPalette(page, "New API key", /\/settings\/api-keys\/new$/);
      await reach(page.getByLabel("Name", { exact: true }));
      await page.keyboard.type("claude-keyboard");
      await reach(page.getByRole("checkbox", { name: /^Make transfers/ }));
      await page.keyboard.press("Space");
      await reach(page.getByLabel("Route 1, from"));
      await page.keyboard.type("Operating");
      await reach(page.getByLabel("Route 1, to"));
      await page.keyboard.type("Taxes");
      await reach(page.getByLabel(/^Route 1, up to/));
      await page.keyboard.type("500.00");
      await expect(page.getByRole("region", { name: "In plain words" })).toContainText(
        "claude-keyboard can ask you to move up to $500.00 at a time from Operating to Taxes.",
      );
      await reach(page.getByRole("button", { name: /^Create key/ }));
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: "claude-keyboard is ready" })).toBeVisible();

      const saved = page.getByRole("button", { name: "I saved the key" });
      const warning = page.getByRole("dialog", { name: "You have not copied the key" });
      await reach(saved);
      await page.keyboard.press("Enter");
      await expect(warning).toBeVisible();
      await keepsFocus(warning, saved);
      await page.keyboard.press("Enter");
      await reach(warning.getByRole("button", { name: "I saved it another way" }));
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/settings\/api-keys\/[0-9a-f-]{36}$/);
    });

    test("an owner activates a rule: finds it by its name, reads what follows, and confirms", async () => {
      const rule = await proposeRule("Rent by keyboard");
      await goByPalette(page, "Rent by keyboard", rule.activationUrl);
      const activate = page.getByRole("button", { name: "Activate version 1" });
      const dialog = page.getByRole("alertdialog", { name: "Activate version 1?" });
      await reach(activate);
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("button", { name: "Activate", exact: true })).toBeFocused();
      await seesFocus(page);
      await keepsFocus(dialog, activate);
      expect((await readRule(rule.id)).status).toBe("INACTIVE");

      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("button", { name: "Activate", exact: true })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByText("Version 1, active")).toBeVisible();
      expect(await readRule(rule.id)).toMatchObject({ status: "ACTIVE", activeVersion: 1 });
    });
  });

const readRule = async (id: string) => ruleSchema.parse(await callApi("GET", `/rules/${id}`));

/** A rule that waits for its activation, on a pod of its own: no other journey's arrivals start it. */
async function proposeRule(name: string) {
  const pod = accountSchema.parse(
    await callApi("POST", "/accounts", { type: "POD", name: "Kept by keyboard" }),
  );
  const rule = writtenRuleSchema.parse(
    await callApi("POST", "/rules", {
      name,
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: pod.id },
      steps: [
        {
          conditions: {
            all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 100_000 }],
          },
          actions: [
            {
              type: "PERCENTAGE",
              sourceAccountId: pod.id,
              destinationAccountId: accountId("Profit"),
              group: 0,
              percentage: 25,
              of: "INCOMING_AMOUNT",
            },
          ],
        },
      ],
    }),
  );
  return { id: rule.id, activationUrl: z.string().parse(rule.activationUrl) };
}
