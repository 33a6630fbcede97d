import { expect, test } from "@playwright/test";
import { button, demo, openSignedIn, propose, readTransfer, signInWithoutForm } from "@/e2e/support/journey";
import { parseShown } from "@/lib/contract/shown";

test.describe("a viewer", () => {
  test("sees everything and is offered no decision", { tag: "@gate" }, async ({ page }) => {
    const transfer = await propose({ amountInCents: 71_500 });
    await openSignedIn(page, transfer.approvalUrl, "VIEWER");
    await expect(page.getByText("Waiting for approval").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Approve|Deny)/ })).toHaveCount(0);
  });

  test("is refused by the server, even with the owner's exact request", { tag: "@gate" }, async ({
    browser,
  }) => {
    const transfer = await propose({ amountInCents: 81_600 });
    const ownerPage = await browser.newPage();
    await openSignedIn(ownerPage, transfer.approvalUrl, "OWNER");
    // The owner's request is held back, and sent by the viewer instead.
    const sent = ownerPage.waitForRequest((request) => request.headers()["next-action"] !== undefined);
    await ownerPage.route(
      (url) => url.searchParams.get("approvalTransferId") === transfer.id,
      (route) => (route.request().method() === "POST" ? route.abort() : route.continue()),
    );
    await button(ownerPage, /^Approve/).click();
    const request = await sent;
    const viewer = await browser.newContext();
    const viewerPage = await viewer.newPage();
    await signInWithoutForm(viewerPage, "VIEWER");
    await viewerPage.goto(demo().appUrl);
    // As a page of the viewer's own would send it: one of another member is refused before the role counts.
    const ownShown = parseShown(await viewerPage.locator("main").getAttribute("data-shown"));
    const ownerShown = parseShown(await ownerPage.locator("main").getAttribute("data-shown"));
    if (!ownShown || !ownerShown) throw new Error("A page shows nobody");
    const { "next-action": action, "content-type": contentType, accept } = request.headers();
    const response = await viewer.request.post(transfer.approvalUrl, {
      headers: {
        "next-action": action ?? "",
        "content-type": contentType ?? "",
        accept: accept ?? "",
        origin: demo().appUrl,
      },
      data: (request.postData() ?? "").replace(ownerShown.userId, ownShown.userId),
    });
    expect(await response.text()).toContain("Only an owner or co-owner may do this. Nothing was changed.");
    expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");
    await viewer.close();
    await ownerPage.context().close();
  });
});
