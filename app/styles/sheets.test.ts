import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import tailwind from "@tailwindcss/postcss";
import postcss from "postcss";
import { beforeAll, describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

const ROOT = dirname(projectPath("package.json"));
const SHEETS = join(ROOT, "app/styles");
/** What utilities cannot say: fonts, tokens, the ground, print. */
const MAXIMUM_LINES = 600;
/** Without a rule of their own: parents, drawings and tests find these. */
const HOOKS = /^(group|peer)(\/[\w-]+)?$/;
const CLASS_NAME = /className=(?:"([^"]*)"|\{`([^`]*)`\})/g;

const sheets = readdirSync(SHEETS).filter((name) => name.endsWith(".css"));
const read = (name: string) => readFileSync(join(SHEETS, name), "utf8");

describe("The sheets", () => {
  it("stay small: components are styled beside their markup", () => {
    const lines = sheets.reduce((sum, name) => sum + read(name).split("\n").length - 1, 0);
    expect(lines).toBeGreaterThan(100);
    expect(lines).toBeLessThanOrEqual(MAXIMUM_LINES);
  });

  it.each(sheets)("%s names no class in abbreviations", (name) => {
    const short = [...classesIn(postcss.parse(read(name)))].filter((found) => found.length < 5);
    expect(short).toEqual([]);
  });
});

describe("Every class of the markup", () => {
  let known: Set<string>;
  beforeAll(async () => {
    const path = join(ROOT, "app/globals.css");
    const { css } = await postcss([tailwind()]).process(readFileSync(path, "utf8"), { from: path });
    known = classesIn(postcss.parse(css));
  }, 120_000);

  it("has a rule, or is found by a parent", () => {
    const selectors = sources().flatMap(({ text }) => [...text.matchAll(/_\.([a-z-]+)|>\.([a-z-]+)/g)]);
    const found = new Set(selectors.flatMap(([, below, child]) => [below, child]));
    const unknown = sources().flatMap(({ path, text }) =>
      [...text.matchAll(CLASS_NAME)]
        .flatMap(([, plain, template]) =>
          (plain ?? template?.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, " ") ?? "").split(/\s+/),
        )
        .filter((name) => name !== "" && !known.has(name) && !found.has(name) && !HOOKS.test(name))
        .map((name) => `${name} in ${path}`),
    );
    expect(known.size).toBeGreaterThan(1_000);
    expect(unknown).toEqual([]);
  });
});

function classesIn(root: postcss.Root): Set<string> {
  const names = new Set<string>();
  root.walkRules(({ selector }) => {
    for (const [, name = ""] of selector.matchAll(/\.((?:\\.|[\w-])+)/g))
      names.add(name.replace(/\\(.)/g, "$1"));
  });
  return names;
}

function sources(): { path: string; text: string }[] {
  return ["app", "components"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => join(ROOT, folder, name))
      .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") })),
  );
}
