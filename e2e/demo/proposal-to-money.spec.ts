import { expect, test } from "@playwright/test";
import { button, openSignedIn, propose, readBalance, readTransfer, signIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

test.describe("from a proposal to moved money", () => {
  test("the link asks for sign-in, returns to the same screen, and an approval moves the money", {
    tag: "@gate",
  }, async ({ page }) => {
    const before = { operating: await readBalance("Operating"), taxes: await readBalance("Taxes") };
    const transfer = await propose({
      amountInCents: 125_000,
      description: "Q4 TAX",
      reasonForApproval: "Setting aside Q4 estimated tax before 15 December.",
    });

    await page.goto(transfer.approvalUrl);
    await signIn(page);
    await expect(page).toHaveURL(transfer.approvalUrl);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /Move \$1,250\.00 from Operating to Taxes\?/,
    );
    await expect(page.getByText("“Setting aside Q4 estimated tax before 15 December.”")).toBeVisible();

    await button(page, /^Approve/).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$1,250\.00/);
    await expect.poll(async () => (await readTransfer(transfer.id)).status).toBe("COMPLETE");
    expect(await readBalance("Operating")).toBe(before.operating - 125_000);
    expect(await readBalance("Taxes")).toBe(before.taxes + 125_000);
    // The open page updates by itself.
    await expect(page.getByText("Settled").first()).toBeVisible();
  });

  test("opening the link decides nothing, however often and whatever opens it", async ({ page, request }) => {
    const transfer = await propose({ amountInCents: 30_100 });
    for (const method of ["GET", "HEAD"]) await request.fetch(transfer.approvalUrl, { method });
    await openSignedIn(page, transfer.approvalUrl);
    for (let visit = 0; visit < 3; visit++) await page.goto(transfer.approvalUrl);
    await expect(button(page, /^Approve/)).toBeVisible();
    expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");
  });

  test("a denial needs its own confirmation, keeps its note for members, and moves nothing", {
    tag: "@gate",
  }, async ({ page }) => {
    const before = await readBalance("Operating");
    const transfer = await propose({ amountInCents: 40_200 });
    await openSignedIn(page, transfer.approvalUrl);
    await button(page, /^Deny/).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel(/Note/)).toBeFocused();
    await dialog.getByLabel(/Note/).fill("Wait until invoice 318 is paid.");
    await dialog.getByRole("button", { name: "Deny transfer" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You denied \$402\.00 to/);
    await expect(page.getByText("“Wait until invoice 318 is paid.”")).toBeVisible();
    expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_DENIED");
    expect(JSON.stringify(await readTransfer(transfer.id))).not.toContain("invoice 318");
    expect(await readBalance("Operating")).toBe(before);
  });

  test("a denial can give the program a reason, which it reads and which stays on the page", async ({
    page,
  }) => {
    const transfer = await propose({ amountInCents: 40_300 });
    await openSignedIn(page, transfer.approvalUrl);
    await button(page, /^Deny/).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Reason for/).selectOption("Not now");
    await dialog.getByLabel(/In your words/).fill("After payday, please.");
    await expect(dialog.getByLabel("It may ask again from")).not.toHaveValue("");
    await dialog.getByRole("button", { name: "Deny transfer" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You denied \$403\.00 to/);
    await expect(page.getByText(/^Not now, until /)).toBeVisible();
    await expect(page.getByText("“After payday, please.”")).toBeVisible();
    expect((await readTransfer(transfer.id)).decision).toMatchObject({
      outcome: "DENIED",
      reason: { kind: "NOT_NOW", text: "After payday, please." },
    });
  });

  test("the second decider sees who decided", async ({ browser }) => {
    const transfer = await propose({ amountInCents: 50_300 });
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    await openSignedIn(first, transfer.approvalUrl, "OWNER");
    await openSignedIn(second, transfer.approvalUrl, "CO_OWNER");
    await button(first, /^Approve/).click();
    await expect(first.getByRole("heading", { level: 1 })).toHaveText(/You approved/);
    await button(second, /^Approve/).click();
    await expect(second.getByText(/Mara( Okafor)? approved this/).first()).toBeVisible();
    await first.context().close();
    await second.context().close();
  });

  test("money moves back by a proposal that is decided like any other", async ({ page }) => {
    const transfer = await propose({ from: "Operating", to: "Payroll", amountInCents: 12_300 });
    await openSignedIn(page, transfer.approvalUrl);
    await button(page, /^Approve/).click();
    await page
      .getByRole("link", { name: /Move it back/ })
      .filter({ visible: true })
      .first()
      .click();
    await expect(page.getByText("Reverses $123.00 from Operating to Payroll, which settled")).toBeVisible();
    await expect(page.getByLabel("Reason")).toBeVisible();
    expect(await findAxeViolations(page)).toEqual([]);
    const before = await readBalance("Payroll");
    await page.getByLabel("Reason").fill("Paid twice.");
    await page.getByRole("button", { name: "Propose moving it back" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /Move \$123\.00 back from Payroll to Operating\?/,
    );
    await expect(page.getByRole("link", { name: "$123.00 from Operating to Payroll" })).toBeVisible();
    // What agents must explain, people need not.
    await expect(page.getByText("Last used")).toHaveCount(0);
    expect(await readBalance("Payroll")).toBe(before);
    await button(page, /^Approve/).click();
    await expect.poll(() => readBalance("Payroll")).toBe(before - 12_300);
  });
});
