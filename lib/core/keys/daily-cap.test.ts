import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { joinTransaction } from "@/lib/db/transaction";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { changeTimeZone, madeAtOnce, setKeyCap } from "@/lib/testing/as-entered";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import {
  anythingWithRules,
  askRun,
  makeActive,
  readRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

/** What a key moves without approval within 24 hours, including everything that follows, stays within its cap; the rest waits. */
const database = useTestDatabase();

const HOUR_MS = 3_600_000;

async function arrange(dailyCapInCents: number | null = 100_000) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 10_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const reserve = await organization.addAccount({ name: "Reserve", type: "POD" });
  const key = await organization.addKey(
    [moveAnything(false), ...anythingWithRules(false), ...readEverything.slice(0, 1)],
    "claude-ops",
    dailyCapInCents,
  );
  const now = () => ({ ...owner, now: clock.now(), actor: { ...owner.actor, authenticatedAt: clock.now() } });
  const caller = () => ({ ...key.context, now: clock.now() });
  const ask = (amountInCents: number, from = operating, to = taxes) =>
    askTransfer(services, caller(), { sourceAccountId: from, destinationAccountId: to, amountInCents });
  const settle = async () => {
    await bookDueTransfers(services, 64);
    await runAllRules(services);
  };
  /** Moves a share of what arrives at one pod on to another. */
  const sweep = async (from: string, to: string, percentage = 100) => {
    const ruleId = await writeRule(services, caller(), {
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: from, minimumAmountInCents: null },
      steps: [
        {
          conditions: null,
          actions: [
            {
              type: "PERCENTAGE",
              sourceAccountId: from,
              destinationAccountId: to,
              group: 0,
              percentage,
              of: "INCOMING_AMOUNT",
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    return ruleId;
  };
  const look = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: now(), time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const approve = async (id: string) =>
    decideProposal(services, now(), {
      proposalId: id,
      decision: "APPROVE",
      digest: (await look(id)).digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  const waiting = async () => {
    const { rows } = await database.ownerPool.query<{ id: string; kind: string }>(
      "select id, kind from proposals where organization_id = $1 and state = 'WAITING' order by id",
      [organizationId],
    );
    return rows;
  };
  /** Summed from the transfers themselves, independently of the cap's own counter. */
  const movedAlone = async () => {
    const { rows } = await database.ownerPool.query<{ cents: number }>(
      `select coalesce(sum(t.amount_in_cents), 0)::bigint as cents from transfers t
        where t.organization_id = $1 and t.execution_mode = 'LIVE' and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
          and t.origin in ('API', 'RULE')
          and not exists (select from proposals p where p.organization_id = $1 and p.id in (t.id, t.rule_execution_id))`,
      [organizationId],
    );
    return rows[0]?.cents;
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    operating,
    taxes,
    reserve,
    key,
    now,
    caller,
    ask,
    settle,
    sweep,
    look,
    approve,
    waiting,
    movedAlone,
  };
}

describe("a transfer above its key's daily cap", () => {
  it("waits for a person, who sees the reason, instead of being refused", async () => {
    const { ask, look, movedAlone } = await arrange(100_000);
    expect((await ask(60_000)).status).toBe("PROCESSING");
    const held = await ask(40_001);
    expect(held).toMatchObject({ status: "APPROVAL_PENDING", approvalUrl: expect.stringContaining(held.id) });
    expect((await ask(40_000)).status).toBe("PROCESSING");
    expect((await ask(100)).status).toBe("APPROVAL_PENDING");
    expect((await look(held.id)).checks).toContainEqual({
      kind: "DAILY_CAP",
      outcome: "LOOK",
      keyName: "claude-ops",
      capInCents: 100_000,
      usedInCents: 60_000,
    });
    expect(await movedAlone()).toBe(100_000);
  });

  it("moves once approved, and does not count toward the cap", async () => {
    const { ask, approve, settle } = await arrange(100_000);
    const held = await ask(500_000);
    expect(await approve(held.id)).toEqual({ kind: "DECIDED" });
    await settle();
    expect((await ask(100_000)).status).toBe("PROCESSING");
    expect((await ask(100)).status).toBe("APPROVAL_PENDING");
  });

  it("stops from the next request on when the cap is lowered to zero", async () => {
    const { services, ask, now, key } = await arrange(100_000);
    await ask(100);
    await setKeyCap(services, now(), { keyId: key.id, dailyCapInCents: 0 });
    expect((await ask(100)).status).toBe("APPROVAL_PENDING");
  });

  it("moves again 24 hours after what it moved, not a millisecond before", async () => {
    const { ask, clock } = await arrange(100_000);
    await ask(40_000);
    clock.advance(10 * HOUR_MS);
    await ask(60_000);
    clock.advance(14 * HOUR_MS - 1);
    expect((await ask(100)).status).toBe("APPROVAL_PENDING");
    clock.advance(1);
    expect((await ask(40_000)).status).toBe("PROCESSING");
    expect((await ask(100)).status).toBe("APPROVAL_PENDING");
  });

  it("does not start over when an owner or co-owner changes the time zone", async () => {
    const { services, organizationId, ask, movedAlone, now } = await arrange(100_000);
    await ask(100_000);
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Tokyo"]) {
      await changeTimeZone(services, now(), { timeZone });
      expect((await ask(100)).status).toBe("APPROVAL_PENDING");
    }
    expect(await movedAlone()).toBe(100_000);
    expect(organizationId).toBe(now().organizationId);
  });

  it("is one cap on both sides of midnight, also for requests at the same moment", async () => {
    const { services, caller, operating, taxes, clock, movedAlone, waiting } = await arrange(100_000);
    // In New York; requests of processes whose clocks are a little apart.
    clock.set(new Date("2026-01-20T05:00:00.000Z"));
    const askAt = (offsetMs: number) =>
      askTransfer(
        services,
        { ...caller(), now: new Date(clock.now().getTime() + offsetMs) },
        { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 10_000 },
      );
    await Promise.all(Array.from({ length: 24 }, (_, index) => askAt(index % 2 === 0 ? -20 : 20)));
    expect(await movedAlone()).toBe(100_000);
    expect(await waiting()).toHaveLength(14);
  });

  it("never moves more than its cap within any 24 hours, whatever is asked for and whenever", async () => {
    const moment = fc.record({
      cents: fc.integer({ min: 100, max: 60_000 }),
      waitMs: fc.integer({ min: 0, max: 9 * HOUR_MS }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { ask, clock, organizationId } = await arrange(100_000);
        for (const { cents, waitMs } of steps) {
          clock.advance(waitMs);
          await ask(cents);
        }
        const { rows } = await database.ownerPool.query<{ most: number | null }>(
          `select max(t.sum) as most from (select sum(amount_in_cents) over (order by accepted_at
               range between interval '23:59:59.999' preceding and current row)::bigint as sum
             from transfers where organization_id = $1 and origin = 'API' and accepted_at is not null) t`,
          [organizationId],
        );
        expect(rows[0]?.most ?? 0).toBeLessThanOrEqual(100_000);
      }),
      { numRuns: 12 },
    );
  });

  it("waits even if the rest of the cap is being used between other accounts at that moment", async () => {
    const { services, caller, organization, reserve, ask, movedAlone } = await arrange(100_000);
    await organization.deposit(reserve, 100_000);
    const savings = await organization.addAccount({ name: "Savings", type: "POD" });
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        askTransfer({ ...services, pool: joinTransaction(database.pool, client) }, caller(), {
          sourceAccountId: reserve,
          destinationAccountId: savings,
          amountInCents: 60_000,
        }),
      () => ask(60_000),
    );
    expect({ hasWaited, result }).toMatchObject({ hasWaited: true, result: { status: "APPROVAL_PENDING" } });
    expect(await movedAlone()).toBe(60_000);
  });

  it("counts both directions of money that moves back and forth", async () => {
    const { ask, settle, operating, taxes, movedAlone } = await arrange(100_000);
    for (let round = 0; round < 10; round += 1) {
      await ask(30_000, ...(round % 2 === 0 ? ([operating, taxes] as const) : ([taxes, operating] as const)));
      await settle();
    }
    expect(await movedAlone()).toBe(90_000);
  });

  it("counts neither transfers that fail for lack of money nor simulations", async () => {
    const { services, caller, ask, operating, taxes } = await arrange(100_000);
    expect((await ask(90_000, taxes, operating)).status).toBe("PROCESSING");
    await askTransfer(services, caller(), {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 90_000,
      simulation: true,
    });
    expect((await ask(100_000)).status).toBe("PROCESSING");
  });
});

describe("fifty transfers at the same moment", () => {
  it("never exceed the cap together, however they are grouped", async () => {
    const { ask, waiting, movedAlone, organizationId } = await arrange(100_000);
    const asked = await Promise.all(Array.from({ length: 50 }, () => ask(15_000)));
    expect(asked.filter(({ status }) => status === "PROCESSING")).toHaveLength(6);
    expect(await waiting()).toHaveLength(44);
    expect(await movedAlone()).toBe(90_000);
    const books = await auditBooks(database, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
  });

  it("of several capped keys with crossing routes all finish, each within its own cap", async () => {
    const { services, clock, organization, operating, taxes, reserve } = await arrange(null);
    for (const pod of [taxes, reserve]) await organization.deposit(pod, 1_000_000);
    const keys = await Promise.all(
      ["a", "b", "c"].map((name) => organization.addKey([moveAnything(false)], name, 50_000)),
    );
    const pods = [operating, taxes, reserve];
    const asks = Array.from({ length: 90 }, (_, index) => {
      const key = keys[index % 3];
      const [from, to] = [pods[index % 3], pods[(index + 1 + (index % 2)) % 3]];
      if (!key || !from || !to) throw new Error("no such key or pod");
      const context = { ...key.context, now: clock.now() };
      return askTransfer(services, context, {
        sourceAccountId: from,
        destinationAccountId: to,
        amountInCents: 4_000,
      });
    });
    const asked = await Promise.all(asks);
    expect(asked.filter(({ status }) => status === "PROCESSING")).toHaveLength(3 * 12);
  });
});

describe("a rule that a capped key triggers", () => {
  it("counts toward the cap through any number of rules, and waits as a whole above it", async () => {
    const world = await arrange(100_000);
    const { ask, sweep, settle, operating, taxes, reserve, waiting, look, approve, movedAlone } = world;
    await sweep(taxes, reserve);
    await sweep(reserve, operating);
    // 30,000 three times: requested, on to the reserve, and back.
    await ask(30_000);
    await settle();
    expect(await movedAlone()).toBe(90_000);
    await ask(8_000);
    await settle();
    expect(await movedAlone()).toBe(98_000);
    const [held, ...others] = await waiting();
    expect(others).toEqual([]);
    if (!held) throw new Error("nothing waits");
    expect(held.kind).toBe("RULE_RUN");
    const view = await look(held.id);
    expect(view.requester).toMatchObject({ kind: "API_KEY", name: "claude-ops" });
    expect(view.checks.map(({ kind }) => kind)).toContain("DAILY_CAP");
    // A person saw what follows: it runs to its end and counts toward no cap.
    expect(await approve(held.id)).toEqual({ kind: "DECIDED" });
    await settle();
    expect(await waiting()).toEqual([]);
    expect((await ask(2_000, operating, world.taxes)).status).toBe("PROCESSING");
  });

  it("is held when the key ran it directly, and the key learns that", async () => {
    const { services, caller, sweep, taxes, reserve, organization, look, waiting } = await arrange(10_000);
    await organization.deposit(taxes, 500_000);
    const ruleId = await sweep(taxes, reserve);
    const executionId = await askRun(services, caller(), ruleId, {});
    await runAllRules(services);
    const run = await readRun(services, caller(), ruleId, executionId);
    expect(run).toMatchObject({ status: "APPROVAL_PENDING", transferIds: [] });
    expect(run.approvalUrl).toContain(executionId);
    expect(await waiting()).toEqual([{ id: executionId, kind: "RULE_RUN" }]);
    expect((await look(executionId)).status).toBe("WAITING");
  });

  it("counts toward no key when the money came from outside or from a person", async () => {
    const { sweep, settle, taxes, reserve, organization, waiting, ask, approve } = await arrange(0);
    await sweep(taxes, reserve);
    await organization.deposit(taxes, 70_000);
    await settle();
    expect(await waiting()).toEqual([]);
    const held = await ask(70_000);
    await approve(held.id);
    await settle();
    expect(await waiting()).toEqual([]);
  });

  it("does not exceed the cap together with twenty concurrent ones", async () => {
    const { services, caller, sweep, taxes, reserve, organization, movedAlone, waiting } =
      await arrange(100_000);
    await organization.deposit(taxes, 1_000_000);
    const ruleId = await sweep(taxes, reserve);
    await Promise.all(
      Array.from({ length: 20 }, () => askRun(services, caller(), ruleId, { executeAmount: 15_000 })),
    );
    await Promise.all([runAllRules(services), runAllRules(services)]);
    expect(await movedAlone()).toBe(90_000);
    expect(await waiting()).toHaveLength(14);
  });

  it("holds at most a hundred runs of one batch for a person, and fails the others", async () => {
    const { services, caller, sweep, taxes, reserve, organization, movedAlone, waiting } = await arrange(0);
    await organization.deposit(taxes, 1_000_000);
    const ruleId = await sweep(taxes, reserve);
    const asked = MAXIMUM_WAITING_PROPOSALS + 3;
    await Promise.all(
      Array.from({ length: asked }, () => askRun(services, caller(), ruleId, { executeAmount: 1_000 })),
    );
    await runDueRules(services, asked);
    expect(await waiting()).toHaveLength(MAXIMUM_WAITING_PROPOSALS);
    expect(await movedAlone()).toBe(0);
    const { rows } = await database.ownerPool.query(
      `select error_message as "errorMessage" from rule_executions where rule_id = $1 and status = 'FAILED'`,
      [ruleId],
    );
    expect(rows).toHaveLength(3);
    expect(rows[0].errorMessage).toContain("the maximum number of the key's proposals is already waiting");
  });

  it("moves nothing when its key ended before anyone could approve", async () => {
    const { services, sweep, ask, taxes, reserve, key, now, movedAlone, waiting } = await arrange(50_000);
    await sweep(taxes, reserve);
    await ask(50_000);
    await bookDueTransfers(services, 64);
    await revokeApiKey(services, now(), key.id);
    await runAllRules(services);
    expect(await movedAlone()).toBe(50_000);
    expect(await waiting()).toEqual([]);
    const { rows } = await database.ownerPool.query(
      `select status,
          error_message as "errorMessage" from rule_executions where rule_id in (select id from rules
        where organization_id = $1)`,
      [key.context.organizationId],
    );
    expect(rows).toMatchObject([{ status: "FAILED", errorMessage: expect.stringContaining("daily cap") }]);
  });

  it("neither waits for a revocation of the key in progress nor moves for it", async () => {
    const { services, caller, key, now, sweep, taxes, reserve, organization, movedAlone } =
      await arrange(50_000);
    await organization.deposit(taxes, 50_000);
    const ruleId = await sweep(taxes, reserve);
    const executionId = await askRun(services, caller(), ruleId, {});
    const raced = await overlap(
      database,
      // What a revocation holds before it waits for the key's runs.
      (client) => client.query("select from api_keys where id = $1 for update", [key.id]),
      () => runDueRules(services, 1),
    );
    expect(raced).toEqual({ hasWaited: false, result: 1 });
    expect(await readRun(services, caller(), ruleId, executionId)).toMatchObject({
      status: "IN_PROGRESS",
      transferIds: [],
    });
    await revokeApiKey(services, now(), key.id);
    await runAllRules(services);
    expect(await movedAlone()).toBe(0);
  });

  it("that waits is denied when its key is revoked", async () => {
    const { services, sweep, ask, taxes, reserve, key, now, waiting, settle } = await arrange(50_000);
    await sweep(taxes, reserve);
    await ask(50_000);
    await settle();
    expect(await waiting()).toHaveLength(1);
    await revokeApiKey(services, now(), key.id);
    expect(await waiting()).toEqual([]);
  });
});

describe("the cap itself", () => {
  it("is raised and removed only by an owner or co-owner with step-up, and lowered without", async () => {
    const { services, organization, key, now, clock } = await arrange(100_000);
    const set = (dailyCapInCents: number | null, context = now()) =>
      setKeyCap(services, context, { keyId: key.id, dailyCapInCents });
    const viewer = await organization.addMember("VIEWER", "Vic");
    await expect(set(1, viewer)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    clock.advance(3_600_000);
    await expect(set(100_001)).rejects.toThrow("Confirm that it is you");
    await expect(set(null)).rejects.toThrow("Confirm that it is you");
    await set(50_000);
    await expect(set(-1)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await database.ownerPool.query("update sessions set authenticated_at = $1 where organization_id = $2", [
      clock.now(),
      organization.organizationId,
    ]);
    await set(70_000);
    await set(null);
    await set(null);
    const { rows } = await database.ownerPool.query(
      `select subject, value_before as "valueBefore",
          value_after as "valueAfter" from organization_changes where organization_id = $1 and kind = 'KEY_CAP'
        order by id`,
      [organization.organizationId],
    );
    expect(rows).toEqual([
      { subject: "claude-ops", valueBefore: "$1,000.00", valueAfter: "$500.00" },
      { subject: "claude-ops", valueBefore: "$500.00", valueAfter: "$700.00" },
      { subject: "claude-ops", valueBefore: "$700.00", valueAfter: null },
    ]);
  });

  it("cannot be changed by another organization", async () => {
    const { services, key } = await arrange(100_000);
    const stranger = await arrange();
    await expect(
      setKeyCap(services, stranger.now(), { keyId: key.id, dailyCapInCents: 1 }),
    ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it("does not exist for a key whose every action needs approval", async () => {
    const { services, organization, now } = await arrange();
    await expect(organization.addKey([moveAnything(true)], "asks", 100)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    const asks = await organization.addKey([moveAnything(true)], "asks");
    await expect(setKeyCap(services, now(), { keyId: asks.id, dailyCapInCents: 1 })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  });

  it("carries over to the replacing key, with what the last 24 hours have used", async () => {
    const { services, organization, key, ask, now } = await arrange(100_000);
    await ask(80_000);
    const replacement = await madeAtOnce(replaceApiKey(services, now(), { keyId: key.id, grace: "NONE" }));
    const { rows } = await database.ownerPool.query(
      `select k.daily_cap_in_cents as cap, d.in_cents as used from api_keys k
         join key_charges d on d.organization_id = k.organization_id and d.api_key_id = k.id where k.id = $1`,
      [replacement.id],
    );
    expect(rows).toEqual([{ cap: 100_000, used: 80_000 }]);
    expect(organization.organizationId).toBe(key.context.organizationId);
  });
});

it("a key that proposes more than a person can decide must wait", async () => {
  const { ask, waiting } = await arrange(0);
  for (let index = 0; index < 100; index += 1) await ask(100);
  await expect(ask(100)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  expect(await waiting()).toHaveLength(100);
});
