import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { accountId, demo, hasSession, openSignedIn, signInWithoutForm } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

const KEYS = "/settings/api-keys";

async function open(page: Page, path: string): Promise<void> {
  if (!(await hasSession(page, demo().appUrl))) await signInWithoutForm(page);
  await page.goto(`${demo().appUrl}${path}`);
}

/** Creates a key that may propose transfers between two accounts and read accounts; returns its text. */
async function makeKey(page: Page, name: string): Promise<string> {
  await open(page, `${KEYS}/new`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel(/^Make transfers/).check();
  await page.getByLabel("Route 1, from").selectOption({ label: "Operating" });
  await page.getByLabel("Route 1, to").selectOption({ label: "Taxes" });
  await page.getByLabel(/^Route 1, up to/).fill("500.00");
  await page.getByLabel(/^Read accounts/).check();
  const stated = page.getByRole("region", { name: "In plain words" });
  await expect(stated).toContainText(
    `${name} can ask you to move up to $500.00 at a time from Operating to Taxes. It reads the balances of all accounts. Nothing moves until you approve.`,
  );
  await page.getByRole("button", { name: /^Create key/ }).click();
  await expect(page.getByRole("heading", { name: `${name} is ready` })).toBeVisible();
  return (await page.locator("[data-secret] code").textContent()) ?? "";
}

function ask(keyText: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${demo().apiUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${keyText}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const proposal = (amountInCents: number) => ({
  sourceAccountId: accountId("Operating"),
  destinationAccountId: accountId("Taxes"),
  amountInCents,
  reasonForApproval: "Quarterly tax.",
});

test("a key is created, shows its first request, and is revoked with its waiting proposals", {
  tag: "@gate",
}, async ({ page }) => {
  const keyText = await makeKey(page, "claude-journey");
  expect(keyText).toMatch(/^sluice_[0-9A-Za-z]{38}$/);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(page.url()).not.toContain("sluice_");

  await expect(page.getByText("Waiting for its first request.")).toBeVisible();
  const first = await ask(keyText, "POST", "/transfers", proposal(43_200));
  expect(first.status).toBe(202);
  await expect(page.getByText("First request received. The key works.")).toBeVisible();
  expect((await ask(keyText, "POST", "/transfers", proposal(50_001))).status).toBe(403);

  // Leaving without the key is held back once.
  await page.getByRole("button", { name: "I saved the key" }).click();
  const warning = page.getByRole("dialog", { name: "You have not copied the key" });
  expect(await findAxeViolations(page)).toEqual([]);
  await warning.getByRole("button", { name: "Back to the key" }).click();
  await page
    .getByRole("navigation", { name: "Main", exact: true })
    .getByRole("link", { name: "Accounts" })
    .click();
  await warning.getByRole("button", { name: "Back to the key" }).click();
  await expect(page.locator("[data-secret] code")).toHaveText(keyText);
  await page.getByRole("button", { name: "I saved the key" }).click();
  await warning.getByRole("button", { name: "I saved it another way" }).click();

  await expect(page.getByRole("heading", { name: "claude-journey" })).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/api-keys\/[0-9a-f-]{36}$/);
  // Shown once: neither the page nor the server's data for it contains the key.
  expect(await (await page.request.get(page.url())).text()).not.toContain(keyText);
  await expect(page.getByText("2 requests in 30 days, 1 failed: 1 MAXIMUM_AMOUNT_EXCEEDED.")).toBeVisible();
  // The clock minute may have ended in between.
  await expect(page.getByText(/^[0-2] of 100 requests$/)).toBeVisible();

  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke claude-journey?" });
  await expect(dialog).toContainText("Its waiting proposal of $432.00 is denied.");
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Revoke and deny 1" }).click();
  await expect(page.getByText(/^Revoked by Mara Okafor/)).toBeVisible();
  expect((await ask(keyText, "GET", "/accounts")).status).toBe(401);

  await page
    .getByRole("link", { name: /Operating.*Taxes/ })
    .first()
    .click();
  await expect(
    page.getByRole("heading", { name: /Key revoked: \$432\.00 stays in Operating/ }),
  ).toBeVisible();
  await page.goto(`${demo().appUrl}${KEYS}`);
  await expect(page.getByRole("link", { name: "claude-journey" })).toHaveCount(0);
  await page.getByRole("link", { name: /^Show/ }).click();
  await expect(page.getByRole("link", { name: "claude-journey" })).toBeVisible();
});

test("a replaced key keeps working for a while beside its replacement", async ({ page }) => {
  const oldText = await makeKey(page, "claude-replaced");
  await page.getByRole("button", { name: "I saved the key" }).click();
  await page.getByRole("button", { name: "I saved it another way" }).click();
  const oldUrl = /\/settings\/api-keys\/[0-9a-f-]{36}$/;
  await expect(page).toHaveURL(oldUrl);
  const before = page.url();
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("1 more hour").check();
  await page.getByRole("button", { name: "Replace key" }).click();
  const dialog = page.getByRole("dialog", { name: "claude-replaced has a new secret" });
  const newText = (await dialog.locator("[data-secret] code").textContent()) ?? "";
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  expect((await ask(oldText, "GET", "/accounts")).status).toBe(200);
  expect((await ask(newText, "GET", "/accounts")).status).toBe(200);
  await expect(dialog.getByText("First request received. The key works.")).toBeVisible();
  await dialog.getByLabel("I saved the key").check();
  await dialog.getByRole("button", { name: "Go to the new key" }).click();
  await expect(page.getByText("Replaces")).toBeVisible();
  await page.goto(before);
  await expect(page.getByText(/^Replaced, ends/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Replace" })).toHaveCount(0);
});

test("a viewer reads keys, and creates, replaces and revokes none", async ({ page }) => {
  await openSignedIn(page, `${demo().appUrl}${KEYS}`, "VIEWER");
  await expect(page.getByRole("heading", { name: /can act for you/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "New key" })).toHaveCount(0);
  await page.goto(`${demo().appUrl}${KEYS}/new`);
  await expect(page.getByRole("heading", { name: "Owners and co-owners create keys" })).toBeVisible();
  await page.goto(`${demo().appUrl}${KEYS}`);
  await page.getByRole("link", { name: "claude-bookkeeping" }).click();
  await expect(page.getByText("Maximum per day").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /Revoke|Replace/ })).toHaveCount(0);
});

test("a key that moves money without approval waits above its daily cap, which a person lowers at once", async ({
  page,
}) => {
  await open(page, `${KEYS}/new`);
  await page.getByLabel("Name", { exact: true }).fill("claude-capped");
  await page.getByLabel(/^Make transfers/).check();
  await page.getByLabel("Route 1, from").selectOption({ label: "Operating" });
  await page.getByLabel("Route 1, to").selectOption({ label: "Taxes" });
  await expect(page.getByLabel("Daily cap")).toHaveCount(0);
  await page.getByRole("switch", { name: "Require approval each time" }).click();
  await page.getByLabel("Daily cap").fill("4o");
  await page.getByRole("button", { name: /^Create key/ }).click();
  await expect(page.getByText("Enter an amount like 5,000.00, or leave it empty for no cap.")).toBeVisible();
  await page.getByLabel("Daily cap").fill("40");
  await expect(page.getByRole("region", { name: "In plain words" })).toContainText(
    "Nobody is asked before it moves money, up to $40.00 within 24 hours.",
  );
  await page.getByRole("button", { name: /^Create key/ }).click();
  await expect(page.getByRole("heading", { name: "claude-capped is ready" })).toBeVisible();
  const keyText = (await page.locator("[data-secret] code").textContent()) ?? "";

  const within = z.object({ data: z.object({ status: z.string(), approvalUrl: z.string().nullable() }) });
  const move = async (cents: number) =>
    within.parse(await (await ask(keyText, "POST", "/transfers", proposal(cents))).json()).data;
  expect((await move(3_000)).status).toBe("PROCESSING");
  const held = await move(1_500);
  expect(held.status).toBe("APPROVAL_PENDING");

  await page.getByRole("button", { name: "I saved the key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I saved it another way" }).click();
  await expect(page.getByText("$30.00 of $40.00 in the last 24 hours")).toBeVisible();
  await expect(page.getByText("Reached its daily cap")).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Change the cap" }).click();
  const dialog = page.getByRole("dialog", { name: "Daily cap of claude-capped" });
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByLabel(/^Most it may move within 24 hours/).fill("30");
  await dialog.getByRole("button", { name: "Change the cap" }).click();
  await expect(page.getByText("$30.00 of $30.00 in the last 24 hours")).toBeVisible();

  await page.goto(held.approvalUrl ?? "");
  await expect(page.getByText("Above this key’s daily cap of $40.00")).toBeVisible();
  await expect(
    page.getByText(/^Needs approval because it is above the daily cap of claude-capped, \$40.00/),
  ).toBeVisible();
});
