import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { setRuntime } from "@/lib/core/runtime";
import { projectPath } from "@/lib/platform/project-path";
import { ACTION_EXAMPLES, type ActionExample } from "@/lib/testing/action-examples";
import { type ActionScene, arrangeActions } from "@/lib/testing/action-scene";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { testRuntime } from "@/lib/testing/test-runtime";

/**
 * Every server action is a door of its own: whoever has a session can call it, whatever the page offers them. So each is
 * called here as each role calls it, and the rows of the organization are compared.
 */
const browser = vi.hoisted(() => ({ sessionId: "", userId: "" }));
vi.mock("next/cache", () => ({ revalidatePath: () => {}, revalidateTag: () => {}, refresh: () => {} }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ "user-agent": "Vitest" }),
  cookies: async () => ({ get: () => undefined, set: () => {}, delete: () => {} }),
}));
// The cookie's encryption is next-auth's; who that is and what they may is read from the database, as always.
vi.mock("@/app/auth/session-cookie", () => ({
  readSessionCookie: async () => (browser.sessionId === "" ? null : { ...browser }),
  writeSessionCookie: async () => {},
  clearSessionCookie: async () => {},
}));

type Caller = "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER" | "SIGNED_OUT" | "STRANGER";

const root = dirname(projectPath("package.json"));
let database: TestDatabase;
let scene: ActionScene;

beforeAll(async () => {
  database = await createTestDatabase();
  scene = await arrangeActions(database);
  setRuntime(testRuntime(scene));
});
afterAll(() => database.close());

describe("the list of server actions", () => {
  it("names every one that there is", () => {
    const found = findActions();
    const known = new Set(ACTION_EXAMPLES.map(({ file, name }) => `${file} ${name}`));
    const missing = found.filter((action) => !known.has(action));
    expect(missing, "add an example of each to ACTION_EXAMPLES in lib/testing/action-examples.ts").toEqual(
      [],
    );
    expect(found.length).toBeGreaterThan(60);
  });

  it("finds them all: no action hides inside a page", () => {
    const hidden = sources().filter(({ text }) => /^\s+["']use server["']/m.test(text));
    expect(hidden.map(({ path }) => path)).toEqual([]);
  });
});

const there = new Set(findActions());

describe.each(ACTION_EXAMPLES.filter(({ file, name }) => there.has(`${file} ${name}`)))(
  "$file $name",
  (example) => {
    const { may } = example;
    const roles = ["CO_OWNER", "ACCOUNTANT", "VIEWER", "OWNER"] as const;
    const allowed = may === "OWNERS" ? (["CO_OWNER", "OWNER"] as const) : roles;

    it("changes nothing for whoever may not, and says why", async () => {
      const args = await example.call(scene, scene.members.OWNER);
      const before = await readRows();
      if (may === "OWNERS") {
        for (const caller of ["ACCOUNTANT", "VIEWER"] as const) {
          expect(await run(example, caller, args), caller).toMatch(ROLE_REFUSAL);
        }
      }
      const signedOut = await run(example, "SIGNED_OUT", args);
      if (may !== "ANYONE") expect(signedOut).toMatch(/signed out|\/sign-in/i);
      await run(example, "STRANGER", args);
      expect(await readRows()).toEqual(before);
    });

    it(`does it for ${allowed.join(", ")}`, async () => {
      for (const caller of allowed) {
        await signInAgain();
        const args = await example.call(scene, scene.members[caller]);
        const before = await readRows();
        const answer = await run(example, caller, args);
        expect(answer, caller).not.toMatch(ROLE_REFUSAL);
        expect(answer, caller).not.toMatch(/signed out|broke on our side/i);
        if (example.does === "CHANGES" && (may === "OWNERS" || caller === "OWNER")) {
          expect(await readRows(), `${caller} changed nothing, and was told ${answer}`).not.toEqual(before);
        }
        if (example.does === "ANSWERS") expect(example.because).not.toBe(undefined);
      }
    });
  },
);

/** Every refusal of a role names who may. */
const ROLE_REFUSAL = /only an owner\b|owners change everybody\b|owners and co-owners\b/i;

/** What the caller is told, or where they are sent, as one text. */
async function run({ file, name }: ActionExample, caller: Caller, args: readonly unknown[]): Promise<string> {
  setCaller(caller);
  const module: Record<string, unknown> = await import(/* @vite-ignore */ join(root, file));
  const action = module[name];
  if (typeof action !== "function") throw new Error(`${file} exports no ${name}`);
  try {
    const answer: unknown = await Reflect.apply(action, undefined, args);
    return JSON.stringify(answer) ?? "undefined";
  } catch (error) {
    // A redirect of Next is thrown, and carries its address.
    if (!(error instanceof Error)) throw error;
    return `${error.message} ${"digest" in error ? String(error.digest) : ""}`;
  }
}

function setCaller(caller: Caller): void {
  if (caller === "SIGNED_OUT") {
    browser.sessionId = "";
    return;
  }
  const { actor } = caller === "STRANGER" ? scene.stranger.owner : scene.members[caller];
  browser.sessionId = actor.sessionId;
  browser.userId = actor.id;
}

/** Everybody has signed in this very moment, with a session that works: earlier calls may have ended it. */
async function signInAgain(): Promise<void> {
  await database.ownerPool.query(
    `update sessions set authenticated_at = $1, last_seen_at = $1, revoked_at = null, expires_at = $2`,
    [scene.clock.now(), new Date(scene.clock.now().getTime() + 86_400_000)],
  );
}

/** What is about a request, not about the organization. */
const NOT_COMPARED = ["sessions", "audit_entries", "audit_unsealed", "audit_seals", "challenges"];

/** Count and newest versions of the rows of every table that belongs to the organization. */
async function readRows(): Promise<Record<string, unknown>> {
  const { rows } = await database.ownerPool.query<{ table: string }>(
    `select c.table_name as table from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
        and not (c.table_name = any($1)) order by 1`,
    [NOT_COMPARED],
  );
  const of = (table: string) => {
    const key = table === "organizations" ? "id" : "organization_id";
    return `select '${table}' as name, count(*) as count, coalesce(sum(xmin::text::bigint), 0) as version
      from ${table} where ${key} = '${scene.organizationId}'`;
  };
  const tables = ["organizations", ...rows.map(({ table }) => table)];
  const result = await database.ownerPool.query<{ name: string; count: number; version: string }>(
    tables.map(of).join(" union all "),
  );
  return Object.fromEntries(result.rows.map(({ name, count, version }) => [name, `${count} ${version}`]));
}

function sources(): { path: string; text: string }[] {
  return ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") })),
  );
}

/** `app/cards/actions.ts freezeCard`, of every module that begins with "use server". */
function findActions(): string[] {
  return sources()
    .filter(({ text }) => /^(\s*\/\/[^\n]*\n|\s*\/\*[\s\S]*?\*\/\s*)*\s*["']use server["']/.test(text))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async function|const) (\w+)/gm)].map(([, name]) => `${path} ${name}`),
    );
}
