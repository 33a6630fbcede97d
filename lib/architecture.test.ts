import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

/**
 * The house (architecture page): who may import whom. A room that is not listed has no place, and an import against
 * these directions makes two things out of one.
 */
const ROOMS: { room: string; mayImport: string[]; because: string }[] = [
  {
    room: "app",
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
    because:
      "a page loads, checks the role and composes; what it needs of the platform it gets from a core command",
  },
  {
    room: "components",
    mayImport: ["components", "lib/contract", "lib/engine", "lib/words"],
    because:
      "a component gets its data from the page; one that reads the database cannot be shown in the browser",
  },
  {
    room: "lib/contract",
    mayImport: ["lib/contract"],
    because: "shapes that cross a border are the same on both sides, so they know neither side",
  },
  {
    room: "lib/engine",
    mayImport: ["lib/engine", "lib/contract"],
    because:
      "the rules' arithmetic is the same for a run, its approval, its replay and the slider in a browser, so it knows no database, no clock and no page",
  },
  {
    room: "lib/words",
    mayImport: ["lib/words", "lib/contract", "lib/engine"],
    because: "a sentence states a fact that its caller has read; it reads nothing itself",
  },
  {
    room: "lib/core",
    mayImport: ["lib/core", "lib/words", "lib/contract", "lib/engine", "lib/db", "lib/platform", "lib/ports"],
    because: "the core does not know through which API it is called",
  },
  {
    room: "lib/views",
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
    because: "a page's reads use the core's helpers, and no command waits for a page",
  },
  {
    room: "lib/next",
    mayImport: ["lib/next", "lib/core", "lib/contract", "lib/platform", "lib/ports"],
    because: "what the launcher hands to Next's bundles knows no page",
  },
  {
    room: "lib/api",
    mayImport: ["lib/api", "lib/contract", "lib/core", "lib/db", "lib/platform", "lib/views", "lib/words"],
    because: "an API translates and never decides; the outside is reached through the core",
  },
  {
    room: "lib/ports",
    mayImport: ["lib/ports", "lib/contract", "lib/db", "lib/platform"],
    because: "an adapter of the outside does not know what its answers are used for",
  },
  {
    room: "lib/db",
    mayImport: ["lib/db", "lib/contract", "lib/platform"],
    because: "the database's supervisor and its connections know nothing of who asks",
  },
  {
    room: "lib/platform",
    mayImport: ["lib/platform", "lib/contract"],
    because: "the platform knows nothing of money",
  },
  {
    room: "clients/typescript/src",
    mayImport: ["clients/typescript/src"],
    because: "the client is a package of its own, and knows of the product what the OpenAPI document says",
  },
  {
    room: "proof/torture/checker",
    mayImport: ["proof/torture/checker"],
    because: "a checker that shared code with the product would share its mistakes",
  },
  {
    room: "lib/testing",
    mayImport: ["lib", "open-product"],
    because: "what only tests use stays out of the product",
  },
];

/** The modules of lib/core from the ground up: each imports only from those before it (ARCHITECTURE.md). */
const CORE_MODULES = [
  "shared",
  "sign-in",
  "organizations",
  "keys",
  "ledger",
  "connections",
  "transfers",
  "cards",
  "rules",
  "approvals",
  "audit",
  "webhooks",
  "notifications",
  "profile",
  "exports",
  "work",
  "sandbox",
  "demo",
];

/** `components/ui` and its like hold primitives without a domain word. */
const PRIMITIVES = ["components/ui", "components/time", "components/money"];

const root = dirname(projectPath("package.json"));

interface SourceFile {
  path: string;
  imports: string[];
}

function readSources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .map((path) => ({ path, imports: importsOf(path) }));
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith("@/")) return [specifier.slice(2)];
    if (specifier.startsWith(".")) return [join(dirname(path), specifier)];
    return [];
  });
}

/** What is filled into a text, or named elsewhere, means what its file says: there it is another text. */
function statementsOf(path: string): { name: string; text: string }[] {
  const source = readFileSync(join(root, path), "utf8");
  const found = source.matchAll(/name:\s*"(\w+)",\s*text:\s*("[^"]*"|`[^`]*`|\w+)/g);
  return [...found].map(([, name = "", text = ""]) => ({
    name,
    text: /^\w|\$\{/.test(text) ? `${path} ${text}` : text,
  }));
}

/** Groups of files that reach each other by their imports (Tarjan's strongly connected components). */
function findCircles(sources: SourceFile[]): string[][] {
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
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) found.push(circle.toSorted());
    }
    return low;
  };
  for (const file of files.keys()) if (!order.has(file)) visit(file);
  return found;
}

