import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { removePasskeyAct, type StepUpAct } from "@/lib/contract/confirmation/step-up";
import { askSecondFactor } from "@/lib/core/organizations/ask-second-factor";
import type { MemberActor } from "@/lib/core/shared/context";
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
} from "@/lib/core/sign-in/manage-second-factors";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { removePasskey } from "@/lib/core/sign-in/passkeys";
import { beginPresence, confirmPresence } from "@/lib/core/sign-in/presence";
import { type CurrentSession, readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { switchOrganization } from "@/lib/core/sign-in/start-session";
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
import { listSecurity, readFactorStep } from "@/lib/views/members/list-security";

const FRESH_MS = 5 * 60_000;

const database = useTestDatabase();

/** An owner with a passkey, and a viewer with only a password who is signed in at two browsers. */
async function arrange() {
  const services = testServices(database);
  const organization = await makeOrganization(services);
  const owner = await signIn(services, organization.ownerEmail);
  const ownerKey = await enrollPasskey(services, owner);
  const viewer = await makeMember(services, organization.organizationId, "VIEWER");
  const here = await signIn(services, viewer.email);
  const there = await signIn(services, viewer.email);

  const sessionOf = async (actor: MemberActor): Promise<CurrentSession> => {
    const session = await readSession(services, actor.sessionId);
    if (!session) throw new Error("The session has ended");
    return session;
  };
  const isHeld = async (actor: MemberActor) => (await sessionOf(actor)).lacksSecondFactor;
  const ask = async (isAsked: boolean, by: MemberActor = owner) => {
    if (by === owner) await prove(owner, ownerKey, `REQUIRE_SECOND_FACTOR:${isAsked}`);
    await askSecondFactor(services, memberContext(services, await sessionOf(by)), { isAsked });
  };
  const prove = async (
    actor: MemberActor,
    { authenticator }: Awaited<ReturnType<typeof enrollPasskey>>,
    act: StepUpAct = "COMPLETE_SIGN_IN",
  ) => {
    const request = await beginPresence(services, actor, act);
    if (request.kind !== "PASSKEY") return;
    const confirmation = { kind: "PASSKEY" as const, response: authenticator.get(request.options) };
    await confirmPresence(services, actor, act, confirmation);
  };
  return { services, organization, owner, ownerKey, viewer, here, there, sessionOf, isHeld, ask, prove };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;

/** Adds an app in this session; `code` is valid and unused. */
async function addApp({ services }: Arranged, actor: MemberActor) {
  const { secret } = await beginAuthenticator(services, actor);
  const code = () => {
    services.clock.advance(30_000);
    const timestamp = services.clock.now().getTime();
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  };
  await confirmAuthenticator(services, actor, { code: code() });
  return { code };
}

async function readState(organizationId: string) {
  const { rows } = await database.ownerPool.query<{ asks: boolean; mailed: number; changes: number }>(
    `select requires_second_factor as asks,
        (select count(*)::int from messages m where m.organization_id = o.id and m.kind = 'SIGN_IN_CHANGED'
          and m.subject like '%second factor%') as mailed,
        (select count(*)::int from organization_changes c
          where c.organization_id = o.id and c.kind = 'SECOND_FACTOR') as changes
       from organizations o where o.id = $1`,
    [organizationId],
  );
  return rows[0];
}

describe("an organization that requires a second factor", () => {
  it("blocks every session that gave only a password, even open ones, until that browser gives a second factor", async () => {
    const arranged = await arrange();
    const { services, owner, here, there, isHeld, ask, sessionOf, prove } = arranged;
    expect(await isHeld(here)).toBe(false);
    await ask(true);
    expect([await isHeld(owner), await isHeld(here), await isHeld(there)]).toEqual([false, true, true]);
    // Not shown even if a page forgets to check.
    const held = await sessionOf(here);
    expect(() => memberContext(services, held)).toThrow(/second factor/);

    expect(await readFactorStep(services, here)).toEqual({ kind: "ADD" });
    const key = await enrollPasskey(services, here);
    expect([await isHeld(here), await isHeld(there)]).toEqual([false, true]);
    expect(await readFactorStep(services, there)).toEqual({ kind: "PROVE", proof: "PASSKEY" });
    await prove(there, key);
    expect(await isHeld(there)).toBe(false);
  });

  it("is not satisfied by an app that its victim adds: a thief signed in with the password still has no code", async () => {
    const arranged = await arrange();
    const { services, here, there, isHeld, ask } = arranged;
    await ask(true);
    const app = await addApp(arranged, here);
    expect([await isHeld(here), await isHeld(there)]).toEqual([false, true]);
    expect(await readFactorStep(services, there)).toEqual({ kind: "PROVE", proof: "PASSWORD_AND_CODE" });
    // A recent sign-in is not enough to remove the app again, or to add another factor.
    expect(await beginPresence(services, there, "REMOVE_AUTHENTICATOR")).toEqual({
      kind: "PASSWORD",
      withCode: true,
    });
    await expect(removeAuthenticator(services, there)).rejects.toThrow(NotConfirmed);
    await expect(enrollPasskey(services, there)).rejects.toThrow(NotConfirmed);
    const password = { kind: "PASSWORD" as const, password: TEST_PASSWORD };
    await expect(confirmPresence(services, there, "COMPLETE_SIGN_IN", password)).rejects.toThrow(
      NotConfirmed,
    );
    expect(await isHeld(there)).toBe(true);
    await confirmPresence(services, there, "COMPLETE_SIGN_IN", { ...password, code: app.code() });
    expect(await isHeld(there)).toBe(false);
  });

  it("first asks for the password of a member without a factor who signed in more than five minutes ago", async () => {
    const { services, here, ask, isHeld } = await arrange();
    await ask(true);
    services.clock.advance(FRESH_MS);
    expect(await readFactorStep(services, here)).toEqual({ kind: "ADD" });
    await expect(enrollPasskey(services, here)).rejects.toThrow(NotConfirmed);
    const password = { kind: "PASSWORD" as const, password: TEST_PASSWORD };
    await confirmPresence(services, here, "COMPLETE_SIGN_IN", password);
    expect(await isHeld(here)).toBe(true);
    await expect(enrollPasskey(services, here)).rejects.toThrow(NotConfirmed);
    await confirmPresence(services, here, "ADD_PASSKEY", password);
    await enrollPasskey(services, here);
    expect(await isHeld(here)).toBe(false);
  });

  it("admits members who sign in with a code or recovery code, and blocks members with a passkey who give only the password", async () => {
    const arranged = await arrange();
    const { services, organization, viewer, here, ask } = arranged;
    await ask(true);
    const app = await addApp(arranged, here);
    const kinds: boolean[] = [];
    const enter = async (outcome: Awaited<ReturnType<typeof signInWithPassword>>) => {
      if (outcome.kind !== "SIGNED_IN") throw new Error(`Could not sign in: ${outcome.kind}`);
      const session = await readSession(services, outcome.sessionId);
      kinds.push(session?.lacksSecondFactor ?? true);
    };
    const password = { email: viewer.email, password: TEST_PASSWORD };
    await enter(await signInWithPassword(services, { ...password, code: app.code() }, testBrowser()));
    const owner = { email: organization.ownerEmail, password: TEST_PASSWORD };
    const [code = ""] = arranged.ownerKey.recoveryCodes;
    await enter(await signInWithRecoveryCode(services, { ...owner, code }, testBrowser()));
    await enter(await signInWithPassword(services, owner, testBrowser()));
    expect(kinds).toEqual([false, false, true]);
  });

  it("blocks no one from their other organizations", async () => {
    const { services, here, ask, isHeld, sessionOf } = await arrange();
    const other = await makeOrganization(services, "Elsewhere");
    await database.ownerPool.query("insert into memberships values ($1, $2, 'VIEWER', $3)", [
      other.organizationId,
      here.id,
      services.clock.now(),
    ]);
    await ask(true);
    expect(await isHeld(here)).toBe(true);
    expect(await switchOrganization(services, here.sessionId, here.id, other.organizationId)).toBe(true);
    expect(await isHeld(here)).toBe(false);
    expect((await sessionOf(here)).organization.id).toBe(other.organizationId);
  });

  it("is changed only by an owner or co-owner who has a second factor, with step-up", async () => {
    const { services, organization, owner, here, ask, sessionOf } = await arrange();
    const { organizationId } = organization;
    await expect(ask(true, here)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    const coOwner = await makeMember(services, organizationId, "CO_OWNER");
    const jonas = await signIn(services, coOwner.email);
    await expect(ask(true, jonas)).rejects.toThrow(/no second factor yourself/);
    await enrollPasskey(services, jonas);
    // Their password was enough until a moment ago; now it is not sufficient.
    await expect(ask(true, jonas)).rejects.toThrow(NotConfirmed);
    expect(await readState(organizationId)).toEqual({ asks: false, mailed: 0, changes: 0 });
    await ask(true);
    expect(await readState(organizationId)).toEqual({ asks: true, mailed: 3, changes: 1 });
    services.clock.advance(FRESH_MS);
    const stale = memberContext(services, await sessionOf(owner));
    await expect(askSecondFactor(services, stale, { isAsked: false })).rejects.toThrow(NotConfirmed);
    expect((await readState(organizationId))?.asks).toBe(true);
  });

  it("notifies every member of a change, no one if nothing changed, and floods no mailbox", async () => {
    const { organization, ask } = await arrange();
    const { organizationId } = organization;
    await ask(true);
    await ask(true);
    expect(await readState(organizationId)).toEqual({ asks: true, mailed: 2, changes: 1 });
    for (const isAsked of [false, true, false, true, false]) await ask(isAsked);
    expect(await readState(organizationId)).toEqual({ asks: false, mailed: 8, changes: 6 });
  });
});

describe("the last second factor of a member who must have one", () => {
  it("cannot be removed, as they could not sign in again; one of two can, and any once none is required", async () => {
    const arranged = await arrange();
    const { services, here, ask, prove } = arranged;
    const key = await enrollPasskey(services, here);
    const passkeyId = key.authenticator.credentialId;
    await prove(here, key, removePasskeyAct(passkeyId));
    await ask(true);
    await expect(removePasskey(services, here, passkeyId)).rejects.toThrow(
      /requires a second factor, and this is your last/,
    );
    expect((await listSecurity(services, here)).passkeys.map(({ id }) => id)).toEqual([passkeyId]);
    await prove(here, key, "ADD_AUTHENTICATOR");
    await addApp(arranged, here);
    await removePasskey(services, here, passkeyId);
    await expect(removeAuthenticator(services, here)).rejects.toThrow(/your last/);
    await ask(false);
    await removeAuthenticator(services, here);
  });

  it("cannot be removed while its owner is requiring one of everyone", async () => {
    for (let round = 0; round < 8; round++) {
      const { services, organization, owner, ownerKey, prove, sessionOf } = await arrange();
      const passkeyId = ownerKey.authenticator.credentialId;
      await prove(owner, ownerKey, "REQUIRE_SECOND_FACTOR:true");
      await prove(owner, ownerKey, removePasskeyAct(passkeyId));
      const context = memberContext(services, await sessionOf(owner));
      await Promise.allSettled([
        askSecondFactor(services, context, { isAsked: true }),
        removePasskey(services, owner, passkeyId),
      ]);
      const { passkeys } = await listSecurity(services, owner);
      const state = await readState(organization.organizationId);
      expect([passkeys.length, state?.asks]).toEqual(state?.asks ? [1, true] : [0, false]);
    }
  });

  it("survives two concurrent removals", async () => {
    const arranged = await arrange();
    const { services, here, ask, prove } = arranged;
    await ask(true);
    const key = await enrollPasskey(services, here);
    const passkeyId = key.authenticator.credentialId;
    await prove(here, key, "ADD_AUTHENTICATOR");
    await addApp(arranged, here);
    await prove(here, key, removePasskeyAct(passkeyId));
    await prove(here, key, "REMOVE_AUTHENTICATOR");
    const outcomes = await Promise.allSettled([
      removePasskey(services, here, passkeyId),
      removeAuthenticator(services, here),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
