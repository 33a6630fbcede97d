import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

/**
 * A pattern that backtracks without end lets one request hold the whole process. Every pattern of the sources that run on
 * the server is tried here on texts that bring out such a fault, as long as a body may be: one that doubles its work with
 * each character would not end at all, one that squares it is too slow by far.
 */
const LENGTH = 65_536;
const MAXIMUM_MS = 2_000;
const TEXTS = [
  "a",
  "0",
  " ",
  "-",
  ".",
  "/",
  "a1",
  "a.",
  "a-",
  "=+",
  '"a',
  "\\",
  ":/",
  "<a",
  "é",
  "\u202e",
  "0.",
  ", ",
].flatMap((unit) => [
  unit.repeat(LENGTH / unit.length),
  `${unit.repeat(LENGTH / unit.length)}!`,
  `https://${unit.repeat(LENGTH / unit.length)}`,
]);
const LITERAL = /(?<=[=(,:!&|?]\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\n\\[])+)\/([dgimsuvy]*)/g;

/** Squares its work, on texts that no request brings. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  "lib/contract/format-cents.ts": "The digits of an amount.",
  "lib/contract/rules/draft-problems.ts": "Messages of our own schemas.",
  "lib/words/rules/number-words.ts": "Numbers that we wrote.",
  "lib/platform/config.ts": "The operator's own address.",
};

const root = dirname(projectPath("package.json"));

it("no pattern of the server takes long over any text that a request can bring", () => {
  const patterns = findPatterns();
  expect(patterns.length).toBeGreaterThan(80);
  const slow: string[] = [];
  for (const { path, pattern } of patterns) {
    // Time of this process alone: what else the machine does is not the pattern's.
    const before = process.cpuUsage();
    for (const text of TEXTS) text.replace(pattern, "");
    const took = process.cpuUsage(before).user / 1_000;
    if (took > MAXIMUM_MS) slow.push(`${path} ${pattern}: ${Math.round(took)} ms`);
  }
  expect(slow).toEqual([]);
});

function findPatterns(): { path: string; pattern: RegExp }[] {
  return ["app", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes("/lib/testing/"))
      .flatMap((path) =>
        [...(relative(root, path) in OWN_TEXTS ? "" : readFileSync(path, "utf8")).matchAll(LITERAL)].map(
          ([, source = "", flags = ""]) => ({
            path: relative(root, path),
            pattern: new RegExp(source, flags),
          }),
        ),
      ),
  );
}
