import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as find } from "@/app/find/route";
import { GET as live } from "@/app/live/route";
import { parseLiveView } from "@/lib/contract/browser/live";
import { searchViewSchema } from "@/lib/contract/search/found";
import { MAXIMUM_QUERY_LENGTH } from "@/lib/contract/search/search-query";
import { formatShown, withShownField } from "@/lib/contract/shown";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { setRuntime } from "@/lib/next/runtime";
import { type ActionScene, arrangeActions, testRuntime } from "@/lib/testing/actions/action-scene";
import { useTestDatabase } from "@/lib/testing/database";

/**
 * The two requests that open pages send by themselves: every answer of the real handlers. A wrong status would make a
 * browser poll forever, or never again.
 */
const browser = vi.hoisted(() => ({ sessionId: "", userId: "", shown: "" }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ "user-agent": "Vitest" }),
  cookies: async () => ({ get: () => undefined, set: () => {}, delete: () => {} }),
}));
// The cookie's encryption is next-auth's; who that is and what they may is read from the database, as always.
vi.mock("@/app/auth/session-cookie", () => ({
  readSessionCookie: async () => (browser.sessionId === "" ? null : { ...browser }),
}));

const database = useTestDatabase();
let scene: ActionScene;

beforeAll(async () => {
  scene = await arrangeActions(database);
});
beforeEach(() => {
  setRuntime(testRuntime(scene));
  // A minute of its own: the routes count in memory, by minutes and sessions.
  scene.clock.advance(60_000);
  signIn(scene.members.OWNER);
});

function signIn(member: Context<MemberActor> | null): void {
  browser.sessionId = member?.actor.sessionId ?? "";
  browser.userId = member?.actor.id ?? "";
  browser.shown = member
    ? formatShown({ userId: member.actor.id, organizationId: member.organizationId, proposalId: null })
    : "";
}

/** The database fails after the session was read. */
function breakReading(): void {
  let isSessionRead = false;
  const pool = new Proxy(database.pool, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name);
      return (query: Parameters<typeof target.query>[0]) => {
        if (isSessionRead) throw new Error("the disk of northwind is on fire");
        isSessionRead = true;
        return target.query(query);
      };
    },
  });
  setRuntime({ ...testRuntime(scene), services: { ...scene.services, pool } });
}

const askLive = (etag?: string) =>
  live(
    new Request(withShownField("http://localhost/live", browser.shown), {
      headers: etag ? { "if-none-match": etag } : {},
    }),
  );

function ask(body: string, headers: Record<string, string> = lengthOf(body)) {
  return find(
    new Request(withShownField("http://localhost/find", browser.shown), { method: "POST", body, headers }),
  );
}
const askFor = (query: string) => ask(JSON.stringify({ query }));
const lengthOf = (body: string) => ({ "content-length": String(Buffer.byteLength(body)) });

/** Neither browser nor proxy may store it. */
function expectPrivate(response: Response): void {
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("vary")).toBe("Cookie");
}

