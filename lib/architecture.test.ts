import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { codeOf } from "@/lib/testing/read-prose";

/**
 * Who may import whom (ARCHITECTURE.md). Folders that are not listed are not allowed.
 */
const FOLDERS: { folder: string; mayImport: string[]; mayImportTypes?: string[]; because: string }[] = [
  {
    folder: "app",
    mayImport: [
      "app",
      "components",
      "lib/next",
      "lib/views",
      "lib/core",
      "lib/words",
      "lib/contract",
      "lib/engine",
    ],
    because: "a page loads, checks the role and composes; it reaches the platform through a core command",
  },
  {
    folder: "components",
    mayImport: ["components", "lib/contract", "lib/engine", "lib/words"],
    mayImportTypes: ["lib/views"],
    because:
      "a component gets its data from the page, and only the type of it from the reader (`import type`): one that reads the database cannot be shown in the browser",
  },
  {
    folder: "lib/contract",
    mayImport: ["lib/contract"],
    because: "shapes that cross a boundary are the same on both sides, so they depend on neither",
  },
  {
    folder: "lib/engine",
    mayImport: ["lib/engine", "lib/contract"],
    because:
      "runs, approvals, replays and the slider in the browser share the rules' arithmetic, so it depends on no database, clock or page",
  },
  {
    folder: "lib/words",
    mayImport: ["lib/words", "lib/contract", "lib/engine"],
    because: "a sentence states a fact that its caller has read; it reads nothing itself",
  },
  {
    folder: "lib/core",
    mayImport: ["lib/core", "lib/words", "lib/contract", "lib/engine", "lib/db", "lib/platform", "lib/ports"],
    because: "the core does not know through which API it is called",
  },
  {
    folder: "lib/views",
    mayImport: [
      "lib/views",
      "lib/core",
      "lib/words",
      "lib/contract",
      "lib/engine",
      "lib/db",
      "lib/platform",
      "lib/ports",
    ],
    because: "page reads use core helpers; commands never depend on a page",
  },
  {
    folder: "lib/next",
    mayImport: ["lib/next", "lib/core", "lib/contract", "lib/platform", "lib/ports"],
    because: "what the launcher passes to Next's bundles depends on no page",
  },
  {
    folder: "lib/api",
    mayImport: ["lib/api", "lib/contract", "lib/core", "lib/db", "lib/platform", "lib/views", "lib/words"],
    because: "an API translates and never decides; external systems are reached through the core",
  },
  {
    folder: "lib/ports",
    mayImport: ["lib/ports", "lib/contract", "lib/db", "lib/platform"],
    because: "an adapter does not know what its responses are used for",
  },
  {
    folder: "lib/db",
    mayImport: ["lib/db", "lib/contract", "lib/platform"],
    because: "the database supervisor and its connections do not know their callers",
  },
  {
    folder: "lib/platform",
    mayImport: ["lib/platform", "lib/contract"],
    because: "the platform does not know about money",
  },
  {
    folder: "clients/typescript/src",
    mayImport: ["clients/typescript/src"],
    because: "the client is a separate package and depends only on the OpenAPI document",
  },
  {
    folder: "proof/emulators",
    mayImport: ["proof/emulators", "lib/contract", "lib/platform", "lib/ports"],
    because:
      "an emulated bank knows no more of the product than a real one; its tests and the ports share it",
  },
  {
    folder: "proof/torture/checker",
    mayImport: ["proof/torture/checker"],
    because: "a checker that shared code with the product would share its mistakes",
  },
  {
    folder: "lib/testing",
    mayImport: ["lib", "open-product"],
    because: "what only tests use stays out of the product",
  },
];

/** The modules of lib/core from the ground up: each imports only from those before it (ARCHITECTURE.md). */
const CORE_MODULES = [
  "shared",
  "sign-in",
  "organizations",
  "policies",
  "keys",
  "ledger",
  "payees",
  "connections",
  "transfers",
  "mandates",
  "cards",
  "rules",
  "asked-changes",
  "approvals",
  "reconciliation",
  "fraud-monitoring",
  "audit",
  "webhooks",
  "notifications",
  "profile",
  "exports",
  "work",
  "sandbox",
  "demo",
];

