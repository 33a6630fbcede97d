/**
 * Goal: what two workers do at the same moment counts for both: limits, outside balances, the bound of a chain and the
 * end of a run. Method: transactions that overlap for certain, on accounts that share no ledger, whose locks would hide a
 * missing one.
 */
import { describe, expect, it } from "vitest";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { joinTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import {
  anythingWithRules,
  askRun,
  editRule,
  makeActive,
  readRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const MAXIMUM_RUNS_OF_A_CAUSE = 50;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const pod = (name: string, balanceInCents = 0) =>
    organization.addAccount({ name, type: "POD", balanceInCents });
  const outside = (name: string, balanceInCents: number) =>
    organization.addAccount({ name, type: "EXTERNAL_ACCOUNT", balanceInCents });
  const key = await organization.addKey(anythingWithRules(false));
  const context = () => ({ ...key.context, now: clock.now() });
  const activate = async (definition: Parameters<typeof writeRule>[2]) => {
    const ruleId = await writeRule(services, context(), definition);
    await makeActive(database, ruleId);
    return ruleId;
  };
  /** The oldest due run in a transaction that stays open, and the next one beside it. */
  const runTwoAtOnce = () =>
    overlap(
      database,
      (client) => runDueRules({ ...services, pool: joinTransaction(database.pool, client) }, 1),
      () => runDueRules(services, 1),
    );
  const movedBy = async (ruleIds: readonly string[]) => {
    const { rows } = await database.pool.query<{ cents: number }>(
      `select amount_in_cents as cents from transfers
        where organization_id = $1 and rule_id = any ($2) and status in ('PROCESSING', 'COMPLETE') order by amount_in_cents`,
      [organizationId, ruleIds],
    );
    return rows.map(({ cents }) => cents);
  };
  const runsOf = async (ruleId: string) => {
    const { rows } = await database.pool.query(
      "select status, error_message as message from rule_executions where rule_id = $1",
      [ruleId],
    );
    return rows;
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    pod,
    outside,
    context,
    activate,
    runTwoAtOnce,
    movedBy,
    runsOf,
  };
}

const fixed = (sourceAccountId: string, destinationAccountId: string, amountInCents: number) => ({
  type: "FIXED",
  sourceAccountId,
  destinationAccountId,
  group: 0,
  amountInCents,
});
const whenMoneyArrives = (accountId: string) => ({
  type: "ON_FUNDS_TRANSFERRED" as const,
  accountId,
  minimumAmountInCents: null,
});

describe("two runs at the same moment", () => {
  it("share a limit of their rule, even between other accounts since its last version", async () => {
    const { services, pod, context, activate, runTwoAtOnce, movedBy } = await arrange();
    const definition = (source: string, destination: string) => ({
      name: "Set aside",
      trigger: { type: "MANUAL" as const, accountId: source },
      limits: [{ id: "day", period: "DAY" as const, amountInCents: 25_000 }],
      steps: [{ actions: [{ ...fixed(source, destination, 20_000), limitId: "day" }] }],
    });
    const [operating, reserve] = [await pod("Operating", 100_000), await pod("Reserve", 100_000)];
    const ruleId = await activate(definition(operating, await pod("Taxes")));
    await askRun(services, context(), ruleId);
    const next = ruleDefinitionSchema.parse(definition(reserve, await pod("Savings")));
    await editRule(services, context(), ruleId, next);
    await makeActive(database, ruleId);
    await askRun(services, context(), ruleId);
    expect(await runTwoAtOnce()).toEqual({ hasWaited: true, result: 1 });
    expect(await movedBy([ruleId])).toEqual([5_000, 20_000]);
  });

  it("of two rules pull no more than an outside account has", async () => {
    const { services, pod, outside, context, activate, runTwoAtOnce, movedBy } = await arrange();
    const checking = await outside("Checking", 90_000);
    const ruleIds: string[] = [];
    for (const name of ["Taxes", "Savings"]) {
      const trigger = { type: "MANUAL" as const, accountId: checking };
      const steps = [{ actions: [fixed(checking, await pod(name), 60_000)] }];
      const ruleId = await activate({ name, trigger, steps });
      await askRun(services, context(), ruleId);
      ruleIds.push(ruleId);
    }
    expect(await runTwoAtOnce()).toEqual({ hasWaited: true, result: 1 });
    expect(await movedBy(ruleIds)).toEqual([60_000]);
  });

  it("in one chain start no more runs than one cause may", async () => {
    const { services, organization, pod, activate, runTwoAtOnce, runsOf } = await arrange();
    const income = await pod("Income");
    const branches = [
      [await pod("A"), await pod("C"), await pod("E")],
      [await pod("B"), await pod("D"), await pod("F")],
    ] as const;
    const first = await activate({
      trigger: whenMoneyArrives(income),
      steps: [{ actions: branches.map(([middle]) => fixed(income, middle, 1_000)) }],
    });
    const last: string[] = [];
    for (const [middle, further, end] of branches) {
      await activate({
        trigger: whenMoneyArrives(middle),
        steps: [{ actions: [fixed(middle, further, 500)] }],
      });
      const steps = [{ actions: [fixed(further, end, 100)] }];
      last.push(await activate({ trigger: whenMoneyArrives(further), steps }));
    }
    await organization.deposit(income, 10_000);
    expect(await runDueRules(services, 1)).toBe(1);
    await database.ownerPool.query("update rule_executions set chain_runs = $2 where rule_id = $1", [
      first,
      MAXIMUM_RUNS_OF_A_CAUSE - 1,
    ]);
    expect(await runTwoAtOnce()).toEqual({ hasWaited: true, result: 1 });
    // Which of the branches came first is not known.
    const runs = (await Promise.all(last.map(runsOf))).flat();
    expect(runs.map(({ status }) => status).sort()).toEqual(["FAILED", "IN_PROGRESS"]);
    expect(runs.find(({ status }) => status === "FAILED")?.message).toContain("fifty runs");
    await runAllRules(services);
  });
});

it("a run whose last two transfers end at the same moment ends", async () => {
  const { services, clock, organizationId, pod, outside, context, activate } = await arrange();
  const [operating, reserve] = [await pod("Operating", 50_000), await pod("Reserve", 50_000)];
  const ruleId = await activate({
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: [
          fixed(operating, await outside("Checking", 0), 20_000),
          fixed(reserve, await outside("Savings", 0), 20_000),
        ],
      },
    ],
  });
  const executionId = await askRun(services, context(), ruleId);
  await runAllRules(services);
  const { transferIds } = await readRun(services, context(), ruleId, executionId);
  const [one = "", other = ""] = transferIds;
  const refuse = (client: Queryable, id: string) =>
    client.query("select apply_bank_notice($1, $2, $3, 'RETURNED', 'ACH_R03', $4, $5, $4)", [
      organizationId,
      `notice-${id}`,
      id,
      clock.now(),
      newId(clock.now()),
    ]);
  const { hasWaited } = await overlap(
    database,
    (client) => refuse(client, one),
    () => refuse(database.pool, other),
  );
  expect(hasWaited).toBe(true);
  expect(await readRun(services, context(), ruleId, executionId)).toMatchObject({
    status: "FAILED",
    transfersFailed: 2,
    transfersPending: 0,
  });
});
