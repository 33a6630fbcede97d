import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { acceptWithPassword } from "@/lib/core/organizations/accept-invitation";
import type { MemberActor } from "@/lib/core/shared/context";
import { THROTTLE_WINDOW_MS } from "@/lib/core/shared/throttle";
import { memberScope } from "@/lib/core/sign-in/challenge";
import { changePassword } from "@/lib/core/sign-in/change-password";
import { spendConfirmation, verifyConfirmationOf } from "@/lib/core/sign-in/confirmation";
import { endOwnSession } from "@/lib/core/sign-in/end-session";
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
} from "@/lib/core/sign-in/manage-second-factors";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { beginPresence, confirmPresence, missingProof, requirePresence } from "@/lib/core/sign-in/presence";
import { readSession } from "@/lib/core/sign-in/read-session";
import { resetMember } from "@/lib/core/sign-in/reset-member";
import { resetPassword } from "@/lib/core/sign-in/reset-password";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { newRequestId } from "@/lib/platform/ids";
import { inviteMember } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import {
  enrollPasskey,
  makeMember,
  makeOrganization,
  signIn,
  TEST_PASSWORD,
  testBrowser,
  testServices,
} from "@/lib/testing/members";
import { listSecurity } from "@/lib/views/members/list-security";

const STEP_MS = 30_000;
const PRESENCE_MS = 5 * 60_000;

const database = useTestDatabase();

/** An owner with an active authenticator app; its current code was used to activate it. */
async function arrange() {
  const services = testServices(database);
  const organization = await makeOrganization(services);
  const actor = await signIn(services, organization.ownerEmail);
  const { secret, qr } = await beginAuthenticator(services, actor);
  const codeAt = (at: Date) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
  const codeNow = () => codeAt(services.clock.now());
  const { recoveryCodes } = await confirmAuthenticator(services, actor, { code: codeNow() });
  const attempt = (code?: string, password = TEST_PASSWORD) =>
    signInWithPassword(services, { email: organization.ownerEmail, password, code }, testBrowser());
  return { services, organization, actor, secret, qr, codeAt, codeNow, recoveryCodes, attempt };
}

async function messagesTo(userId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ subject: string }>(
    "select subject from messages where user_id = $1 and kind = 'SIGN_IN_CHANGED' order by id",
    [userId],
  );
  return rows.map(({ subject }) => subject);
}