const isIn = (path: string, room: string) => path === room || path.startsWith(`${room}/`);
const isTest = ({ path }: SourceFile) => /\.(test|contract)\.tsx?$/.test(path);

describe("the house", () => {
  it.each(ROOMS)("$room imports only $mayImport", ({ room, mayImport, because }) => {
    const sources = readSources(room).filter((source) => !isTest(source));
    expect(sources.length, `${room} is empty: was it moved?`).toBeGreaterThan(0);
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => !/\.css$/.test(target) && !mayImport.some((allowed) => isIn(target, allowed)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong, because).toEqual([]);
  });

  it("has no other rooms under lib", () => {
    const known = ROOMS.map(({ room }) => room);
    const found = readdirSync(join(root, "lib"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `lib/${entry.name}`);
    expect(found.filter((folder) => !known.includes(folder))).toEqual([]);
  });

  it("builds lib/core from ordered modules", () => {
    const moduleOf = (path: string) => path.split("/")[2] ?? "";
    const floorOf = (path: string) => CORE_MODULES.indexOf(moduleOf(path));
    const sources = readSources("lib/core").filter((source) => !isTest(source));
    const unlisted = new Set(
      sources.map(({ path }) => moduleOf(path)).filter((name) => !CORE_MODULES.includes(name)),
    );
    expect([...unlisted], "a file of lib/core belongs to one of its modules").toEqual([]);
    const upward = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => isIn(target, "lib/core") && floorOf(target) > floorOf(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(
      upward,
      "a module imports only from earlier ones: for a later one it writes a row (a notice, an event, due work)",
    ).toEqual([]);
  });

  it("has no circle of files", () => {
    const sources = [...readSources("app"), ...readSources("components"), ...readSources("lib")];
    expect(findCircles(sources), "files that import each other can only be understood at once").toEqual([]);
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
    expect(large, "a reader scans a folder's names; group by command, or by what they serve").toEqual([]);
  });

  it.each(PRIMITIVES)("keeps %s free of subjects", (folder) => {
    const wrong = readSources(folder).flatMap(({ path, imports }) =>
      imports
        .filter(
          (target) => isIn(target, "components") && !PRIMITIVES.some((primitive) => isIn(target, primitive)),
        )
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong, "a primitive that knows a subject cannot serve the next one").toEqual([]);
  });

  it("asks the time in one place only", () => {
    const wrong = ["app", "components", "lib"]
      .flatMap(readSources)
      .filter(
        (source) =>
          !isTest(source) && !isIn(source.path, "lib/testing") && source.path !== "lib/platform/clock.ts",
      )
      .filter(({ path }) => /\bnew Date\(\)|\bDate\.now\(\)/.test(readFileSync(join(root, path), "utf8")))
      .map(({ path }) => path);
    expect(wrong, "a second clock cannot be moved by tests, nor by the sandbox").toEqual([]);
  });

  it("starts other programs in five files, each with a list of arguments and without a shell", () => {
    const starting = ["app", "components", "lib"]
      .flatMap(readSources)
      .filter((source) => !isTest(source) && !isIn(source.path, "lib/testing"))
      .map(({ path }) => ({ path, text: readFileSync(join(root, path), "utf8") }))
      .filter(({ text }) => /child_process/.test(text));
    expect(
      starting.map(({ path }) => path).toSorted(),
      "what a request says may never come into a command: start no program elsewhere",
    ).toEqual([
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

  it("gives every prepared statement a name of its own", () => {
    const texts = new Map<string, Set<string>>();
    for (const { name, text } of readSources("lib").flatMap(({ path }) => statementsOf(path))) {
      texts.set(name, (texts.get(name) ?? new Set()).add(text));
    }
    expect(texts.size, "no statement was found: are they written otherwise now?").toBeGreaterThan(200);
    const wrong = [...texts].filter(([, { size }]) => size > 1).map(([name]) => name);
    expect(
      wrong,
      "a connection keeps a name for its first text and refuses the second: the request breaks that meets such a connection",
    ).toEqual([]);
  });

  it("lets nothing of the product import its tests", () => {
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
    expect(wrong, "a test helper in the product is a door that nobody guards").toEqual([]);
  });
});
