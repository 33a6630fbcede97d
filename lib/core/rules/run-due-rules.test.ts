import { describe, expect, it } from "vitest";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { RETRY_DELAYS_MS } from "@/lib/core/rules/run-result";
import { recordDeposit } from "@/lib/core/transfers/collect-bank-notices";
import { newId } from "@/lib/platform/ids";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  anythingWithRules,
  askRun,
  makeActive,
  readRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string, balanceInCents = 0, floorInCents?: number) =>
    organization.addAccount({ name, type: "POD", balanceInCents, ...(floorInCents ? { floorInCents } : {}) });
  const key = await organization.addKey([
    ...anythingWithRules(false),
    // Failures have amounts only for keys that may read the balances behind them.
    { type: "READ_ACCOUNTS", accounts: "ALL" },
  ]);
  const context = () => ({ ...key.context, now: services.clock.now() });
  const write = (definition: Parameters<typeof writeRule>[2]) => writeRule(services, context(), definition);
  const activate = async (definition: Parameters<typeof writeRule>[2]) => {
    const ruleId = await write(definition);
    await makeActive(database, ruleId);
    return ruleId;
  };
  const balanceOf = async (id: string): Promise<number> => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance from ledgers where id = $1",
      [id],
    );
    return rows[0].balance;
  };
  const runsOf = async (ruleId: string) => {
    const { rows } = await database.pool.query(
      `select id, status, error_message as "errorMessage",
          chain_depth as "chainDepth" from rule_executions where rule_id = $1 order by id`,
      [ruleId],
    );
    return rows;
  };
  return { services, clock, woken, organization, pod, context, write, activate, balanceOf, runsOf };
}

const whenMoneyArrives = (accountId: string, minimumAmountInCents: number | null = null) => ({
  type: "ON_FUNDS_TRANSFERRED" as const,
  accountId,
  minimumAmountInCents,
});
const onDemand = (accountId: string) => ({ type: "MANUAL" as const, accountId });
const move = (sourceAccountId: string, destinationAccountId: string, more: object) => ({
  sourceAccountId,
  destinationAccountId,
  group: 0,
  ...more,
});