describe("signing in with an authenticator app", () => {
  it("requires the code after the password, reveals nothing before it, and notifies the member of the activation", async () => {
    const { services, actor, codeNow, attempt, organization } = await arrange();
    services.clock.advance(STEP_MS);
    expect(await attempt(undefined, "not the password")).toEqual({ kind: "FAILED" });
    expect(await attempt(codeNow(), "not the password")).toEqual({ kind: "FAILED" });
    expect(await attempt()).toEqual({ kind: "CODE_NEEDED" });
    expect(await attempt("")).toEqual({ kind: "CODE_NEEDED" });
    expect(await attempt(codeNow())).toMatchObject({ kind: "SIGNED_IN", userId: organization.ownerId });
    expect(await messagesTo(actor.id)).toEqual(["An authenticator app was added"]);
  });

  it("accepts a code once, including the activating one, and only one of many concurrent uses", async () => {
    const { services, codeNow, attempt } = await arrange();
    expect(await attempt(codeNow())).toEqual({ kind: "CODE_WRONG" });
    services.clock.advance(STEP_MS);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => attempt(codeNow())));
    expect(outcomes.filter(({ kind }) => kind === "SIGNED_IN")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "CODE_WRONG")).toHaveLength(3);
  });

  it("accepts a code one step early or late, none further off, and none older than the last one used", async () => {
    const { services, codeAt, attempt } = await arrange();
    services.clock.advance(20 * STEP_MS);
    const at = (steps: number) => codeAt(new Date(services.clock.now().getTime() + steps * STEP_MS));
    expect(await attempt(at(-2))).toEqual({ kind: "CODE_WRONG" });
    expect(await attempt(at(2))).toEqual({ kind: "CODE_WRONG" });
    expect(await attempt(at(-1))).toMatchObject({ kind: "SIGNED_IN" });
    expect(await attempt(`${at(1).slice(0, 3)} ${at(1).slice(3)}`)).toMatchObject({ kind: "SIGNED_IN" });
    expect(await attempt(at(0))).toEqual({ kind: "CODE_WRONG" });
  });

  it("allows five guesses at a code, and then not even the right one until the window is over", async () => {
    const { services, codeNow, attempt } = await arrange();
    services.clock.advance(STEP_MS);
    const wrong = codeNow() === "000000" ? "000001" : "000000";
    for (let guess = 0; guess < 5; guess++) expect(await attempt(wrong)).toEqual({ kind: "CODE_WRONG" });
    expect(await attempt(codeNow())).toMatchObject({ kind: "THROTTLED" });
    services.clock.advance(THROTTLE_WINDOW_MS + STEP_MS);
    expect(await attempt(codeNow())).toMatchObject({ kind: "SIGNED_IN" });
  });

  it("accepts a recovery code when the app is lost, and then allows removing the app", async () => {
    const { services, actor, organization, recoveryCodes, attempt } = await arrange();
    expect(recoveryCodes).toHaveLength(10);
    const signedIn = await signInWithRecoveryCode(
      services,
      { email: organization.ownerEmail, password: TEST_PASSWORD, code: recoveryCodes?.[0] ?? "" },
      testBrowser(),
    );
    if (signedIn.kind !== "SIGNED_IN") throw new Error("The recovery code was not accepted");
    await removeAuthenticator(services, { ...actor, sessionId: signedIn.sessionId });
    expect(await attempt()).toMatchObject({ kind: "SIGNED_IN" });
    expect((await listSecurity(services, actor)).recoveryCodes).toBeNull();
    expect(await messagesTo(actor.id)).toEqual([
      "An authenticator app was added",
      "Your authenticator app was removed",
    ]);
  });

  it("is required when an invitation is accepted with the password", async () => {
    const { services, organization, codeNow } = await arrange();
    const other = await makeOrganization(services, "Elsewhere");
    const inviter = await signIn(services, other.ownerEmail);
    const token = await inviteTo(other.organizationId, inviter, organization.ownerEmail);
    services.clock.advance(STEP_MS);
    const accept = (code?: string) =>
      acceptWithPassword(services, token, { password: TEST_PASSWORD, code }, testBrowser());
    expect(await accept()).toEqual({ kind: "CODE_NEEDED" });
    expect(await accept("000000")).toEqual({ kind: "CODE_WRONG" });
    expect(await accept(codeNow())).toMatchObject({ kind: "SIGNED_IN", userId: organization.ownerId });

    async function inviteTo(organizationId: string, by: MemberActor, email: string): Promise<string> {
      await inviteMember(
        services,
        {
          organizationId,
          actor: by,
          now: services.clock.now(),
          requestId: newRequestId(),
          calledReason: null,
        },
        { email, role: "VIEWER" },
        { isSandboxBank: true },
      );
      const { rows } = await database.pool.query<{ bodyText: string }>(
        `select body_text as "bodyText" from messages where organization_id = $1 and kind = 'INVITATION'`,
        [organizationId],
      );
      return /invitations\/([A-Za-z0-9_-]+)/.exec(rows[0]?.bodyText ?? "")?.[1] ?? "";
    }
  });
});

describe("confirming with a password", () => {
  it("requires the code too, and consumes it", async () => {
    const { services, actor, codeNow } = await arrange();
    services.clock.advance(PRESENCE_MS + STEP_MS);
    expect(await missingProof(services, actor)).toBe("PASSWORD_AND_CODE");
    const later = { ...actor, authenticatedAt: new Date(0) };
    expect(await beginPresence(services, later, "CREATE_KEY")).toEqual({ kind: "PASSWORD", withCode: true });
    const prove = (code?: string) =>
      confirmPresence(services, later, "CREATE_KEY", { kind: "PASSWORD", password: TEST_PASSWORD, code });
    await expect(prove()).rejects.toThrow(/also needs the code/);
    await expect(prove("123")).rejects.toThrow(/wrong or already used/);
    await expect(requirePresence(services.pool, actor, services.clock.now(), "CREATE_KEY")).rejects.toThrow(
      NotConfirmed,
    );
    const code = codeNow();
    const results = await Promise.allSettled([prove(code), prove(code), prove(code)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await requirePresence(services.pool, actor, services.clock.now(), "CREATE_KEY");
  });

  it("a password checked before an app was added confirms nothing afterwards", async () => {
    const services = testServices(database);
    const organization = await makeOrganization(services);
    const actor = await signIn(services, organization.ownerEmail);
    const verified = await verifyConfirmationOf(services, actor, memberScope("MANAGE", actor, "CREATE_KEY"), {
      kind: "PASSWORD",
      password: TEST_PASSWORD,
    });
    const { secret } = await beginAuthenticator(services, actor);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: services.clock.now().getTime(),
    });
    await confirmAuthenticator(services, actor, { code });
    await expect(spendConfirmation(services.pool, verified)).rejects.toThrow(NotConfirmed);
  });
});