/** Names in snake case that others gave: a file or folder, which of its names, and whose they are. */
const OUTSIDE_NAMES: { path: string; names: string[] | "ALL"; because: string }[] = [
  { path: "lib/ports/bank/increase", names: "ALL", because: "Increase's JSON" },
  { path: "lib/ports/aggregator/plaid", names: "ALL", because: "Plaid's JSON" },
  { path: "lib/ports/bank/mercury", names: ["start_after"], because: "a parameter of Mercury's lists" },
  { path: "lib/core/keys/oauth-clients.ts", names: "ALL", because: "RFC 7591's metadata, stored as it came" },
  { path: "lib/core", names: ["max_amount"], because: "published and stored in the permissions of a key" },
  { path: "lib/views", names: ["max_amount"], because: "published and stored in the permissions of a key" },
  { path: "lib/core/webhooks/claim-deliveries.ts", names: ["created_at"], because: "published in webhooks" },
  { path: "lib/core/shared/csv.ts", names: "ALL", because: "options of csv-stringify" },
  { path: "lib/core/payees/read-csv.ts", names: "ALL", because: "options of csv-parse" },
];

/** The folders of components from the ground up: each imports only from those before it (ARCHITECTURE.md). */
const COMPONENT_FOLDERS = ["ui", "time", "money", "sluice", "charts", "layout", "act", "parts", "shell"];

/** A page's own parts: `app/rules/_components/rules-list.tsx`. */
const PARTS = "_components";