describe("an arrival", () => {
  it("is split at once, to the cent, and the run records how", async () => {
    const { services, organization, pod, activate, balanceOf, runsOf, context } = await arrange();
    const [income, taxes, profit, operating] = [
      await pod("Income"),
      await pod("Taxes"),
      await pod("Profit"),
      await pod("Operating"),
    ];
    const ruleId = await activate({
      trigger: whenMoneyArrives(income),
      steps: [
        {
          actions: [
            move(income, taxes, { type: "PERCENTAGE", percentage: 33.3333, of: "INCOMING_AMOUNT" }),
            move(income, profit, { type: "PERCENTAGE", percentage: 33.3333, of: "INCOMING_AMOUNT" }),
            move(income, operating, { type: "PERCENTAGE", percentage: 33.3334, of: "INCOMING_AMOUNT" }),
          ],
        },
      ],
    });
    await organization.deposit(income, 100_001);
    expect(await runAllRules(services)).toBe(1);
    expect(await balanceOf(income)).toBe(0);
    expect((await balanceOf(taxes)) + (await balanceOf(profit)) + (await balanceOf(operating))).toBe(100_001);
    const [run] = await runsOf(ruleId);
    expect(await readRun(services, context(), ruleId, run.id)).toMatchObject({
      status: "EXECUTED",
      executionMode: "LIVE",
      triggerDetails: { type: "ON_FUNDS_TRANSFERRED", amountInCents: 100_001 },
      stepIndexMatched: 0,
      conditionsNotMet: false,
      transfersAttempted: 3,
      transfersCompleted: 3,
      transfersFailed: 0,
      transfersPending: 0,
      errorMessage: null,
      nextAttemptAt: null,
    });
    const books = await auditBooks(database, organization.organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [], unbookedCauses: [] });
  });

  it("below the rule's minimum, or for a paused or inactive rule, triggers nothing", async () => {
    const { services, organization, pod, activate, write, runsOf } = await arrange();
    const [income, quiet, idle, taxes] = [
      await pod("Income"),
      await pod("Quiet"),
      await pod("Idle"),
      await pod("Taxes"),
    ];
    const sweep = (source: string, minimumAmountInCents: number | null = null) => ({
      trigger: whenMoneyArrives(source, minimumAmountInCents),
      steps: [{ actions: [move(source, taxes, { type: "REMAINDER" })] }],
    });
    const minimum = await activate(sweep(income, 50_000));
    const paused = await activate(sweep(quiet));
    const inactive = await write(sweep(idle));
    await database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = $2 where id = $1",
      [paused, newId(services.clock.now())],
    );
    for (const account of [income, quiet, idle]) await organization.deposit(account, 49_999);
    expect(await runAllRules(services)).toBe(0);
    for (const account of [income, quiet, idle]) await organization.deposit(account, 50_000);
    expect(await runAllRules(services)).toBe(1);
    expect(await runsOf(minimum)).toHaveLength(1);
    expect(await runsOf(paused)).toEqual([]);
    expect(await runsOf(inactive)).toEqual([]);
  });

  it("reported twice by the bank triggers its rule once", async () => {
    const { services, organization, pod, activate, runsOf } = await arrange();
    const [income, taxes] = [await pod("Income"), await pod("Taxes")];
    const ruleId = await activate({
      trigger: whenMoneyArrives(income),
      steps: [{ actions: [move(income, taxes, { type: "REMAINDER" })] }],
    });
    const deposit = {
      organizationId: organization.organizationId,
      reference: `twice-${ruleId}`,
      accountId: income,
      amountInCents: 5_000,
      origin: "DIRECT_DEPOSIT" as const,
      payerName: "Orbit Maps",
      arrivedAt: services.clock.now(),
    };
    await Promise.all([recordDeposit(services, deposit), recordDeposit(services, deposit)]);
    await runAllRules(services);
    expect(await runsOf(ruleId)).toHaveLength(1);
  });

  it("triggers rule after rule, and the chain ends at ten", async () => {
    const { services, organization, pod, activate, balanceOf, runsOf } = await arrange();
    const pods: string[] = [];
    for (let index = 0; index < 13; index += 1) pods.push(await pod(`Pod ${index}`));
    const rules: string[] = [];
    for (const [index, source] of pods.slice(0, -1).entries()) {
      const destination = pods[index + 1] ?? "";
      rules.push(
        await activate({
          trigger: whenMoneyArrives(source),
          steps: [{ actions: [move(source, destination, { type: "REMAINDER" })] }],
        }),
      );
    }
    await organization.deposit(pods[0] ?? "", 70_000);
    await runAllRules(services);
    expect(await balanceOf(pods[10] ?? "")).toBe(70_000);
    const [eleventh] = await runsOf(rules[10] ?? "");
    expect(eleventh).toMatchObject({ status: "FAILED", chainDepth: 10 });
    expect(eleventh?.errorMessage).toMatch(/Ten rules/);
    expect(await runsOf(rules[11] ?? "")).toEqual([]);
  });

  it("that rules split repeatedly triggers at most fifty runs, and the next one says so", async () => {
    const { services, organization, pod, activate, runsOf } = await arrange();
    // Each layer sends a third to each pod of the next: 1, 3, 9, 27, 81 runs without a bound.
    const layers: string[][] = [[await pod("Income")]];
    for (let layer = 1; layer <= 5; layer += 1) {
      layers.push([await pod(`${layer} A`), await pod(`${layer} B`), await pod(`${layer} C`)]);
    }
    const rules: string[] = [];
    for (const [index, sources] of layers.slice(0, -1).entries()) {
      for (const source of sources) {
        const actions = (layers[index + 1] ?? []).map((destination) =>
          move(source, destination, { type: "FIXED", amountInCents: 81_000 / 3 ** index }),
        );
        rules.push(await activate({ trigger: whenMoneyArrives(source), steps: [{ actions }] }));
      }
    }
    const setOff = async () => {
      await organization.deposit(layers[0]?.[0] ?? "", 243_000);
      await runAllRules(services);
      const runs = (await Promise.all(rules.map(runsOf))).flat();
      return { runs, over: runs.filter(({ errorMessage }) => /fifty runs/.test(errorMessage ?? "")) };
    };
    const { runs, over } = await setOff();
    expect(runs.filter(({ status }) => status === "EXECUTED")).toHaveLength(50);
    expect(over.length).toBeGreaterThan(0);
    expect(over.map(({ status }) => status)).toEqual(over.map(() => "FAILED"));
    expect(runs).toHaveLength(50 + over.length);
    const { rows } = await database.pool.query(
      "select count(*)::int as moved from transfers where rule_execution_id = any ($1)",
      [over.map(({ id }) => id)],
    );
    expect(rows[0].moved).toBe(0);
    // The next deposit is its own cause.
    expect((await setOff()).runs.filter(({ status }) => status === "EXECUTED")).toHaveLength(100);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
    });
  });

  it("that rules split triggers at most fifty runs even with several workers", async () => {
    const { services, organization, pod, activate, runsOf } = await arrange();
    const [income, ...pods] = [await pod("Income"), await pod("A"), await pod("B"), await pod("C")];
    const leaves = [await pod("X"), await pod("Y")];
    const fixed = (source: string, amountInCents: number) => (destination: string) =>
      move(source, destination, { type: "FIXED", amountInCents });
    const rules = [
      await activate({
        trigger: whenMoneyArrives(income ?? ""),
        steps: [{ actions: [...pods, ...pods, ...pods, ...pods].map(fixed(income ?? "", 20_000)) }],
      }),
    ];
    for (const source of pods) {
      const actions = [...leaves, ...leaves, ...leaves].map(fixed(source, 1_000));
      rules.push(await activate({ trigger: whenMoneyArrives(source), steps: [{ actions }] }));
    }
    for (const source of leaves) {
      rules.push(
        await activate({
          trigger: whenMoneyArrives(source),
          steps: [{ actions: [fixed(source, 100)(await pod("End"))] }],
        }),
      );
    }
    await organization.deposit(income ?? "", 300_000);
    while ((await Promise.all([1, 2, 3].map(() => runDueRules(services, 1)))).some((count) => count > 0));
    const runs = (await Promise.all(rules.map(runsOf))).flat();
    // 1 + 12 + 72 without a bound.
    expect(runs.filter(({ status }) => status === "EXECUTED")).toHaveLength(50);
    expect(runs).toHaveLength(85);
  });

  it("that the bank returned before the rule ran moves nothing", async () => {
    const { services, organization, pod, activate, balanceOf, runsOf } = await arrange();
    const [income, taxes] = [await pod("Income", 90_000), await pod("Taxes")];
    const ruleId = await activate({
      trigger: whenMoneyArrives(income),
      steps: [{ actions: [move(income, taxes, { type: "FIXED", amountInCents: 5_000 })] }],
    });
    await organization.deposit(income, 5_000);
    await returnDeposit(organization.organizationId, income, 5_000, services.clock.now());
    await runAllRules(services);
    expect(await balanceOf(taxes)).toBe(0);
    expect(await runsOf(ruleId)).toMatchObject([{ status: "FAILED" }]);
  });
});

