import type { Page } from "@playwright/test";
import { findAxeViolations, findContrastViolations } from "@/e2e/axe";

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 844 };

/**
 * What is wrong with how a page looks, in the state in which it is: axe at a desk and on a phone, in both themes, and
 * whether it scrolls sideways at 320 px. All in one visit, since a visit is what costs. Leaves it light and narrow.
 */
export async function findLookFaults(page: Page): Promise<string[]> {
  // Colours that are still on their way from one theme to the other are nobody's.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(DESKTOP);
  await setTheme(page, "light");
  const found = await tell("desktop, light", findAxeViolations(page));
  await setTheme(page, "dark");
  // Themes differ in nothing but colour.
  found.push(...(await tell("desktop, dark", findContrastViolations(page))));
  await page.setViewportSize(PHONE);
  found.push(...(await tell("phone, dark", findContrastViolations(page))));
  await setTheme(page, "light");
  found.push(...(await tell("phone, light", findAxeViolations(page))));
  await page.setViewportSize(NARROW);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) found.push(`scrolls sideways by ${overflow} px at 320 px`);
  return found;
}

async function tell(where: string, violations: Promise<string[]>): Promise<string[]> {
  return (await violations).map((each) => `${where}: ${each}`);
}

/** The switch of the account menu does no more than this. */
async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((value) => {
    document.documentElement.dataset.theme = value;
  }, theme);
}
