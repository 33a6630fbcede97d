import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/contract/error";
import { formatShown } from "@/lib/contract/shown";
import { setRuntime } from "@/lib/next/runtime";
import { projectPath } from "@/lib/platform/project-path";
import { type ActionCase, fieldsOf, loadActionCases } from "@/lib/testing/actions/action-cases";
import { type ActionScene, arrangeActions, testRuntime } from "@/lib/testing/actions/action-scene";
import { useTestDatabase } from "@/lib/testing/database";
import { proofSize } from "@/lib/testing/proof-size";

/**
 * Any session can call any server action, whatever its page offers. So each is called here as each role, and the
 * organization's rows are compared.
 */
const browser = vi.hoisted(() => ({ sessionId: "", userId: "", shown: "" }));
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
const CASES = await loadActionCases();
const database = useTestDatabase();
let scene: ActionScene;

beforeAll(async () => {
  scene = await arrangeActions(database);
  setRuntime(testRuntime(scene));
  await recordWrites();
});

describe("the list of server actions", () => {
  it("names every one that there is", () => {
    const found = findActions();
    const known = new Set(CASES.map(({ file, name }) => `${file} ${name}`));
    const missing = found.filter((action) => !known.has(action));
    expect(
      missing,
      "make each with memberAction or a sibling, and add an example to lib/testing/actions/action-examples.ts",
    ).toEqual([]);
    expect(found.length).toBeGreaterThan(60);
  });

  it("finds them all: no action is defined inside a page", () => {
    const hidden = sources().filter(({ text }) => /^\s+["']use server["']/m.test(text));
    expect(hidden.map(({ path }) => path)).toEqual([]);
  });
});

const there = new Set(findActions());

describe.each(CASES.filter(({ file, name }) => there.has(`${file} ${name}`)))("$file $name", (example) => {
  const { may } = example;
  const roles = ["CO_OWNER", "ACCOUNTANT", "VIEWER", "OWNER"] as const;
  const allowed =
    may === "OWNER" ? (["OWNER"] as const) : may === "DECIDERS" ? (["CO_OWNER", "OWNER"] as const) : roles;
  const refused = roles.filter((role) => !allowed.some((each) => each === role));

  it("changes nothing for callers without permission, and says why", async () => {
    await signInAgain();
    const args = await (example.without ?? example.call)(scene, scene.members.OWNER);
    const before = await readRows();
    for (const caller of refused) {
      expect(await run(example, caller, args), caller).toMatch(ROLE_REFUSAL);
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
      const reported = `${caller} changed nothing, and got ${answer}`;
      if (example.table !== undefined) {
        expect(Object.keys(before)).toContain(example.table);
        expect((await readRows())[example.table], reported).not.toBe(before[example.table]);
      } else if (example.does === "CHANGES" && (may === "DECIDERS" || caller === "OWNER")) {
        expect(await readRows(), reported).not.toEqual(before);
      }
      if (example.does === "ANSWERS") expect(example.because).not.toBe(undefined);
    }
  });

  if (may !== "ANYONE" && may !== "SELF" && example.name !== "acceptAsMember") {
    // The person's own sign-in is how they add that factor; joining another organization needs none of this one.
    it("does nothing for an owner without the required second factor", async () => {
      await signInAgain();
      const args = await example.call(scene, scene.members.OWNER);
      await holdBackOwner();
      const before = await readRows();
      expect(await run(example, "OWNER", args)).toMatch(/second.factor|signed out/i);
      expect(await readRows()).toEqual(before);
    });
  }

  it("refuses malformed input without logging a server error", {
    timeout: 60_000,
  }, async () => {
    await signInAgain();
    const args = await (example.without ?? example.call)(scene, scene.members.OWNER);
    const calls = args.flatMap((arg, at) => spoilt(arg, example.input).map((no) => args.with(at, no)));
    for (const call of [[], ...calls]) {
      await signInAgain();
      const answer = await run(example, "OWNER", call);
      expect(answer, `called with ${JSON.stringify(call)}`).not.toMatch(FAULT);
    }
  });
});

/** The owner signed in with a password only, and the organization requires more. */
async function holdBackOwner(): Promise<void> {
  const { ownerPool } = database;
  await ownerPool.query("update sessions set method = 'PASSWORD', has_second_factor = false where id = $1", [
    scene.members.OWNER.actor.sessionId,
  ]);
  await ownerPool.query("update organizations set requires_second_factor = true where id = $1", [
    scene.organizationId,
  ]);
}

/** Replaces an argument or one of its fields. */
const NOT_IT = [undefined, null, 7, "x", [], {}, [null]];

/** Each action and field gets one of them in turn, so that all are sent; the proof sends each to each. */
const EACH_GETS = proofSize(1, NOT_IT.length);

function spoilt(arg: unknown, input: unknown): unknown[] {
  if (arg instanceof FormData)
    return [...nextNotIt(), ...fieldsOf(input).map((field) => spoiltForm(arg, field))];
  if (arg === null || typeof arg !== "object") return nextNotIt();
  const names = new Set([...Object.keys(arg), ...fieldsOf(input)]);
  const fields = [...names].flatMap((field) => nextNotIt().map((no) => ({ ...arg, [field]: no })));
  return [...nextNotIt(), ...fields];
}

const NOT_TEXT = ["", "x".repeat(6_000), "\u0000"];

function spoiltForm(form: FormData, field: string): FormData {
  const spoiled = new FormData();
  for (const [name, value] of form) spoiled.append(name, value);
  spoiled.set(field, NOT_TEXT[turn++ % NOT_TEXT.length] ?? "");
  return spoiled;
}

let turn = 0;
function nextNotIt(): unknown[] {
  return Array.from({ length: EACH_GETS }, () => NOT_IT[turn++ % NOT_IT.length]);
}

/** Unexpected and uncaught errors. */
const FAULT = /broke on our side|^uncaught/i;

/** Every refusal of a role names who may. */
const ROLE_REFUSAL = /only an owner\b|owners can change every member\b|owners and co-owners\b/i;

/** The answer or redirect as text. */
async function run({ send }: ActionCase, caller: Caller, args: readonly unknown[]): Promise<string> {
  setCaller(caller);
  try {
    const answer = await send(args, browser.shown);
    return JSON.stringify(answer) ?? "undefined";
  } catch (error) {
    // A redirect of Next is thrown, and carries its address.
    if (!(error instanceof Error)) throw error;
    if ("digest" in error) return `${error.message} ${String(error.digest)}`;
    return error instanceof AppError ? error.message : `uncaught: ${error.message}`;
  }
}

function setCaller(caller: Caller): void {
  if (caller === "SIGNED_OUT") {
    browser.sessionId = "";
    return;
  }
  const { actor, organizationId } = caller === "STRANGER" ? scene.stranger.owner : scene.members[caller];
  browser.shown = formatShown({ userId: actor.id, organizationId, proposalId: null });
  browser.sessionId = actor.sessionId;
  browser.userId = actor.id;
}

/** Signs everyone in just now, by password: earlier calls may have ended a session or added a factor. */
async function signInAgain(): Promise<void> {
  const now = scene.clock.now();
  // One statement, prepared once, since it comes before every call.
  await database.ownerPool.query({
    name: "sign_in_again",
    text: `with throttle as (delete from throttles),
        passkey as (delete from passkeys),
        recovery_code as (delete from recovery_codes),
        authenticator as (delete from authenticators),
        requirement as (
          update organizations set requires_second_factor = false where requires_second_factor),
        joined as (delete from memberships where organization_id = $1 and user_id = any($2))
      update sessions set authenticated_at = $3, last_seen_at = $3, revoked_at = null, expires_at = $4,
        method = 'PASSWORD', has_second_factor = false,
        organization_id = case when user_id = any($2) then $5 else organization_id end`,
    values: [
      scene.stranger.organizationId,
      memberIds(),
      now,
      new Date(now.getTime() + 86_400_000),
      scene.organizationId,
    ],
  });
}

const memberIds = () => Object.values(scene.members).map(({ actor }) => actor.id);

/** About requests, not the organization. */
const NOT_COMPARED = ["sessions", "audit_entries", "audit_unsealed", "audit_seals", "challenges"];

/**
 * Notes each write to a row that belongs to the organization or to one of its members, by table. Reading the tables again
 * before and after every call took half of this file's time.
 */
async function recordWrites(): Promise<void> {
  const { rows } = await database.ownerPool.query<{ name: string; key: string }>(
    `select c.table_name as name, min(c.column_name) as key from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name in ('organization_id', 'user_id')
        and t.table_type = 'BASE TABLE' and not (c.table_name = any($1)) group by 1 order by 1`,
    [NOT_COMPARED],
  );
  const tables = [{ name: "organizations", key: "id" }, { name: "users", key: "id" }, ...rows];
  const triggers = tables.map(({ name, key }) => {
    const owners =
      key === "organization_id" || name === "organizations" ? [scene.organizationId] : memberIds();
    return `insert into writes values ('${name}');
      create trigger zz_record_write after insert or update or delete on "${name}"
        for each row execute function record_write('${key}', '{${owners}}')`;
  });
  await database.ownerPool.query(
    `create table writes (name text not null);
     create function record_write() returns trigger language plpgsql security definer as $record$
       begin
         if to_jsonb(coalesce(new, old)) ->> tg_argv[0] = any(tg_argv[1]::text[]) then
           insert into public.writes values (tg_table_name);
         end if;
         return null;
       end $record$;
     ${triggers.join(";")}`,
  );
}

/** How often rows of each table were written; of sessions, how many there are, have ended and show the organization. */
async function readRows(): Promise<Record<string, string>> {
  const result = await database.ownerPool.query<{ name: string; state: string }>({
    name: "read_writes",
    // Every request updates `last_seen_at`; other changes to sessions are compared.
    text: `select name, count(*)::text as state from writes group by name union all
      select 'sessions', concat_ws(' ', count(*), count(revoked_at), count(*) filter (where organization_id = $1))
        from sessions where user_id = any($2)`,
    values: [scene.organizationId, memberIds()],
  });
  return Object.fromEntries(result.rows.map(({ name, state }) => [name, state]));
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