describe("GET /live", () => {
  it("200: the waiting count and stamps, for this reader only", async () => {
    const response = await askLive();
    expect(response.status).toBe(200);
    expectPrivate(response);
    expect(response.headers.get("etag")).toMatch(/^"\d+-.+"$/);
    const before = parseLiveView(await response.json());
    await scene.propose();
    const after = parseLiveView(await (await askLive()).json());
    expect(after.waitingCount).toBe(before.waitingCount + 1);
  });

  it("304 without a body if unchanged, and 200 once something new waits", async () => {
    const etag = (await askLive()).headers.get("etag") ?? "";
    const same = await askLive(etag);
    expect(same.status).toBe(304);
    expect(await same.text()).toBe("");
    expect(same.headers.get("etag")).toBe(etag);
    expectPrivate(same);
    await scene.propose();
    const changed = await askLive(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it("200 to every role, with their own organization's data", async () => {
    await scene.propose();
    const own = parseLiveView(await (await askLive()).json());
    for (const role of ["CO_OWNER", "ACCOUNTANT", "VIEWER"] as const) {
      signIn(scene.members[role]);
      expect(parseLiveView(await (await askLive()).json()), role).toEqual(own);
    }
    signIn(scene.stranger.owner);
    expect(parseLiveView(await (await askLive()).json()).waitingCount).toBe(0);
  });

  it("401 without a session, with someone else's, and after it ended: the browser stops polling", async () => {
    signIn(null);
    const nobody = await askLive();
    expect(nobody.status).toBe(401);
    expectPrivate(nobody);
    expect(await nobody.text()).not.toMatch(/\d/);

    browser.sessionId = scene.members.OWNER.actor.sessionId;
    browser.userId = scene.members.VIEWER.actor.id;
    expect((await askLive()).status).toBe(401);

    signIn(await scene.northwind.addMember("VIEWER", "Leaves"));
    expect((await askLive()).status).toBe(200);
    await database.ownerPool.query("update sessions set revoked_at = $1 where id = $2", [
      scene.clock.now(),
      browser.sessionId,
    ]);
    expect((await askLive()).status).toBe(401);
  });

  it("429 from the 241st request in a minute, for this session only, with Retry-After", async () => {
    for (let count = 0; count < 240; count += 1) expect((await askLive()).status).toBe(200);
    const refused = await askLive();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expectPrivate(refused);
    signIn(scene.members.VIEWER);
    expect((await askLive()).status).toBe(200);
    signIn(scene.members.OWNER);
    scene.clock.advance(60_000);
    expect((await askLive()).status).toBe(200);
  });

  it("500 with an ID to quote and nothing about the error", async () => {
    breakReading();
    const response = await askLive();
    expect(response.status).toBe(500);
    expectPrivate(response);
    expect(await response.text()).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/);
  });
});

describe("POST /find", () => {
  it("200: the organization's matches, for every role", async () => {
    for (const role of ["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"] as const) {
      signIn(scene.members[role]);
      const response = await askFor("taxes");
      expect(response.status, role).toBe(200);
      expectPrivate(response);
      const found = searchViewSchema.parse(await response.json());
      expect(JSON.stringify(found), role).toContain(scene.taxes);
    }
  });

  it("200 with nothing of another organization, by name and by id", async () => {
    signIn(scene.stranger.owner);
    for (const query of ["taxes", scene.taxes]) {
      const response = await askFor(query);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain(scene.taxes);
    }
  });

  it("200 for the longest query, also with four bytes a character", async () => {
    expect((await askFor("x".repeat(MAXIMUM_QUERY_LENGTH))).status).toBe(200);
    expect((await askFor("𝕏".repeat(MAXIMUM_QUERY_LENGTH / 2))).status).toBe(200);
  });

  it("400 for an invalid query", async () => {
    const long = JSON.stringify({ query: "x".repeat(MAXIMUM_QUERY_LENGTH + 1) });
    for (const body of ["", "{", "null", '"taxes"', "{}", '{"query":7}', '{"query":["taxes"]}', long]) {
      const response = await ask(body);
      expect(response.status, body).toBe(400);
      expectPrivate(response);
    }
  });

  it("413 for a body that is too long or has no length", async () => {
    const long = JSON.stringify({ query: "x".repeat(4 * MAXIMUM_QUERY_LENGTH + 200) });
    for (const headers of [lengthOf(long), {}, { "content-length": "much" }]) {
      const response = await ask(long, headers);
      expect(response.status).toBe(413);
      expectPrivate(response);
    }
  });

  it("401 before the query is read", async () => {
    signIn(null);
    const response = await ask("{", { "content-length": "9999999" });
    expect(response.status).toBe(401);
    expectPrivate(response);
  });

  it("429 from the 301st request in a minute, counting invalid ones", async () => {
    for (let count = 0; count < 300; count += 1) expect((await ask("{")).status).toBe(400);
    const refused = await askFor("taxes");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    // Its own budget: the count of what waits goes on.
    expect((await askLive()).status).toBe(200);
    scene.clock.advance(60_000);
    expect((await askFor("taxes")).status).toBe(200);
  });

  it("500 with an ID to quote and nothing about the error", async () => {
    breakReading();
    const response = await askFor("taxes");
    expect(response.status).toBe(500);
    expect(await response.text()).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/);
  });
});
