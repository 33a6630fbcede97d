import { beforeEach, describe, expect, it } from "vitest";
import { removePasskeyAct, type StepUpAct } from "@/lib/contract/confirmation/step-up";
import type { MemberActor } from "@/lib/core/shared/context";
import { CHALLENGE_LIFETIME_MS } from "@/lib/core/sign-in/challenge";
import { makeRecoveryCodes } from "@/lib/core/sign-in/manage-second-factors";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { beginEnrollment, finishEnrollment, removePasskey, renamePasskey } from "@/lib/core/sign-in/passkeys";
import { beginPresence, confirmPresence } from "@/lib/core/sign-in/presence";
import { LINK_LIFETIME_MS, resetMember } from "@/lib/core/sign-in/reset-member";
import { findPasswordReset, resetPassword } from "@/lib/core/sign-in/reset-password";
import { beginPasskeySignIn, signInWithPasskey } from "@/lib/core/sign-in/sign-in-with-passkey";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { useTestDatabase } from "@/lib/testing/database";
import {
  enrollPasskey,
  makeOrganization,
  readActor,
  signIn,
  TEST_APP_URL,
  TEST_PASSWORD,
  type TestOrganization,
  testBrowser,
  testServices,
} from "@/lib/testing/members";
import { SoftwareAuthenticator } from "@/lib/testing/software-authenticator";
import { listSecurity } from "@/lib/views/members/list-security";

const MINUTE_MS = 60_000;

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
let organization: TestOrganization;
let owner: MemberActor;

beforeEach(async () => {
  services = testServices(database);
  organization = await makeOrganization(services);
  owner = await signIn(services, organization.ownerEmail);
});

async function askToSignIn() {
  const begun = await beginPasskeySignIn(services, null);
  if (begun.kind !== "BEGUN") throw new Error(begun.kind);
  return begun.options;
}

const signInBy = async (authenticator: SoftwareAuthenticator) =>
  signInWithPasskey(services, authenticator.get(await askToSignIn()), testBrowser());

async function provePresence(actor: MemberActor, authenticator: SoftwareAuthenticator, act: StepUpAct) {
  const request = await beginPresence(services, actor, act);
  if (request.kind !== "PASSKEY") throw new Error(request.kind);
  const confirmation = { kind: "PASSKEY" as const, response: authenticator.get(request.options) };
  await confirmPresence(services, actor, act, confirmation);
}

describe("enrolling a passkey", () => {
  it("lets its owner sign in with it, and creates ten recovery codes with the first", async () => {
    const { authenticator, recoveryCodes } = await enrollPasskey(services, owner, "MacBook");
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/);
    const outcome = await signInBy(authenticator);
    expect(outcome).toMatchObject({ kind: "SIGNED_IN", userId: owner.id });
    expect(await listSecurity(services, owner)).toMatchObject({
      passkeys: [
        { id: authenticator.credentialId, name: "MacBook", lastUsedAt: services.clock.now().toISOString() },
      ],
      recoveryCodes: { leftCount: 10, createdCount: 10 },
    });
  });

  it("requires a sign-in less than five minutes ago", async () => {
    services.clock.advance(5 * MINUTE_MS);
    await expect(beginEnrollment(services, owner)).rejects.toThrow(NotConfirmed);
  });

  it("works once per challenge, within five minutes, at the browser that asked", async () => {
    const authenticator = new SoftwareAuthenticator(TEST_APP_URL);
    const other = await signIn(services, organization.ownerEmail);
    const late = authenticator.create(await beginEnrollment(services, owner));
    services.clock.advance(CHALLENGE_LIFETIME_MS);
    await expect(finishEnrollment(services, owner, { name: "a", response: late })).rejects.toThrow(
      NotConfirmed,
    );
    const again = await signIn(services, organization.ownerEmail);
    const response = authenticator.create(await beginEnrollment(services, again));
    await expect(finishEnrollment(services, other, { name: "a", response })).rejects.toThrow(NotConfirmed);
    await finishEnrollment(services, again, { name: "a", response });
    await expect(finishEnrollment(services, again, { name: "b", response })).rejects.toThrow(NotConfirmed);
  });

  it("refuses a response from another origin, and one without user verification", async () => {
    const phishing = new SoftwareAuthenticator("https://sluice.example");
    const response = phishing.create(await beginEnrollment(services, owner));
    await expect(finishEnrollment(services, owner, { name: "a", response })).rejects.toThrow(NotConfirmed);
    const careless = new SoftwareAuthenticator(TEST_APP_URL);
    careless.flags = 0x01;
    const unverified = careless.create(await beginEnrollment(services, owner));
    await expect(finishEnrollment(services, owner, { name: "a", response: unverified })).rejects.toThrow(
      NotConfirmed,
    );
    expect((await listSecurity(services, owner)).passkeys).toEqual([]);
  });

  it("twice concurrently creates one set of codes", async () => {
    const enrollments = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const authenticator = new SoftwareAuthenticator(TEST_APP_URL);
        return { name: `key ${i}`, response: authenticator.create(await beginEnrollment(services, owner)) };
      }),
    );
    const results = await Promise.all(enrollments.map((input) => finishEnrollment(services, owner, input)));
    expect(results.filter(({ recoveryCodes }) => recoveryCodes !== null)).toHaveLength(1);
    expect((await listSecurity(services, owner)).recoveryCodes).toMatchObject({ createdCount: 10 });
  });
});

