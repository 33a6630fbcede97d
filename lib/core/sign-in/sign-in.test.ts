import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from "@/lib/core/shared/session";
import { THROTTLE_WINDOW_MS } from "@/lib/core/shared/throttle";
import { endSession } from "@/lib/core/sign-in/end-session";
import { hashPassword, verifyPassword } from "@/lib/core/sign-in/password";
import { readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { switchOrganization } from "@/lib/core/sign-in/start-session";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { useTestDatabase } from "@/lib/testing/database";
import {
  makeMember,
  makeOrganization,
  signIn,
  TEST_PASSWORD,
  type TestOrganization,
  testBrowser,
  testServices,
} from "@/lib/testing/members";

const argon2 = vi.hoisted(() => ({ verifiedHashes: [] as string[], isCostly: false }));

// Counts the hashing work of a response.
vi.mock("@node-rs/argon2", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/testing/sign-in/cheap-argon2")>();
  return {
    ...original,
    hash: (...given: Parameters<typeof original.hash>) =>
      argon2.isCostly ? original.costlyHash(...given) : original.hash(...given),
    verify: (hashed: string, password: string) => {
      argon2.verifiedHashes.push(hashed);
      return original.verify(hashed, password);
    },
  };
});

const HOUR_MS = 60 * 60_000;

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
let organization: TestOrganization;

beforeEach(async () => {
  services = testServices(database);
  organization = await makeOrganization(services);
  argon2.verifiedHashes.length = 0;
});

const attempt = (email: string, password: string, browser = testBrowser()) =>
  signInWithPassword(services, { email, password }, browser);

