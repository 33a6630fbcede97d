/**
 * Goal: where the policy asks for several people, no payee can be paid and no rule runs before all of them have signed what
 * it is now. Against a real PostgreSQL.
 */
import { describe, expect, it } from "vitest";
import { type Policy, policySchema } from "@/lib/contract/policies/policy";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { expireProposals, remindDeciders } from "@/lib/core/approvals/expire-proposals";
import { confirmPayee, declinePayeeDetails } from "@/lib/core/payees/decide-payee";
import { proposePayee } from "@/lib/core/payees/propose-payee";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { addPayee, changePayee } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anyDeciders, asks, named, policyOf, putInForce } from "@/lib/testing/policies";
import { activate, editRule, readyToActivate, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { readPayee } from "@/lib/views/payees/read-payees";
import { readRulePage } from "@/lib/views/rules/read-rule-page";

const database = useTestDatabase();

const TIME = { nowAt: "2026-03-02T15:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const HOUR_MS = 3_600_000;
const TWO = policyOf(asks([anyDeciders(2)]));
const TWO_OTHERS = policyOf(asks([anyDeciders(2)], { requesterCounts: false }));
const account = (accountNumber = "987654321") => ({
  holderName: "Harbor Print Shop LLC",
  accountKind: "CHECKING" as const,
  routingNumber: "101050001",
  accountNumber,
});

/** Mara made the key; Ana, Ben and Cleo are co-owners. */
async function arrange(policy?: Policy) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner: mara } = organization;
  const [ana, ben, cleo] = [
    await organization.addMember("CO_OWNER", "Ana"),
    await organization.addMember("CO_OWNER", "Ben"),
    await organization.addMember("CO_OWNER", "Cleo"),
  ];
  const bank = createSandboxBank(database.pool);
  const publish = (next: Policy) => putInForce(database, organizationId, mara.actor.id, next);
  if (policy) await publish(policy);
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const add = (by = mara) =>
    addPayee(services, bank, at(by), { name: "Harbor Print Shop", kind: "BUSINESS", account: account() });
  const waiting = async (payeeId: string) => {
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1 and payee_id = $2 and state = 'WAITING'",
      [organizationId, payeeId],
    );
    return rows[0]?.id ?? "";
  };
  const readyToConfirm = async (payeeId: string, member: Context<MemberActor>) => {
    // Everyone has just signed in, however far the clock was moved.
    await database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
      organizationId,
      clock.now(),
    ]);
    const detailsId = await waiting(payeeId);
    return () => confirmPayee(services, at(member), { payeeId, detailsId, callBackNote: null });
  };
  const confirm = async (payeeId: string, member: Context<MemberActor>) =>
    (await readyToConfirm(payeeId, member))();
  const look = async (payeeId: string, member = mara) => {
    const view = await readPayee({ services, context: at(member), time: TIME }, payeeId);
    if (!view) throw new Error("no such payee");
    return view;
  };
  const isPayable = async (payeeId: string) => (await look(payeeId)).current !== null;
  const setRole = (member: Context<MemberActor>, role: string) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      organizationId,
      member.actor.id,
      role,
    ]);
  const notices = async (kind: string) => {
    const { rows } = await database.ownerPool.query<{ name: string }>(
      `select u.name from notices n join users u on u.id = n.user_id
        where n.organization_id = $1 and n.kind = $2 order by u.name`,
      [organizationId, kind],
    );
    return rows.map(({ name }) => name);
  };
  const asked = () => notices("RULE_SIGNATURE_ASKED");
  return {
    ...{ services, clock, bank, organization, organizationId, mara, ana, ben, cleo, publish },
    ...{ at, add, confirm, readyToConfirm, look, isPayable, setRole, asked, notices, waiting },
  };
}

