import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { decide } from "@/app/approvals/actions";
import { currentMember, requireMember, sessionAt } from "@/app/auth/member";
import { closeGates } from "@/app/gates/actions";
import { POST as chooseOrganization } from "@/app/organization/route";
import { beginAuthenticator, beginEnrollment, beginPresence } from "@/app/settings/security/actions";
import { downloadHref, formatShown, SHOWN_FIELD, withShownField } from "@/lib/contract/shown";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { setRuntime } from "@/lib/next/runtime";
import { projectPath } from "@/lib/platform/project-path";
import { type ActionCase, loadActionCases } from "@/lib/testing/actions/action-cases";
import { type ActionScene, arrangeActions, testRuntime } from "@/lib/testing/actions/action-scene";
import { useTestDatabase } from "@/lib/testing/database";
import { readTenantRows } from "@/lib/testing/foreign-ids";
import { getApproval } from "@/lib/views/approvals/get-approval";

/**
 * A member of two organizations has two tabs. In one they look at Northwind; in the other they have switched to
 * Elsewhere since, where they are an owner too. Whatever the first tab does lands in neither. Nor does what a tab does
 * that shows one member while someone else has signed in since.
 */
const browser = vi.hoisted(() => ({ sessionId: "", userId: "", shown: "" }));
vi.mock("next/cache", () => ({ revalidatePath: () => {}, revalidateTag: () => {}, refresh: () => {} }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ "user-agent": "Vitest" }),
  cookies: async () => ({ get: () => undefined, set: () => {}, delete: () => {} }),
}));
vi.mock("@/app/auth/session-cookie", () => ({
  readSessionCookie: async () => ({ ...browser }),
  writeSessionCookie: async () => {},
  clearSessionCookie: async () => {},
}));

const root = dirname(projectPath("package.json"));
const ELSEWHERE = /This came from a page of Northwind, but you switched to Elsewhere/;
const SOMEBODY_ELSE = /You are signed in as Mara now\. Look again\. Nothing was changed/;
const NOT_SHOWN = /did not come from a page of Sluice/;

const database = useTestDatabase();
let scene: ActionScene;

beforeAll(async () => {
  scene = await arrangeActions(database);
  setRuntime(testRuntime(scene));
});
beforeEach(async () => {
  const { actor } = scene.members.OWNER;
  const now = scene.clock.now();
  // One statement, prepared once, since it comes before every action.
  await database.ownerPool.query({
    name: "sign_in_again",
    text: `with member as (
          insert into memberships values ($1, $2, 'OWNER', $3) on conflict do nothing),
        passkey as (delete from passkeys),
        recovery_code as (delete from recovery_codes),
        authenticator as (delete from authenticators),
        gate as (delete from gate_closings)
      update sessions set authenticated_at = $3, last_seen_at = $3, revoked_at = null, expires_at = $4,
        method = 'PASSWORD', has_second_factor = false, organization_id = $6 where id = $5`,
    values: [
      scene.stranger.organizationId,
      actor.id,
      now,
      new Date(now.getTime() + 86_400_000),
      actor.sessionId,
      scene.organizationId,
    ],
  });
  browser.sessionId = actor.sessionId;
  browser.userId = actor.id;
  browser.shown = shownBy(scene.members.OWNER);
});

/** What the pages of this member send. */
function shownBy({ actor, organizationId }: Context<MemberActor>, proposalId: string | null = null): string {
  return formatShown({ userId: actor.id, organizationId, proposalId });
}

function formShowing(shown: string): FormData {
  const form = new FormData();
  form.set(SHOWN_FIELD, shown);
  return form;
}

async function inspect(organizationId: string): Promise<void> {
  await database.ownerPool.query("update sessions set organization_id = $1 where id = $2", [
    organizationId,
    browser.sessionId,
  ]);
}

async function lookedAt(): Promise<string | undefined> {
  const { rows } = await database.ownerPool.query<{ organizationId: string }>(
    `select organization_id as "organizationId" from sessions where id = $1`,
    [browser.sessionId],
  );
  return rows[0]?.organizationId;
}

