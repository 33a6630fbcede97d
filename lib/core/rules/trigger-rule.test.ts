import { describe, expect, it, vi } from "vitest";
import type { TriggerRuleBody } from "@/lib/contract/rules/execution";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { listTransfers, NO_TRANSFER_SEARCH } from "@/lib/core/transfers/read-transfers";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  anythingWithRules,
  askRun,
  makeActive,
  readRun,
  requestRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

/** A pod, and a rule that moves a tenth of the incoming amount and half of its balance. */
async function arrange(approvalRequired = false, dailyCapInCents: number | null = null) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_00 });
  const half = await organization.addAccount({ name: "Profit", type: "POD" });
  const tenth = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(
    [
      ...anythingWithRules(approvalRequired),
      // Dry runs show amounts only to keys that may read the balances behind them.
      { type: "READ_ACCOUNTS", accounts: "ALL" },
    ],
    "test-key",
    dailyCapInCents,
  );
  const { context } = key;
  const route = (destinationAccountId: string) => ({
    sourceAccountId: source,
    destinationAccountId,
    upTo: true,
  });
  const ruleId = await writeRule(services, context, {
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: source, minimumAmountInCents: 5_000_00 },
    steps: [
      {
        actions: [
          { ...route(tenth), type: "PERCENTAGE", percentage: 10, of: "INCOMING_AMOUNT", group: 0 },
          { ...route(half), type: "PERCENTAGE", percentage: 50, of: "SOURCE_BALANCE", group: 1 },
        ],
      },
    ],
  });
  const amountsOf = async (executionId: string) => {
    const { rows } = await database.pool.query(
      `select destination_account_id as "destinationAccountId", amount_in_cents as "amountInCents", status,
          execution_mode as "executionMode" from transfers
        where rule_execution_id = $1 order by id`,
      [executionId],
    );
    return rows;
  };
  const balances = async () => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance from ledgers where id = any ($1) order by id",
      [[source, half, tenth]],
    );
    return rows.map((row) => row.balance);
  };
  return {
    services,
    clock,
    woken,
    organization,
    context,
    ruleId,
    source,
    half,
    tenth,
    amountsOf,
    balances,
    approvalRequired,
  };
}

