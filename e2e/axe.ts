import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of WCAG 2.2 A and AA; injected, since the wrapper package needs a newer Node. */
export function findAxeViolations(page: Page): Promise<string[]> {
  return runAxe(page, { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
}

/** Only what another theme can change about a page that was looked at already. */
export function findContrastViolations(page: Page): Promise<string[]> {
  return runAxe(page, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
}

async function runAxe(page: Page, runOnly: { type: "tag" | "rule"; values: string[] }): Promise<string[]> {
  // The title of a page comes behind its contents, in the same answer: what is looked at is the page that is there.
  await page.waitForFunction(() => document.title !== "");
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
