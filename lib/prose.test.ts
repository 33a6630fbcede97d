import { describe, expect, it } from "vitest";
import { BANNED_IN_NAMES, BANNED_TURNS } from "@/lib/testing/banned-turns";
import { listProjectFiles, readProjectFile } from "@/lib/testing/project-files";
import { namesIn, readProse } from "@/lib/testing/read-prose";

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

/** What pages said before and was wrong or a riddle. */
const RETIRED = [
  "Reason, verbatim",
  "No step matched. ",
  "Shares of the same amount",
  "Confirm approval",
  "Anything beyond its permissions needs your approval",
  "Left when closed",
  "needs a new idempotency key",
  'hint="Two letters."',
];

it("pages say nothing that was retired", () => {
  const pages = files.filter((path) => /^(?:app|components)\/.*\.tsx$/.test(path));
  const texts = pages.map((path) => ({ path, text: readProjectFile(path) }));
  expect(texts.length).toBeGreaterThan(300);
  expect(
    RETIRED.flatMap((words) =>
      texts.filter(({ text }) => text.includes(words)).map(({ path }) => `${path}: ${words}`),
    ),
  ).toEqual([]);
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

/** Names that the database or stored JSON holds, and files that another change is rewriting. */
const NAMES_KEPT: { path: string; because: string }[] = [
  ...["lib/core/organizations/identity.ts", "lib/core/organizations/identity.test.ts"].map((path) => ({
    path,
    because: "`said` is a key of stored answers",
  })),
  { path: "lib/core/organizations/submit-identity.ts", because: "`said` is a key of stored answers" },
  {
    path: "app/welcome/identity/_components/identity-page.tsx",
    because: "`said` is a key of stored answers",
  },
  ...[
    "lib/db/functions/keys/note_key_networks.sql",
    "lib/db/functions/notifications/is_end_told.sql",
    "lib/db/functions/notifications/note_failed_run.sql",
  ].map((path) => ({ path, because: "the previous version calls it by this name" })),
];

it("has no such turn in the names of its code", () => {
  const found = files
    .filter((path) => !NAMES_KEPT.some((kept) => isIn(path, kept.path)))
    .flatMap((path) =>
      namesIn(path, readProjectFile(path)).flatMap(({ name, words }) =>
        BANNED_IN_NAMES.filter(({ turn }) => turn.test(words)).map(
          ({ because, instead }) => `${path}: ${name}: ${because}. Name it: ${instead}.`,
        ),
      ),
    );
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

  it("finds the names in code, each once, and none in comments, strings and text nodes", () => {
    const source =
      'const toldCount = lookAt(a_name, "said"); // told\nconst page = <p>as you said before</p>;';
    expect(namesIn("a.tsx", source)).toEqual([
      { name: "const", words: "const" },
      { name: "toldCount", words: "told count" },
      { name: "lookAt", words: "look at" },
      { name: "a_name", words: "a name" },
      { name: "page", words: "page" },
      { name: "p", words: "p" },
    ]);
  });

  it.each([...BANNED_TURNS, ...BANNED_IN_NAMES])('finds "$example"', ({ turn, example }) => {
    expect(example).toMatch(turn);
  });
});