describe("signing in with a passkey", () => {
  it("accepts a response once, even if sent many times concurrently", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    const answer = authenticator.get(await askToSignIn());
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => signInWithPasskey(services, answer, testBrowser())),
    );
    expect(outcomes.filter(({ kind }) => kind === "SIGNED_IN")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "FAILED")).toHaveLength(9);
  });

  it("refuses a counter that went back or did not change: a clone", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    authenticator.counter = 7;
    expect(await signInBy(authenticator)).toMatchObject({ kind: "SIGNED_IN" });
    authenticator.counter = 7;
    expect(await signInBy(authenticator)).toEqual({ kind: "FAILED" });
    authenticator.counter = 3;
    expect(await signInBy(authenticator)).toEqual({ kind: "FAILED" });
    authenticator.counter = 8;
    expect(await signInBy(authenticator)).toMatchObject({ kind: "SIGNED_IN" });
  });

  it("refuses another origin, an unverified user, and a forged signature", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    authenticator.origin = "http://localhost:4331";
    expect(await signInBy(authenticator)).toEqual({ kind: "FAILED" });
    authenticator.origin = TEST_APP_URL;
    authenticator.flags = 0x01;
    expect(await signInBy(authenticator)).toEqual({ kind: "FAILED" });
    const forger = new SoftwareAuthenticator(TEST_APP_URL);
    const forged = forger.get(await askToSignIn());
    const outcome = await signInWithPasskey(
      services,
      { ...forged, id: authenticator.credentialId, rawId: authenticator.credentialId },
      testBrowser(),
    );
    expect(outcome).toEqual({ kind: "FAILED" });
  });

  it("refuses a challenge that is expired, invented, or issued for another purpose", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    const options = await askToSignIn();
    services.clock.advance(CHALLENGE_LIFETIME_MS);
    expect(await signInWithPasskey(services, authenticator.get(options), testBrowser())).toEqual({
      kind: "FAILED",
    });
    const invented = authenticator.get({
      ...options,
      challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    });
    expect(await signInWithPasskey(services, invented, testBrowser())).toEqual({ kind: "FAILED" });
    const request = await beginPresence(services, owner, "ADD_PASSKEY");
    if (request.kind !== "PASSKEY") throw new Error(request.kind);
    const other = authenticator.get(request.options);
    expect(await signInWithPasskey(services, other, testBrowser())).toEqual({ kind: "FAILED" });
  });

  it("works while the password is throttled", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    const guess = { email: organization.ownerEmail, password: "not the password" };
    for (let i = 0; i < 61; i++) await signInWithPassword(services, guess, testBrowser());
    expect(await signInWithPassword(services, guess, testBrowser())).toMatchObject({ kind: "THROTTLED" });
    expect(await signInBy(authenticator)).toMatchObject({ kind: "SIGNED_IN" });
  });
});