describe("a payee's account", () => {
  it("can be paid only after the last signature that the policy asks for", async () => {
    const { add, confirm, isPayable, look, ana, ben, mara } = await arrange(TWO_OTHERS);
    const payeeId = await add();
    await expect(confirm(payeeId, mara)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(await confirm(payeeId, ana)).toEqual({ kind: "SIGNED" });
    expect(await isPayable(payeeId)).toBe(false);
    await expect(confirm(payeeId, ana)).rejects.toMatchObject({
      message: expect.stringContaining("You have signed already"),
    });
    expect((await look(payeeId, ben)).waiting?.signing).toMatchObject({
      givenCount: 1,
      neededCount: 2,
      signedNames: ["Ana"],
      viewer: { completes: true, mayNot: null },
    });
    expect(await confirm(payeeId, ben)).toEqual({ kind: "CONFIRMED" });
    expect(await isPayable(payeeId)).toBe(true);
    expect((await look(payeeId)).events.map(({ kind, byName }) => `${kind} ${byName}`)).toEqual([
      "CONFIRMED Ben",
      "SIGNED Ana",
      "DETAILS_GIVEN Mara",
      "PROPOSED Mara",
    ]);
  });

  it("that a program proposed is not confirmed by who made its key", async () => {
    const { services, organization, bank, at, clock, confirm, ana, ben, mara } = await arrange(TWO_OTHERS);
    const key = await organization.addKey([{ type: "CREATE_ACCOUNTS" }]);
    const sent = { method: "POST", path: "/platform/v1/payees", idempotencyKey: null, calledReason: null };
    await proposePayee(
      services,
      { ...key.context, now: clock.now() },
      { name: "Harbor Print Shop", kind: "BUSINESS", rail: "ACH" },
      { sent: { ...sent, body: {} }, auditAction: "PROPOSE_PAYEE", status: 201, idempotency: null },
    );
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payees where organization_id = $1",
      [mara.organizationId],
    );
    const payeeId = rows[0]?.id ?? "";
    await changePayee(services, bank, at(ana), {
      payeeId,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account(),
    });
    for (const requester of [mara, ana])
      await expect(confirm(payeeId, requester)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(await confirm(payeeId, ben)).toEqual({ kind: "SIGNED" });
  });

  it("that replaces the one that was signed has no signature", async () => {
    const { services, bank, at, add, confirm, isPayable, ana, ben, mara } = await arrange(TWO);
    const payeeId = await add();
    expect(await confirm(payeeId, ana)).toEqual({ kind: "SIGNED" });
    await changePayee(services, bank, at(mara), {
      payeeId,
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: account("123456789"),
    });
    expect(await confirm(payeeId, ben)).toEqual({ kind: "SIGNED" });
    expect(await isPayable(payeeId)).toBe(false);
    expect(await confirm(payeeId, ana)).toEqual({ kind: "CONFIRMED" });
  });

  it("loses the signature of who no longer decides, also when they decide again", async () => {
    const { add, confirm, isPayable, setRole, ana, ben, cleo } = await arrange(TWO);
    const payeeId = await add();
    expect(await confirm(payeeId, ana)).toEqual({ kind: "SIGNED" });
    await setRole(ana, "VIEWER");
    await setRole(ana, "CO_OWNER");
    expect(await confirm(payeeId, ben)).toEqual({ kind: "SIGNED" });
    expect(await isPayable(payeeId)).toBe(false);
    expect(await confirm(payeeId, cleo)).toEqual({ kind: "CONFIRMED" });
  });

  it("is confirmed once when two sign last at the same time, and declined by any one person", async () => {
    const { services, at, add, confirm, readyToConfirm, look, waiting, ana, ben, cleo } = await arrange(TWO);
    const payeeId = await add();
    await confirm(payeeId, ana);
    const presses = [await readyToConfirm(payeeId, ben), await readyToConfirm(payeeId, cleo)];
    const results = await Promise.allSettled(presses.map((press) => press()));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await look(payeeId)).events.filter(({ kind }) => kind === "CONFIRMED")).toHaveLength(1);
    const other = await addPayee(services, createSandboxBank(database.pool), at(ana), {
      name: "Other Shop",
      kind: "BUSINESS",
      account: account("5550001"),
    });
    await confirm(other, ben);
    await declinePayeeDetails(services, at(cleo), { payeeId: other, detailsId: await waiting(other) });
    expect((await look(other)).waiting).toBeNull();
  });

  it("has to get all signatures in the time that the policy says, after a reminder to those who may sign", async () => {
    const policy = policyOf(asks([anyDeciders(2)], { requesterCounts: false, expiresAfterHours: 12 }));
    const { services, clock, add, confirm, look, isPayable, notices, ana, ben, cleo } = await arrange(policy);
    const payeeId = await add();
    clock.advance(100 * HOUR_MS);
    expect((await look(payeeId)).waiting?.signing).toMatchObject({ expiresAt: null, hours: 12 });
    await confirm(payeeId, ana);
    expect((await look(payeeId)).waiting?.signing?.expiresAt).toBe(
      new Date(clock.now().getTime() + 12 * HOUR_MS).toISOString(),
    );
    clock.advance(11 * HOUR_MS);
    await remindDeciders(services, 100);
    expect(await notices("CHANGE_SIGNATURE_REMINDER")).toEqual(["Ben", "Cleo"]);
    clock.advance(HOUR_MS);
    expect(await confirm(payeeId, ben)).toEqual({ kind: "SIGNED" });
    expect(await isPayable(payeeId)).toBe(false);
    clock.advance(12 * HOUR_MS);
    await expireProposals(services, 100);
    expect(await notices("CHANGE_ENDED")).toEqual(["Ben"]);
    expect((await look(payeeId)).waiting?.signing).toMatchObject({ givenCount: 0, expiresAt: null });
    expect(await confirm(payeeId, ana)).toEqual({ kind: "SIGNED" });
    expect(await confirm(payeeId, cleo)).toEqual({ kind: "CONFIRMED" });
    clock.advance(12 * HOUR_MS);
    await remindDeciders(services, 100);
    await expireProposals(services, 100);
    expect(await notices("CHANGE_ENDED")).toEqual(["Ben"]);
  });

  it("that was declined reminds and notifies nobody of its time", async () => {
    const { services, clock, at, add, confirm, waiting, notices, ana, cleo } = await arrange(TWO);
    const payeeId = await add();
    await confirm(payeeId, ana);
    await declinePayeeDetails(services, at(cleo), { payeeId, detailsId: await waiting(payeeId) });
    clock.advance(23 * HOUR_MS);
    await remindDeciders(services, 100);
    clock.advance(24 * HOUR_MS);
    await expireProposals(services, 100);
    expect([await notices("CHANGE_SIGNATURE_REMINDER"), await notices("CHANGE_ENDED")]).toEqual([[], []]);
  });

  it("needs what the policy in force asks: one person without a policy, and named people where it names them", async () => {
    const { add, confirm, publish, look, ana, ben, mara } = await arrange();
    expect((await look(await add())).waiting?.signing).toBeNull();
    await publish(
      policySchema.parse({
        ...policyOf(asks([anyDeciders(1)])),
        rules: [
          { ...asks([named([ben.actor.id], 1)]), name: "Payees", when: { kinds: ["PAYEE"], payee: ["NEW"] } },
        ],
      }),
    );
    const { payees } = await readNames();
    const [payeeId = ""] = payees;
    await expect(confirm(payeeId, ana)).rejects.toMatchObject({
      message: expect.stringContaining("does not name you"),
    });
    await expect(confirm(payeeId, mara)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(await confirm(payeeId, ben)).toEqual({ kind: "CONFIRMED" });
    async function readNames() {
      const { rows } = await database.pool.query<{ id: string }>(
        "select id from payees where organization_id = $1",
        [mara.organizationId],
      );
      return { payees: rows.map(({ id }) => id) };
    }
  });
});