/** Returns the newest deposit of this amount. */
async function returnDeposit(
  organizationId: string,
  accountId: string,
  amountInCents: number,
  now: Date,
): Promise<string> {
  const { rows } = await database.pool.query(
    `select id from transfers where organization_id = $1 and destination_account_id = $2 and amount_in_cents = $3
        and origin = 'DIRECT_DEPOSIT' order by id desc limit 1`,
    [organizationId, accountId, amountInCents],
  );
  const { id } = rows[0];
  await database.pool.query("select apply_bank_notice($1, $2, $3, 'RETURNED', 'ACH_R10', $4, $5, $4)", [
    organizationId,
    `return-${id}`,
    id,
    now,
    newId(now),
  ]);
  return id;
}

describe("a return of money that a rule has split", () => {
  it("pauses the rules on that account, once, and no others", async () => {
    const { services, organization, pod, activate } = await arrange();
    const [income, taxes] = [await pod("Income"), await pod("Taxes")];
    const splitting = await activate({
      trigger: whenMoneyArrives(income),
      steps: [{ actions: [move(income, taxes, { type: "REMAINDER" })] }],
    });
    const onDemandThere = await activate({
      trigger: onDemand(income),
      steps: [{ actions: [move(income, taxes, { type: "REMAINDER" })] }],
    });
    const elsewhere = await activate({
      trigger: whenMoneyArrives(taxes),
      steps: [{ actions: [move(taxes, income, { type: "FIXED", amountInCents: 90_000_000, upTo: false })] }],
    });
    await organization.deposit(income, 30_000);
    await runDueRules(services, 1);
    const returned = await returnDeposit(organization.organizationId, income, 30_000, services.clock.now());
    const { rows } = await database.pool.query(
      `select id, paused_by_transfer_id as "pausedByTransferId" from rules
        where organization_id = $1 and paused_at is not null order by id`,
      [organization.organizationId],
    );
    expect(rows).toEqual(
      [splitting, onDemandThere].sort().map((id) => ({ id, pausedByTransferId: returned })),
    );
    expect(rows.map(({ id }) => id)).not.toContain(elsewhere);
    const { rows: events } = await database.pool.query(
      `select rule_id as "ruleId", kind,
          transfer_id as "transferId" from rule_events where organization_id = $1 order by rule_id`,
      [organization.organizationId],
    );
    expect(events).toEqual(
      [splitting, onDemandThere].sort().map((ruleId) => ({ ruleId, kind: "PAUSED", transferId: returned })),
    );
  });
});

