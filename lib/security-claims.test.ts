import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { listProjectFiles, readProjectFile } from "@/lib/testing/project-files";

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
    expect(bare.map(({ id }) => id)).toEqual(["1.4.1", "3.7.1", "6.2.10", "6.4.2"]);
  });
});

/** What no request to a running product shows: that something is nowhere in the sources of pages. */
describe("the sources of pages", () => {
  const sources = listProjectFiles()
    .filter((path) => /^(app|components|lib)\/.*\.tsx?$/.test(path) && !path.includes(".test."))
    .map((path) => ({ path, text: readProjectFile(path) }));
  const holding = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  it("set every cookie HttpOnly and SameSite, except the time zone's, which a script writes", () => {
    const calls = sources.flatMap(({ text }) =>
      [...text.matchAll(/(?:\bjar|\(await cookies\(\)\))\.set\([^;]+;/g)].map(([call]) => call),
    );
    expect(calls.length).toBeGreaterThanOrEqual(8);
    expect(calls.filter((call) => !/httpOnly: true/.test(call) || !/sameSite: "lax"/.test(call))).toEqual([]);
    expect(holding(/document\.cookie\s*=[^=]|cookieStore\.set/)).toEqual([
      "components/shell/remember-zone.tsx",
    ]);
  });

  it("write no markup by hand, and show an email in a frame that may do nothing", () => {
    expect(
      holding(/dangerouslySetInnerHTML|\.(?:innerHTML|outerHTML)\s*=|insertAdjacentHTML|document\.write/),
    ).toEqual([]);
    const frames = sources.flatMap(({ text }) =>
      [...text.matchAll(/<iframe[^>]*>/g)].map(([frame]) => frame),
    );
    expect(frames).toEqual(['<iframe title="The email" sandbox="" srcDoc={email.html} />']);
  });

  it("keep nothing in the browser's storage but what was typed into a form", () => {
    expect(holding(/\b(?:localStorage|sessionStorage|indexedDB|caches\.open)\b/)).toEqual([
      "components/act/use-kept-fields.ts",
    ]);
  });
});