/** `import { type A } from` is none: the module is still loaded. */
const TYPE_IMPORT = /^import type [^"]*? from "([^"]+)";$/gm;

const root = dirname(projectPath("package.json"));

interface SourceFile {
  path: string;
  imports: string[];
  /** Those of `imports` that TypeScript removes: `import type`. */
  types: string[];
}

function readSources(folder: string): SourceFile[] {
  return (
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|mdx)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      // Proofs that need packages of their own install them beside themselves.
      .filter((path) => !path.includes("/node_modules/"))
      .map((path) => ({ path, ...importsOf(path) }))
  );
}

function importsOf(path: string): Omit<SourceFile, "path"> {
  const text = readFileSync(join(root, path), "utf8");
  const resolve = (found: Iterable<string[]>) =>
    [...found].flatMap(([, specifier = ""]) => {
      if (specifier.startsWith("@/")) return [specifier.slice(2)];
      if (specifier.startsWith(".")) return [join(dirname(path), specifier)];
      return [];
    });
  const values = resolve(text.replaceAll(TYPE_IMPORT, "").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g));
  const types = resolve(text.matchAll(TYPE_IMPORT));
  return { imports: [...values, ...types], types: types.filter((target) => !values.includes(target)) };
}

/** A text with interpolations or a named constant depends on its file, so it counts as that file's own text. */
function statementsOf(path: string): { name: string; text: string }[] {
  const source = readFileSync(join(root, path), "utf8");
  const found = source.matchAll(/name:\s*"(\w+)",\s*text:\s*("[^"]*"|`[^`]*`|\w+)/g);
  return [...found].map(([, name = "", text = ""]) => ({
    name,
    text: /^\w|\$\{/.test(text) ? `${path} ${text}` : text,
  }));
}

/** Groups of files that reach each other by their imports (Tarjan's strongly connected components). */
function findCycles(sources: SourceFile[]): string[][] {
  const files = new Map<string, string[]>();
  for (const { path, imports } of sources) files.set(path.replace(/\.(tsx?|mjs)$/, ""), imports);
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    const place = order.size;
    order.set(file, place);
    lowest.set(file, place);
    stack.push(file);
    for (const target of files.get(file) ?? []) {
      if (!files.has(target)) continue;
      const reached = order.has(target)
        ? stack.includes(target)
          ? (order.get(target) ?? place)
          : place
        : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? place, reached));
    }
    const low = lowest.get(file) ?? place;
    if (low === place) {
      const cycle = stack.splice(stack.indexOf(file));
      if (cycle.length > 1) found.push(cycle.toSorted());
    }
    return low;
  };
  for (const file of files.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** Whether a module is one of server actions: a browser that imports it gets the addresses of its actions, and nothing else. */
function isActions(target: string): boolean {
  const path = join(root, `${target}.ts`);
  return (
    existsSync(path) && /^(\s*\/\/.*\n|\s*\/\*[\s\S]*?\*\/\s*)*"use server"/.test(readFileSync(path, "utf8"))
  );
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const isTest = ({ path }: SourceFile) => /\.(test|contract)\.tsx?$/.test(path);

describe("the architecture", () => {
  it.each(FOLDERS)(
    "$folder imports only $mayImport",
    ({ folder, mayImport, mayImportTypes = [], because }) => {
      const sources = readSources(folder).filter((source) => !isTest(source));
      expect(sources.length, `${folder} is empty: was it moved?`).toBeGreaterThan(0);
      const wrong = sources.flatMap(({ path, imports, types }) =>
        imports
          .filter((target) => !/\.css$/.test(target) && !mayImport.some((allowed) => isIn(target, allowed)))
          .filter((target) => folder !== "components" || !isActions(target))
          .filter(
            (target) => !types.includes(target) || !mayImportTypes.some((allowed) => isIn(target, allowed)),
          )
          .map((target) => `${path} imports ${target}`),
      );
      expect(wrong, because).toEqual([]);
    },
  );

  it("has no other folders under lib", () => {
    const known = FOLDERS.map(({ folder }) => folder);
    const found = readdirSync(join(root, "lib"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `lib/${entry.name}`);
    expect(found.filter((folder) => !known.includes(folder))).toEqual([]);
  });

  it("builds lib/core from ordered modules", () => {
    const moduleOf = (path: string) => path.split("/")[2] ?? "";
    const levelOf = (path: string) => CORE_MODULES.indexOf(moduleOf(path));
    const sources = readSources("lib/core").filter((source) => !isTest(source));
    const unlisted = new Set(
      sources.map(({ path }) => moduleOf(path)).filter((name) => !CORE_MODULES.includes(name)),
    );
    expect([...unlisted], "every file of lib/core belongs to a listed module").toEqual([]);
    const upward = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => isIn(target, "lib/core") && levelOf(target) > levelOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(
      upward,
      "a module imports only from earlier ones: to reach a later one it writes a row (a notice, an event, due work)",
    ).toEqual([]);
  });

  it("gives each error of a port the base class that both bundles recognize, and its own kind", () => {
    const wrong = readSources("lib/ports").flatMap((source) =>
      isTest(source)
        ? []
        : [
            ...readFileSync(join(root, source.path), "utf8").matchAll(
              /class (\w+) extends (Error|NamedError|Bank\w+) \{\n(.*)\n/g,
            ),
          ]
            .filter(([, name, base, next]) => base === "Error" || !next?.endsWith(` = "${name}";`))
            .map(([, name]) => `${source.path}: ${name}`),
    );
    expect(
      wrong,
      "ports live in the launcher's bundle and are called from Next's, which holds another copy of the class",
    ).toEqual([]);
  });

  it("keeps the imports of a file in one block, which the formatter then sorts whole", () => {
    const wrong = ["app", "components", "lib", "e2e", "proof", "scripts"]
      .flatMap(readSources)
      .map(({ path }) => path)
      // Imports for their effect keep their place: Biome sorts around them.
      .filter((path) => /\bfrom "[^"]+";\n\n+import [^"]/.test(readFileSync(join(root, path), "utf8")));
    expect(wrong).toEqual([]);
  });

  it("has no sentence in the engine but those of its errors", () => {
    const SENTENCE = /(["`])[A-Za-z][^"`\n]* [^"`\n]* [^"`\n]*\1/;
    const wrong = readSources("lib/engine")
      .filter((source) => !isTest(source))
      .flatMap(({ path }) =>
        readFileSync(join(root, path), "utf8")
          .split("\n")
          .filter(
            (line) => !/^\s*(?:\*|\/[/*]|import\b)|\b(?:\w*Error|super)\(/.test(line) && SENTENCE.test(line),
          )
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(
      wrong,
      "lib/words puts into words what the engine finds: one vocabulary for page, email and MCP",
    ).toEqual([]);
  });

  it("has no import cycles", () => {
    const sources = [...readSources("app"), ...readSources("components"), ...readSources("lib")];
    expect(findCycles(sources), "files that import each other can only be understood together").toEqual([]);
  });

  it("has no folder with more than 40 files", () => {
    const counts = new Map<string, number>();
    for (const source of ["app", "components", "lib"].flatMap(readSources)) {
      if (isTest(source)) continue;
      counts.set(dirname(source.path), (counts.get(dirname(source.path)) ?? 0) + 1);
    }
    const large = [...counts]
      .filter(([, count]) => count > 40)
      .map(([folder, count]) => `${folder}: ${count}`);
    expect(large, "a reader scans a folder's names; group by command, or by purpose").toEqual([]);
  });

  it("builds components from ordered folders", () => {
    const levelOf = (path: string) => COMPONENT_FOLDERS.indexOf(path.split("/")[1] ?? "");
    const sources = readSources("components");
    expect(
      sources.map(({ path }) => path).filter((path) => levelOf(path) === -1),
      "every file of components belongs to a listed folder",
    ).toEqual([]);
    const upward = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => isIn(target, "components") && levelOf(target) > levelOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(upward, "what pages share is read from the primitives up").toEqual([]);
  });

  it("keeps the parts of a page to that page, and free of the server", () => {
    const sources = readSources("app").filter((source) => !isTest(source));
    const pageOf = (path: string) => path.slice(0, path.indexOf(`/${PARTS}/`));
    // Every page is below the root's, whose parts are for the file beside them.
    const isOfPage = (path: string, page: string) =>
      page === "app" ? path === "app/page.tsx" || isIn(path, `app/${PARTS}`) : isIn(path, page);
    const strangers = sources.flatMap(({ path, imports }) =>
      imports
        // The gallery shows parts of every page.
        .filter((target) => target.includes(`/${PARTS}/`) && !isIn(path, "app/design"))
        .filter((target) => !isOfPage(path, pageOf(target)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(strangers, "what several pages show belongs to components").toEqual([]);
    const allowed = ["components", "lib/contract", "lib/engine", "lib/words"];
    const reading = sources
      .filter(({ path }) => path.includes(`/${PARTS}/`))
      .flatMap(({ path, imports, types }) =>
        imports
          .filter(
            (target) => !target.includes(`/${PARTS}/`) && !allowed.some((folder) => isIn(target, folder)),
          )
          .filter((target) => !types.includes(target) || !isIn(target, "lib/views"))
          .filter((target) => !isActions(target))
          .map((target) => `${path} imports ${target}`),
      );
    expect(
      reading,
      "a part gets its data from the page, and only the type of it from the reader (`import type`), so that it can be shown in the browser",
    ).toEqual([]);
  });

  it("keeps server actions below what draws", () => {
    const wrong = readSources("app")
      .filter(({ path }) => isActions(path.replace(/\.ts$/, "")))
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => isIn(target, "components") || target.includes(`/${PARTS}/`))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong, "parts import the actions that they press, so actions import no part").toEqual([]);
  });

  it("has no circle of folders in pages and components", () => {
    const folderOf = (path: string) => {
      const [top, first, second] = path.split("/");
      if (top === "components")
        return first === "parts" ? `components/parts/${second}` : `components/${first}`;
      // Files beside the root's page belong to all pages.
      return top === "app" && second !== undefined ? `app/${first}` : null;
    };
    const folders = new Map<string, Set<string>>();
    for (const source of [...readSources("app"), ...readSources("components")]) {
      const from = folderOf(source.path);
      if (from === null || from === "app/design" || isTest(source)) continue;
      const targets = source.imports
        .filter((target) => !isActions(target))
        .map(folderOf)
        .filter((target) => target !== null && target !== from);
      folders.set(from, new Set([...(folders.get(from) ?? []), ...targets.filter((one) => one !== null)]));
    }
    const sources = [...folders].map(([path, imports]) => ({ path, imports: [...imports], types: [] }));
    expect(sources.length).toBeGreaterThan(30);
    expect(findCycles(sources), "folders that import each other can only be understood together").toEqual([]);
  });

  it("reads the time in one place only", () => {
    const wrong = ["app", "components", "lib"]
      .flatMap(readSources)
      .filter(
        (source) =>
          !isTest(source) && !isIn(source.path, "lib/testing") && source.path !== "lib/platform/clock.ts",
      )
      .filter(({ path }) => /\bnew Date\(\)|\bDate\.now\(\)/.test(readFileSync(join(root, path), "utf8")))
      .map(({ path }) => path);
    expect(wrong, "neither tests nor the sandbox can move a second clock").toEqual([]);
  });

  it("joins no signals of which one is a timeout", () => {
    const joined = ["app", "components", "lib"]
      .flatMap(readSources)
      .filter((source) => !isTest(source))
      .filter(({ path }) => {
        const text = readFileSync(join(root, path), "utf8");
        return /AbortSignal\.any\(/.test(text) && /AbortSignal\.timeout\(/.test(text);
      })
      .map(({ path }) => path);
    expect(joined, "Node 20 forgets such a timeout: use openDeadline (lib/platform/deadline.ts)").toEqual([]);
  });

  it("starts other programs in seven files only, with an argument list and without a shell", () => {
    const starting = ["app", "components", "lib"]
      .flatMap(readSources)
      .filter((source) => !isTest(source) && !isIn(source.path, "lib/testing"))
      .map(({ path }) => ({ path, text: readFileSync(join(root, path), "utf8") }))
      .filter(({ text }) => /child_process/.test(text));
    expect(
      starting.map(({ path }) => path).toSorted(),
      "request input must never reach a command line: start no program elsewhere",
    ).toEqual([
      // PostgreSQL again, to replay its log; only an operator's command gets there.
      "lib/db/archive/restore-archive.ts",
      // The operator's own command for each backup, named in the configuration, and this product's test of one.
      "lib/db/backup/run-command.ts",
      "lib/db/embedded-binaries.ts",
      "lib/db/embedded-supervisor.ts",
      "lib/db/embedded.ts",
      "lib/db/supervisor/postmaster.mjs",
      "lib/db/supervisor/process-facts.mjs",
    ]);
    for (const { path, text } of starting) {
      expect(text, path).toMatch(
        /import \{ (type ChildProcess, )?(execFile|spawn) \} from "node:child_process"/,
      );
      expect(text, path).not.toMatch(/\bshell:/);
    }
  });

  it("reads rows in the code's names", () => {
    const sources = ["lib/core", "lib/views", "lib/ports"]
      .flatMap(readSources)
      .filter((source) => !isTest(source));
    const used = new Set<(typeof OUTSIDE_NAMES)[number]>();
    const wrong = sources.flatMap(({ path }) => {
      const code = codeOf(readFileSync(join(root, path), "utf8"));
      const names = new Set(code.match(/(?<!\w)[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?!\w)/g));
      return [...names].flatMap((name) => {
        const outside = OUTSIDE_NAMES.find(
          (one) => isIn(path, one.path) && (one.names === "ALL" || one.names.includes(name)),
        );
        if (outside) used.add(outside);
        return outside ? [] : [`${path}: ${name}`];
      });
    });
    expect(
      wrong,
      'SQL selects `created_at as "createdAt"`, so that a row is the code\'s shape and nothing is renamed on the way',
    ).toEqual([]);
    expect(OUTSIDE_NAMES.filter((one) => !used.has(one))).toEqual([]);
  });

  it("gives a reader who reads and when as one argument", () => {
    // An operation of the API reads for any caller, and gives services and context as it gives them to commands.
    const apart =
      /export async function \w+\(\s*(?:\w+|\{[^}]*\}): Pick<Services[^>]*>,\s*(?:\w+|\{[^}]*\}): (?:Pick<)?Context\b(?!<CallerActor>)/;
    const sources = readSources("lib/views").filter((source) => !isTest(source));
    const wrong = sources
      .map(({ path }) => path)
      .filter((path) => apart.test(readFileSync(join(root, path), "utf8")));
    expect(wrong, "a page passes on what it was given: `Reading` or `TimedReading`").toEqual([]);
  });

  it("calls an SQL function with at most six arguments", () => {
    const functions = readdirSync(join(root, "lib/db/functions"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".sql"))
      .map((path) => basename(path, ".sql"));
    expect(functions.length).toBeGreaterThan(100);
    // Or a name that a template puts in.
    const call = new RegExp(`(\\b(?:${functions.join("|")})|\\$\\{\\w+\\})\\(([^()]*)\\)`, "g");
    const wrong = readSources("lib")
      .filter((source) => !isTest(source))
      .flatMap(({ path }) =>
        [...readFileSync(join(root, path), "utf8").matchAll(call)]
          .filter(([, , given = ""]) => /\$\d/.test(given) && given.split(",").length > 6)
          .map(([, name]) => `${path}: ${name}`),
      );
    expect(wrong, "seven values in a row are mistaken for each other: give it one record, as jsonb").toEqual(
      [],
    );
  });

  it("gives every prepared statement a name of its own", () => {
    const texts = new Map<string, Set<string>>();
    for (const { name, text } of readSources("lib").flatMap(({ path }) => statementsOf(path))) {
      texts.set(name, (texts.get(name) ?? new Set()).add(text));
    }
    expect(texts.size, "no statements found: has their notation changed?").toBeGreaterThan(200);
    const wrong = [...texts].filter(([, { size }]) => size > 1).map(([name]) => name);
    expect(
      wrong,
      "a connection binds a name to its first text and rejects a second, which fails the request",
    ).toEqual([]);
  });

  it("has no product code that imports tests", () => {
    const wrong = [
      "app",
      "components",
      "lib/contract",
      "lib/core",
      "lib/views",
      "lib/words",
      "lib/next",
      "lib/api",
      "lib/engine",
      "lib/db",
      "lib/platform",
      "lib/ports",
    ]
      .flatMap(readSources)
      .filter((source) => !isTest(source))
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => isIn(target, "lib/testing") || /\.test$/.test(target))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong, "a test helper in the product is an unguarded way in").toEqual([]);
  });
});
