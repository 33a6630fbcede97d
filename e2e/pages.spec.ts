import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { demo, propose, signIn } from "@/e2e/journey";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of WCAG 2.2 A and AA; injected, since the wrapper package needs a newer Node. */
async function findAxeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (
          root: Document,
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
      };
    };
    const { violations } = await axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
    );
  });
}

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
      await page.goto(`${demo().appUrl}/sign-in`);
      expect(await findAxeViolations(page)).toEqual([]);
      await signIn(page, "OWNER");
      for (const path of [
        `/?approvalTransferId=${transfer.id}`,
        "/approvals",
        "/approvals?decided=denied",
        "/accounts",
        "/settings/security",
        "/mailbox",
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

async function signedIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${demo().appUrl}/sign-in`);
  await signIn(page, "OWNER");
  return page;
}

test("the approval page holds its facts in the first HTML and ships under 150 kB of JavaScript", async ({
  context,
}) => {
  const transfer = await propose({ amountInCents: 92_800, reasonForApproval: "In the very first bytes." });
  const page = await signedIn(context);
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
  let scriptBytes = 0;
  page.on("response", async (response) => {
    if (response.request().resourceType() !== "script") return;
    scriptBytes += gzipSync(await response.body()).byteLength;
  });
  await page.goto(transfer.approvalUrl, { waitUntil: "networkidle" });
  expect(scriptBytes).toBeGreaterThan(10_000);
  expect(scriptBytes).toBeLessThan(150_000);
});
