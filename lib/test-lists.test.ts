import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { ISOLATED, TIMED, WIDE } from "@/vitest.config";

const root = dirname(projectPath("package.json"));
const wide = [...Object.values(WIDE).flat(), ...TIMED];

function findTests(): string[] {
  return ["app", "clients", "components", "lib", "proof"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.test\.tsx?$/.test(name))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      // The conformance suite installs packages of its own, with their tests.
      .filter((path) => !path.includes("node_modules/")),
  );
}

describe("the lists of tests in vitest.config.ts", () => {
  it("name files that exist, each once: one that moved would run in another project unnoticed", () => {
    expect([...wide, ...ISOLATED].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    // A file may be wide and isolated.
    for (const list of [wide, ISOLATED]) expect(new Set(list).size).toBe(list.length);
  });

  it("isolate every file that replaces a module", () => {
    const replaces = /^\s*vi\.(mock|doMock|resetModules)\(/m;
    const shared = findTests().filter((path) => !ISOLATED.includes(path));
    expect(shared.length).toBeGreaterThan(300);
    expect(shared.filter((path) => replaces.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  });
});
