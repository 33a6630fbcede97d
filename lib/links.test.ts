import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { listProjectFiles, readProjectFile } from "@/lib/testing/project-files";

const files = listProjectFiles();
const known = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
const documents = files.filter((file) => file.endsWith(".md"));

/** Parts that a command copies into a document of another folder, from which their links lead. */
const COPIED_INTO: Record<string, string> = { "proof/bench/performance/findings.md": "docs/performance.md" };

function foldersOf(file: string): string[] {
  const parts = file.split("/");
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

const IS_SOURCE = /\.(tsx?|mjs|sql|ya?ml|sh)$|Dockerfile$|Caddyfile$/;
/** `docs/operating.md, "TLS"` */
const CITATION = /\b(docs\/[\w/-]+\.md), \\?["«“]([^"»”\\]+)/g;
/** In code spans; `<module>` and the like are placeholders. */
const FILE_NAME = /`([\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|sql|mjs))`/g;
const PATH = /`((?:app|clients|components|deploy|docs|e2e|lib|proof|scripts)\/[\w./[\]-]+)`/g;

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, "");

/** Anchors as GitHub derives them from headings. */
function anchorsOf(path: string): Set<string> {
  const headings = [...withoutCode(readProjectFile(path)).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = ""]) =>
    text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(headings);
}

interface DocumentLink {
  document: string;
  label: string;
  target: string;
}

function problemOf({ document, label, target }: DocumentLink): string[] {
  const [file = "", anchor] = target.split("#");
  const from = dirname(COPIED_INTO[document] ?? document);
  const path = file === "" ? document : join(from, file).replace(/\/$/, "");
  if (path !== "." && !known.has(path)) return [`${document}: ${target} does not exist`];
  if (/^[\w.-]+\.(?:tsx?|sql|mjs)$/.test(label) && label !== basename(path)) {
    return [`${document}: ${label} leads to ${target}`];
  }
  if (anchor === undefined || !path.endsWith(".md")) return [];
  return anchorsOf(path).has(anchor) ? [] : [`${document}: ${target} is not a heading`];
}

it("every relative link in a document leads to a file, and its anchor to a heading", () => {
  const links = documents.flatMap((document) =>
    [...withoutCode(readProjectFile(document)).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)]
      .map(([, label = "", target = ""]) => ({ document, label, target }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  );
  expect(links.length).toBeGreaterThan(500);
  expect(links.flatMap(problemOf)).toEqual([]);
});

it("every document that source or configuration names exists", () => {
  const sources = files.filter((file) => IS_SOURCE.test(file));
  const named = sources.flatMap((source) =>
    [...readProjectFile(source).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([path]) => ({ source, path })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ path }) => !known.has(path))).toEqual([]);
});

it("every heading that source or configuration cites is in its document", () => {
  const cited = files
    .filter((file) => IS_SOURCE.test(file))
    .flatMap((source) =>
      [...readProjectFile(source).matchAll(CITATION)].map(([, document = "", heading = ""]) => ({
        source,
        document,
        heading: heading.replaceAll(/\s*\n\s*(?:\*|#|--|\/\/)?\s*/g, " "),
      })),
    );
  expect(cited.length).toBeGreaterThan(5);
  const missing = cited.filter(
    ({ document, heading }) => !new RegExp(`^#+ ${heading}$`, "m").test(readProjectFile(document)),
  );
  expect(missing).toEqual([]);
});

it("the index of decisions has each with its title and date, in order", () => {
  const records = documents.filter((path) => /^docs\/decisions\/\d{4}-/.test(path)).toSorted();
  expect(records.length).toBeGreaterThan(20);
  const rows = records.map((path) => {
    const [title = "", , date = ""] = readProjectFile(path).split("\n");
    const name = basename(path);
    return `| ${name.slice(0, 4)} | [${title.replace("# ", "")}](${name}) | ${date} |`;
  });
  const index = readProjectFile("docs/decisions/README.md").split("\n");
  expect(index.filter((line) => /^\| \d/.test(line))).toEqual(rows);
});

it("every path and file that a document names exists", () => {
  const named = documents.flatMap((document) =>
    [...withoutCode(readProjectFile(document)).matchAll(PATH)].map(([, path = ""]) => ({
      document,
      path: path.replace(/\/$/, ""),
    })),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ path }) => !known.has(path))).toEqual([]);
  const names = new Set(files.map((file) => basename(file)));
  const bare = documents.flatMap((document) =>
    [...withoutCode(readProjectFile(document)).matchAll(FILE_NAME)].map(([, name = ""]) => ({
      document,
      name,
    })),
  );
  expect(bare.filter(({ name }) => !names.has(name))).toEqual([]);
});
