import { gzipSync } from "node:zlib";
import { type BrowserContext, expect, test } from "@playwright/test";
import { z } from "zod";
import { findAxeViolations } from "@/e2e/axe";
import { accountId, callApi, demo, propose, signIn } from "@/e2e/journey";

const SIZES = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
] as const;

for (const { name, viewport } of SIZES) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`every page passes axe and fits its width (${name}, ${colorScheme})`, async ({ browser }) => {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const transfer = await propose({ amountInCents: 91_700, reasonForApproval: "Looked at by axe." });
      const split = await readSplit();
      await page.goto(`${demo().appUrl}/sign-in`);
      expect(await findAxeViolations(page)).toEqual([]);
      await signIn(page, "OWNER");
      for (const path of [
        `/?approvalTransferId=${transfer.id}`,
        `/?approvalTransferId=${split.waitingRunId}`,
        "/approvals",
        "/approvals?decided=denied",
        "/accounts",
        "/accounts/new",
        `/accounts/${accountId("Operating")}`,
        `/accounts/${accountId("Operating")}/edit`,
        `/accounts/${accountId("Operating")}/close`,
        `/accounts/${accountId("Summit Visa")}`,
        "/rules",
        `/rules/${split.id}`,
        `/rules/${split.id}/runs`,
        "/rules/new",
        "/rules/new/edit",
        "/rules/new/edit?template=profit-first",
        "/rules/new/edit?template=pay-off-card",
        "/settings",
        "/settings/security",
        "/settings/notifications",
        "/settings/members",
        "/settings/beneficiaries",
        "/help",
        "/settings/api-keys",
        "/settings/api-keys/new",
        "/settings/assistants",
        "/mailbox",
        "/sandbox",
        "/docs",
        "/docs/createTransfer",
        "/docs/errors",
        "/docs/assistants",
        "/nothing-here",
      ]) {
        await page.goto(`${demo().appUrl}${path}`);
        expect({ path, violations: await findAxeViolations(page) }).toEqual({ path, violations: [] });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect({ path, overflow: Math.max(0, overflow) }).toEqual({ path, overflow: 0 });
      }
      await context.close();
    });
  }
}

const itemsOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ items: z.array(z.object(shape)) });

/** The demo's rule that has a version to activate and a run that waits for approval. */
async function readSplit(): Promise<{ id: string; waitingRunId: string }> {
  const rules = itemsOf({ id: z.string(), name: z.string() }).parse(
    await callApi("GET", "/rules?pageSize=100"),
  );
  const id = rules.items.find(({ name }) => name === "Split client payments")?.id ?? "";
  const runs = itemsOf({ id: z.string(), status: z.string() }).parse(
    await callApi("GET", `/rules/${id}/executions`),
  );
  return { id, waitingRunId: runs.items.find(({ status }) => status === "APPROVAL_PENDING")?.id ?? "" };
}

async function signedIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${demo().appUrl}/sign-in`);
  await signIn(page, "OWNER");
}

test("the approval page holds its facts in the first HTML and ships under 150 kB of JavaScript", async ({
  context,
}) => {
  const transfer = await propose({ amountInCents: 92_800, reasonForApproval: "In the very first bytes." });
  await signedIn(context);
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
  const fresh = await context.newPage();
  const scripts = new Set<string>();
  fresh.on("request", (request) => {
    if (request.resourceType() === "script") scripts.add(request.url());
  });
  await fresh.goto(transfer.approvalUrl, { waitUntil: "networkidle" });
  let scriptBytes = 0;
  for (const url of scripts) {
    scriptBytes += gzipSync(await (await context.request.get(url)).body()).byteLength;
  }
  expect(scriptBytes).toBeGreaterThan(10_000);
  expect(scriptBytes).toBeLessThan(150_000);
});