describe("a return of money that a rule has sent on to an outside account", () => {
  it.each([
    ["pauses the rule while the payment is on its way", false, true],
    ["pauses nothing once the bank has refused the payment", true, false],
  ])("%s", async (_, isRefused, isPaused) => {
    const { services, clock, organization, pod, activate } = await arrange();
    const { organizationId } = organization;
    const income = await pod("Income");
    const checking = await organization.addAccount({
      name: "Checking",
      type: "EXTERNAL_ACCOUNT",
      balanceInCents: 0,
    });
    const ruleId = await activate({
      trigger: whenMoneyArrives(income),
      steps: [{ actions: [move(income, checking, { type: "FIXED", amountInCents: 20_000 })] }],
    });
    await organization.deposit(income, 30_000);
    await runAllRules(services);
    if (isRefused) {
      await database.pool.query(
        `select apply_bank_notice($1, 'refused', t.id, 'RETURNED', 'ACH_R03', $3, $4, $3) from transfers t
          where t.organization_id = $1 and t.rule_id = $2`,
        [organizationId, ruleId, clock.now(), newId(clock.now())],
      );
    }
    await returnDeposit(organizationId, income, 30_000, clock.now());
    const { rows } = await database.pool.query(
      "select paused_at is not null as paused from rules where id = $1",
      [ruleId],
    );
    expect(rows).toEqual([{ paused: isPaused }]);
  });
});

