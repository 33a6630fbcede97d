import { describe, expect, it } from "vitest";
import { BANNED_TURNS } from "@/lib/testing/banned-turns";
import { listProjectFiles, readProjectFile } from "@/lib/testing/project-files";
import { readProse } from "@/lib/testing/read-prose";

/** The list itself, applied migrations, which never change, and what commands generate from texts checked elsewhere. */
const EXEMPT = [
  "lib/prose.test.ts",
  "lib/testing/banned-turns.ts",
  "lib/db/migrations",
  "lib/db/schema.sql",
  "clients/typescript/src/generated.ts",
];
const READ =
  /\.(?:mdx?|tsx?|mjs|sql|ya?ml|sh|service|timer)$|(?:^|\/)(?:Dockerfile|Caddyfile|\.dockerignore)$/;

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const files = listProjectFiles().filter(
  (path) => READ.test(path) && !EXEMPT.some((exempt) => isIn(path, exempt)),
);

function findingsIn(path: string): string[] {
  const texts = readProse(path, readProjectFile(path));
  return BANNED_TURNS.flatMap(({ turn, because, instead }) =>
    texts.flatMap((text) => {
      const found = turn.exec(text);
      if (!found) return [];
      const excerpt = text.slice(Math.max(0, found.index - 40), found.index + 60);
      return [`${path}: "${found[0].trim()}" in "…${excerpt}…": ${because}. Write: ${instead}.`];
    }),
  );
}

describe("what people read", () => {
  it("has none of the turns that read as translated", () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap(findingsIn)).toEqual([]);
  });
});

/** British spellings inside a name; `labelledby` is ARIA's own, `ENROL` a stored value. */
const BRITISH =
  /[nN]eighbour|[cC]olour|[lL]abelled(?![bB]y)|[eE]nrol(?!l)|[bB]ehaviour|[fF]avour|[oO]rganis[ae]/;

it("spells names in code as American English does", () => {
  const code = files.filter((path) => /\.(?:tsx?|mjs|sql)$/.test(path));
  const found = code.flatMap((path) => {
    const name = BRITISH.exec(readProjectFile(path));
    return name ? [`${path}: ${name[0]}`] : [];
  });
  expect(found).toEqual([]);
});

describe("reading prose", () => {
  const SOURCE = [
    'import { a } from "@/one/two";',
    "/**",
    " * The first",
    " * comment.",
    " */",
    'const pattern = /"not a string/; // a second one',
    "// that goes on",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source to read.
    'const message = "three words here" + `and ${inner ? `or ${"not this one"}` : ""} a fourth`;',
    "const page = <p>Text of a page</p>;",
  ].join("\n");

  it("finds comments across lines, strings of several words, templates and text nodes, and no code", () => {
    expect(readProse("a.tsx", SOURCE)).toEqual([
      "The first comment.",
      "a second one that goes on",
      "three words here",
      "and … a fourth",
      "Text of a page",
    ]);
  });

  it("finds paragraphs, items and cells of a document without code, addresses and marks", () => {
    const text =
      "# A *title*\n\nOne [link](b.md)\ntwo `code`.\n- item\n  goes on\n\n| a | b c |\n\n```sh\nnot this\n```\n";
    expect(readProse("a.md", text)).toEqual(["A title", "One link two `…`.", "item goes on", "a", "b c"]);
  });

  it("finds comments of SQL and of configuration", () => {
    expect(readProse("a.sql", "-- one\n-- two\nselect 1; -- three")).toEqual(["one two", "three"]);
    expect(readProse("a.yaml", "#!/bin/sh\n# one\nkey: 'a#b' # two")).toEqual(["one", "two"]);
  });

  it.each(BANNED_TURNS)('finds "$example"', ({ turn, example }) => {
    expect(example).toMatch(turn);
  });
});