describe("a dry run", () => {
  // (simulatedSourceBalance, else executeAmount, else the real balance) plus simulatedIncomingFunds; 0 counts as given.
  // The tenth is of executeAmount, else of the arrival, else of the base; the half is of what the tenth leaves of the base.
  const bases: [TriggerRuleBody, tenth: number, half: number][] = [
    [{}, 100_00, 450_00],
    [{ executeAmount: 200_00 }, 20_00, 90_00],
    [{ executeAmount: 0 }, 0, 0],
    [{ simulatedSourceBalance: 400_00 }, 40_00, 180_00],
    [{ simulatedSourceBalance: 0 }, 0, 0],
    // The rule triggers on arrivals, so the simulated arrival is the incoming amount.
    [{ simulatedIncomingFunds: 1_000_00 }, 100_00, 950_00],
    [{ simulatedIncomingFunds: 0 }, 0, 500_00],
    [{ executeAmount: 200_00, simulatedSourceBalance: 400_00 }, 20_00, 190_00],
    [{ executeAmount: 200_00, simulatedIncomingFunds: 100_00 }, 20_00, 140_00],
    [{ simulatedSourceBalance: 400_00, simulatedIncomingFunds: 100_00 }, 10_00, 245_00],
    [{ executeAmount: 200_00, simulatedSourceBalance: 0, simulatedIncomingFunds: 100_00 }, 20_00, 40_00],
  ];
  it.each(bases)("from %o moves $%d and $%d", async (body, tenthInCents, halfInCents) => {
    const world = await arrange();
    const executionId = await askRun(world.services, world.context, world.ruleId, {
      ...body,
      simulation: true,
    });
    const rows = await world.amountsOf(executionId);
    expect(rows.map((row) => [row.destinationAccountId, row.amountInCents])).toEqual(
      [
        [world.tenth, tenthInCents],
        [world.half, halfInCents],
      ].filter(([, amount]) => amount !== 0),
    );
    for (const row of rows) expect(row).toMatchObject({ status: "COMPLETE", executionMode: "SIMULATION" });
  });

  it("answers what its approver would read: whether it runs, its money, another run", async () => {
    const world = await arrange();
    const levels = async (body: TriggerRuleBody) => {
      const { checks } = await requestRun(world.services, world.context, world.ruleId, {
        ...body,
        simulation: true,
      });
      return Object.fromEntries((checks ?? []).map(({ code, level }) => [code, level]));
    };
    const calm = {
      RULE_NOT_ALLOWED: "CLEAR",
      RULE_NOT_RUNNING: "CLEAR",
      RUN_WOULD_FAIL: "CLEAR",
      RAN_LATELY: "CLEAR",
    };
    expect(await levels({})).toEqual({ ...calm, RULE_NOT_RUNNING: "BLOCKS" });
    await makeActive(database, world.ruleId);
    expect(await levels({})).toEqual(calm);
    await requestRun(world.services, world.context, world.ruleId, {});
    expect(await levels({})).toEqual({ ...calm, RAN_LATELY: "REVIEW" });
    await runAllRules(world.services);
  });

  it("answers what would move, what is skipped and why, and stores it as before", async () => {
    const world = await arrange();
    const answer = await requestRun(world.services, world.context, world.ruleId, {
      simulation: true,
      simulatedIncomingFunds: 5_00,
    });
    const source = { id: world.source, name: "Operating", type: "POD", isDeleted: false };
    expect(answer).toMatchObject({ conditionsNotMet: false, executionMode: "SIMULATION" });
    expect(answer.transfers).toEqual([
      {
        source,
        destination: { id: world.tenth, name: "Taxes", type: "POD", isDeleted: false },
        amountInCents: 50,
        skippedBecause: "TOO_SMALL",
        errorCode: null,
      },
      {
        source,
        destination: { id: world.half, name: "Profit", type: "POD", isDeleted: false },
        amountInCents: 502_50,
        skippedBecause: null,
        errorCode: null,
      },
    ]);
    expect((await world.amountsOf(answer.executionId)).map((row) => row.amountInCents)).toEqual([502_50]);
  });

  it("shows no amounts to a key that may not read the accounts behind them", async () => {
    const world = await arrange();
    const key = await world.organization.addKey(anythingWithRules(false), "no-balances");
    const answer = await requestRun(world.services, key.context, world.ruleId, { simulation: true });
    expect(answer).toMatchObject({ transfers: null, conditionsNotMet: false });
  });

  it("of an inactive rule has its result at once, moves nothing and needs no approval", async () => {
    const world = await arrange(true);
    const before = await world.balances();
    const executionId = await askRun(world.services, world.context, world.ruleId, {
      simulation: true,
      executeAmount: 100_00,
      reasonForApproval: "Let me see",
    });
    const run = await readRun(world.services, world.context, world.ruleId, executionId);
    expect(run).toMatchObject({
      status: "EXECUTED",
      executionMode: "SIMULATION",
      approvalUrl: null,
      reasonForApproval: "Let me see",
      triggerDetails: { type: "SERVICE_API", amountInCents: 100_00 },
      transfersAttempted: 2,
      transfersCompleted: 2,
    });
    expect(await runAllRules(world.services)).toBe(0);
    expect(await world.balances()).toEqual(before);
    const { rows } = await database.pool.query("select count(*)::int as n from proposals where id = $1", [
      executionId,
    ]);
    expect(rows[0].n).toBe(0);
  });

  it("leaves transfers that can be read like any, under their own mode", async () => {
    const world = await arrange();
    await askRun(world.services, world.context, world.ruleId, { simulation: true });
    const page = { page: 1, pageSize: 10 };
    const list = (executionMode: "LIVE" | "SIMULATION") =>
      listTransfers(world.services, world.context, {
        ...page,
        accountIds: [world.tenth],
        accountRole: "either",
        executionMode,
        statuses: [],
        direction: null,
        ruleExecutionId: null,
        from: null,
        to: null,
        ...NO_TRANSFER_SEARCH,
      });
    expect((await list("LIVE")).items).toEqual([]);
    expect((await list("SIMULATION")).items).toMatchObject([
      { origin: "RULE", ruleId: world.ruleId, amountInCents: 100_00 },
    ]);
  });

  it("reports an unknown balance instead of assuming zero", async () => {
    const { services, organization, context } = await arrange();
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const pod = await organization.addAccount({ name: "Savings", type: "POD" });
    const ruleId = await writeRule(services, context, {
      trigger: { type: "MANUAL", accountId: checking },
      steps: [
        {
          actions: [
            {
              type: "REMAINDER",
              sourceAccountId: checking,
              destinationAccountId: pod,
              group: 0,
            },
          ],
        },
      ],
    });
    const executionId = await askRun(services, context, ruleId, { simulation: true });
    const run = await readRun(services, context, ruleId, executionId);
    expect(run).toMatchObject({ status: "FAILED", transferIds: [], nextAttemptAt: null });
    expect(run.errorMessage).toMatch(/Checking.*is unknown/);
  });
});

