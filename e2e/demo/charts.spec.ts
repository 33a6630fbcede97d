import { type Browser, expect, type Page, test } from "@playwright/test";
import { accountId, demo, openSignedIn, untilLive } from "@/e2e/support/journey";
import { findAxeViolations } from "@/e2e/support/page-checks";

const accountUrl = () => `${demo().appUrl}/accounts/${accountId("Operating")}`;
const balanceChart = (page: Page) => page.getByRole("figure", { name: /^Balance of Operating over 30 days/ });
/** What only the charting library has, also when minified. */
const LIBRARY = /recharts_measurement_span/;

/** The sum of layout shifts of anything inside a chart. */
async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifted: string[] = [];
    Object.assign(window, { shifted });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        sources?: { node?: Node | null }[];
      })[]) {
        for (const { node } of entry.sources ?? []) {
          const figure =
            node instanceof Element ? node.closest("figure") : node?.parentElement?.closest("figure");
          if (figure) shifted.push(figure.ariaLabel ?? "");
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

test("a chart shows a day and its balance under the pointer and the arrow keys, as its table does", async ({
  page,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  await countShifts(page);
  await openSignedIn(page, accountUrl(), "OWNER");
  const figure = balanceChart(page);
  const chart = figure.getByRole("application");
  await expect(chart).toBeVisible();

  const box = await chart.boundingBox();
  if (!box) throw new Error("The chart has no box");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const announced = figure.getByRole("status");
  const tooltip = figure.locator(".recharts-tooltip-wrapper");
  await expect(tooltip).toBeVisible();
  await expect(tooltip).toHaveText(/\d.*Balance\$[\d,]+\.\d\d/);
  await page.mouse.move(0, 0);
  await expect(tooltip).toBeHidden();

  // The keys begin with the oldest day, which is the last row of the table.
  await figure.getByText("Show as table").click();
  const rows = figure.getByRole("table").getByRole("row");
  const oldest = (await rows.last().innerText()).split(/\s*\t\s*/);
  await chart.focus();
  // A day on which money moved has a second line, which the announcement puts after the balance.
  await expect(announced).toContainText(oldest[0]?.split("\n", 1)[0] ?? "no day");
  await expect(announced).toContainText(oldest.at(-1) ?? "no balance");
  const first = await tooltip.innerText();
  await page.keyboard.press("ArrowRight");
  await expect(tooltip).toBeVisible();
  await expect(tooltip).not.toHaveText(first);
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();

  expect(await findAxeViolations(page)).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { shifted: string[] }).shifted)).toEqual([]);
  expect(refused).toEqual([]);
});

test("a long range can be narrowed, and its ticks follow", async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openSignedIn(page, accountUrl(), "OWNER");
  await expect(balanceChart(page).getByRole("application")).toContainText("Today");
  await page.getByRole("link", { name: "90 days" }).click();
  const figure = page.getByRole("figure", { name: /over 90 days/ });
  const start = figure.getByRole("slider").first();
  await expect(start).toBeVisible();
  // The longer range is shown in full, up to its end.
  await expect(figure.getByRole("application")).toContainText("Today");
  const ticks = () => figure.getByRole("application").textContent();
  const before = await ticks();
  await start.focus();
  for (let pressed = 0; pressed < 20; pressed += 1) await page.keyboard.press("ArrowRight");
  await expect.poll(ticks).not.toBe(before);
});

test("bars that are hidden are not drawn, and are there again when they are shown", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await openSignedIn(page, `${demo().appUrl}/audit`, "OWNER");
  const chart = page.getByRole("application");
  await expect(chart).toBeVisible();
  const box = page.locator("[data-plot]");
  await box.evaluate((element: HTMLElement) => {
    element.style.display = "none";
  });
  await expect(box.locator("svg.recharts-surface")).toHaveCount(0);
  await box.evaluate((element: HTMLElement) => {
    element.style.display = "";
  });
  await expect(chart).toBeVisible();
  expect(complaints).toEqual([]);
});

test("without a script a chart is a picture with a table", async ({ page, browser }) => {
  await openSignedIn(page, accountUrl(), "OWNER");
  const plain = await openWithoutScripts(page, browser);
  const figure = balanceChart(plain);
  await expect(figure.getByRole("application")).toHaveCount(0);
  await expect(figure.locator("svg path").first()).toBeAttached();
  await figure.getByText("Show as table").click();
  await expect(figure.getByRole("table", { name: /^Balance of Operating/ })).toBeVisible();
  await plain.context().close();
});

async function openWithoutScripts(page: Page, browser: Browser): Promise<Page> {
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, storageState });
  const plain = await context.newPage();
  await plain.goto(page.url());
  return plain;
}

/** Call before the first page. @returns whether the charting library has been loaded until now */
function watchLibrary(page: Page): () => Promise<boolean> {
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text());
  });
  return async () => (await Promise.all(scripts)).some((script) => LIBRARY.test(script));
}

test("a page without a chart loads no charting library", async ({ page }) => {
  const loadsLibrary = watchLibrary(page);
  await openSignedIn(page, `${demo().appUrl}/settings/members`, "OWNER");
  await page.waitForLoadState("networkidle");
  expect(await loadsLibrary()).toBe(false);
  await page.goto(accountUrl());
  await expect(balanceChart(page).getByRole("application")).toBeVisible();
  expect(await loadsLibrary()).toBe(true);
});

test("on a phone the map says what came in and what went out, and a chart answers to a finger", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await context.newPage();
  const loadsLibrary = watchLibrary(page);
  await openSignedIn(page, demo().appUrl, "OWNER");
  const accounts = page.getByRole("list", { name: /^Through your accounts/ });
  const operating = accounts.getByRole("listitem").filter({ hasText: "Operating" });
  await expect(operating.getByText("In", { exact: true })).toBeVisible();
  await expect(operating.getByText("Out", { exact: true })).toBeVisible();
  const figure = page.getByRole("figure", { name: /^Total in Sluice/ });
  await page.waitForLoadState("networkidle");
  // A phone loads no charting library until a finger asks, and that first touch is answered.
  expect(await loadsLibrary()).toBe(false);
  await figure.locator("[data-plot]").tap();
  await expect(figure.getByRole("status")).toHaveText(/\d.*: Total \$[\d,]+\.\d\d/);
  expect(await loadsLibrary()).toBe(true);

  // Another range is another chart: the touch was not about it.
  await page.goto(accountUrl());
  await untilLive(page);
  await balanceChart(page).locator("[data-plot]").tap();
  await expect(balanceChart(page).getByRole("status")).toHaveText(/Balance/);
  await page.getByRole("link", { name: "90 days" }).click();
  const longer = page.getByRole("figure", { name: /over 90 days/ });
  await expect(longer.getByRole("application")).toBeVisible();
  await expect(longer.locator(".recharts-tooltip-wrapper")).toBeHidden();
  await context.close();
});