describe("a run", () => {
  it("that lacks money stops there: earlier transfers stay, the failed one says why, the rest do not run", async () => {
    const { services, pod, activate, balanceOf, context } = await arrange();
    const [source, rent, payroll, profit] = [
      await pod("Operating", 100_000),
      await pod("Rent"),
      await pod("Payroll"),
      await pod("Profit"),
    ];
    const ruleId = await activate({
      trigger: onDemand(source),
      steps: [
        {
          actions: [
            move(source, rent, { type: "FIXED", amountInCents: 60_000 }),
            move(source, payroll, { type: "FIXED", amountInCents: 60_000 }),
            move(source, profit, { type: "FIXED", amountInCents: 1_000 }),
          ],
        },
      ],
    });
    const executionId = await askRun(services, context(), ruleId);
    expect(await readRun(services, context(), ruleId, executionId)).toMatchObject({ status: "IN_PROGRESS" });
    await runAllRules(services);
    const run = await readRun(services, context(), ruleId, executionId);
    expect(run).toMatchObject({
      status: "PARTIAL",
      transfersAttempted: 2,
      transfersCompleted: 1,
      transfersFailed: 1,
    });
    expect(run.errorMessage).toMatch(/\$600.00 from Operating to Payroll: Operating has only \$400.00/);
    expect(await balanceOf(rent)).toBe(60_000);
    expect(await balanceOf(payroll)).toBe(0);
    expect(await balanceOf(profit)).toBe(0);
  });

  it("never takes its source below the floor that its owner set", async () => {
    const { services, pod, activate, balanceOf, context } = await arrange();
    const [source, profit] = [await pod("Operating", 100_000, 80_000), await pod("Profit")];
    const all = await activate({
      trigger: onDemand(source),
      steps: [{ actions: [move(source, profit, { type: "REMAINDER" })] }],
    });
    await askRun(services, context(), all);
    await runAllRules(services);
    expect(await balanceOf(source)).toBe(80_000);
    const fixed = await activate({
      trigger: onDemand(source),
      steps: [{ actions: [move(source, profit, { type: "FIXED", amountInCents: 10_000 })] }],
    });
    const executionId = await askRun(services, context(), fixed);
    await runAllRules(services);
    expect(await readRun(services, context(), fixed, executionId)).toMatchObject({ status: "FAILED" });
    expect(await balanceOf(source)).toBe(80_000);
  });

  it("whose conditions are not met is executed, and says so", async () => {
    const { services, pod, activate, context } = await arrange();
    const [source, profit] = [await pod("Operating", 100_000), await pod("Profit")];
    const ruleId = await activate({
      trigger: onDemand(source),
      steps: [
        {
          conditions: {
            all: [{ fact: "BALANCE", accountId: source, operator: "GREATER_THAN", value: 100_000 }],
          },
          actions: [move(source, profit, { type: "REMAINDER" })],
        },
      ],
    });
    const executionId = await askRun(services, context(), ruleId);
    await runAllRules(services);
    expect(await readRun(services, context(), ruleId, executionId)).toMatchObject({
      status: "EXECUTED",
      conditionsNotMet: true,
      stepIndexMatched: null,
      transfersAttempted: 0,
      transferIds: [],
    });
  });

  it("retries while a balance is unknown, after 1, 5, 30 and 120 minutes, and then fails", async () => {
    const { services, clock, organization, pod, activate, context } = await arrange();
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const taxes = await pod("Taxes");
    const ruleId = await activate({
      trigger: onDemand(checking),
      steps: [{ actions: [move(checking, taxes, { type: "FIXED", amountInCents: 10_000 })] }],
    });
    const executionId = await askRun(services, context(), ruleId);
    for (const delayMs of RETRY_DELAYS_MS) {
      expect(await runAllRules(services)).toBe(1);
      const run = await readRun(services, context(), ruleId, executionId);
      expect(run).toMatchObject({
        status: "IN_PROGRESS",
        nextAttemptAt: new Date(clock.now().getTime() + delayMs).toISOString(),
      });
      clock.advance(delayMs - 1);
      expect(await runAllRules(services)).toBe(0);
      clock.advance(1);
    }
    expect(await runAllRules(services)).toBe(1);
    const run = await readRun(services, context(), ruleId, executionId);
    expect(run).toMatchObject({ status: "FAILED", nextAttemptAt: null, transferIds: [] });
    expect(run.errorMessage).toMatch(/Checking.*is unknown.*5 times/);
  });

  it("continues at the next attempt once the balance is known", async () => {
    const { services, clock, organization, pod, activate, context } = await arrange();
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const taxes = await pod("Taxes");
    const ruleId = await activate({
      trigger: onDemand(checking),
      steps: [{ actions: [move(checking, taxes, { type: "FIXED", amountInCents: 10_000 })] }],
    });
    const executionId = await askRun(services, context(), ruleId);
    await runAllRules(services);
    await database.ownerPool.query(
      `update provider_balances set balance_in_cents = 50000, available_balance_in_cents = 50000, refreshed_at = $2
        where account_id = $1`,
      [checking, clock.now()],
    );
    clock.advance(60_000);
    await runAllRules(services);
    // Over ACH: in progress until the bank has settled it.
    expect(await readRun(services, context(), ruleId, executionId)).toMatchObject({
      status: "IN_PROGRESS",
      nextAttemptAt: null,
      transfersPending: 1,
    });
  });

  it.each([
    ["deactivated", "active_version = null, active_trigger_type = null, active_trigger_account_id = null"],
    ["paused", "paused_at = activated_at, paused_by_transfer_id = gen_random_uuid()"],
  ])("of a rule that was %s before it ran moves nothing", async (_, change) => {
    const { services, pod, activate, balanceOf, context } = await arrange();
    const [source, profit] = [await pod("Operating", 100_000), await pod("Profit")];
    const ruleId = await activate({
      trigger: onDemand(source),
      steps: [{ actions: [move(source, profit, { type: "REMAINDER" })] }],
    });
    const executionId = await askRun(services, context(), ruleId);
    await database.ownerPool.query(`update rules set ${change} where id = $1`, [ruleId]);
    await runAllRules(services);
    expect(await readRun(services, context(), ruleId, executionId)).toMatchObject({ status: "FAILED" });
    expect(await balanceOf(profit)).toBe(0);
  });

  it("of a rule that this version cannot represent fails each time, without blocking others", async () => {
    const { services, pod, activate, balanceOf, context, organization } = await arrange();
    const [source, profit] = [await pod("Operating", 100_000), await pod("Profit")];
    const broken = newId(services.clock.now());
    await database.ownerPool.query(
      `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
        values ($1, $2, 'From the future', 1, $3, now(), now())`,
      [organization.organizationId, broken, [source]],
    );
    await database.ownerPool.query(
      `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
          created_by_name, created_at)
        values ($1, $2, 1, $3, 'MEMBER', $2, 'Mara', now())`,
      [
        organization.organizationId,
        broken,
        { trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: source }, steps: "of another kind" },
      ],
    );
    await makeActive(database, broken);
    const readable = await activate({
      trigger: onDemand(source),
      steps: [{ actions: [move(source, profit, { type: "FIXED", amountInCents: 1_000 })] }],
    });
    for (const times of [1, 2, 3]) {
      await organization.deposit(source, 5_000);
      await askRun(services, context(), readable);
      expect(await runAllRules(services)).toBe(2);
      expect(await balanceOf(profit)).toBe(times * 1_000);
      await expect(askRun(services, context(), broken)).rejects.toMatchObject({ code: "INVALID_RULE" });
    }
  });

  it("over ACH ends with its last transfer, as partial if the bank refuses one", async () => {
    const { services, clock, organization, pod, activate, context } = await arrange();
    const outside = [
      await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT", balanceInCents: 0 }),
      await organization.addAccount({ name: "Savings", type: "EXTERNAL_ACCOUNT", balanceInCents: 0 }),
    ];
    const source = await pod("Operating", 100_000);
    const ruleId = await activate({
      trigger: onDemand(source),
      steps: [
        {
          actions: outside.map((destination) =>
            move(source, destination, { type: "FIXED", amountInCents: 20_000 }),
          ),
        },
      ],
    });
    const executionId = await askRun(services, context(), ruleId);
    await runAllRules(services);
    const waiting = await readRun(services, context(), ruleId, executionId);
    expect(waiting).toMatchObject({ status: "IN_PROGRESS", transfersPending: 2 });
    for (const [index, id] of waiting.transferIds.entries()) {
      await database.pool.query("select apply_bank_notice($1, $2, $3, $4, $5, $6, $7, $6)", [
        organization.organizationId,
        `notice-${id}`,
        id,
        index === 0 ? "SETTLED" : "RETURNED",
        index === 0 ? null : "ACH_R03",
        clock.now(),
        newId(clock.now()),
      ]);
    }
    const ended = await readRun(services, context(), ruleId, executionId);
    expect(ended).toMatchObject({ status: "PARTIAL", transfersCompleted: 1, transfersFailed: 1 });
    expect(ended.errorMessage).toMatch(/ACH_R03/);
  });
});