async function readBoth() {
  const { ownerPool } = database;
  return {
    northwind: await readTenantRows(ownerPool, scene.organizationId),
    elsewhere: await readTenantRows(ownerPool, scene.stranger.organizationId),
  };
}

/** Those of anyone have no member and organization; the token of an invitation names the organization to join. */
const OF_AN_ORGANIZATION = (await loadActionCases()).filter(
  ({ may, name }) => may !== "ANYONE" && name !== "acceptAsMember",
);

describe.each(OF_AN_ORGANIZATION)("$file $name", (example) => {
  it("changes neither organization from a tab that shows another one than the session, and says so", async () => {
    const args = await example.call(scene, scene.members.OWNER);
    await inspect(scene.stranger.organizationId);
    const before = await readBoth();
    expect(await run(example, args)).toMatch(ELSEWHERE);
    browser.shown = "";
    expect(await run(example, args)).toMatch(NOT_SHOWN);
    expect(await readBoth()).toEqual(before);
    expect(await lookedAt()).toBe(scene.stranger.organizationId);
  });

  it("changes nothing from a tab that shows another member than the session, and says so", async () => {
    const args = await example.call(scene, scene.members.OWNER);
    browser.shown = shownBy(scene.members.CO_OWNER);
    const before = await readBoth();
    expect(await run(example, args)).toMatch(SOMEBODY_ELSE);
    expect(await readBoth()).toEqual(before);
  });
});

async function run({ send }: ActionCase, args: readonly unknown[]): Promise<string> {
  return JSON.stringify(await send(args, browser.shown)) ?? "undefined";
}

it("a member adds the second factor that their organization requires, and reaches nothing of it before", async () => {
  const { ownerPool } = database;
  onTestFinished(async () => {
    await ownerPool.query("update organizations set requires_second_factor = false");
  });
  await ownerPool.query("update organizations set requires_second_factor = true where id = $1", [
    scene.organizationId,
  ]);
  expect(await beginPresence("ADD_PASSKEY", browser.shown)).toMatchObject({ kind: "BEGUN" });
  expect(await beginEnrollment(undefined, browser.shown)).toMatchObject({ kind: "BEGUN" });
  expect(await beginAuthenticator(undefined, browser.shown)).toMatchObject({ kind: "BEGUN" });
  expect(await closeGates(null, formShowing(browser.shown))).toMatchObject({
    kind: "REFUSED",
    message: expect.stringContaining("now requires a second factor"),
  });
});

interface RouteExample {
  file: string;
  method: "GET" | "POST";
  path: string;
  params?: Record<string, string>;
  body?: string;
}

/** Every route of an organization's pages, except next-auth and the switch of organization. */
const ROUTES = (): RouteExample[] => [
  { file: "app/live/route.ts", method: "GET", path: "/live" },
  { file: "app/find/route.ts", method: "POST", path: "/find", body: JSON.stringify({ query: "taxes" }) },
  { file: "app/approvals/export/route.ts", method: "GET", path: "/approvals/export" },
  { file: "app/transfers/export/route.ts", method: "GET", path: "/transfers/export" },
  { file: "app/transfers/cards/export/route.ts", method: "GET", path: "/transfers/cards/export" },
  { file: "app/transfers/outside/export/route.ts", method: "GET", path: "/transfers/outside/export" },
  { file: "app/audit/activity/export/route.ts", method: "GET", path: "/audit/activity/export" },
  {
    file: "app/audit/export/[format]/route.ts",
    method: "GET",
    path: "/audit/export/csv",
    params: { format: "csv" },
  },
  {
    file: "app/settings/year-end/[year]/zip/route.ts",
    method: "GET",
    path: `/settings/year-end/${thisYear()}/zip`,
    params: { year: thisYear() },
  },
  {
    file: "app/settings/fraud-monitoring/export/route.ts",
    method: "GET",
    path: "/settings/fraud-monitoring/export",
  },
  {
    file: "app/settings/api-keys/[id]/first-use/route.ts",
    method: "GET",
    path: "/settings/api-keys/x/first-use",
    params: { id: scene.operating },
  },
  {
    file: "app/approvals/[id]/version/route.ts",
    method: "GET",
    path: "/approvals/x/version",
    params: { id: scene.operating },
  },
  {
    file: "app/approvals/review/progress/route.ts",
    method: "GET",
    path: `/approvals/review/progress?id=${scene.operating}`,
  },
  {
    file: "app/documents/[transferId]/route.ts",
    method: "POST",
    path: "/documents/x",
    params: { transferId: scene.operating },
    body: "%PDF-1.4",
  },
  {
    file: "app/documents/[transferId]/[documentId]/route.ts",
    method: "GET",
    path: "/documents/x/y",
    params: { transferId: scene.operating, documentId: scene.operating },
  },
  {
    file: "app/transfers/new/documents/route.ts",
    method: "POST",
    path: `/transfers/new/documents?draft=${scene.operating}`,
    body: "%PDF-1.4",
  },
  {
    file: "app/welcome/identity/documents/route.ts",
    method: "POST",
    path: "/welcome/identity/documents?subject=0",
    body: "%PDF-1.4",
  },
];
const ROUTES_OF_NO_ORGANIZATION = [
  "app/api/auth/[...nextauth]/route.ts",
  "app/organization/route.ts",
  // A service worker shows no organization, and a device belongs to a person.
  "app/settings/notifications/device/route.ts",
];

