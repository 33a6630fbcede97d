import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Confirmation, DecisionSubject } from "@/lib/contract/confirmation/decision";
import { FRESH_SIGN_IN_MS } from "@/lib/contract/limits";
import type { MemberActor } from "@/lib/core/shared/context";
import { CHALLENGE_LIFETIME_MS } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmation,
  spendConfirmation,
  type VerifiedConfirmation,
  verifyConfirmation,
} from "@/lib/core/sign-in/confirmation";
import { endSession } from "@/lib/core/sign-in/end-session";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction } from "@/lib/db/transaction";
import { useTestDatabase } from "@/lib/testing/database";
import {
  enrollPasskey,
  makeMember,
  makeOrganization,
  signIn,
  TEST_PASSWORD,
  type TestOrganization,
  testServices,
} from "@/lib/testing/members";
import type { SoftwareAuthenticator } from "@/lib/testing/software-authenticator";

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
let organization: TestOrganization;
let owner: MemberActor;
let subject: DecisionSubject;

beforeEach(async () => {
  services = testServices(database);
  organization = await makeOrganization(services);
  owner = await signIn(services, organization.ownerEmail);
  subject = { proposalId: randomUUID(), decision: "APPROVE", digest: "a".repeat(64) };
});

const spend = (verified: VerifiedConfirmation) =>
  inTransaction(database.pool, (client) => spendConfirmation(client, verified));

/** The complete flow, as a decision runs it. */
async function confirm(confirmation: Confirmation, of = subject, actor = owner) {
  return spend(await verifyConfirmation(services, actor, of, confirmation));
}

/** Requests a confirmation of `of` and signs it. */
async function signed(
  authenticator: SoftwareAuthenticator,
  of = subject,
  actor = owner,
): Promise<Extract<Confirmation, { kind: "PASSKEY" }>> {
  const request = await beginConfirmation(services, actor, of);
  if (request.kind !== "PASSKEY") throw new Error(`Requested ${request.kind}`);
  return { kind: "PASSKEY", response: authenticator.get(request.options) };
}

describe("a member with a passkey", () => {
  let authenticator: SoftwareAuthenticator;
  let recoveryCodes: string[];

  beforeEach(async () => {
    ({ authenticator, recoveryCodes } = await enrollPasskey(services, owner, "MacBook"));
  });

  it("confirms with it", async () => {
    const request = await beginConfirmation(services, owner, subject);
    expect(request).toMatchObject({
      kind: "PASSKEY",
      options: {
        rpId: "localhost",
        userVerification: "required",
        allowCredentials: [{ id: authenticator.credentialId, transports: ["internal"] }],
      },
    });
    expect(await confirm(await signed(authenticator))).toEqual({ method: "PASSKEY", passkeyName: "MacBook" });
  });

  it("confirms neither by password nor by a recent sign-in", async () => {
    const verify = (given: Confirmation) => verifyConfirmation(services, owner, subject, given);
    await expect(verify({ kind: "PASSWORD", password: TEST_PASSWORD })).rejects.toThrow(NotConfirmed);
    await expect(verify({ kind: "NONE" })).rejects.toThrow(NotConfirmed);
  });

  it.each<[string, (of: DecisionSubject) => DecisionSubject]>([
    ["another proposal", (of) => ({ ...of, proposalId: randomUUID() })],
    ["another decision", (of) => ({ ...of, decision: "DENY" })],
    ["another digest", (of) => ({ ...of, digest: "b".repeat(64) })],
  ])("confirms nothing for %s", async (_, change) => {
    const confirmation = await signed(authenticator);
    await expect(confirm(confirmation, change(subject))).rejects.toThrow(NotConfirmed);
    expect(await confirm(confirmation)).toMatchObject({ method: "PASSKEY" });
  });

  it("confirms a denial even if balances have changed since", async () => {
    const denial: DecisionSubject = { ...subject, decision: "DENY" };
    const confirmation = await signed(authenticator, denial);
    expect(await confirm(confirmation, { ...denial, digest: "b".repeat(64) })).toMatchObject({
      method: "PASSKEY",
    });
  });

  it("confirms nothing at another of their browsers", async () => {
    const confirmation = await signed(authenticator);
    const other = await signIn(services, organization.ownerEmail);
    await expect(confirm(confirmation, subject, other)).rejects.toThrow(NotConfirmed);
  });

  it("cannot be replaced by another member's passkey", async () => {
    const member = await makeMember(services, organization.organizationId, "CO_OWNER");
    const actor = await signIn(services, member.email);
    const other = await enrollPasskey(services, actor);
    await expect(confirm(await signed(other.authenticator))).rejects.toThrow(NotConfirmed);
    await expect(confirm(await signed(authenticator), subject, actor)).rejects.toThrow(NotConfirmed);
  });

  it("confirms nothing after five minutes", async () => {
    const confirmation = await signed(authenticator);
    services.clock.advance(CHALLENGE_LIFETIME_MS);
    await expect(confirm(confirmation)).rejects.toThrow(NotConfirmed);
  });

  it("confirms nothing from another origin, or with a cloned counter", async () => {
    authenticator.counter = 5;
    await confirm(await signed(authenticator));
    authenticator.counter = 2;
    const cloned = await signed(authenticator);
    await expect(verifyConfirmation(services, owner, subject, cloned)).rejects.toThrow(NotConfirmed);
    authenticator.counter = 6;
    authenticator.origin = "https://localhost:4330";
    await expect(confirm(await signed(authenticator))).rejects.toThrow(NotConfirmed);
  });

  it("refuses a response whose counter was overtaken by a later one before it was consumed", async () => {
    const earlier = await verifyConfirmation(services, owner, subject, await signed(authenticator));
    const later = await verifyConfirmation(services, owner, subject, await signed(authenticator));
    expect(await spend(later)).toMatchObject({ method: "PASSKEY" });
    await expect(spend(earlier)).rejects.toThrow(NotConfirmed);
  });

  it("accepts synced passkeys, whose counter stays at zero", async () => {
    authenticator.counter = -1;
    await confirm(await signed(authenticator));
    authenticator.counter = -1;
    expect(await confirm(await signed(authenticator))).toMatchObject({ method: "PASSKEY" });
  });

  // A synced passkey always signs counter zero, so only the challenge prevents reuse.
  describe.each([
    ["that counts", 0],
    ["that is synced and has no counter", -1],
  ])("%s", (_, counterBefore) => {
    beforeEach(() => {
      authenticator.counter = counterBefore;
    });

    it("confirms once when a verified confirmation is consumed twenty times concurrently", async () => {
      const verified = await verifyConfirmation(services, owner, subject, await signed(authenticator));
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => spend(verified)));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const refused = outcomes.filter((outcome) => outcome.status === "rejected");
      for (const { reason } of refused) expect(reason).toBeInstanceOf(NotConfirmed);
    });

    it("confirms once when one signature is verified and consumed twenty times concurrently", async () => {
      const confirmation = await signed(authenticator);
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => confirm(confirmation)));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
  });

  it("confirms nothing when the deciding transaction rolls back", async () => {
    const verified = await verifyConfirmation(services, owner, subject, await signed(authenticator));
    const failing = inTransaction(database.pool, async (client) => {
      await spendConfirmation(client, verified);
      throw new Error("the balances changed");
    });
    await expect(failing).rejects.toThrow("the balances changed");
    expect(await spend(verified)).toMatchObject({ method: "PASSKEY" });
  });

  it("confirms with a recovery code instead, once", async () => {
    const [code = ""] = recoveryCodes;
    const verified = await verifyConfirmation(services, owner, subject, { kind: "RECOVERY_CODE", code });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => spend(verified)));
    const fulfilled = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(fulfilled.map(({ value }) => value)).toEqual([{ method: "RECOVERY_CODE", passkeyName: null }]);
    await expect(confirm({ kind: "RECOVERY_CODE", code })).rejects.toThrow(NotConfirmed);
  });

  it("has ten guesses at a recovery code, after which the right one fails", async () => {
    for (let i = 0; i < 10; i++) {
      await expect(confirm({ kind: "RECOVERY_CODE", code: `00000-00000-00000-0000${i}` })).rejects.toThrow(
        "not one of your unused",
      );
    }
    const [code = ""] = recoveryCodes;
    await expect(confirm({ kind: "RECOVERY_CODE", code })).rejects.toThrow("Too many attempts");
  });
});