describe("a limit", () => {
  it("applies across runs, one by one or at once, and starts over with its period", async () => {
    const { services, clock, pod, activate, balanceOf, context } = await arrange();
    const [source, profit] = [await pod("Operating", 1_000_000), await pod("Profit")];
    const ruleId = await activate({
      trigger: onDemand(source),
      limits: [{ id: "day", period: "DAY", amountInCents: 25_000 }],
      steps: [{ actions: [move(source, profit, { type: "FIXED", amountInCents: 10_000, limitId: "day" })] }],
    });
    for (let run = 0; run < 4; run += 1) await askRun(services, context(), ruleId);
    await Promise.all([
      runDueRules(services, 1),
      runDueRules(services, 1),
      runDueRules(services, 1),
      runDueRules(services, 1),
    ]);
    await runAllRules(services);
    expect(await balanceOf(profit)).toBe(25_000);
    clock.advance(24 * 60 * 60_000);
    await askRun(services, context(), ruleId);
    await runAllRules(services);
    expect(await balanceOf(profit)).toBe(35_000);
  });

  it("counts from the first moment of its period in the organization's time zone, and what is on its way", async () => {
    const { services, clock, organization, pod, activate, context } = await arrange();
    const source = await pod("Operating", 1_000_000);
    const checking = await organization.addAccount({
      name: "Checking",
      type: "EXTERNAL_ACCOUNT",
      balanceInCents: 0,
    });
    const ruleId = await activate({
      trigger: onDemand(source),
      limits: [{ id: "day", period: "DAY", amountInCents: 25_000 }],
      steps: [
        { actions: [move(source, checking, { type: "FIXED", amountInCents: 20_000, limitId: "day" })] },
      ],
    });
    const midnight = Date.parse("2026-01-16T05:00:00Z");
    for (const at of [midnight - 1, midnight, midnight + 3_600_000]) {
      clock.set(new Date(at));
      await askRun(services, context(), ruleId);
      await runAllRules(services);
    }
    const { rows } = await database.pool.query(
      "select status, amount_in_cents as cents from transfers where organization_id = $1 and rule_id = $2 order by created_at",
      [organization.organizationId, ruleId],
    );
    // The last millisecond of Thursday, the first of Friday, and an hour later.
    expect(rows).toEqual([20_000, 20_000, 5_000].map((cents) => ({ status: "PROCESSING", cents })));
  });
});

describe("many runs of one account at once", () => {
  it("each see what earlier ones left, with one worker and with four", async () => {
    const { services, organization, pod, activate, balanceOf, context, runsOf } = await arrange();
    const [source, profit] = [await pod("Operating", 100_000), await pod("Profit")];
    const ruleId = await activate({
      trigger: onDemand(source),
      steps: [{ actions: [move(source, profit, { type: "FIXED", amountInCents: 3_000 })] }],
    });
    for (let run = 0; run < 50; run += 1) await askRun(services, context(), ruleId);
    const workers = Array.from({ length: 4 }, async () => {
      for (let batch = 0; batch < 10; batch += 1) await runDueRules(services, 7);
    });
    await Promise.all(workers);
    await runAllRules(services);
    // $1,000.00 is enough for 33 of 50; the others fail and take nothing.
    expect(await balanceOf(profit)).toBe(99_000);
    const statuses = (await runsOf(ruleId)).map(({ status }) => status);
    expect(statuses.filter((status) => status === "EXECUTED")).toHaveLength(33);
    expect(statuses.filter((status) => status === "FAILED")).toHaveLength(17);
    const books = await auditBooks(database, organization.organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [], unbookedCauses: [] });
  });
});
