import { describe, expect, it } from "vitest";
import type { Policy } from "@/lib/contract/policies/policy";
import { getExecutionWithApprovals } from "@/lib/core/approvals/approvals-for-programs";
import { getCheckedTransfer } from "@/lib/core/approvals/checks-for-programs";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { moveMoney } from "@/lib/core/approvals/move-money";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { runRuleNow } from "@/lib/core/rules/run-rule-now";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anyDeciders, asks, policyOf, putInForce } from "@/lib/testing/policies";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { previewMove } from "@/lib/views/transfers/read-move-page";

const database = useTestDatabase();
const HOUR_MS = 3_600_000;
const TWO_OTHERS = policyOf(asks([anyDeciders(2)], { requesterCounts: false, expiresAfterHours: 72 }));

async function arrange(policy: Policy | null) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const ana = await organization.addMember("CO_OWNER", "Ana");
  const ben = await organization.addMember("CO_OWNER", "Ben");
  const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "zapier");
  if (policy) await putInForce(database, organizationId, owner.actor.id, policy);
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const look = async (id: string, member = owner) => {
    const view = await getApproval({ services, context: at(member), time: time() }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const sign = async (id: string, member: Context<MemberActor>) =>
    decideProposal(services, at(member), {
      proposalId: id,
      decision: "APPROVE",
      digest: (await look(id, member)).digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  const propose = () =>
    askTransfer(
      services,
      { ...key.context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 10_000 },
    );
  const deadlines = async (id: string) => {
    const { rows } = await database.ownerPool.query<{ hours: number; reminder: number; version: number }>(
      `select extract(epoch from expires_at - created_at)::int / 3600.0 as hours,
          extract(epoch from expires_at - remind_at)::int / 3600.0 as reminder, policy_version as version
        from proposals where id = $1`,
      [id],
    );
    return rows.map(({ hours, reminder, version }) => [Number(hours), Number(reminder), version])[0];
  };
  return {
    ...{ services, clock, organization, organizationId, key, operating, taxes, owner, ana, ben },
    ...{ at, time, look, sign, propose, deadlines },
  };
}

describe("a proposal under a policy", () => {
  it("gets the hours of the requirement that matches, and a reminder when a twelfth is left", async () => {
    const { propose, deadlines } = await arrange(TWO_OTHERS);
    expect(await deadlines((await propose()).id)).toEqual([72, 6, 1]);
    const without = await arrange(null);
    expect(await without.deadlines((await without.propose()).id)).toEqual([24, 2, null]);
  });

  it("tells its program which signatures it needs and has, without names", async () => {
    const { services, clock, key, propose, sign, ana, ben } = await arrange(TWO_OTHERS);
    const transfer = await propose();
    const stage = { policyVersion: 1, rule: null, stage: 1, of: ["OWNER", "CO_OWNER"], atLeast: 2 };
    expect(transfer.approvals).toEqual({
      required: [{ ...stage, given: 0 }],
      given: [],
      expiresAt: new Date(Date.parse(transfer.createdAt) + 72 * HOUR_MS).toISOString(),
    });
    await sign(transfer.id, ana);
    const context = { ...key.context, now: clock.now() };
    const waiting = await getCheckedTransfer(services, context, transfer.id);
    expect(waiting.approvals).toMatchObject({
      required: [{ ...stage, given: 1 }],
      given: [{ signedAt: expect.any(String) }],
    });
    await sign(transfer.id, ben);
    const done = await getCheckedTransfer(services, context, transfer.id);
    expect(done).toMatchObject({ status: "COMPLETE", approvals: { given: [{}, {}] } });
  });

  it("without one says nothing about signatures", async () => {
    const { services, key, propose } = await arrange(null);
    const transfer = await propose();
    expect(transfer.approvals).toBeNull();
    expect((await getCheckedTransfer(services, key.context, transfer.id)).approvals).toBeNull();
  });

  it("notifies only those who may still sign of a signature", async () => {
    const { services, propose, sign, organizationId, ana, ben } = await arrange(TWO_OTHERS);
    const { id } = await propose();
    await sendNotices(services, { isSandboxBank: true }, 10);
    await sign(id, ana);
    await sendNotices(services, { isSandboxBank: true }, 10);
    const { rows } = await database.ownerPool.query<{ recipient: string }>(
      "select recipient from messages where organization_id = $1 and kind = 'APPROVAL_SIGNED'",
      [organizationId],
    );
    expect(rows.map(({ recipient }) => recipient)).toEqual([ben.actor.email]);
  });

  it("shows the next signer what changed since, and the page who signed", async () => {
    const { propose, sign, look, operating, ana, ben, owner } = await arrange(TWO_OTHERS);
    const { id } = await propose();
    await sign(id, ana);
    await database.pool.query("update accounts set floor_in_cents = 999000 where id = $1", [operating]);
    const view = await look(id, ben);
    expect(view.signing).toMatchObject({
      givenCount: 1,
      neededCount: 2,
      waitsFor: "Ben",
      signedNames: ["Ana"],
      viewer: { hasSigned: false, completes: true, mayNot: null },
      changedSince: { byName: "Ana", changes: ["The source would now go below its floor."] },
    });
    expect((await look(id, owner)).signing?.viewer.mayNot?.kind).toBe("REQUESTER");
    expect((await look(id, ana)).signing?.viewer).toMatchObject({
      hasSigned: true,
      mayNot: { kind: "SIGNED" },
    });
    expect(view.history.map(({ kind }) => kind)).toEqual([
      "PROPOSED",
      "SIGNED",
      "WAITING",
      "SETTLEMENT_AHEAD",
    ]);
  });

  it("that asks for no more than one decider shows no signatures", async () => {
    const { propose, look } = await arrange(policyOf(asks([anyDeciders(1)])));
    expect((await look((await propose()).id)).signing).toBeNull();
  });
});

async function proposeRun() {
  const world = await arrange(TWO_OTHERS);
  const { services, clock, key, operating, taxes } = world;
  const ruleId = await writeRule(services, key.context, {
    name: "Set tax aside",
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        conditions: null,
        actions: [
          {
            type: "PERCENTAGE",
            sourceAccountId: operating,
            destinationAccountId: taxes,
            group: 0,
            percentage: 25,
            of: "SOURCE_BALANCE",
          },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  const id = await askRun(services, { ...key.context, now: clock.now() }, ruleId, {
    reasonForApproval: "Q4",
  });
  return { ...world, ruleId, id };
}

describe("a run under a policy", () => {
  it("moves with the last signature, and asks again after its plan changed", async () => {
    const { services, clock, key, organization, operating, sign, ruleId, id, ana, ben } = await proposeRun();
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED", waitsFor: "Ben" });
    await organization.deposit(operating, 400_000);
    expect(await sign(id, ben)).toEqual({ kind: "SIGNED", waitsFor: "Ana" });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
    const read = await getExecutionWithApprovals(
      services,
      { ...key.context, now: clock.now() },
      { ruleId, executionId: id },
    );
    expect(read.approvals?.given).toHaveLength(2);
  });

  it("gets its hours with its first notice, when its plan is known", async () => {
    const { services, deadlines, id } = await proposeRun();
    await sendNotices(services, { isSandboxBank: true }, 10);
    expect(await deadlines(id)).toEqual([72, 6, 1]);
  });
});

describe("a rule that a member runs by hand", () => {
  it("waits for others where the policy may ask for them, and runs at once otherwise", async () => {
    const { services, clock, at, sign, look, owner, ana, ben, ruleId, organizationId } = await proposeRun();
    const run = () =>
      runRuleNow(services, at(owner), {
        ruleId,
        version: 1,
        incomingAmountInCents: null,
        requestId: newId(clock.now()),
        confirmation: { kind: "NONE" },
      });
    const statusOf = async (id: string) =>
      (await database.ownerPool.query("select status from rule_executions where id = $1", [id])).rows[0]
        ?.status;
    const waiting = await run();
    expect(await statusOf(waiting)).toBe("APPROVAL_PENDING");
    expect((await look(waiting)).signing?.viewer.mayNot?.kind).toBe("REQUESTER");
    await sign(waiting, ana);
    expect(await sign(waiting, ben)).toEqual({ kind: "DECIDED" });
    await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(1)])));
    expect(await statusOf(await run())).toBe("IN_PROGRESS");
  });
});

describe("a member's own move under a policy", () => {
  async function move(policy: Policy | null) {
    const world = await arrange(policy);
    const { services, clock, at, time, owner, operating, taxes } = world;
    const draft = {
      draftId: newId(clock.now()),
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 25_000,
      achLabel: null,
      note: null,
    };
    const { digest } = await previewMove({ services, context: at(owner), time: time() }, draft);
    const result = await moveMoney(services, at(owner), {
      ...draft,
      digest,
      confirmation: { kind: "NONE" },
    });
    if (result.kind !== "MOVED") throw new Error(`It answered ${result.kind}`);
    return {
      ...world,
      id: new URL(result.href, "http://localhost").searchParams.get("approvalTransferId") ?? "",
    };
  }

  it("moves at once where their signature is enough", async () => {
    const { look, id } = await move(policyOf(asks([anyDeciders(1)])));
    expect((await look(id)).status).toBe("SETTLED");
  });

  it("waits for others where the requester does not count, without a signature of theirs", async () => {
    const { look, sign, id, owner, ana, ben } = await move(TWO_OTHERS);
    expect(await look(id)).toMatchObject({ status: "WAITING", signing: { givenCount: 0, neededCount: 2 } });
    expect(await sign(id, owner)).toMatchObject({ kind: "REFUSED" });
    await sign(id, ana);
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect((await look(id)).status).toBe("SETTLED");
  });

  it("waits for one more where two sign, with theirs", async () => {
    const { look, sign, id, ana } = await move(policyOf(asks([anyDeciders(2)])));
    expect(await look(id)).toMatchObject({ status: "WAITING", signing: { givenCount: 1, neededCount: 2 } });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
    expect((await look(id)).status).toBe("SETTLED");
  });
});