type World = Awaited<ReturnType<typeof arrange>>;

describe("a dry run says how the live run would start", () => {
  const activate = (world: World) => makeActive(database, world.ruleId);
  const pause = (world: World) =>
    database.ownerPool.query("update rules set paused_at = now(), paused_by_transfer_id = id where id = $1", [
      world.ruleId,
    ]);
  const close = ({ services, organization }: World) =>
    closeGates(services, { ...organization.owner, now: services.clock.now() });
  /** Each moves $550.00. */
  const cases: {
    when: string;
    world?: Parameters<typeof arrange>;
    prepare: ((world: World) => Promise<unknown>)[];
    live: { outcome: string; errorCode: string | null };
    /** The same call live: the run's status, or the error code. */
    liveEnd: string;
  }[] = [
    {
      when: "the rule is not active",
      prepare: [],
      live: { outcome: "REFUSED", errorCode: "RULE_DEACTIVATED" },
      liveEnd: "RULE_DEACTIVATED",
    },
    {
      when: "it is active",
      prepare: [activate],
      live: { outcome: "STARTS", errorCode: null },
      liveEnd: "EXECUTED",
    },
    {
      when: "it is paused",
      prepare: [activate, pause],
      live: { outcome: "REFUSED", errorCode: "RULE_DEACTIVATED" },
      liveEnd: "RULE_DEACTIVATED",
    },
    {
      when: "all gates are closed",
      prepare: [activate, close],
      live: { outcome: "REFUSED", errorCode: "GATES_CLOSED" },
      liveEnd: "ACCESS_DENIED",
    },
    {
      when: "the key proposes",
      world: [true],
      prepare: [activate],
      live: { outcome: "WAITS_FOR_APPROVAL", errorCode: null },
      liveEnd: "APPROVAL_PENDING",
    },
    {
      when: "it moves more than the key's cap",
      world: [false, 549_99],
      prepare: [activate],
      live: { outcome: "WAITS_FOR_APPROVAL", errorCode: "ABOVE_DAILY_CAP" },
      liveEnd: "APPROVAL_PENDING",
    },
    {
      when: "it moves as much as the key's cap",
      world: [false, 550_00],
      prepare: [activate],
      live: { outcome: "STARTS", errorCode: null },
      liveEnd: "EXECUTED",
    },
  ];

  it.each(cases)("when $when", async ({ world: options = [], prepare, live, liveEnd }) => {
    const world = await arrange(...options);
    for (const step of prepare) await step(world);
    const { services, context, ruleId } = world;
    const dry = await readRun(
      services,
      context,
      ruleId,
      await askRun(services, context, ruleId, { simulation: true }),
    );
    expect(dry.live).toMatchObject(live);
    expect(dry.live?.errorMessage === null).toBe(live.outcome === "STARTS");

    const outcome = await askRun(services, context, ruleId).then(
      async (id) => {
        await runAllRules(services);
        return (await readRun(services, context, ruleId, id)).status;
      },
      (error) => error.code,
    );
    expect(outcome).toBe(liveEnd);
  });

  it("leaves nothing behind: no run, no proposal, no notice and nothing charged", async () => {
    const world = await arrange(true);
    await activate(world);
    await askRun(world.services, world.context, world.ruleId, { simulation: true });
    const { rows } = await database.pool.query(
      `select (select count(*)::int from rule_executions where organization_id = $1 and execution_mode = 'LIVE') as runs,
          (select count(*)::int from proposals where organization_id = $1) as proposals,
          (select count(*)::int from notices where organization_id = $1 and kind = 'APPROVAL_ASKED') as notices`,
      [world.organization.organizationId],
    );
    expect(rows[0]).toEqual({ runs: 0, proposals: 0, notices: 0 });
  });

  it("of an inactive version names the active one", async () => {
    const world = await arrange();
    await activate(world);
    await database.ownerPool.query(
      `insert into rule_versions (select (jsonb_populate_record(v, '{"version": 2}')).* from rule_versions v
        where v.rule_id = $1)`,
      [world.ruleId],
    );
    await database.ownerPool.query("update rules set latest_version = 2, versions_made = 2 where id = $1", [
      world.ruleId,
    ]);
    const run = await readRun(
      world.services,
      world.context,
      world.ruleId,
      await askRun(world.services, world.context, world.ruleId, { simulation: true, version: "latest" }),
    );
    expect(run.live).toMatchObject({ outcome: "REFUSED", errorCode: "RULE_VERSION_CONFLICT" });
    expect(run.live?.errorMessage).toMatch(/a live run uses version 1/);
  });

  it("of a simulated arrival starts without the key's approval and cap", async () => {
    const world = await arrange(true);
    await activate(world);
    const run = await readRun(
      world.services,
      world.context,
      world.ruleId,
      await askRun(world.services, world.context, world.ruleId, {
        simulation: true,
        simulatedIncomingFunds: 5_000_00,
      }),
    );
    expect(run.live).toEqual({ outcome: "STARTS", errorCode: null, errorMessage: null });
  });
});

