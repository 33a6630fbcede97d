import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { formatBrowserIds, parseBrowserIds } from "@/lib/core/shared/known-browsers";
import { shortNetwork } from "@/lib/core/shared/network";
import { endOtherSessions } from "@/lib/core/sign-in/end-session";
import { readSession } from "@/lib/core/sign-in/read-session";
import { describeBrowser, signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { inTransaction } from "@/lib/db/transaction";
import { useTestDatabase } from "@/lib/testing/database";
import {
  enrollPasskey,
  makeMember,
  makeOrganization,
  readActor,
  signIn as signInActor,
  TEST_PASSWORD,
  testBrowser,
  testServices,
} from "@/lib/testing/members";
import { listSecurity } from "@/lib/views/members/list-security";

const database = useTestDatabase();

async function arrange() {
  const services = testServices(database);
  const organization = await makeOrganization(services);
  const email = organization.ownerEmail;
  /** @returns what the browser stores afterwards */
  const signIn = async (browserIds: readonly string[], who = email): Promise<string[]> => {
    const browser = { ...testBrowser(), browserIds };
    const outcome = await signInWithPassword(services, { email: who, password: TEST_PASSWORD }, browser);
    if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
    return outcome.browserIds;
  };
  const notifiedCount = async (userId = organization.ownerId) => {
    const { rows } = await database.pool.query(
      "select 1 from notices where kind = 'NEW_DEVICE' and user_id = $1",
      [userId],
    );
    return rows.length;
  };
  return { services, organization, email, signIn, notifiedCount };
}

const anyId = () => randomBytes(32).toString("base64url");

describe("a browser that someone signs in from", () => {
  it("triggers a notice when it is new, and not again; a person's first sign-in triggers none", async () => {
    const { signIn, notifiedCount } = await arrange();
    const laptop = await signIn([]);
    expect(await notifiedCount()).toBe(0);
    const phone = await signIn([]);
    expect(await notifiedCount()).toBe(1);
    await signIn(laptop);
    await signIn(phone);
    expect(await notifiedCount()).toBe(1);
  });

  it("triggers a notice for a person who signed in before browsers were remembered: it might be a thief's", async () => {
    const { organization, signIn, notifiedCount } = await arrange();
    await signIn([]);
    await database.ownerPool.query("delete from known_browsers where user_id = $1", [organization.ownerId]);
    await signIn([]);
    expect(await notifiedCount()).toBe(1);
  });

  it("triggers no notice for a failed sign-in, and stores nothing", async () => {
    const { services, email, signIn, notifiedCount } = await arrange();
    await signIn([]);
    const outcome = await signInWithPassword(services, { email, password: "wrong password" }, testBrowser());
    expect(outcome).toEqual({ kind: "FAILED" });
    expect(await notifiedCount()).toBe(0);
  });

  it("is rolled back with the sign-in: no notice without a session, no session without its notice", async () => {
    const { services, organization, signIn, notifiedCount } = await arrange();
    await signIn([]);
    const who = { userId: organization.ownerId, proof: { method: "PASSKEY" as const } };
    await expect(
      inTransaction(services.pool, async (client) => {
        await signInBrowser(client, services.clock.now(), who, testBrowser());
        throw new Error("crashed");
      }),
    ).rejects.toThrow("crashed");
    expect(await notifiedCount()).toBe(0);
    await inTransaction(services.pool, (client) =>
      signInBrowser(client, services.clock.now(), who, testBrowser()),
    );
    expect(await notifiedCount()).toBe(1);
  });

  it("with a planted id counts as new, and the planted id stays useless", async () => {
    const { signIn, notifiedCount } = await arrange();
    await signIn([]);
    const planted = anyId();
    const kept = await signIn([planted]);
    expect(await notifiedCount()).toBe(1);
    expect(kept[0]).not.toBe(planted);
    // The thief has the password and signs in from a browser with the planted id.
    await signIn([planted]);
    expect(await notifiedCount()).toBe(2);
  });

  it("with another member's id counts as new, and that id remains only theirs", async () => {
    const { services, organization, signIn, notifiedCount } = await arrange();
    await signIn([]);
    const thief = await makeMember(services, organization.organizationId, "VIEWER");
    const [own = ""] = await signIn([], thief.email);
    await signIn([own]);
    await signIn([own]);
    expect(await notifiedCount()).toBe(2);
  });

  it("shared by several people stays known for each of them", async () => {
    const { services, organization, email, signIn, notifiedCount } = await arrange();
    const jonas = await makeMember(services, organization.organizationId, "CO_OWNER");
    await signIn([]);
    await signIn([], jonas.email);
    let shared = await signIn([]);
    shared = await signIn(shared, jonas.email);
    expect([await notifiedCount(), await notifiedCount(jonas.userId)]).toEqual([1, 1]);
    for (const who of [email, jonas.email, email, jonas.email]) shared = await signIn(shared, who);
    expect([await notifiedCount(), await notifiedCount(jonas.userId)]).toEqual([1, 1]);
  });

  it("always triggers a notice after a recovery code, even if known or at the first sign-in", async () => {
    const { services, organization, email, notifiedCount } = await arrange();
    const { recoveryCodes } = await enrollPasskey(services, await signInActor(services, email));
    await database.ownerPool.query("delete from known_browsers where user_id = $1", [organization.ownerId]);
    let browserIds: string[] = [];
    for (const code of recoveryCodes.slice(0, 2)) {
      const outcome = await signInWithRecoveryCode(
        services,
        { email, password: TEST_PASSWORD, code },
        { ...testBrowser(), browserIds },
      );
      if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
      browserIds = outcome.browserIds;
    }
    expect(await notifiedCount()).toBe(2);
  });

  it("triggers one notice for two concurrent first sign-ins", async () => {
    const { signIn, notifiedCount } = await arrange();
    await Promise.all([signIn([]), signIn([])]);
    expect(await notifiedCount()).toBe(1);
  });

  it("is one of at most twenty, the last used; their ids are stored only as hashes", async () => {
    const { services, organization, signIn, notifiedCount } = await arrange();
    const first = await signIn([]);
    const later: string[][] = [];
    for (let index = 0; index < 20; index += 1) {
      services.clock.advance(1_000);
      later.push(await signIn([]));
    }
    const { rows } = await database.pool.query(
      `select id_hash as "idHash" from known_browsers where user_id = $1`,
      [organization.ownerId],
    );
    expect(rows).toHaveLength(20);
    const stored = rows.map((row) => row.idHash.toString("base64url"));
    expect(later.flat().filter((id) => stored.includes(id))).toEqual([]);
    services.clock.advance(1_000);
    const before = await notifiedCount();
    await signIn(first);
    expect(await notifiedCount()).toBe(before + 1);
  });
});

describe("a browser's cookie", () => {
  it("holds at most four ids and nothing else", () => {
    const ids = Array.from({ length: 6 }, anyId);
    expect(parseBrowserIds(formatBrowserIds(ids))).toEqual(ids.slice(0, 4));
    expect(parseBrowserIds(`${"x".repeat(50)}.<script>..${ids[0]}`)).toEqual([ids[0]]);
    expect(parseBrowserIds(undefined)).toEqual([]);
    expect(parseBrowserIds(`${".".repeat(2_000)}${ids[0]}`)).toEqual([]);
  });
});

describe("the description of a browser", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Edg/131.0",
      "Edge on Windows",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    ["Your bank: all is well, see https://evil.example", "an unknown browser"],
    ["\u202E<b>Chrome/1</b>", "Chrome"],
    ["", "an unknown browser"],
  ])("%j is %s: words from a list, never its own", (userAgent, words) => {
    expect(describeBrowser(userAgent)).toBe(words);
  });

  it.each([
    ["203.0.113.77", "203.0.113.x"],
    ["::ffff:203.0.113.77", "203.0.113.x"],
    ["2001:db8:17:4::1", "2001:db8:17:x"],
    ["nonsense", null],
    [null, null],
  ])("of the network %j only %j is stored", (address, kept) => {
    expect(shortNetwork(address)).toBe(kept);
  });
});

it("signing out everywhere else ends a stranger's session at once, and only this member's sessions", async () => {
  const { services, organization, email } = await arrange();
  const stranger = await signInActor(services, email);
  const other = await makeMember(services, organization.organizationId, "VIEWER");
  const bystander = await signInActor(services, other.email);
  const owner = await signInActor(services, email);
  expect((await listSecurity(services, owner)).sessions.map(({ id }) => id)).toEqual([
    owner.sessionId,
    stranger.sessionId,
  ]);
  await endOtherSessions(services, owner);
  expect(await readSession(services, stranger.sessionId)).toBeNull();
  expect(await readActor(services, owner.sessionId)).toMatchObject({ id: owner.id });
  expect(await readActor(services, bystander.sessionId)).toMatchObject({ id: other.userId });
  expect((await listSecurity(services, owner)).sessions).toHaveLength(1);
});