describe("passwords", () => {
  it("are hashed with argon2id and OWASP's parameters, salted", async () => {
    argon2.isCostly = true;
    onTestFinished(() => {
      argon2.isCostly = false;
    });
    const [first, second] = await Promise.all([hashPassword(TEST_PASSWORD), hashPassword(TEST_PASSWORD)]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
  });

  it("of an unknown and of a known address get the same response, after the same work", async () => {
    const known = await attempt(organization.ownerEmail, "not the password");
    const unknown = await attempt("nobody@example.com", "not the password");
    expect(unknown).toEqual(known);
    expect(unknown).toEqual({ kind: "FAILED" });
    const parameters = argon2.verifiedHashes.map((hash) => hash.split("$").slice(1, 4).join("$"));
    expect(parameters).toHaveLength(2);
    expect(parameters[0]).toBe(parameters[1]);
  });

  it("work in whatever case the address is typed", async () => {
    expect(await attempt(` ${organization.ownerEmail.toUpperCase()} `, TEST_PASSWORD)).toMatchObject({
      kind: "SIGNED_IN",
      userId: organization.ownerId,
    });
  });

  it("match exactly as typed, to the last of 200 characters", async () => {
    const near = [
      ` ${TEST_PASSWORD}`,
      `${TEST_PASSWORD} `,
      TEST_PASSWORD.toUpperCase(),
      TEST_PASSWORD.slice(0, -1),
    ];
    for (const typed of near) {
      expect(await attempt(organization.ownerEmail, typed), JSON.stringify(typed)).toEqual({
        kind: "FAILED",
      });
    }
    const hash = await hashPassword(`${"x".repeat(198)} y`);
    expect(await verifyPassword(hash, `${"x".repeat(198)} y`)).toBe(true);
    expect(await verifyPassword(hash, `${"x".repeat(198)} z`)).toBe(false);
  });

  it("that are too long are not hashed", async () => {
    expect(await attempt(organization.ownerEmail, "x".repeat(201))).toEqual({ kind: "FAILED" });
    expect(argon2.verifiedHashes).toEqual([]);
  });
});

describe("throttling", () => {
  it("admits ten of forty concurrent attempts from one network", async () => {
    const browser = testBrowser();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => attempt(organization.ownerEmail, "not the password", browser)),
    );
    expect(outcomes.filter((outcome) => outcome.kind === "FAILED")).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome.kind === "THROTTLED")).toHaveLength(30);
    expect(argon2.verifiedHashes).toHaveLength(10);
  });

  it("admits sixty an hour from everywhere", async () => {
    const guess = () => attempt(organization.ownerEmail, "not the password");
    const outcomes = [];
    for (let i = 0; i < 62; i++) outcomes.push((await guess()).kind);
    expect(outcomes).toEqual([...Array(60).fill("FAILED"), "THROTTLED", "THROTTLED"]);
    services.clock.advance(HOUR_MS);
    expect(await guess()).toEqual({ kind: "FAILED" });
  });

  it("refuses the correct password too, until the window has passed", async () => {
    const browser = testBrowser();
    for (let i = 0; i < 10; i++) await attempt(organization.ownerEmail, "not the password", browser);
    services.clock.advance(60_000);
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD, browser)).toEqual({
      kind: "THROTTLED",
      retryAfterSeconds: (THROTTLE_WINDOW_MS - 60_000) / 1_000,
    });
    services.clock.advance(THROTTLE_WINDOW_MS - 60_000);
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD, browser)).toMatchObject({
      kind: "SIGNED_IN",
    });
  });

  it("locks no one out because a stranger guesses from one network all hour", async () => {
    const stranger = testBrowser();
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let i = 0; i < 20; i++) await attempt(organization.ownerEmail, "not the password", stranger);
      expect(await attempt(organization.ownerEmail, TEST_PASSWORD, stranger)).toMatchObject({
        kind: "THROTTLED",
      });
      expect(await attempt(organization.ownerEmail, TEST_PASSWORD)).toMatchObject({ kind: "SIGNED_IN" });
      services.clock.advance(THROTTLE_WINDOW_MS - 1_000);
    }
  });

  it("always admits a known browser, however many guess from anywhere", async () => {
    const known = await attempt(organization.ownerEmail, TEST_PASSWORD);
    if (known.kind !== "SIGNED_IN") throw new Error(known.kind);
    const browser = { ...testBrowser("203.0.113.9"), browserIds: known.browserIds };
    for (let i = 0; i < 61; i++) await attempt(organization.ownerEmail, "not the password");
    await database.ownerPool.query("insert into throttles values ('network:203.0.113.9', $1, 100)", [
      services.clock.now(),
    ]);
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD)).toMatchObject({ kind: "THROTTLED" });
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD, browser)).toMatchObject({
      kind: "SIGNED_IN",
    });
    // Its own guesses count, and it is known only to its own member.
    for (let i = 0; i < 10; i++) await attempt(organization.ownerEmail, "not the password", browser);
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD, browser)).toMatchObject({
      kind: "THROTTLED",
    });
    const other = await makeOrganization(services);
    expect(await attempt(other.ownerEmail, TEST_PASSWORD, browser)).toMatchObject({ kind: "THROTTLED" });
  });

  it("throttles one network that tries many addresses, and no other", async () => {
    const browser = testBrowser("203.0.113.7");
    await database.ownerPool.query("insert into throttles values ('network:203.0.113.7', $1, 100)", [
      services.clock.now(),
    ]);
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD, browser)).toMatchObject({
      kind: "THROTTLED",
    });
    expect(await attempt(organization.ownerEmail, TEST_PASSWORD)).toMatchObject({ kind: "SIGNED_IN" });
  });

  it("refunds the attempt of a correct password, and only that one", async () => {
    const browser = testBrowser();
    const guess = (password: string) => attempt(organization.ownerEmail, password, browser);
    for (let i = 0; i < 9; i++) await guess("not the password");
    for (let i = 0; i < 3; i++) expect(await guess(TEST_PASSWORD)).toMatchObject({ kind: "SIGNED_IN" });
    expect(await guess("not the password")).toEqual({ kind: "FAILED" });
    expect(await guess(TEST_PASSWORD)).toMatchObject({ kind: "THROTTLED" });
  });

  it("stores no address in clear text, and is forgotten after a day", async () => {
    await attempt("typed-by-mistake@example.com", "not the password");
    const count = () => database.ownerPool.query("select subject from throttles");
    const { rows } = await count();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("typed-by-mistake");
    services.clock.advance(26 * HOUR_MS);
    await forgetExpired(services, 1_000);
    expect((await count()).rows).toEqual([]);
  });
});