describe("changing sign-in methods", () => {
  it("requires the passkey if there is one: a stolen password removes nothing", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    const thief = await signIn(services, organization.ownerEmail);
    await expect(removePasskey(services, thief, authenticator.credentialId)).rejects.toThrow(NotConfirmed);
    await expect(makeRecoveryCodes(services, thief)).rejects.toThrow(NotConfirmed);
    await expect(beginEnrollment(services, thief)).rejects.toThrow(NotConfirmed);
    const password = { kind: "PASSWORD" as const, password: TEST_PASSWORD };
    await expect(confirmPresence(services, thief, "MAKE_RECOVERY_CODES", password)).rejects.toThrow(
      NotConfirmed,
    );
    await provePresence(thief, authenticator, "MAKE_RECOVERY_CODES");
    await expect(removePasskey(services, thief, authenticator.credentialId)).rejects.toThrow(NotConfirmed);
    expect(await makeRecoveryCodes(services, thief)).toHaveLength(10);
    await expect(makeRecoveryCodes(services, thief)).rejects.toThrow(NotConfirmed);
    await provePresence(thief, authenticator, removePasskeyAct(authenticator.credentialId));
    await removePasskey(services, thief, authenticator.credentialId);
    const security = await listSecurity(services, thief);
    expect(security).toMatchObject({ passkeys: [], recoveryCodes: null });
    // Theirs, and the owner's own.
    expect(security.sessions).toHaveLength(2);
  });

  it("asks for the password of a member without a passkey who signed in long ago", async () => {
    services.clock.advance(5 * MINUTE_MS);
    const actor = await readActor(services, owner.sessionId);
    expect(await beginPresence(services, actor, "ADD_PASSKEY")).toEqual({
      kind: "PASSWORD",
      withCode: false,
    });
    await expect(confirmPresence(services, actor, "ADD_PASSKEY", { kind: "NONE" })).rejects.toThrow(
      NotConfirmed,
    );
    await expect(
      confirmPresence(services, actor, "ADD_PASSKEY", { kind: "PASSWORD", password: "wrong" }),
    ).rejects.toThrow(NotConfirmed);
    await confirmPresence(services, actor, "ADD_PASSKEY", { kind: "PASSWORD", password: TEST_PASSWORD });
    await expect(beginEnrollment(services, actor)).resolves.toMatchObject({ user: { name: actor.email } });
  });

  it("is not prolonged by a recent sign-in", async () => {
    services.clock.advance(4 * MINUTE_MS);
    await confirmPresence(services, owner, "ADD_PASSKEY", { kind: "NONE" });
    services.clock.advance(MINUTE_MS);
    await expect(beginEnrollment(services, owner)).rejects.toThrow(NotConfirmed);
  });

  it("reaches only your own passkeys", async () => {
    const { authenticator } = await enrollPasskey(services, owner);
    const stranger = await signIn(services, (await makeOrganization(services)).ownerEmail);
    await expect(removePasskey(services, stranger, authenticator.credentialId)).rejects.toThrow(
      "no longer have this passkey",
    );
    const rename = { passkeyId: authenticator.credentialId, name: "Mine" };
    await expect(renamePasskey(services, stranger, rename)).rejects.toThrow("no longer have this passkey");
    await renamePasskey(services, owner, rename);
    expect((await listSecurity(services, owner)).passkeys[0]?.name).toBe("Mine");
  });
});

