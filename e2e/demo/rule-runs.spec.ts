import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type ArrangedRuns, arrangeRuns } from "@/e2e/support/arrange-runs";
import { button, demo, openSignedIn } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

let runs: ArrangedRuns;
test.afterEach(() => runs.close());

async function open(
  context: BrowserContext,
  path: string,
  role: "OWNER" | "VIEWER" = "OWNER",
): Promise<Page> {
  const page = await context.newPage();
  await openSignedIn(page, `${demo().appUrl}${path}`, role);
  return page;
}

async function expectGoodPage(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(Math.max(0, overflow)).toBe(0);
}

test("a run shows its facts and how its amounts were calculated, and is replayed", async ({ context }) => {
  runs = await arrangeRuns("Split told");
  const page = await open(context, `/rules/${runs.ruleId}/runs/${runs.runId}`);
  const title = page.getByRole("heading", { level: 1 });
  await expect(async () => {
    await page.reload();
    await expect(title).toHaveText("$5,200.00 arrived, and $2,860.00 went to 2 pods");
  }).toPass();
  for (const fact of [
    "A deposit from Orbit Maps",
    "25% is $1,300.00",
    "so the condition is met",
    "2 of 2 settled",
  ]) {
    await expect(page.getByText(fact).first()).toBeVisible();
  }
  await button(page, /^Replay$/).click();
  await expect(page.getByText("all 2 amounts match", { exact: false })).toBeVisible();
  await expectGoodPage(page);
});

for (const { name, viewport, colorScheme } of [
  { name: "desktop, light", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const) {
  test(`every page of runs passes axe and fits its width (${name})`, async ({ browser }) => {
    runs = await arrangeRuns(`Split for ${name}`);
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await open(context, "/approvals");
    const below = `/rules/${runs.ruleId}`;
    for (const path of [
      `${below}/runs`,
      `${below}/runs?runs=live&status=failed`,
      `${below}/runs/${runs.runId}`,
      `${below}/runs/${runs.oldRunId}`,
      `${below}/run?amount=1,200.00`,
    ]) {
      await page.goto(`${demo().appUrl}${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectGoodPage(page);
    }
    await context.close();
  });
}

test("a rule run by hand runs once, however fast its button is pressed", async ({ context }) => {
  runs = await arrangeRuns("Split by hand");
  const page = await open(context, `/rules/${runs.ruleId}/run?amount=1,200.00`);
  await expect(page.getByText("Right now, it would move $660.00")).toBeVisible();
  await button(page, /^Run with \$1,200\.00$/).dblclick();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Manual run")).toBeVisible();
  await page.goto(`${demo().appUrl}/rules/${runs.ruleId}/runs`);
  // The arrival's, the old one, and this one.
  await expect(page.getByRole("row")).toHaveCount(4);
});

test("a viewer reads runs and can run nothing", async ({ context }) => {
  runs = await arrangeRuns("Split to read");
  const page = await open(context, `/rules/${runs.ruleId}/runs`, "VIEWER");
  await expect(page.getByRole("link", { name: "Run now" })).toHaveCount(0);
  const answer = await page.goto(`${demo().appUrl}/rules/${runs.ruleId}/run`);
  expect(answer?.status()).toBe(404);
});

test("returned money that was split is proposed to be moved back, once", async ({ context }) => {
  runs = await arrangeRuns("Split and sent back");
  const page = await open(context, `/rules/${runs.ruleId}/runs/${runs.runId}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("2 of 2 settled")).toBeVisible();
  }).toPass();
  await runs.sendBack();
  await page.goto(`${demo().appUrl}/rules/${runs.ruleId}/paused`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "$5,200.00 from Orbit Maps was returned after it had been split",
  );
  await expectGoodPage(page);
  await button(page, /^Propose moving all 2 back$/).click();
  await expect(page.getByText("2 reversals are waiting for approval.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Waiting", exact: true })).toHaveCount(2);
  await expect(page.getByRole("button", { name: /^Propose/ })).toHaveCount(0);
  await page.goto(`${demo().appUrl}/rules/${runs.ruleId}/run`);
  await expect(page.getByText("It is paused", { exact: false })).toBeVisible();
});
