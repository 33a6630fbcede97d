import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readLimitsUsed } from "@/lib/core/rules/read-rule-facts";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { readBacktest } from "@/lib/views/rules/read-backtest";
import { readRuleHistory } from "@/lib/views/rules/read-rule-history";

const DAY_MS = 86_400_000;
const database = useTestDatabase();

/** A rule that splits deposits between two pods; its first version is active. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const { context } = await organization.addKey([
    ...anythingWithRules(false),
    { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: false } },
  ]);
  const split = (percentage: number, minimumAmountInCents: number | null = null, isLimited = false) => ({
    trigger: { type: "ON_FUNDS_TRANSFERRED" as const, accountId: income, minimumAmountInCents },
    limits: isLimited ? [{ id: "year", period: "YEAR" as const, amountInCents: 110_000 }] : [],
    steps: [
      {
        actions: [
          {
            type: "PERCENTAGE",
            sourceAccountId: income,
            destinationAccountId: taxes,
            group: 0,
            percentage,
            of: "INCOMING_AMOUNT",
            ...(isLimited && { limitId: "year" }),
          },
          { type: "REMAINDER", sourceAccountId: income, destinationAccountId: operating, group: 1 },
        ],
      },
    ],
  });
  const ruleId = await writeRule(services, context, split(25));
  await makeActive(database, ruleId);
  const edit = (definition: ReturnType<typeof split>) =>
    database.ownerPool.query(
      `with version as (
         insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
           created_by_name, created_at)
         select organization_id, id, latest_version + 1, $3, 'MEMBER', $4, 'Mara', $5 from rules
          where organization_id = $1 and id = $2 returning version)
       update rules set latest_version = version.version, versions_made = version.version from version
        where organization_id = $1 and id = $2`,
      [
        organizationId,
        ruleId,
        JSON.stringify({ name: "Split", description: null, ...definition }),
        organization.owner.actor.id,
        clock.now(),
      ],
    );
  const deactivate = () =>
    database.ownerPool.query(
      `update rules set active_version = null, active_trigger_type = null, active_trigger_account_id = null
        where organization_id = $1 and id = $2`,
      [organizationId, ruleId],
    );
  /** What someone else moves. */
  const move = async (sourceAccountId: string, destinationAccountId: string, amountInCents: number) => {
    await askTransfer(services, context, { sourceAccountId, destinationAccountId, amountInCents });
    await bookDueTransfers(services, 10);
  };
  const read = (version: number) =>
    readBacktest({ services, context: { ...organization.owner, now: clock.now() } }, { ruleId, version });
  return {
    services,
    clock,
    organization,
    context,
    income,
    taxes,
    operating,
    split,
    ruleId,
    edit,
    deactivate,
    move,
    read,
  };
}

test("the active version moves in the backtest what it really moved, and another is shown for comparison", async () => {
  const { services, clock, organization, income, taxes, operating, split, ruleId, edit, move, read } =
    await arrange();
  for (const cents of [400_000, 100_001, 20_000]) {
    clock.advance(8 * DAY_MS);
    await organization.deposit(income, cents);
    clock.advance(1_000);
    expect(await runAllRules(services)).toBe(1);
    clock.advance(DAY_MS);
    await move(taxes, operating, 3_000);
  }
  clock.advance(DAY_MS);
  await edit(split(27, 50_000));
  const { rows } = await database.pool.query<{ id: string; moved: number }>(
    `select destination_account_id as id, sum(amount_in_cents)::bigint as moved from transfers
      where organization_id = $1 and rule_id = $2 group by 1`,
    [organization.organizationId, ruleId],
  );
  const reallyMoved = Object.fromEntries(rows.map((row) => [row.id, row.moved]));

  const view = await read(2);
  expect(view.active).toMatchObject({
    version: 1,
    occasions: { arrivals: 3, scheduled: 0, asked: 0 },
    movedInCents: 520_001,
    brokeOff: 0,
    lowest: { balanceInCents: 0 },
  });
  expect(view.version).toMatchObject({ version: 2, occasions: { arrivals: 2 }, movedInCents: 500_001 });
  expect(view.destinations).toEqual([
    { accountId: taxes, name: "Taxes", inCents: 108_000 + 27_000, activeInCents: reallyMoved[taxes] },
    {
      accountId: operating,
      name: "Operating",
      inCents: 292_000 + 73_001,
      activeInCents: reallyMoved[operating],
    },
  ]);
  expect(view.weeks.flatMap((week) => week.movedInCents).reduce((sum, cents) => sum + cents)).toBe(500_001);
  expect(view).toMatchObject({ sourceName: "Client payments", asToday: [], isCut: false });
});