describe("recovery codes", () => {
  it("work once, only with the password, and then replace the lost passkey", async () => {
    const { authenticator, recoveryCodes } = await enrollPasskey(services, owner);
    const [code = ""] = recoveryCodes;
    const input = { email: organization.ownerEmail, password: TEST_PASSWORD, code: code.toUpperCase() };
    const wrong = { ...input, password: "not the password" };
    expect(await signInWithRecoveryCode(services, wrong, testBrowser())).toEqual({ kind: "FAILED" });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => signInWithRecoveryCode(services, input, testBrowser())),
    );
    const signedIn = outcomes.filter((outcome) => outcome.kind === "SIGNED_IN");
    expect(signedIn).toHaveLength(1);
    const actor = await readActor(services, signedIn[0]?.sessionId ?? "");
    await removePasskey(services, actor, authenticator.credentialId);
  });

  it("of an older set no longer work", async () => {
    const { authenticator, recoveryCodes } = await enrollPasskey(services, owner);
    await provePresence(owner, authenticator, "MAKE_RECOVERY_CODES");
    await makeRecoveryCodes(services, owner);
    const input = { email: organization.ownerEmail, password: TEST_PASSWORD, code: recoveryCodes[0] ?? "" };
    expect(await signInWithRecoveryCode(services, input, testBrowser())).toEqual({ kind: "FAILED" });
  });

  it("are stored as hashes", async () => {
    const { recoveryCodes } = await enrollPasskey(services, owner);
    const { rows } = await database.ownerPool.query("select * from recovery_codes where user_id = $1", [
      owner.id,
    ]);
    expect(rows).toHaveLength(10);
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
    for (const row of rows) expect(row.code_hash).toHaveLength(32);
  });
});

describe("the operator's reset of a member", () => {
  it("removes every sign-in method except the new password, and names who is notified", async () => {
    const { authenticator, recoveryCodes } = await enrollPasskey(services, owner);
    const guess = { email: organization.ownerEmail, password: "not the password" };
    const browser = testBrowser();
    for (let i = 0; i < 11; i++) await signInWithPassword(services, guess, browser);
    const notified: string[] = [];
    const reset = await resetMember(services, organization.ownerEmail, async (_client, { owners }) => {
      notified.push(...owners.map(({ email }) => email));
    });
    expect(notified).toEqual([organization.ownerEmail]);
    await expect(readActor(services, owner.sessionId)).rejects.toThrow("ended");
    expect(await signInBy(authenticator)).toEqual({ kind: "FAILED" });
    const before = { email: organization.ownerEmail, password: TEST_PASSWORD };
    expect(await signInWithPassword(services, before, browser)).toEqual({ kind: "FAILED" });
    const password = "set with the link of the operator";
    const setPassword = () =>
      resetPassword(services, reset.resetHref.slice("/reset/".length), { password }, null, {
        isSandboxBank: true,
      });
    expect(await setPassword()).toEqual({ kind: "DONE" });
    expect(await setPassword()).toEqual({ kind: "OVER" });
    const input = { email: organization.ownerEmail, password, code: recoveryCodes[0] ?? "" };
    expect(await signInWithRecoveryCode(services, input, testBrowser())).toEqual({ kind: "FAILED" });
    expect(await signInWithPassword(services, { ...before, password }, browser)).toMatchObject({
      kind: "SIGNED_IN",
    });
  });

  it("by the operator prints one link, which expires after an hour or with the next one", async () => {
    const email = organization.ownerEmail;
    const run = async () => {
      const { resetHref } = await resetMember(services, email, async () => {});
      return resetHref.slice("/reset/".length);
    };
    const first = await run();
    const second = await run();
    expect(await findPasswordReset(services, first)).toBeNull();
    expect(await findPasswordReset(services, second)).toEqual({ email });
    services.clock.advance(LINK_LIFETIME_MS);
    expect(await findPasswordReset(services, second)).toBeNull();
  });

  it("does nothing when the owners cannot be notified", async () => {
    const failing = resetMember(services, organization.ownerEmail, () =>
      Promise.reject(new Error("no mail")),
    );
    await expect(failing).rejects.toThrow("no mail");
    expect((await readActor(services, owner.sessionId)).id).toBe(owner.id);
  });
});
