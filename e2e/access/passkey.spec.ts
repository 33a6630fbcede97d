import { expect, type Page, test } from "@playwright/test";
import { button, demo, propose, readTransfer, signIn } from "@/e2e/support/journey";
import { addVirtualAuthenticator } from "@/e2e/support/virtual-authenticator";

async function enroll(page: Page, name: string): Promise<void> {
  await page.goto(`${demo().appUrl}/settings/security`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/Name/).fill(name);
  await dialog.getByRole("button", { name: /Add|Make/ }).click();
}

test.describe
  .serial("with a passkey", () => {
    test("a member enrolls, gets ten recovery codes once, signs in and approves with the passkey, and with nothing less", {
      tag: "@gate",
    }, async ({ page, context }) => {
      const authenticator = await addVirtualAuthenticator(context, page);
      await page.goto(`${demo().appUrl}/sign-in`);
      await signIn(page, "CO_OWNER");
      await enroll(page, "Jonas’ laptop");
      const codes = page.getByRole("dialog").getByRole("listitem");
      await expect(codes).toHaveCount(10);
      await page.getByRole("dialog").getByRole("checkbox").check();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Done|Close|saved/i })
        .click();
      await expect(page.getByText("Jonas’ laptop")).toBeVisible();

      await context.clearCookies();
      const transfer = await propose({ amountInCents: 61_400 });
      await page.goto(transfer.approvalUrl);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await expect(page).toHaveURL(transfer.approvalUrl);

      await authenticator.setPresent(false);
      await button(page, /^Approve with passkey/).click();
      await expect(page.getByText(/Not approved\. Your passkey was canceled\./).first()).toBeVisible();
      expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");

      await authenticator.setPresent(true);
      await button(page, /^Approve with passkey/).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$614\.00/);
      await expect.poll(async () => (await readTransfer(transfer.id)).status).toBe("COMPLETE");
      await expect(page.getByText(/with the passkey on Jonas’ laptop|passkey/).first()).toBeVisible();

      // So that the other journeys find this member without one.
      await page.goto(`${demo().appUrl}/settings/security`);
      await page
        .getByRole("button", { name: /Remove/ })
        .first()
        .click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Remove/ })
        .click();
      await expect(page.getByText("Jonas’ laptop")).toHaveCount(0);
    });
  });
