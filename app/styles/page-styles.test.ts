import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

/**
 * A page loads only the sheets of app/styles/pages that it imports. Without this test, a component that moves to
 * another page would silently lose its styles.
 */
const ROOT = dirname(projectPath("package.json"));
const IMPORTED = /(?:from|import)\s*\(?\s*"([^"]+)"/g;
const CLASS_OF_SELECTOR = /\.([a-z][\w-]*)/gi;
/** The value of `className`, and the tables of classes, which are named so. */
const CLASS_TEXT = /(?:className=|_CLASS\b[^=\n]*=\s*)("[^"]*"|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})/g;
const STRINGS = /["'`]([^"'`]*)["'`]?/g;

const everywhere = new Set(sheetsIn("components").flatMap(({ classes }) => classes));
const ofPages = sheetsIn("pages");
const pages = readdirSync(join(ROOT, "app"), { recursive: true, encoding: "utf8" }).filter((path) =>
  /(^|\/)page\.tsx$/.test(path),
);

describe("Every page has the styles of what it shows", () => {
  it("finds pages, sheets and the classes in both", () => {
    expect(pages.length).toBeGreaterThan(60);
    expect(ofPages.length).toBeGreaterThan(10);
    expect(classesOf(join(ROOT, "components/overview/overview-page.tsx"))).toContain("ov");
    expect(classesOf(join(ROOT, "components/ui/button.tsx"))).toContain("btn-p");
  });

  it.each(pages)("app/%s imports the sheet of every class that it may show", (page) => {
    const files = filesOf(join(ROOT, "app", page));
    const loaded = new Set(files.filter((file) => file.endsWith(".css")));
    const missing = files
      .filter((file) => file.endsWith(".tsx"))
      .flatMap((file) =>
        classesOf(file).flatMap((name) => {
          if (everywhere.has(name)) return [];
          const sheets = ofPages.filter(({ classes }) => classes.includes(name));
          if (sheets.length === 0 || sheets.some(({ path }) => loaded.has(path))) return [];
          return [`${name} of ${sheets.map(({ path }) => relative(ROOT, path))} in ${relative(ROOT, file)}`];
        }),
      );
    expect(missing).toEqual([]);
  });

  it.each(ofPages.map(({ path }) => relative(ROOT, path)))("%s is imported by a page", (sheet) => {
    expect(pages.some((page) => filesOf(join(ROOT, "app", page)).includes(join(ROOT, sheet)))).toBe(true);
  });
});

function sheetsIn(folder: string): { path: string; classes: string[] }[] {
  const directory = join(ROOT, "app", "styles", folder);
  return readdirSync(directory).map((name) => {
    const text = readFileSync(join(directory, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    return {
      path: join(directory, name),
      classes: [...text.matchAll(CLASS_OF_SELECTOR)].map(([, found = ""]) => found),
    };
  });
}

/** The page, its layouts, and all their imports. */
function filesOf(page: string): string[] {
  const found = new Set([page]);
  for (let folder = dirname(page); folder.startsWith(ROOT); folder = dirname(folder)) {
    const layout = join(folder, "layout.tsx");
    if (existsSync(layout)) found.add(layout);
  }
  // The set grows while it is iterated.
  for (const file of found) for (const imported of importsOf(file)) found.add(imported);
  return [...found];
}

const importsByFile = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const known = importsByFile.get(file) ?? readImports(file);
  importsByFile.set(file, known);
  return known;
}

function readImports(file: string): string[] {
  if (file.endsWith(".css")) return [];
  return [...readFileSync(file, "utf8").matchAll(IMPORTED)].flatMap(([, name = ""]) => {
    const path = name.startsWith("@/")
      ? join(ROOT, name.slice(2))
      : name.startsWith(".")
        ? join(dirname(file), name)
        : null;
    const candidates = path ? [path, `${path}.tsx`, `${path}.ts`] : [];
    const existing = candidates.find((candidate) => /\.\w+$/.test(candidate) && existsSync(candidate));
    return existing ? [existing] : [];
  });
}

function classesOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(CLASS_TEXT)].flatMap(([, value = ""]) =>
    [...value.matchAll(STRINGS)].flatMap(([, words = ""]) => words.split(/[\s{}$?:]+/).filter(Boolean)),
  );
}
