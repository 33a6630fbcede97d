import { expect, type FileChooser, type Page, test } from "@playwright/test";
import { button, callApi, openSignedIn, pressUntil, propose, readTransfer } from "@/e2e/support/journey";
import { findAxeViolations, findLookFaults } from "@/e2e/support/page-checks";
import { samplePdf, samplePng } from "@/lib/testing/documents";

async function attach(transferId: string, name: string, content: Buffer) {
  const body = { name, contentBase64: content.toString("base64") };
  return callApi("POST", `/transfers/${transferId}/documents`, body);
}

test.describe("a document on a proposal", () => {
  for (const { name, viewport } of [
    { name: "desktop", viewport: { width: 1440, height: 900 } },
    { name: "phone", viewport: { width: 390, height: 844 } },
  ] as const) {
    test(`comes from a key, is seen beside the reason, and stays on the transfer's page once approved (${name})`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      const transfer = await propose({
        amountInCents: 21_200,
        reasonForApproval: "Invoice RP-2211 for 500 cards. The invoice is attached.",
      });
      await attach(transfer.id, "RP-2211.pdf", samplePdf(`Invoice RP-2211, 500 cards, on a ${name}`));
      await openSignedIn(page, transfer.approvalUrl);
      const section = page.getByRole("region", { name: "Document", exact: true });
      await expect(section.getByText("RP-2211.pdf").first()).toBeVisible();
      await expect(section.getByText("Sluice has not checked what it says.")).toBeVisible();
      expect(await findAxeViolations(page)).toEqual([]);
      expect(await findLookFaults(page)).toEqual([]);
      await page.setViewportSize(viewport);

      const downloading = page.waitForEvent("download");
      await section.getByRole("link", { name: "Download RP-2211.pdf" }).click();
      expect((await downloading).suggestedFilename()).toBe("RP-2211.pdf");

      await expect(button(page, /^Approve/)).toBeVisible();
      if (name === "phone") await expect(page.getByText(/moves immediately\. 1\sdocument\.$/)).toBeVisible();
      await button(page, /^Approve/).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/You approved \$212\.00/);
      await expect(page.getByText("RP-2211.pdf").first()).toBeVisible();
      await expect.poll(async () => (await readTransfer(transfer.id)).status).toBe("COMPLETE");
      await page.goto(new URL(`/transfers/${transfer.id}`, transfer.approvalUrl).href);
      await expect(page.getByText("RP-2211.pdf").first()).toBeVisible();
    });
  }

  test("that was added since the page was loaded stops the approval and is named", async ({ page }) => {
    const transfer = await propose({ amountInCents: 21_300 });
    await openSignedIn(page, transfer.approvalUrl);
    await expect(button(page, /^Approve/)).toBeVisible();
    // Before the page notices by itself.
    await page.route("**/approvals/*/version*", (route) => route.abort());
    await attach(transfer.id, "Late.pdf", samplePdf("Late"));
    await button(page, /^Approve/).click();
    // In the panel, or in the bar of a phone.
    const notice = page.getByText(/A document was added since you looked: “Late\.pdf”/);
    await expect(notice.filter({ visible: true })).toHaveCount(1);
    expect((await readTransfer(transfer.id)).status).toBe("APPROVAL_PENDING");
  });

  test("is served in a sandbox, as the type of its bytes, and not without a session", async ({
    page,
    request,
  }) => {
    const transfer = await propose({ amountInCents: 21_400 });
    await attach(transfer.id, "Receipt “A”.png", samplePng(90));
    await openSignedIn(page, transfer.approvalUrl);
    const picture = page.getByRole("img", { name: "Receipt “A”.png" });
    await expect(picture).toBeVisible();
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(64);
    const address = (await picture.getAttribute("src")) ?? "";
    const answer = await page.request.get(new URL(address, transfer.approvalUrl).href);
    expect(answer.status()).toBe(200);
    const headers = answer.headers();
    expect(headers["content-type"]).toBe("image/png");
    expect(headers["content-security-policy"]).toContain("sandbox; default-src 'none'");
    expect(headers["x-content-type-options"]).toContain("nosniff");
    expect(headers["cache-control"]).toContain("no-store");
    expect(headers["content-disposition"]).toBe(
      `inline; filename="Receipt _A_.png"; filename*=UTF-8''Receipt%20%E2%80%9CA%E2%80%9D.png`,
    );
    expect((await request.get(new URL(address, transfer.approvalUrl).href)).status()).toBe(401);
  });

  test("opens beside a review by its key", async ({ page }) => {
    const transfer = await propose({ amountInCents: 21_600 });
    await attach(transfer.id, "RP-2216.png", samplePng(90));
    await openSignedIn(page, new URL(`/approvals/review?at=${transfer.id}`, transfer.approvalUrl).href);
    await expect(page.getByRole("link", { name: "Open the document" })).toBeVisible();
    const popups: Page[] = [];
    page.on("popup", (popup) => popups.push(popup));
    await pressUntil(page, ["o"], async () => {
      await expect
        .poll(() => popups.at(-1)?.url(), { timeout: 5_000 })
        .toContain(`/documents/${transfer.id}/`);
    });
  });

  test("is added by a member to what waits, and to money that they move", async ({ page }) => {
    const transfer = await propose({ amountInCents: 21_500 });
    await openSignedIn(page, transfer.approvalUrl);
    const file = { name: "Contract.pdf", mimeType: "application/pdf", buffer: samplePdf("Contract") };
    await page.getByLabel("Add a document").setInputFiles(file);
    await expect(page.getByText("Contract.pdf").first()).toBeVisible();
    const html = { name: "Invoice.pdf", mimeType: "application/pdf", buffer: Buffer.from("<html>") };
    await page.getByLabel("Add a document").setInputFiles(html);
    await expect(page.getByText(/not a whole PDF, JPEG or PNG/)).toBeVisible();

    await page.goto(new URL("/transfers/new", transfer.approvalUrl).href);
    await page.getByLabel("How much").fill("31.00");
    await page.getByLabel("From").selectOption({ index: 1 });
    await page.getByLabel("To").selectOption({ index: 1 });
    const documents = page.getByRole("region", { name: "Documents" });
    await documents.getByLabel("Add a document").setInputFiles(file);
    await expect(documents.getByText("Contract.pdf").first()).toBeVisible();
    await documents.getByRole("button", { name: "Remove Contract.pdf" }).click();
    await expect(documents.getByText("Contract.pdf")).toHaveCount(0);
  });

  test("keeps the focus beside the documents after the last one that fits", async ({ page }) => {
    const transfer = await propose({ amountInCents: 21_700 });
    await openSignedIn(page, transfer.approvalUrl);
    const section = page.getByRole("region", { name: /^Documents?$/ });
    for (const name of ["one.pdf", "two.pdf", "three.pdf"]) {
      await section.getByRole("button", { name: "Add a document" }).focus();
      const choosers: FileChooser[] = [];
      page.once("filechooser", (chooser) => choosers.push(chooser));
      await pressUntil(page, ["Enter"], () => expect.poll(() => choosers.length, { timeout: 5_000 }).toBe(1));
      const buffer = samplePdf(`${name} of ${transfer.id}`);
      await choosers[0]?.setFiles({ name, mimeType: "application/pdf", buffer });
      await expect(section.getByText(name).first()).toBeVisible();
    }
    await expect(section.getByRole("button", { name: "Add a document" })).toHaveCount(0);
    await expect(section.locator("a:focus")).toHaveCount(1);
  });
});