describe("a live run", () => {
  it("of a rule that is not active, or paused, is refused with RULE_DEACTIVATED", async () => {
    const world = await arrange();
    const ask = () => askRun(world.services, world.context, world.ruleId);
    await expect(ask()).rejects.toMatchObject({ code: "RULE_DEACTIVATED" });
    await makeActive(database, world.ruleId);
    await database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = id where id = $1",
      [world.ruleId],
    );
    await expect(ask()).rejects.toMatchObject({ code: "RULE_DEACTIVATED" });
  });

  it("ignores its trigger's minimum, reads the real balance and adds nothing to it", async () => {
    const world = await arrange();
    await makeActive(database, world.ruleId);
    const executionId = await askRun(world.services, world.context, world.ruleId, {
      executeAmount: 200_00,
      simulatedSourceBalance: 90_000_00,
      simulatedIncomingFunds: 90_000_00,
    });
    await runAllRules(world.services);
    const amounts = (await world.amountsOf(executionId)).map((row) => row.amountInCents);
    expect(amounts).toEqual([20_00, 490_00]);
  });

  it("moves what a dry run from the same facts predicted", async () => {
    const world = await arrange();
    await makeActive(database, world.ruleId);
    const dry = await askRun(world.services, world.context, world.ruleId, {
      simulation: true,
      simulatedSourceBalance: 1_000_00,
      executeAmount: 300_00,
    });
    const live = await askRun(world.services, world.context, world.ruleId, { executeAmount: 300_00 });
    await runAllRules(world.services);
    const amounts = async (id: string) => (await world.amountsOf(id)).map((row) => row.amountInCents);
    expect(await amounts(live)).toEqual(await amounts(dry));
  });

  it("that needs approval waits with its reason and moves nothing until approved", async () => {
    const world = await arrange(true);
    await makeActive(database, world.ruleId);
    const before = await world.balances();
    const executionId = await askRun(world.services, world.context, world.ruleId, {
      reasonForApproval: "Payday",
    });
    await runAllRules(world.services);
    expect(await readRun(world.services, world.context, world.ruleId, executionId)).toMatchObject({
      status: "APPROVAL_PENDING",
      reasonForApproval: "Payday",
      approvalUrl: `http://localhost:3000/?approvalTransferId=${executionId}`,
      transferIds: [],
    });
    expect(await world.balances()).toEqual(before);
  });

  it("requested twenty times at once with one idempotency key happens once", async () => {
    const world = await arrange();
    await makeActive(database, world.ruleId);
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => askRun(world.services, world.context, world.ruleId, {}, "once")),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { rows } = await database.pool.query(
      "select count(*)::int as n from rule_executions where rule_id = $1",
      [world.ruleId],
    );
    expect(rows[0].n).toBe(1);
  });

  it("is judged alone among those requested at the same moment", async () => {
    const [plain, paused, closed, waiting] = [
      await arrange(),
      await arrange(),
      await arrange(),
      await arrange(true),
    ];
    const worlds = [plain, paused, closed, waiting];
    for (const { ruleId, services, context } of worlds) {
      await makeActive(database, ruleId);
      await askRun(services, context, ruleId, {}, "before");
    }
    await database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = id where id = $1",
      [paused.ruleId],
    );
    await closeGates(closed.services, { ...closed.organization.owner, now: closed.services.clock.now() });
    const ask = (
      { services, context, ruleId }: typeof plain,
      key: string | null,
      body: TriggerRuleBody = {},
    ) => askRun(services, context, ruleId, body, key);
    const query = vi.spyOn(database.pool, "query");
    const asked = await Promise.allSettled([
      ask(plain, null),
      ask(plain, "before"),
      ask(plain, "twice"),
      ask(plain, null),
      ask(paused, null),
      ask(closed, null),
      ask(plain, "twice"),
      ask(waiting, "new"),
      ask(plain, "new", { executeAmount: 1_00 }),
    ]);
    const names = query.mock.calls.map(([call]) => Object(call).name);
    query.mockRestore();
    expect(names).toEqual(["find_rules_to_run", "trigger_rules"]);
    const results = asked.map((one) => (one.status === "fulfilled" ? "STARTED" : String(one.reason)));
    expect(results).toEqual([
      "STARTED",
      "Error: The run was replayed",
      "STARTED",
      "STARTED",
      expect.stringContaining("paused because"),
      expect.stringContaining("All gates"),
      "Error: The run was replayed",
      "STARTED",
      "STARTED",
    ]);
    const ids = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const { rows } = await database.pool.query(
      `select status, due_at is not null as "isDue", charged_key_id as "chargedKeyId" from rule_executions
        where id = any ($1)`,
      [ids],
    );
    const started = { status: "IN_PROGRESS", isDue: true, chargedKeyId: plain.context.actor.id };
    expect(rows.filter(({ status }) => status === "IN_PROGRESS")).toEqual(
      Array.from({ length: 4 }, () => started),
    );
    expect(rows.filter(({ status }) => status === "APPROVAL_PENDING")).toEqual([
      { status: "APPROVAL_PENDING", isDue: false, chargedKeyId: null },
    ]);
  });
});
