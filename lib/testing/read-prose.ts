/**
 * What people read in a file: paragraphs of a document, comments of a configuration, comments, longer strings and text
 * nodes of a source. Each with single spaces, so that a turn is found across a line break.
 */
export function readProse(path: string, text: string): string[] {
  if (/\.mdx?$/.test(path)) return inMarkdown(text);
  if (/\.(tsx?|mjs)$/.test(path)) return inScript(text);
  if (path.endsWith(".sql")) return inLineComments(text, "--");
  return inLineComments(text, "#");
}

const spaced = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const withoutCodeSpans = (text: string) => text.replaceAll(/`[^`]*`/g, "`…`");

function inMarkdown(text: string): string[] {
  const readable = text
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/\[[^\]\s]*[./][^\]\s]*\](?:\([^)]*\))?/g, "…")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  // A row, an item and a heading each end what was before them.
  return withoutCodeSpans(readable)
    .split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?)/)
    .flatMap((block) => (block.includes("|") ? block.split("|") : [block]))
    .map((block) =>
      spaced(block.replace(/^\s*(?:[-*]|#+|\d+\.) /, "").replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, "")),
    )
    .filter(Boolean);
}

/** Lines of one comment belong together; a line of code or an empty one ends it. */
function inLineComments(text: string, mark: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const at = line.search(mark === "#" ? /(?:^|\s)#(?!!)/ : /--/);
    const words = at < 0 ? "" : line.slice(line.indexOf(mark, at) + mark.length).trim();
    const isWhole = at >= 0 && line.slice(0, at).trim() === "";
    if (words === "") {
      isOpen = false;
      continue;
    }
    const last = blocks.length - 1;
    if (isOpen && isWhole) blocks[last] = `${blocks[last]} ${words}`;
    else blocks.push(words);
    isOpen = true;
  }
  return blocks.map((block) => spaced(withoutCodeSpans(block)));
}

const COMMENT = /^(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*)/;
const QUOTED = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/;
/** After any other character a slash divides. */
const EXPRESSION_BEGINS = /[(,=:[!&|?{};\n]/;
const PATTERN = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;

const PLAIN_CODE = /[^"'`/]+/y;

interface Token {
  kind: "COMMENT" | "QUOTED" | "TEMPLATE" | "PATTERN" | "CODE";
  text: string;
  at: number;
}

/** Code up to the next quote, comment or division; everything else whole; what fills a template belongs to the template. */
function* tokensOf(source: string): Generator<Token> {
  let at = 0;
  let before = "(";
  while (at < source.length) {
    PLAIN_CODE.lastIndex = at;
    const code = PLAIN_CODE.exec(source)?.[0];
    if (code) {
      yield { kind: "CODE", text: code, at };
      before = code.trimEnd().at(-1) ?? before;
      at += code.length;
      continue;
    }
    const letter = source[at] ?? "";
    const rest = `"'/`.includes(letter) ? source.slice(at, at + LONGEST_TOKEN) : "";
    const comment = COMMENT.exec(rest)?.[0];
    const quoted = comment ? undefined : QUOTED.exec(rest)?.[0];
    const pattern =
      comment || quoted || !EXPRESSION_BEGINS.test(before) ? undefined : PATTERN.exec(rest)?.[0];
    const length = letter === "`" ? templateAt(source, at).length : undefined;
    const text = comment ?? quoted ?? pattern ?? source.slice(at, at + (length ?? 1));
    const kind = comment ? "COMMENT" : quoted ? "QUOTED" : pattern ? "PATTERN" : length ? "TEMPLATE" : "CODE";
    yield { kind, text, at };
    const last = text.at(-1) ?? "";
    if (!comment && last.trim() !== "") before = last;
    at += text.length;
  }
}

/** A source without its comments, strings, templates and regular expressions. */
export function codeOf(source: string): string {
  return [...tokensOf(source)].map(({ kind, text }) => (kind === "CODE" ? text : " ")).join("");
}

const TEXT_NODE = />([^<>{}=;()&|]*[A-Za-z] [^<>{}=;()&|]*)[<{]/g;

/** The names in a source's code, each once, with its words in lower case: `toldCount` is "told count". */
export function namesIn(path: string, source: string): { name: string; words: string }[] {
  if (!/\.(?:tsx?|mjs|sql)$/.test(path)) return [];
  const code = path.endsWith(".sql")
    ? source.replaceAll(/--[^\n]*|'[^']*'/g, " ")
    : codeOf(source).replaceAll(TEXT_NODE, "> <");
  const names = new Set([...code.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name));
  return [...names].map((name) => ({
    name,
    words: (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).join(" ").toLowerCase(),
  }));
}

function inScript(source: string): string[] {
  const comments: string[] = [];
  const strings: string[] = [];
  for (const { kind, text, at } of tokensOf(source)) {
    if (kind === "COMMENT") addComment(comments, text, source.slice(0, at));
    if (kind === "QUOTED") strings.push(text.slice(1, -1));
    if (kind === "TEMPLATE") strings.push(templateAt(source, at).words);
  }
  const texts = [...source.matchAll(TEXT_NODE)].map(([, text = ""]) => text);
  return [
    ...comments.map((comment) => spaced(withoutCodeSpans(comment))),
    ...[...strings, ...texts].map(spaced).filter((text) => /\S \S+ \S/.test(text)),
  ].filter(Boolean);
}

/** Longer than any comment or string of ours, and a bound for the expressions. */
const LONGEST_TOKEN = 20_000;

/** Comments of one line that follow each other are one. */
function addComment(comments: string[], comment: string, source: string): void {
  const words = comment.replace(/^\/\*\*?|\*\/$|^\/\//g, "").replaceAll(/\n\s*\* ?/g, "\n");
  const isContinued = comment.startsWith("//") && /\/\/[^\n]*\n[ \t]*$/.test(source.slice(-400));
  const last = comments.length - 1;
  if (isContinued && last >= 0) comments[last] = `${comments[last]} ${words}`;
  else comments.push(words);
}

/** The words of a template from its opening backtick on; what is filled in is left out. */
function templateAt(source: string, start: number): { words: string; length: number } {
  let words = "";
  let at = start + 1;
  while (at < source.length && source[at] !== "`") {
    if (source[at] === "\\") {
      words += source[at + 1] ?? "";
      at += 2;
    } else if (source.startsWith("${", at)) {
      at = endOfFilled(source, at + 2);
      words += "…";
    } else {
      words += source[at];
      at += 1;
    }
  }
  return { words, length: at + 1 - start };
}

function endOfFilled(source: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < source.length && depth > 0) {
    if (source[at] === "`") at += templateAt(source, at).length;
    else {
      const quoted = `"'`.includes(source[at] ?? " ")
        ? QUOTED.exec(source.slice(at, at + LONGEST_TOKEN))?.[0]
        : undefined;
      if (source[at] === "{") depth += 1;
      if (source[at] === "}") depth -= 1;
      at += quoted?.length ?? 1;
    }
  }
  return at;
}
