import { expect, test } from "@playwright/test";
import { launchOptionsOf } from "@/e2e/support/browser";
import { demo } from "@/e2e/support/journey";
import { findAxeViolations, findContrastViolations } from "@/e2e/support/page-checks";

// By Chromium itself, which drew the pictures: its shell places letters otherwise.
test.use({ launchOptions: launchOptionsOf(process.env.SLUICE_TEST_BROWSER) });

/**
 * Every component of the design page looks as last reviewed. Intended changes are written with `npx playwright test
 * e2e/look/design.spec.ts --update-snapshots`, and their pictures reviewed before they are kept. Each component is compared
 * by itself, so that one change moves no other; the fonts are the project's own, and the tolerance covers how another
 * build of Chromium draws the edges of letters.
 */
const TOLERANCE = { maxDiffPixelRatio: 0.005, threshold: 0.2, animations: "disabled" } as const;

for (const theme of ["light", "dark"] as const) {
  test(`every component looks as it was last looked at (${theme})`, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width: 1_000, height: 900 },
      reducedMotion: "reduce",
      colorScheme: theme,
    });
    const page = await context.newPage();
    await page.goto(`${demo().appUrl}/design?show=primitives`);
    await page.evaluate(() => document.fonts.ready.then(() => null));
    const specimens = page.locator("[data-specimen]");
    const names = await specimens.evaluateAll((elements) =>
      elements.map((element) => element.getAttribute("data-specimen") ?? ""),
    );
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      // A chart takes the place of its picture once it is in view.
      const charts = page.locator(`[data-specimen="${name}"] figure[data-chart]`);
      for (const chart of await charts.all()) {
        await chart.scrollIntoViewIfNeeded();
        await expect(chart.locator(".recharts-surface").first()).toBeVisible();
      }
      await expect
        .soft(page.locator(`[data-specimen="${name}"]`))
        .toHaveScreenshot(`${name}-${theme}.png`, TOLERANCE);
    }
    expect(theme === "light" ? await findAxeViolations(page) : await findContrastViolations(page)).toEqual(
      [],
    );
    await context.close();
  });
}
