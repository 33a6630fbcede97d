import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of WCAG 2.2 A and AA; injected, since the wrapper package needs a newer Node. */
export function findAxeViolations(page: Page): Promise<string[]> {
  return runAxe(page, { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
}

/** Only what another theme can change about a page that was checked already. */
export function findContrastViolations(page: Page): Promise<string[]> {
  return runAxe(page, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
}

async function runAxe(page: Page, runOnly: { type: "tag" | "rule"; values: string[] }): Promise<string[]> {
  // The title streams in after the contents, in the same response: check the complete page.
  await page.waitForFunction(() => document.title !== "");
  // Before scripts hear its buttons, a part that scrolls has nothing to focus.
  await page.waitForFunction(() => document.querySelector("[data-waits]") === null);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: {
        run: (
          root: Document,
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
      };
    };
    const { violations } = await axe.run(document, { runOnly: only, resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
    );
  }, runOnly);
}

export const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 844 };

/**
 * What is wrong with how a page looks in its present state: axe on a desktop and on a phone, in both themes, controls that
 * are cut off on a phone, and whether it scrolls sideways at 320 px. All in one visit, since visits are what costs. Leaves it
 * light and narrow.
 */
export async function findLookFaults(page: Page): Promise<string[]> {
  // Colors in transition between themes do not count.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(DESKTOP);
  await setTheme(page, "light");
  const found = await named("desktop, light", findAxeViolations(page));
  await setTheme(page, "dark");
  // Themes differ only in color.
  found.push(...(await named("desktop, dark", findContrastViolations(page))));
  await page.setViewportSize(PHONE);
  found.push(...(await named("phone, dark", findContrastViolations(page))));
  await setTheme(page, "light");
  found.push(...(await named("phone, light", findAxeViolations(page))));
  found.push(...(await findCutOff(page)).map((words) => `phone: “${words}” is cut off`));
  await page.setViewportSize(NARROW);
  found.push(...(await findCutOff(page)).map((words) => `320 px: “${words}” is cut off`));
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) found.push(`scrolls sideways by ${overflow} px at 320 px`);
  return found;
}

/** Controls that reach beyond a box that hides the rest of them and does not scroll: nobody can read or tap them. */
function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isHidden = (box: Element) => ["hidden", "clip"].includes(getComputedStyle(box).overflowX);
    const isCut = (control: Element): boolean => {
      const { right, width } = control.getBoundingClientRect();
      for (let box = control.parentElement; box !== null; box = box.parentElement) {
        const within = box.getBoundingClientRect();
        // Nearly no width: text for screen readers.
        if (isHidden(box) && width > 1 && within.width > 1 && right > within.right + 1) return true;
        if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return false;
      }
      return false;
    };
    return [...document.querySelectorAll("a, button, summary, select, input")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && isCut(control))
      .map((control) => control.textContent || control.getAttribute("aria-label") || control.outerHTML);
  });
}

async function named(where: string, violations: Promise<string[]>): Promise<string[]> {
  return (await violations).map((each) => `${where}: ${each}`);
}

/** The switch of the account menu does no more than this. */
async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((value) => {
    document.documentElement.dataset.theme = value;
  }, theme);
}
