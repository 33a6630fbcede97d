import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

/** What docs say about security names the test or file that shows it: here that each is there, and none is left out. */
const root = dirname(projectPath("package.json"));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const STATES = ["Met", "Partly", "Not met", "Operator", "N/A"];

/** The requirements of levels 1 and 2, as OWASP counts them in version 5.0.0. */
const REQUIREMENTS = 253;

interface Row {
  id: string;
  state: string;
  evidence: string;
}

function rowsOf(text: string): Row[] {
  return [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| [^|]+ \| ([^|]+) \| [^|]+ \| ?([^|]*) ?\|$/gm)].map(
    ([, id = "", state = "", evidence = ""]) => ({ id, state, evidence: evidence.trim() }),
  );
}

it.each(["docs/asvs.md", "docs/security.md"])("every file that %s links to is there", (path) => {
  const links = [...read(path).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
  const files = links.filter((target) => !/^https?:/.test(target));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
});

describe("the table of the ASVS", () => {
  const rows = rowsOf(read("docs/asvs.md"));

  it("has each requirement of levels 1 and 2 once", () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(REQUIREMENTS);
    expect(rows.length).toBe(REQUIREMENTS);
  });

  it("says of each whether it is met, in one of five words, and counts them right", () => {
    expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([]);
    for (const state of STATES) {
      const count = rows.filter((row) => row.state === state).length;
      expect(read("docs/asvs.md")).toMatch(new RegExp(`^\\| ${state} +\\| +${count} \\|`, "m"));
    }
  });

  it("leaves what is met without a file only where there is nothing to show", () => {
    const bare = rows.filter(({ state, evidence }) => state === "Met" && evidence === "");
    expect(bare.map(({ id }) => id)).toEqual(["1.4.1", "3.7.1", "6.2.10", "6.4.2", "14.3.3"]);
  });
});
