import { expect, test } from "@playwright/test";
import { propose, signInWithoutForm } from "@/e2e/support/journey";

test("the approval page holds its facts in the first HTML", async ({ context }) => {
  const transfer = await propose({ amountInCents: 92_800, reasonForApproval: "In the very first bytes." });
  const page = await context.newPage();
  await signInWithoutForm(page, "OWNER");
  const html = await (await context.request.get(transfer.approvalUrl)).text();
  for (const fact of [
    "Operating",
    "Taxes",
    "In the very first bytes.",
    "What will happen",
    "Checks",
    "928",
  ]) {
    expect(html).toContain(fact);
  }
});
