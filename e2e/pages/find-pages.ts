import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { PAGE_EXAMPLES, type PageExample } from "@/e2e/pages/page-examples";

const NAMES = ["page.tsx", "not-found.tsx"];

/** Every page of the dashboard, as the file system has them: `app/rules/[id]/page.tsx`. */
export function findPages(root: string): string[] {
  return readdirSync(join(root, "app"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && NAMES.includes(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * The examples of the pages that are there.
 * @throws Error for a page that nobody would look at, with where it belongs
 */
export function examplesOf(root: string): readonly PageExample[] {
  const pages = findPages(root);
  const known = new Set(PAGE_EXAMPLES.map(({ page }) => page));
  const missing = pages.filter((page) => !known.has(page));
  if (missing.length > 0) {
    throw new Error(
      `No proof looks at ${missing.join(", ")}: add its example addresses to PAGE_EXAMPLES in e2e/pages/page-examples.ts.`,
    );
  }
  return PAGE_EXAMPLES.filter(({ page }) => pages.includes(page));
}