const sweep = (from: string, to: string, name = "Sweep"): RuleDefinition =>
  ruleDefinitionSchema.parse({
    name,
    trigger: { type: "MANUAL", accountId: from },
    steps: [{ actions: [{ type: "REMAINDER", sourceAccountId: from, destinationAccountId: to, group: 0 }] }],
  });

async function arrangeRule(policy: Policy) {
  const scene = await arrange(policy);
  const { services, organization, clock, at } = scene;
  const from = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 5_000 });
  const to = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }]);
  const caller = { ...key.context, now: clock.now() };
  const ruleId = await writeRule(services, caller, sweep(from, to));
  const edit = () => editRule(services, caller, ruleId, sweep(from, to, "Sweep again"));
  const sign = (member: Context<MemberActor>, version = 1) => activate(services, at(member), ruleId, version);
  const ready = (member: Context<MemberActor>) => readyToActivate(services, at(member), ruleId);
  const read = async (member = scene.mara) => {
    const page = await readRulePage({ services, context: at(member), time: TIME }, { ruleId, version: null });
    if (page?.kind !== "READABLE") throw new Error("no such rule");
    return page;
  };
  return { ...scene, ruleId, edit, sign, ready, read };
}

describe("a version of a rule", () => {
  it("runs only after the last signature, and those who may sign are asked", async () => {
    const { sign, read, asked, mara, ana, ben } = await arrangeRule(TWO_OTHERS);
    expect(await sign(mara)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(ana)).toEqual({ kind: "SIGNED" });
    expect(await asked()).toEqual(["Ben", "Cleo"]);
    expect(await read(ben)).toMatchObject({
      activeVersion: null,
      signing: { givenCount: 1, neededCount: 2, viewer: { completes: true } },
    });
    expect(await sign(ana)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(ben)).toEqual({ kind: "DONE" });
    expect(await read()).toMatchObject({ activeVersion: 1, signing: null });
    expect((await read()).events.map(({ kind, byName }) => `${kind} ${byName}`)).toEqual([
      "ACTIVATED Ben",
      "SIGNED Ana",
    ]);
  });

  it("does not count signatures under another version", async () => {
    const { sign, edit, read, ana, ben } = await arrangeRule(TWO);
    expect(await sign(ana)).toEqual({ kind: "SIGNED" });
    await edit();
    expect(await sign(ben, 2)).toEqual({ kind: "SIGNED" });
    expect((await read()).activeVersion).toBeNull();
    expect(await sign(ana, 2)).toEqual({ kind: "DONE" });
  });

  it("is activated once when two sign last at the same time", async () => {
    const { sign, ready, read, ana, ben, cleo } = await arrangeRule(TWO);
    await sign(ana);
    const presses = [await ready(ben), await ready(cleo)];
    const results = await Promise.all(presses.map((press) => press()));
    expect(results.map(({ kind }) => kind).sort()).toEqual(["CHANGED", "DONE"]);
    expect((await read()).events.filter(({ kind }) => kind === "ACTIVATED")).toHaveLength(1);
  });

  it("has to get all signatures in the time that the policy says", async () => {
    const policy = policyOf(asks([anyDeciders(2)], { expiresAfterHours: 12 }));
    const { services, clock, sign, read, notices, ana, ben, cleo } = await arrangeRule(policy);
    await sign(ana);
    expect((await read(ben)).signing?.expiresAt).toBe(
      new Date(clock.now().getTime() + 12 * HOUR_MS).toISOString(),
    );
    clock.advance(11 * HOUR_MS);
    await remindDeciders(services, 100);
    expect(await notices("CHANGE_SIGNATURE_REMINDER")).toEqual(["Ben", "Cleo", "Mara"]);
    clock.advance(HOUR_MS);
    await expireProposals(services, 100);
    expect(await notices("CHANGE_ENDED")).toEqual(["Ana"]);
    expect(await sign(ben)).toEqual({ kind: "SIGNED" });
    expect((await read()).activeVersion).toBeNull();
    expect(await sign(cleo)).toEqual({ kind: "DONE" });
  });

  it("is not signed by the database for someone who does not decide", async () => {
    const { organization, organizationId, ruleId } = await arrangeRule(TWO);
    const viewer = await organization.addMember("VIEWER", "Vera");
    const sign = (kind: string) =>
      database.pool.query("select sign_change($1)", [
        JSON.stringify({ organizationId, userId: viewer.actor.id, kind, subjectId: ruleId }),
      ]);
    await expect(sign("RULE")).rejects.toThrow("only an owner or co-owner");
  });
});
