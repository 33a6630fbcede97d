import { expect, test } from "@playwright/test";
import { button, openSignedIn, propose, readTransfer } from "@/e2e/support/journey";
import { findLookFaults } from "@/e2e/support/page-checks";

/** A member lowers a proposal on its page, sees what that would do, and approves exactly that. */
for (const { name, viewport, colorScheme } of [
  { name: "desktop, light", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const) {
  test(`a proposal is approved for less, and its program sees both amounts (${name})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const proposal = await propose({
      to: "Profit",
      amountInCents: 9_860,
      reasonForApproval: `Less on a ${name}`,
    });
    await openSignedIn(page, proposal.approvalUrl);
    await page.getByText("Approve less", { exact: true }).locator("visible=true").click();
    const field = page.getByLabel("Amount to approve").locator("visible=true");
    await field.fill("9,860.01");
    await expect(
      page.getByText("$98.60 was proposed. You can only lower it.").locator("visible=true"),
    ).toBeVisible();
    await field.fill("60.50");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /^Move \$60\.50 from Operating to Profit\?$/,
    );
    await expect(page.getByText("Proposed: $98.60")).toBeVisible();
    await expect(page.getByText("$38.10 of the proposed $98.60 does not move.")).toBeVisible();
    // The title of the page that was read again arrives after its content.
    await expect(page).toHaveTitle(/^Approval/);
    expect(await findLookFaults(page)).toEqual([]);
    // It stays: no other field of the page changes it back.
    await expect(button(page, /^Approve \$60\.50/)).toBeEnabled();
    await button(page, /^Approve \$60\.50/).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("You approved $60.50");
    expect(await readTransfer(proposal.id)).toMatchObject({
      status: "COMPLETE",
      amountInCents: 9_860,
      approvedAmountInCents: 6_050,
    });
    await context.close();
  });
}
