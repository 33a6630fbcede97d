import { expect, type Page, test } from "@playwright/test";
import { ageSignIns, joinDatabase } from "@/e2e/support/join-database";
import { accountId, demo, openSignedIn, readBalance, readTransfer } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";
import { addVirtualAuthenticator } from "@/e2e/support/virtual-authenticator";

async function open(page: Page, path: string, role: "OWNER" | "CO_OWNER" | "VIEWER"): Promise<void> {
  await openSignedIn(page, `${demo().appUrl}${path}`, role);
}

/** Adds a passkey of this browser. */
async function enroll(page: Page): Promise<void> {
  await page.goto(`${demo().appUrl}/settings/security`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByLabel(/Name/).fill("For moving");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Add|Make/ })
    .click();
  await page.getByRole("dialog").getByRole("checkbox").check();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Done|Close|saved/i })
    .click();
  await expect(page.getByText("For moving")).toBeVisible();
}

/** However this journey ends, the others find this member without a passkey. */
test.afterAll(async () => {
  const { ownerPool, close } = await joinDatabase();
  const coOwner = demo().members.find(({ role }) => role === "CO_OWNER");
  for (const table of ["passkeys", "recovery_codes"]) {
    await ownerPool.query(`delete from ${table} where user_id = (select id from users where email = $1)`, [
      coOwner?.email,
    ]);
  }
  await close();
});

function movedId(page: Page): string {
  return new URL(page.url()).searchParams.get("approvalTransferId") ?? "";
}

test("a co-owner sees what a move does, confirms it with a passkey, and finds it on the printed statement", async ({
  page,
  context,
}) => {
  const authenticator = await addVirtualAuthenticator(context, page);
  await open(page, "/accounts", "CO_OWNER");
  await enroll(page);
  await page.goto(`${demo().appUrl}/accounts`);
  await page.getByRole("link", { name: "Move money", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Move money");
  await expect(page.getByRole("button", { name: /^Move/ })).toBeDisabled();

  const before = await readBalance("Profit");
  await page.getByLabel("How much").fill("31.5");
  await page.getByLabel("From").selectOption(accountId("Profit"));
  await page.getByLabel("To", { exact: true }).selectOption(accountId("Owner’s pay"));
  await page.getByLabel("ACH label").fill("TOP UP");
  await page.getByLabel("Note for your team").fill("Bridge until Halden pays");
  const move = page.getByRole("button", { name: "Move $31.50 with passkey" });
  await expect(move).toBeEnabled();
  await expect(page.getByRole("row", { name: /^Together/ })).toContainText("$0.00");
  expect(await findAxeViolations(page)).toEqual([]);

  await authenticator.setPresent(false);
  await move.click();
  await expect(page.getByText(/Your passkey was canceled/)).toBeVisible();
  expect(await readBalance("Profit")).toBe(before);

  await authenticator.setPresent(true);
  await move.click();
  await expect(page).toHaveURL(/approvalTransferId=/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$31\.50 to Owner’s pay/);
  await expect.poll(async () => (await readTransfer(movedId(page))).status).toBe("COMPLETE");
  expect(await readTransfer(movedId(page))).toMatchObject({ origin: "USER", amountInCents: 3_150 });
  expect(await readBalance("Profit")).toBe(before - 3_150);

  await page.goto(`${demo().appUrl}/accounts/${accountId("Profit")}/statement`);
  await expect(page.getByRole("row", { name: /To Owner’s pay/ }).last()).toContainText("−$31.50");
  expect(await findAxeViolations(page)).toEqual([]);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print or save as PDF" })).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Main", exact: true })).toBeHidden();
  await expect(page.getByRole("row", { name: /^Closing balance/ })).toBeVisible();
  expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("an owner without a passkey moves money with the password, never more than available; a viewer reads why they cannot", async ({
    page,
    browser,
  }) => {
    const [from, to] = [accountId("Owner’s pay"), accountId("Profit")];
    await open(page, `/transfers/new?from=${from}&to=${to}&amountInCents=900000000`, "OWNER");
    const move = page.getByRole("button", { name: /^Move \$/ });
    await expect(page.getByText(/Owner’s pay doesn’t have enough/).first()).toBeVisible();
    await expect(move).toBeDisabled();

    const owner = demo().members.find(({ role }) => role === "OWNER");
    await ageSignIns(owner?.email ?? "");
    await page.reload();
    await page.getByLabel("How much").fill("12.50");
    await expect(page.getByRole("button", { name: "Move $12.50 with password", exact: true })).toBeEnabled();
    await move.click();
    const dialog = page.getByRole("dialog", { name: "Move $12.50 from Owner’s pay to Profit" });
    await dialog.getByLabel("Your password").fill("not it, certainly");
    await dialog.getByRole("button", { name: "Move it" }).click();
    await expect(dialog.getByText(/That is not your password/)).toBeVisible();
    await dialog.getByLabel("Your password").fill(owner?.password ?? "");
    await dialog.getByRole("button", { name: "Move it" }).click();
    await expect(page).toHaveURL(/approvalTransferId=/);
    await expect.poll(async () => (await readTransfer(movedId(page))).status).toBe("COMPLETE");

    const viewer = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await open(viewer, `/transfers/new?from=${from}&to=${to}&amountInCents=1250`, "VIEWER");
    await expect(viewer.getByText("You can’t move money")).toBeVisible();
    await expect(viewer.getByLabel("How much")).toHaveCount(0);
    await viewer.context().close();
  });
});

test("a reload keeps what was typed and the same draft, and a link to the form starts a new one", async ({
  page,
}) => {
  await open(page, "/transfers/new", "OWNER");
  const sentDrafts: string[] = [];
  page.on("request", (request) => {
    const draftId = request.postData()?.match(/"draftId":"([^"]+)"/)?.[1];
    if (draftId) sentDrafts.push(draftId);
  });
  await page.getByLabel("How much").fill("12.34");
  await page.getByLabel("From").selectOption(accountId("Operating"));
  await page.getByLabel("To", { exact: true }).selectOption(accountId("Taxes"));
  await page.getByLabel("Note for your team").fill("Kept over a reload");
  await expect(page.getByRole("button", { name: /^Move \$12\.34/ })).toBeEnabled();
  await page.reload();
  await expect(page.getByLabel("How much")).toHaveValue("12.34");
  await expect(page.getByLabel("From")).toHaveValue(accountId("Operating"));
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(accountId("Taxes"));
  await expect(page.getByLabel("Note for your team")).toHaveValue("Kept over a reload");
  await expect(page.getByRole("button", { name: /^Move \$12\.34/ })).toBeEnabled();
  // With another id, a move whose answer was lost would move again.
  expect(new Set(sentDrafts).size).toBe(1);
  await page.getByRole("link", { name: "Movements" }).first().click();
  // Until then the form is there, with its link to move money from a file.
  await expect(page).toHaveURL(/\/transfers$/);
  await page.getByRole("link", { name: "Move money", exact: true }).click();
  await expect(page.getByLabel("How much")).toHaveValue("");
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("typed"))),
  ).toEqual([]);
});