const thisYear = () => String(scene.clock.now().getUTCFullYear());

async function ask(
  example: RouteExample,
  address = withShownField(example.path, browser.shown),
): Promise<Response> {
  const module: Record<string, unknown> = await import(/* @vite-ignore */ join(root, example.file));
  const handle = module[example.method];
  if (typeof handle !== "function") throw new Error(`${example.file} exports no ${example.method}`);
  const { appUrl } = scene.services;
  const request = new Request(`${appUrl}${address}`, {
    method: example.method,
    body: example.body,
    headers: { origin: appUrl, "content-length": String(example.body?.length ?? 0) },
  });
  return Reflect.apply(handle, undefined, [request, { params: Promise.resolve(example.params ?? {}) }]);
}

describe("polls and downloads", () => {
  it("are all listed here", () => {
    const found = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
      .filter((path) => /(^|\/)route\.tsx?$/.test(path))
      .map((path) => `app/${path}`);
    const listed = [...ROUTES().map(({ file }) => file), ...ROUTES_OF_NO_ORGANIZATION];
    expect(found.toSorted()).toEqual(listed.toSorted());
  });

  it("refuse a tab that shows another organization than the session", async () => {
    for (const example of ROUTES()) {
      await inspect(scene.stranger.organizationId);
      const elsewhere = await ask(example);
      expect([400, 409], example.file).toContain(elsewhere.status);
      const text = await elsewhere.text();
      expect(text, example.file).toContain("Northwind");
      expect(text, example.file).toContain("Elsewhere");
      browser.shown = "";
      const nothing = await ask(example);
      expect([400, 409], example.file).toContain(nothing.status);
      expect(await nothing.text(), example.file).toMatch(NOT_SHOWN);
      await inspect(scene.organizationId);
      browser.shown = shownBy(scene.members.CO_OWNER);
      const someoneElse = await ask(example);
      expect([400, 409], example.file).toContain(someoneElse.status);
      expect(await someoneElse.text(), example.file).toMatch(/"PERSON","name":"Mara"|signed in as Mara now/);
      browser.shown = shownBy(scene.members.OWNER);
      expect((await ask(example)).status, example.file).not.toBe(409);
    }
  });

  it("change nothing on GET, which an image or a link of another site can trigger", async () => {
    const asked = ROUTES().filter(({ method }) => method === "GET");
    expect(asked.length).toBeGreaterThan(7);
    const before = await readBoth();
    for (const example of asked) {
      const answer = await ask(example);
      expect([200, 404], example.file).toContain(answer.status);
      await answer.text();
      expect(await readBoth(), example.file).toEqual(before);
    }
  });

  it("take what the page showed from a download's URL", async () => {
    browser.shown = "";
    for (const example of ROUTES().filter(({ path }) => /export|zip/.test(path))) {
      const own = await ask(example, downloadHref(example.path, scene.members.OWNER));
      expect(own.status, example.file).toBe(200);
      await own.body?.cancel();
      const { actor } = scene.members.OWNER;
      const { organizationId } = scene.stranger;
      const other = await ask(example, downloadHref(example.path, { actor, organizationId }));
      expect(other.status, example.file).toBe(409);
      const someoneElse = await ask(example, downloadHref(example.path, scene.members.CO_OWNER));
      expect(someoneElse.status, example.file).toBe(409);
    }
  });
});

