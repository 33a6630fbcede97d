/**
 * A confirmation counts for the act that it names, once: neither for another act, nor for another thing, nor like a sign-in
 * for a decision about money.
 */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  addEndpointAct,
  changePhoneAct,
  createKeyAct,
  inviteAct,
  parseStepUpAct,
  STEP_UP_KINDS,
  type StepUpAct,
} from "@/lib/contract/confirmation/step-up";
import { FRESH_SIGN_IN_MS } from "@/lib/contract/limits";
import type { MemberActor } from "@/lib/core/shared/context";
import { beginConfirmation, verifyConfirmation } from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { beginPresence, checkPresence, confirmPresence, requirePresence } from "@/lib/core/sign-in/presence";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { inTransaction } from "@/lib/db/transaction";
import { useTestDatabase } from "@/lib/testing/database";
import {
  enrollPasskey,
  makeOrganization,
  readActor,
  signIn,
  TEST_PASSWORD,
  type TestOrganization,
  testBrowser,
  testServices,
} from "@/lib/testing/members";

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
let organization: TestOrganization;
let owner: MemberActor;

beforeEach(async () => {
  services = testServices(database);
  organization = await makeOrganization(services);
  await signIn(services, organization.ownerEmail);
  owner = await signInLongAgo();
});

/** At a browser where the owner signed in ten minutes ago. */
async function signInLongAgo(): Promise<MemberActor> {
  const actor = await signIn(services, organization.ownerEmail);
  services.clock.advance(2 * FRESH_SIGN_IN_MS);
  return actor;
}

const password = { kind: "PASSWORD", password: TEST_PASSWORD } as const;
const confirm = (act: StepUpAct, actor = owner) => confirmPresence(services, actor, act, password);
const spend = (act: StepUpAct, actor = owner) =>
  inTransaction(database.pool, (client) => requirePresence(client, actor, services.clock.now(), act));

const ACTS: StepUpAct[] = [
  ...STEP_UP_KINDS.filter((kind) => kind !== "COMPLETE_SIGN_IN"),
  "DELETE_ENDPOINT:one",
  "DELETE_ENDPOINT:two",
  "RAISE_KEY_CAP:one:500",
  "RAISE_KEY_CAP:one:NONE",
  createKeyAct({ name: "mara-cli", permissions: [], dailyCapInCents: 500 }),
  createKeyAct({ name: "mara-cli", permissions: [], dailyCapInCents: 50_000 }),
  createKeyAct({ name: "mara-cli", permissions: [], dailyCapInCents: null }),
  // Longer than its column, which holds their digests.
  ...[200, 201].map((count) =>
    createKeyAct({
      name: "mara-cli",
      permissions: [{ type: "READ_ACCOUNTS", accounts: Array.from({ length: count }, () => randomUUID()) }],
      dailyCapInCents: null,
    }),
  ),
  inviteAct({ email: "jonas@example.com", role: "OWNER" }),
  inviteAct({ email: "jonas@example.com", role: "CO_OWNER" }),
  inviteAct({ email: "eve@example.com", role: "OWNER" }),
  addEndpointAct("https://hooks.example/one"),
  addEndpointAct("https://hooks.example/two"),
  changePhoneAct("+12125550100"),
  changePhoneAct("+12125550101"),
  "LOWER_FLOOR:one:100",
  "LOWER_FLOOR:one:NONE",
  "SHORTEN_COOL_OFF:100:48",
  "SHORTEN_COOL_OFF:100:0",
];

