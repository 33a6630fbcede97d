import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Confirmation, RunNowSubject } from "@/lib/contract/confirmation/decision";
import { beginRunNow, runRuleNow } from "@/lib/core/rules/run-rule-now";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { RUN_RULES } from "@/lib/core/shared/work-names";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { useTestDatabase } from "@/lib/testing/database";
import { enrollPasskey } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRule } from "@/lib/testing/rules/rule-runs";
import { createTestServices } from "@/lib/testing/services";
import { previewRunNow } from "@/lib/views/rules/preview-run-now";

const database = useTestDatabase();
let arranged: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  arranged = await arrange();
});

async function arrange() {
  const { services, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
    floorInCents: 90_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const rule = await storeRule(database, organization.owner, {
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: [
          {
            type: "PERCENTAGE",
            of: "INCOMING_AMOUNT",
            percentage: 20,
            sourceAccountId: operating,
            destinationAccountId: taxes,
            group: 0,
          },
        ],
      },
    ],
  });
  const subject: RunNowSubject = {
    ruleId: rule.id,
    version: 1,
    incomingAmountInCents: 40_000,
    requestId: randomUUID(),
  };
  return { services, woken, organization, owner: organization.owner, rule, operating, subject };
}

const run = (
  input: Partial<RunNowSubject> & { confirmation?: Confirmation } = {},
  context: Context<MemberActor> = arranged.owner,
) =>
  runRuleNow(arranged.services, context, {
    ...arranged.subject,
    confirmation: { kind: "NONE" },
    ...input,
  });

async function runsOf(ruleId: string) {
  const { rows } = await database.pool.query(
    `select id, status, rule_version as "ruleVersion", trigger_details as "triggerDetails", base,
        approval_required as "approvalRequired", started_by_kind as "startedByKind", started_by_id as "startedById",
        due_at as "dueAt"
       from rule_executions where rule_id = $1 order by id`,
    [ruleId],
  );
  return rows;
}

describe("a rule run by hand", () => {
  it("starts at once under the member's name, without further approval", async () => {
    const { owner, rule, services, woken } = arranged;
    const id = await run();
    expect(await runsOf(rule.id)).toEqual([
      {
        id,
        status: "IN_PROGRESS",
        ruleVersion: 1,
        triggerDetails: { type: "MANUAL", amountInCents: 40_000 },
        base: { mode: "LIVE", incomingAmountInCents: 40_000 },
        approvalRequired: false,
        startedByKind: "MEMBER",
        startedById: owner.actor.id,
        dueAt: services.clock.now(),
      },
    ]);
    expect(woken).toContain(RUN_RULES);
  });

  it("runs once per request, however often and fast it is sent", async () => {
    const ids = await Promise.all([run(), run(), run(), run()]);
    expect(new Set([...ids, await run()]).size).toBe(1);
    expect(await runsOf(arranged.rule.id)).toHaveLength(1);
  });

  it("runs again for another request", async () => {
    await run();
    await run({ requestId: randomUUID() });
    expect(await runsOf(arranged.rule.id)).toHaveLength(2);
  });

  it("is refused if the rule is not active or is paused, and can be retried later", async () => {
    const { rule, organization, operating } = arranged;
    await organization.deposit(operating, 1_000);
    await database.ownerPool.query(
      `update rules set paused_at = now(), paused_by_transfer_id = (select id from transfers
         where organization_id = $1 limit 1) where organization_id = $1 and id = $2`,
      [organization.organizationId, rule.id],
    );
    await expect(run()).rejects.toMatchObject({
      code: "RULE_DEACTIVATED",
      message: expect.stringContaining("paused"),
    });
    await database.ownerPool.query(
      "update rules set paused_at = null, paused_by_transfer_id = null where id = $1",
      [rule.id],
    );
    await run();
    await database.ownerPool.query(
      `update rules set active_version = null, active_trigger_type = null, active_trigger_account_id = null
        where id = $1`,
      [rule.id],
    );
    await expect(run({ requestId: randomUUID() })).rejects.toMatchObject({ code: "RULE_DEACTIVATED" });
    expect(await runsOf(rule.id)).toHaveLength(1);
  });

  it("is refused if another version is active than the one shown", async () => {
    await expect(run({ version: 2 })).rejects.toMatchObject({ code: "RULE_VERSION_CONFLICT" });
    expect(await runsOf(arranged.rule.id)).toEqual([]);
  });

  it.each(["ACCOUNTANT", "VIEWER"] as const)("is refused to a member who is %s", async (role) => {
    const reader = await arranged.organization.addMember(role, "Robin");
    await expect(beginRunNow(arranged.services, reader, arranged.subject)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    await expect(run({}, reader)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    // Even if they were an owner when the page was loaded.
    await expect(run({}, { ...reader, actor: { ...reader.actor, role: "OWNER" } })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    expect(await runsOf(arranged.rule.id)).toEqual([]);
  });

  it("is refused for another organization's rule", async () => {
    const stranger = (await arrange()).owner;
    await expect(run({}, stranger)).rejects.toMatchObject({ code: "RULE_DEACTIVATED" });
    expect(await runsOf(arranged.rule.id)).toEqual([]);
  });
});

describe("the confirmation of a run by hand", () => {
  it.each<[string, Partial<RunNowSubject>]>([
    ["another rule", { ruleId: randomUUID() }],
    ["another version", { version: 2 }],
    ["another amount", { incomingAmountInCents: 4_000_000 }],
    ["no amount", { incomingAmountInCents: null }],
    ["another request", { requestId: randomUUID() }],
  ])("is not valid for %s", async (_, other) => {
    const { services, owner, subject } = arranged;
    const { authenticator } = await enrollPasskey(services, owner.actor);
    const request = await beginRunNow(services, owner, subject);
    if (request.kind !== "PASSKEY") throw new Error("It does not request the passkey");
    const confirmation: Confirmation = { kind: "PASSKEY", response: authenticator.get(request.options) };
    await expect(run({ ...other, confirmation })).rejects.toThrow(NotConfirmed);
    await run({ confirmation });
    expect(await runsOf(arranged.rule.id)).toHaveLength(1);
  });

  it("requires the passkey if there is one", async () => {
    await enrollPasskey(arranged.services, arranged.owner.actor);
    await expect(run()).rejects.toThrow(NotConfirmed);
    expect(await runsOf(arranged.rule.id)).toEqual([]);
  });
});

describe("what a run by hand would do", () => {
  const time = { nowAt: "2026-01-15T12:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };
  const preview = (incomingAmountInCents: number | null) =>
    previewRunNow(
      { services: arranged.services, context: arranged.owner, time },
      { ruleId: arranged.rule.id, incomingAmountInCents },
    );

  it("is computed from real balances and the given amount, and respects floors", async () => {
    const given = await preview(40_000);
    expect(given?.forecast.kind === "PLANNED" && given.forecast.plan.moves[0]?.amountInCents).toBe(8_000);
    const all = await preview(null);
    expect(all?.forecast.kind === "PLANNED" && all.forecast.plan.moves[0]).toMatchObject({
      amountInCents: 20_000,
      outcome: "FAILED",
      errorCode: "BELOW_FLOOR",
    });
  });

  it("is not shown to another organization", async () => {
    const other = await arrange();
    expect(
      await previewRunNow(
        { services: other.services, context: other.owner, time },
        { ruleId: arranged.rule.id, incomingAmountInCents: null },
      ),
    ).toBeNull();
  });
});