test("a limit includes what the rule really moved in its period before the 90 days", async () => {
  const { services, clock, organization, income, taxes, split, ruleId, edit, read } = await arrange();
  await edit(split(50, null, true));
  await makeActive(database, ruleId);
  await organization.deposit(income, 100_000);
  await runAllRules(services);
  clock.advance(100 * DAY_MS);
  await organization.deposit(income, 200_000);
  clock.advance(1_000);
  await runAllRules(services);
  clock.advance(DAY_MS);
  const view = await read(2);
  // Of 110,000 in the year, 50,000 were used in January.
  expect(view.destinations.find(({ accountId }) => accountId === taxes)?.inCents).toBe(60_000);
});

test("shows why transfers would have been skipped", async () => {
  const { services, clock, organization, income, split, ruleId, edit, read } = await arrange();
  await edit(split(50, null, true));
  await makeActive(database, ruleId);
  for (const cents of [300_000, 50_000, 150]) {
    clock.advance(DAY_MS);
    await organization.deposit(income, cents);
    clock.advance(1_000);
    await runAllRules(services);
  }
  clock.advance(DAY_MS);
  // The first deposit uses all of the 110,000 yearly limit; half of 1.50 is too small under any limit.
  expect((await read(2)).version.skipped).toEqual([
    { reason: "LIMIT_USED_UP", count: 1 },
    { reason: "TOO_SMALL", count: 1 },
  ]);
});

test("the active version alone has one column", async () => {
  const { clock, organization, income, read } = await arrange();
  clock.advance(DAY_MS);
  await organization.deposit(income, 10_000);
  clock.advance(DAY_MS);
  const view = await read(1);
  expect(view.active).toBeNull();
  expect(view.version.movedInCents).toBe(10_000);
  expect(view.destinations.map((destination) => destination.activeInCents)).toEqual([null, null]);
});

test("without a deposit there is nothing to show, and weeks are empty", async () => {
  const { clock, read } = await arrange();
  clock.advance(DAY_MS);
  const view = await read(1);
  expect(view.version.occasions).toEqual({ arrivals: 0, scheduled: 0, asked: 0 });
  expect(view.weeks.length).toBeGreaterThanOrEqual(13);
});

test("others' transfers stay, and what happened before the 90 days is in the opening balance", async () => {
  const { clock, organization, income, taxes, deactivate, move, read } = await arrange();
  await deactivate();
  await organization.deposit(income, 70_000);
  clock.advance(100 * DAY_MS);
  await organization.deposit(income, 100_000);
  clock.advance(1_000);
  await move(income, taxes, 60_000);
  clock.advance(DAY_MS);
  const view = await read(1);
  // The first run empties the account; the other transfer then overdraws it.
  expect(view.version).toMatchObject({ movedInCents: 170_000, lowest: { balanceInCents: -60_000 } });
});

test("others' transfers on the rule's routes before it was active stay, and are counted", async () => {
  const { clock, organization, income, taxes, operating, deactivate, move, read } = await arrange();
  await deactivate();
  await database.ownerPool.query("update rules set activated_at = null where organization_id = $1", [
    organization.organizationId,
  ]);
  clock.advance(DAY_MS);
  await organization.deposit(income, 100_000);
  clock.advance(DAY_MS);
  await move(income, taxes, 20_000);
  await move(income, operating, 80_000);
  await move(taxes, operating, 1_000);
  clock.advance(DAY_MS);
  const view = await read(1);
  expect(view.byOthers).toEqual({ count: 2, inCents: 100_000 });
  // Without that transfer, the account would have held more than it ever did.
  expect(view.version).toMatchObject({ movedInCents: 100_000, lowest: { balanceInCents: -100_000 } });
});

test("requested runs are simulated, with their amounts", async () => {
  const { services, clock, organization, operating, context, ruleId, read } = await arrange();
  clock.advance(DAY_MS);
  await organization.deposit(operating, 1_000);
  const asked = { ...context, now: clock.now() };
  await askRun(services, asked, ruleId, { executeAmount: 5_000 });
  await askRun(services, asked, ruleId, { simulation: true, executeAmount: 5_000 });
  await runAllRules(services);
  clock.advance(1_000);
  const view = await read(1);
  expect(view.version.occasions).toEqual({ arrivals: 0, scheduled: 0, asked: 1 });
});

test("another organization's rule and an unknown version are not found", async () => {
  const one = await arrange();
  const other = await arrange();
  await expect(
    readBacktest(
      { services: other.services, context: other.organization.owner },
      { ruleId: one.ruleId, version: 1 },
    ),
  ).rejects.toMatchObject({ code: "RULE_NOT_FOUND" });
  await expect(one.read(2)).rejects.toMatchObject({ code: "RULE_NOT_FOUND" });
});