describe("a password given for one act", () => {
  it("counts for exactly that act, whatever it is and whatever others there are", async () => {
    const one = fc.constantFrom(...ACTS);
    await fc.assert(
      fc.asyncProperty(one, one, async (given, other) => {
        await confirm(given);
        if (other !== given) await expect(spend(other)).rejects.toThrow(NotConfirmed);
        await spend(given);
        await expect(spend(given)).rejects.toThrow(NotConfirmed);
      }),
      { numRuns: 40 },
    );
  });

  it("does not let an approval pass unasked, as it did", async () => {
    await confirm("ADD_ENDPOINT");
    // As the next request of the same browser finds the session.
    const actor = await readActor(services, owner.sessionId);
    const approval = { proposalId: randomUUID(), decision: "APPROVE" as const, digest: "a".repeat(64) };
    expect(await beginConfirmation(services, actor, approval)).toEqual({ kind: "PASSWORD", withCode: false });
    await expect(verifyConfirmation(services, actor, approval, { kind: "NONE" })).rejects.toThrow(
      NotConfirmed,
    );
  });

  it("waits for its act no longer than five minutes, and is forgotten later", async () => {
    await confirm("ADD_ENDPOINT");
    services.clock.advance(FRESH_SIGN_IN_MS - 1);
    await checkPresence(database.pool, owner, services.clock.now(), "ADD_ENDPOINT");
    services.clock.advance(1);
    await expect(spend("ADD_ENDPOINT")).rejects.toThrow(NotConfirmed);
    services.clock.advance(2 * 86_400_000);
    await forgetExpired(services, 100);
    expect(await countOf(owner)).toBe(0);
  });

  it("stays valid where the act was refused, so that a corrected form does not ask again", async () => {
    await confirm("ADD_ENDPOINT");
    const refused = inTransaction(database.pool, async (client) => {
      await requirePresence(client, owner, services.clock.now(), "ADD_ENDPOINT");
      throw new Error("This address is private.");
    });
    await expect(refused).rejects.toThrow("private");
    expect(await beginPresence(services, owner, "ADD_ENDPOINT")).toEqual({ kind: "NONE" });
    await spend("ADD_ENDPOINT");
  });

  it("is used by one of two that act at once", async () => {
    await confirm("CREATE_KEY");
    const outcomes = await Promise.allSettled([
      spend("CREATE_KEY"),
      spend("CREATE_KEY"),
      spend("CREATE_KEY"),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("counts in its own session and for the organization that the session showed", async () => {
    await confirm("CREATE_KEY");
    await expect(spend("CREATE_KEY", await signInLongAgo())).rejects.toThrow(NotConfirmed);
    services.clock.advance(-2 * FRESH_SIGN_IN_MS);
    const elsewhere = await makeOrganization(services);
    await database.ownerPool.query("update sessions set organization_id = $2 where id = $1", [
      owner.sessionId,
      elsewhere.organizationId,
    ]);
    await expect(spend("CREATE_KEY")).rejects.toThrow(NotConfirmed);
  });

  it("counts no longer once there is a passkey", async () => {
    await confirm("ADD_PASSKEY");
    await confirm("CREATE_KEY");
    await enrollPasskey(services, owner);
    await expect(spend("CREATE_KEY")).rejects.toThrow(NotConfirmed);
  });
});

describe("a passkey's answer", () => {
  it("to the challenge of one act confirms no other", async () => {
    await confirm("ADD_PASSKEY");
    const { authenticator } = await enrollPasskey(services, owner);
    const request = await beginPresence(services, owner, "DELETE_ENDPOINT:one");
    if (request.kind !== "PASSKEY") throw new Error(request.kind);
    const confirmation = { kind: "PASSKEY" as const, response: authenticator.get(request.options) };
    await expect(confirmPresence(services, owner, "DELETE_ENDPOINT:two", confirmation)).rejects.toThrow(
      NotConfirmed,
    );
    await confirmPresence(services, owner, "DELETE_ENDPOINT:one", confirmation);
    await spend("DELETE_ENDPOINT:one");
    // Sent again, it confirms nothing.
    await expect(confirmPresence(services, owner, "DELETE_ENDPOINT:one", confirmation)).rejects.toThrow(
      NotConfirmed,
    );
    await expect(spend("DELETE_ENDPOINT:one")).rejects.toThrow(NotConfirmed);
  });
});

describe("a sign-in less than five minutes old", () => {
  it("counts for a member without a passkey, and for one with a passkey it does not", async () => {
    const fresh = await signIn(services, organization.ownerEmail);
    await spend("CREATE_KEY", fresh);
    await spend("ADD_ENDPOINT", fresh);
    await enrollPasskey(services, fresh);
    await expect(spend("CREATE_KEY", fresh)).rejects.toThrow(NotConfirmed);
    services.clock.advance(FRESH_SIGN_IN_MS);
    await expect(spend("CREATE_KEY", fresh)).rejects.toThrow(NotConfirmed);
  });

  it("with a recovery code replaces the lost passkey, and confirms nothing else", async () => {
    await confirm("ADD_PASSKEY");
    const { recoveryCodes } = await enrollPasskey(services, owner);
    const outcome = await signInWithRecoveryCode(
      services,
      { email: organization.ownerEmail, password: TEST_PASSWORD, code: recoveryCodes[0] ?? "" },
      testBrowser(),
    );
    if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
    const back = await readActor(services, outcome.sessionId);
    await expect(spend("CREATE_KEY", back)).rejects.toThrow(NotConfirmed);
    await spend("REMOVE_PASSKEY:lost", back);
  });
});

it("an act that Sluice does not know, or too long a one, is none", () => {
  expect(parseStepUpAct("DELETE_ENDPOINT:one")).toBe("DELETE_ENDPOINT:one");
  for (const given of [
    "DELETE_EVERYTHING",
    "",
    ":",
    `DELETE_ENDPOINT:${"x".repeat(300)}`,
    `CREATE_KEY:${"x".repeat(400_000)}`,
    null,
    {},
    ["CREATE_KEY"],
  ]) {
    expect(parseStepUpAct(given)).toBeNull();
  }
});

async function countOf({ sessionId }: MemberActor): Promise<number> {
  const { rows } = await database.ownerPool.query("select 1 from step_ups where session_id = $1", [
    sessionId,
  ]);
  return rows.length;
}