describe("setting an app up", () => {
  it("requires step-up to begin, to confirm and to remove", async () => {
    const services = testServices(database);
    const organization = await makeOrganization(services);
    const actor = await signIn(services, organization.ownerEmail);
    services.clock.advance(PRESENCE_MS + 1);
    for (const act of [
      () => beginAuthenticator(services, actor),
      () => confirmAuthenticator(services, actor, { code: "000000" }),
      () => removeAuthenticator(services, actor),
      () => changePassword(services, actor, { password: "another long password" }),
    ]) {
      await expect(act()).rejects.toThrow(NotConfirmed);
    }
    expect((await listSecurity(services, actor)).authenticator).toBeNull();
  });

  it("has no effect before its first code, is not replaced after it, and ends with a reset by the operator", async () => {
    const services = testServices(database);
    const organization = await makeOrganization(services);
    const actor = await signIn(services, organization.ownerEmail);
    const first = await beginAuthenticator(services, actor);
    await signIn(services, organization.ownerEmail);
    const second = await beginAuthenticator(services, actor);
    expect(second.secret).not.toBe(first.secret);
    const timestamp = services.clock.now().getTime();
    const codeOf = (secret: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
    await expect(confirmAuthenticator(services, actor, { code: codeOf(first.secret) })).rejects.toThrow(
      /This code is wrong/,
    );
    await confirmAuthenticator(services, actor, { code: codeOf(second.secret) });
    await expect(beginAuthenticator(services, actor)).rejects.toThrow(/already set up/);
    await expect(confirmAuthenticator(services, actor, { code: codeOf(second.secret) })).rejects.toThrow(
      /already complete/,
    );
    const { resetHref } = await resetMember(services, organization.ownerEmail, async () => {});
    const password = "set with the link of the operator";
    await resetPassword(services, resetHref.slice("/reset/".length), { password }, null, {
      isSandboxBank: true,
    });
    await signIn(services, organization.ownerEmail, password);
  });

  it("stores the secret encrypted for its owner, and shows it as 160 bits and a square picture", async () => {
    const { services, actor, secret, qr } = await arrange();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
    const { rows } = await database.pool.query<{ sealedSecret: Buffer }>(
      `select sealed_secret as "sealedSecret" from authenticators where user_id = $1`,
      [actor.id],
    );
    const encrypted = rows[0]?.sealedSecret ?? Buffer.alloc(0);
    expect(encrypted.toString("latin1")).not.toContain(secret);
    expect(services.authenticatorSecrets.decrypt(encrypted, actor.id)).toBe(secret);
    expect(() => services.authenticatorSecrets.decrypt(encrypted, crypto.randomUUID())).toThrow();
  });

  it("leaves a passkey alone: it signs in and confirms without a code", async () => {
    const { services, actor } = await arrange();
    const { recoveryCodes } = await enrollPasskey(services, actor);
    expect(recoveryCodes).toEqual([]);
    services.clock.advance(PRESENCE_MS + 1);
    expect(await beginPresence(services, actor, "CREATE_KEY")).toMatchObject({ kind: "PASSKEY" });
  });
});

describe("password and sessions", () => {
  it("a new password ends every other session, keeps this one and is notified by email; the old one no longer works", async () => {
    const services = testServices(database);
    const organization = await makeOrganization(services);
    const thief = await signIn(services, organization.ownerEmail);
    const actor = await signIn(services, organization.ownerEmail);
    await expect(changePassword(services, actor, { password: "short" })).rejects.toThrow(/at least 10/);
    await changePassword(services, actor, { password: "a longer new password" });
    expect(await readSession(services, thief.sessionId)).toBeNull();
    expect(await readSession(services, actor.sessionId)).not.toBeNull();
    expect(await messagesTo(actor.id)).toEqual(["Your password was changed"]);
    await expect(signIn(services, organization.ownerEmail)).rejects.toThrow();
    await signIn(services, organization.ownerEmail, "a longer new password");
    expect((await listSecurity(services, actor)).passwordChangedAt).not.toBeNull();
  });

  it("a session can be ended only by its owner, and never the current one", async () => {
    const services = testServices(database);
    const organization = await makeOrganization(services);
    const { email } = await makeMember(services, organization.organizationId, "VIEWER");
    const [here, there, stranger] = [
      await signIn(services, email),
      await signIn(services, email),
      await signIn(services, organization.ownerEmail),
    ];
    await expect(endOwnSession(services, stranger, there.sessionId)).rejects.toThrow(/has already ended/);
    await expect(endOwnSession(services, here, here.sessionId)).rejects.toThrow(/has already ended/);
    await endOwnSession(services, here, there.sessionId);
    expect(await readSession(services, there.sessionId)).toBeNull();
    const { sessions } = await listSecurity(services, here);
    expect(sessions).toEqual([
      expect.objectContaining({ id: here.sessionId, isThisOne: true, browser: "an unknown browser" }),
    ]);
  });
});