describe("a member without a passkey", () => {
  it("needs no confirmation within five minutes of signing in, and the password after that", async () => {
    expect(await beginConfirmation(services, owner, subject)).toEqual({ kind: "NONE" });
    expect(await confirm({ kind: "NONE" })).toEqual({ method: "RECENT_SIGN_IN", passkeyName: null });
    services.clock.advance(FRESH_SIGN_IN_MS);
    expect(await beginConfirmation(services, owner, subject)).toEqual({ kind: "PASSWORD", withCode: false });
    await expect(confirm({ kind: "NONE" })).rejects.toThrow(NotConfirmed);
    await expect(confirm({ kind: "PASSWORD", password: "not the password" })).rejects.toThrow(NotConfirmed);
    expect(await confirm({ kind: "PASSWORD", password: TEST_PASSWORD })).toEqual({
      method: "PASSWORD",
      passkeyName: null,
    });
  });

  it("has ten guesses at the password, counted even though nothing is decided", async () => {
    const guesses = await Promise.allSettled(
      Array.from({ length: 30 }, () => confirm({ kind: "PASSWORD", password: "not the password" })),
    );
    const sentences = guesses.map((guess) =>
      guess.status === "rejected" ? String(guess.reason.message) : "",
    );
    expect(sentences.filter((sentence) => sentence.startsWith("That is not your password"))).toHaveLength(10);
    await expect(confirm({ kind: "PASSWORD", password: TEST_PASSWORD })).rejects.toThrow("Too many attempts");
  });

  it("confirms nothing with a malformed confirmation", async () => {
    const forged = JSON.parse('{"kind":"PASSKEY","response":{"id":"a"}}');
    await expect(confirm(forged)).rejects.toThrow(NotConfirmed);
    await expect(confirm(JSON.parse('{"kind":"ADMIN"}'))).rejects.toThrow(NotConfirmed);
  });

  it("needs the passkey when one was enrolled after the password was verified", async () => {
    const verified = await verifyConfirmation(services, owner, subject, { kind: "NONE" });
    await enrollPasskey(services, owner);
    await expect(spend(verified)).rejects.toThrow(NotConfirmed);
  });

  it("decides nothing when the session ends between verifying and deciding", async () => {
    const verified = await verifyConfirmation(services, owner, subject, { kind: "NONE" });
    await endSession(services, owner.sessionId);
    await expect(spend(verified)).rejects.toThrow("signed out");
  });
});