describe("pages", () => {
  it("show the session's member and organization, whatever the tab showed before", async () => {
    expect((await requireMember("/accounts")).organization.id).toBe(scene.organizationId);
    await inspect(scene.stranger.organizationId);
    expect((await requireMember("/accounts")).organization.id).toBe(scene.stranger.organizationId);
    expect((await currentMember())?.actor.id).toBe(scene.members.OWNER.actor.id);
  });

  it("ask for the member in one place", () => {
    const opensItself =
      /sign-in|sign-up|forgot|reset|invitations|payee\/\[token\]|mailbox|docs|design|second-factor/;
    const pages = sources("app").filter(
      ({ path }) => /(^|\/)page\.tsx$/.test(path) && !opensItself.test(path),
    );
    expect(pages.length).toBeGreaterThan(45);
    const forgotten = pages.filter(({ path }) => !reaches(path, /\brequireMember\(/));
    expect(forgotten.map(({ path }) => path)).toEqual([]);
  });

  it("and so do actions and routes", () => {
    // The member has no organization yet, or the form names it.
    const mayReadSession = [...ROUTES_OF_NO_ORGANIZATION, "app/invitations/[token]/actions.ts"];
    const wrong = sources("app").filter(
      ({ path, text }) =>
        /(actions|route)\.tsx?$/.test(path) &&
        !mayReadSession.includes(path) &&
        /\b(currentMember|currentSession|requireMember|readSession)\b/.test(text),
    );
    expect(
      wrong.map(({ path }) => path),
      "ask askingMember(), memberAction(), answerMember(), sendCsv() or sendDownload(), which refuse another organization",
    ).toEqual([]);
  });

  it("never change a session when opened: only the form that switches organization does", () => {
    const callers = sources("app").filter(({ text }) => /\bswitchOrganization\(/.test(text));
    expect(callers.map(({ path }) => path)).toEqual(["app/organization/route.ts"]);
    expect(callers[0]?.text).not.toMatch(/export (async )?function GET/);
  });
});

describe("the approval of another organization than the session's", () => {
  it("is shown and decided in its own, without changing the session", async () => {
    const proposalId = await scene.propose();
    await inspect(scene.stranger.organizationId);
    browser.shown = "";
    const member = await requireMember(`/?approvalTransferId=${proposalId}`);
    expect(member.organization.id).toBe(scene.organizationId);
    const view = await getApproval(
      {
        services: scene.services,
        context: { ...scene.members.OWNER, now: scene.clock.now() },
        time: { nowAt: scene.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" },
      },
      proposalId,
    );
    browser.shown = shownBy(scene.members.OWNER, proposalId);
    const result = await decide(
      {
        proposalId,
        decision: "DENY",
        digest: view?.digest ?? "",
        confirmation: { kind: "NONE" },
        note: null,
      },
      browser.shown,
    );
    expect(result.kind).toBe("DECIDED");
    expect(await lookedAt()).toBe(scene.stranger.organizationId);
  });

  it("requires its organization's second factor, not the session's", async () => {
    const proposalId = await scene.propose();
    const address = `/?approvalTransferId=${proposalId}`;
    await database.ownerPool.query("update organizations set requires_second_factor = true where id = $1", [
      scene.organizationId,
    ]);
    await inspect(scene.stranger.organizationId);
    browser.shown = "";
    try {
      await expect(requireMember(address)).rejects.toMatchObject({
        digest: expect.stringContaining("/second-factor?next="),
      });
      // The second-factor page must agree, or the two would redirect in a loop.
      expect((await sessionAt(address))?.lacksSecondFactor).toBe(true);
      expect((await sessionAt("/accounts"))?.lacksSecondFactor).toBe(false);
    } finally {
      await database.ownerPool.query("update organizations set requires_second_factor = false");
    }
  });

  it("stops that organization's gates, and not the session's", async () => {
    const proposalId = await scene.propose();
    await inspect(scene.stranger.organizationId);
    browser.shown = shownBy(scene.members.OWNER, proposalId);
    expect(await closeGates(null, formShowing(browser.shown))).toEqual({ kind: "CLOSED" });
    const { rows } = await database.ownerPool.query<{ organizationId: string }>(
      `select organization_id as "organizationId" from gate_closings where opened_at is null`,
    );
    expect(rows.map(({ organizationId }) => organizationId)).toEqual([scene.organizationId]);
  });

  it("stays hidden from non-members, whatever their page claims to have shown", async () => {
    const proposalId = await scene.propose();
    browser.sessionId = scene.stranger.owner.actor.sessionId;
    browser.userId = scene.stranger.owner.actor.id;
    browser.shown = shownBy({ ...scene.stranger.owner, organizationId: scene.organizationId }, proposalId);
    expect(await closeGates(null, formShowing(browser.shown))).toMatchObject({
      kind: "REFUSED",
      message: expect.stringMatching(/no longer belong/),
    });
  });
});

describe("choosing another organization", () => {
  const choose = (fields: Record<string, string>) =>
    chooseOrganization(
      new Request(`${scene.services.appUrl}/organization`, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
      }),
    );

  it("opens a new document there", async () => {
    const answer = await choose({
      organization: scene.stranger.organizationId,
      next: "/accounts",
      [SHOWN_FIELD]: shownBy(scene.members.OWNER),
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/accounts"]);
    expect(await lookedAt()).toBe(scene.stranger.organizationId);
  });

  it("redirects to no other site, and to no organization they do not belong to", async () => {
    const away = await choose({
      organization: scene.stranger.organizationId,
      next: "//evil.example",
      [SHOWN_FIELD]: shownBy(scene.members.OWNER),
    });
    expect(away.headers.get("location")).toBe("/");
    browser.sessionId = scene.members.VIEWER.actor.sessionId;
    browser.userId = scene.members.VIEWER.actor.id;
    const refused = await choose({
      organization: scene.stranger.organizationId,
      [SHOWN_FIELD]: shownBy(scene.members.VIEWER),
    });
    expect(refused.status).toBe(403);
    expect((await choose({ organization: "x" })).status).toBe(400);
    expect(await lookedAt()).toBe(scene.organizationId);
  });

  it("does nothing for a form that another member's page sends, or no page of ours", async () => {
    const { organizationId } = scene.stranger;
    const someoneElse = await choose({
      organization: organizationId,
      [SHOWN_FIELD]: shownBy(scene.members.CO_OWNER),
    });
    expect([someoneElse.status, await someoneElse.text()]).toEqual([
      409,
      "You are signed in as Mara now. Look again. Nothing was changed.\n",
    ]);
    expect((await choose({ organization: organizationId })).status).toBe(400);
    expect(await lookedAt()).toBe(scene.organizationId);
  });
});

interface Source {
  path: string;
  text: string;
}

function sources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));
}

/** Whether a page, or a module of app that it imports, says so. */
function reaches(path: string, pattern: RegExp, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  // Parts of a page ask nobody, and there are hundreds.
  if (path.includes("/_components/") || !existsSync(join(root, path))) return false;
  const text = readFileSync(join(root, path), "utf8");
  if (pattern.test(text) && path !== "app/auth/member.ts") return true;
  return [...text.matchAll(/from "@\/(app\/[^"]+)"/g)].some(([, target = ""]) =>
    [`${target}.ts`, `${target}.tsx`].some((file) => reaches(file, pattern, seen)),
  );
}