test("the forecast repeats what others moved, on today's balances, and ends 13 weeks ahead", async () => {
  const { services, clock, organization, income, taxes, operating, read } = await arrange();
  for (const cents of [400_000, 100_000]) {
    clock.advance(8 * DAY_MS);
    await organization.deposit(income, cents);
    clock.advance(1_000);
    await runAllRules(services);
  }
  clock.advance(DAY_MS);
  const { ahead, destinations, until } = await read(1);
  expect(ahead?.version).toMatchObject({
    occasions: { arrivals: 2, scheduled: 0, asked: 0 },
    movedInCents: 500_000,
    lowest: { balanceInCents: 0 },
  });
  const columns = destinations.map(({ accountId }) => accountId);
  const sums = columns.map((_, index) =>
    (ahead?.weeks ?? []).reduce((sum, week) => sum + (week.movedInCents[index] ?? 0), 0),
  );
  expect(Object.fromEntries(columns.map((id, index) => [id, sums[index]]))).toEqual({
    [taxes]: 125_000,
    [operating]: 375_000,
  });
  expect(Date.parse(ahead?.until ?? "") - Date.parse(until)).toBe(91 * DAY_MS);
  // The present week is the last of the past ones and the first of the coming ones.
  expect(ahead?.weeks).toHaveLength(14);
});

test("a rule of many accounts has the history that a rule of few has", async () => {
  const { services, clock, organization, income, taxes, operating, ruleId, move } = await arrange();
  await organization.deposit(income, 400_000);
  for (const cents of [30_000, 20_000, 10_000]) {
    clock.advance(DAY_MS);
    await move(income, taxes, cents);
    await move(taxes, operating, cents / 2);
  }
  const historyOf = (accountIds: readonly string[]) =>
    readRuleHistory(
      services.pool,
      { ...organization.owner, now: clock.now() },
      {
        ...{ ruleId, from: new Date(clock.now().getTime() - 90 * DAY_MS), timeZone: "UTC", accountIds },
        ...{ arrivalAccountIds: [income], limits: [], firstActiveAt: null },
        routes: [{ sourceAccountId: income, destinationAccountId: taxes }],
      },
    );
  const few = await historyOf([income, taxes, operating]);
  expect(few.history.events).toHaveLength(13);
  expect(few.byOthers).toEqual({ count: 3, inCents: 60_000 });
  const others = Array.from({ length: 60 }, () => randomUUID());
  expect(await historyOf([...others, income, taxes, operating])).toEqual(few);
});

test("a history begins with what a run then would find used of a limit", async () => {
  const { services, clock, organization, context, income, deactivate } = await arrange();
  const { organizationId } = organization;
  await deactivate();
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 0,
  });
  await organization.deposit(income, 400_000);
  const limits = [{ id: "day", period: "DAY" as const, amountInCents: 100_000 }];
  const action = { type: "FIXED", sourceAccountId: income, destinationAccountId: checking, group: 0 };
  const ruleId = await writeRule(services, context, {
    trigger: { type: "MANUAL", accountId: income },
    limits,
    steps: [{ actions: [{ ...action, amountInCents: 1_000, limitId: "day" }] }],
  });
  await makeActive(database, ruleId);
  const timeZone = "America/New_York";
  const usedByRuns = () =>
    readLimitsUsed(
      database.pool,
      { organizationId, now: clock.now(), timeZone },
      { ruleId, definition: { limits } },
    );
  const usedBefore = async () => {
    const { history } = await readRuleHistory(
      services.pool,
      { organizationId, now: clock.now() },
      {
        ...{ ruleId, from: clock.now(), timeZone, limits, accountIds: [income] },
        ...{ arrivalAccountIds: [], firstActiveAt: null, routes: [] },
      },
    );
    return history.limitsUsedInCents;
  };
  const midnight = Date.parse("2026-01-16T05:00:00Z");
  // The last millisecond of Thursday, the first of Friday, and later: on their way, returned and refused.
  const runs: { at: number; notices: string[]; usedInCents: number }[] = [
    { at: midnight - 1, notices: [], usedInCents: 0 },
    { at: midnight, notices: [], usedInCents: 1_000 },
    { at: midnight + 1_000, notices: ["SETTLED", "RETURNED"], usedInCents: 2_000 },
    { at: midnight + 2_000, notices: ["RETURNED"], usedInCents: 2_000 },
  ];
  for (const { at, notices, usedInCents } of runs) {
    clock.set(new Date(at));
    await askRun(services, { ...context, now: clock.now() }, ruleId);
    await runAllRules(services);
    for (const notice of notices) {
      await database.pool.query(
        `select apply_bank_notice($1, $2, t.id, $3, 'ACH_R03', $4, $6, $4) from transfers t
          where t.organization_id = $1 and t.rule_id = $5 and t.accepted_at = $4`,
        [organizationId, `${notice} ${at}`, notice, clock.now(), ruleId, randomUUID()],
      );
    }
    // A history ends before its last moment.
    clock.advance(1);
    expect((await usedBefore()).day ?? 0).toBe(usedInCents);
    expect(await usedByRuns()).toEqual({ day: usedInCents });
  }
  const { rows } = await database.pool.query(
    "select status from transfers where rule_id = $1 order by created_at",
    [ruleId],
  );
  expect(rows.map(({ status }) => status)).toEqual(["PROCESSING", "PROCESSING", "RETURNED", "FAILED"]);
});