describe("sessions", () => {
  it("are new at each sign-in", async () => {
    const first = await signIn(services, organization.ownerEmail);
    const second = await signIn(services, organization.ownerEmail);
    expect(second.sessionId).not.toBe(first.sessionId);
  });

  it("that were ended stop working at once", async () => {
    const actor = await signIn(services, organization.ownerEmail);
    const other = await signIn(services, organization.ownerEmail);
    await endSession(services, actor.sessionId);
    expect(await readSession(services, actor.sessionId)).toBeNull();
    expect(await readSession(services, other.sessionId)).not.toBeNull();
  });

  it("carry the current role at each read", async () => {
    const member = await makeMember(services, organization.organizationId, "CO_OWNER");
    const actor = await signIn(services, member.email);
    expect(actor.role).toBe("CO_OWNER");
    await database.ownerPool.query("update memberships set role = 'VIEWER' where user_id = $1", [
      member.userId,
    ]);
    expect((await readSession(services, actor.sessionId))?.actor.role).toBe("VIEWER");
    await database.ownerPool.query("delete from memberships where user_id = $1", [member.userId]);
    expect(await readSession(services, actor.sessionId)).toBeNull();
  });

  it("end after 30 days, however active", async () => {
    const { sessionId } = await signIn(services, organization.ownerEmail);
    const days = SESSION_LIFETIME_MS / (24 * HOUR_MS);
    for (let day = 1; day < days; day++) {
      services.clock.advance(24 * HOUR_MS);
      expect(await readSession(services, sessionId)).not.toBeNull();
    }
    services.clock.advance(24 * HOUR_MS);
    expect(await readSession(services, sessionId)).toBeNull();
  });

  it("end after 7 days without a request", async () => {
    const { sessionId } = await signIn(services, organization.ownerEmail);
    services.clock.advance(SESSION_IDLE_MS - 1);
    expect(await readSession(services, sessionId)).not.toBeNull();
    services.clock.advance(SESSION_IDLE_MS);
    expect(await readSession(services, sessionId)).toBeNull();
  });

  it("are found by their id only", async () => {
    expect(await readSession(services, "' or true --")).toBeNull();
    expect(await readSession(services, organization.ownerId)).toBeNull();
  });

  it("store no more of a browser's name than is shown", async () => {
    const outcome = await attempt(organization.ownerEmail, TEST_PASSWORD, {
      ...testBrowser(),
      userAgent: `\u0000${"x".repeat(398)}😀${"y".repeat(1_000)}`,
    });
    if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
    const { rows } = await database.ownerPool.query(
      `select user_agent as "userAgent" from sessions where id = $1`,
      [outcome.sessionId],
    );
    expect(rows[0].userAgent).toHaveLength(400);
  });

  it("switch only to an organization of their member, and remember it", async () => {
    const second = await makeOrganization(services, "Second");
    const foreign = await makeOrganization(services, "Foreign");
    await database.ownerPool.query("insert into memberships values ($1, $2, 'VIEWER', now())", [
      second.organizationId,
      organization.ownerId,
    ]);
    const { sessionId, id } = await signIn(services, organization.ownerEmail);
    expect(await switchOrganization(services, sessionId, id, foreign.organizationId)).toBe(false);
    expect(await switchOrganization(services, sessionId, foreign.ownerId, foreign.organizationId)).toBe(
      false,
    );
    expect((await readSession(services, sessionId))?.organization.id).toBe(organization.organizationId);
    expect(await switchOrganization(services, sessionId, id, second.organizationId)).toBe(true);
    const current = await readSession(services, sessionId);
    expect(current?.organization.id).toBe(second.organizationId);
    expect(current?.actor.role).toBe("VIEWER");
    expect(current?.organizations.map(({ name }) => name)).toEqual(["Northwind Studio", "Second"]);
    services.clock.advance(HOUR_MS);
    const next = await signIn(services, organization.ownerEmail);
    expect((await readSession(services, next.sessionId))?.organization.id).toBe(second.organizationId);
  });
});
