import { afterAll, beforeAll, expect, test } from "vitest";
import { readBacktest } from "@/lib/core/rules/read-backtest";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer } from "@/lib/testing/ask-transfer";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { writeTestRule } from "@/lib/testing/written-rule";

const DAY_MS = 86_400_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A split of deposits into two pods, with a key that may move money without asking. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const { context } = await organization.addKey([
    { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: false } },
  ]);
  const split = (percentage: number, minimumAmountInCents: number | null = null) => ({
    trigger: { type: "ON_FUNDS_TRANSFERRED" as const, accountId: income, minimumAmountInCents },
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
          },
          { type: "REMAINDER", sourceAccountId: income, destinationAccountId: operating, group: 1 },
        ],
      },
    ],
  });
  const rule = await writeTestRule(database, organization.owner, split(25));
  await rule.activate(1);
  /** A transfer that is booked at once; one of the rule's own, when that is said. */
  const move = async (from: string, to: string, amountInCents: number, isOwn: boolean) => {
    const transfer = await askTransfer(services, context, {
      sourceAccountId: from,
      destinationAccountId: to,
      amountInCents,
    });
    await bookDueTransfers(services, 10);
    if (!isOwn) return;
    await database.ownerPool.query(
      "update transfers set rule_id = $3, origin = 'RULE' where organization_id = $1 and id = $2",
      [organization.organizationId, transfer.id, rule.id],
    );
  };
  const read = (version: number) =>
    readBacktest(services, { ...organization.owner, now: clock.now() }, { ruleId: rule.id, version });
  return { services, clock, organization, income, taxes, operating, split, rule, move, read };
}

test("the active version moves in the backtest what it really moved, and another is told beside it", async () => {
  const { clock, organization, income, taxes, operating, split, rule, move, read } = await arrange();
  const deposits = [400_000, 100_001, 20_000];
  for (const cents of deposits) {
    clock.advance(8 * DAY_MS);
    await organization.deposit(income, cents);
    clock.advance(1_000);
    const share = Math.floor(cents / 4);
    await move(income, taxes, share, true);
    await move(income, operating, cents - share, true);
  }
  clock.advance(DAY_MS);
  await rule.edit(split(27, 50_000));

  const view = await read(2);
  expect(view.active).toMatchObject({
    version: 1,
    occasions: { arrivals: 3, scheduled: 0, asked: 0 },
    movedInCents: 520_001,
    brokeOff: 0,
    lowest: { balanceInCents: 0 },
  });
  expect(view.version).toMatchObject({
    version: 2,
    occasions: { arrivals: 2 },
    movedInCents: 500_001,
  });
  expect(view.destinations).toEqual([
    { accountId: taxes, name: "Taxes", inCents: 108_000 + 27_000, activeInCents: 100_000 + 25_000 + 5_000 },
    { accountId: operating, name: "Operating", inCents: 292_000 + 73_001, activeInCents: 390_001 },
  ]);
  expect(view.weeks.flatMap((week) => week.movedInCents).reduce((sum, cents) => sum + cents)).toBe(500_001);
  expect(view).toMatchObject({ sourceName: "Client payments", asToday: [], isCut: false });
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

test("without a deposit there is nothing to tell, and weeks stand empty", async () => {
  const { clock, read } = await arrange();
  clock.advance(DAY_MS);
  const view = await read(1);
  expect(view.version.occasions).toEqual({ arrivals: 0, scheduled: 0, asked: 0 });
  expect(view.weeks.length).toBeGreaterThanOrEqual(13);
});

test("what others moved stays as it was, and what came before the 90 days is in the opening balance", async () => {
  const { clock, organization, income, taxes, move, read } = await arrange();
  await organization.deposit(income, 70_000);
  clock.advance(100 * DAY_MS);
  await organization.deposit(income, 100_000);
  clock.advance(1_000);
  await move(income, taxes, 60_000, false);
  clock.advance(DAY_MS);
  const view = await read(1);
  // The first run empties the account; the other's transfer then takes what is not there.
  expect(view.version).toMatchObject({ movedInCents: 170_000, lowest: { balanceInCents: -60_000 } });
});

test("runs that somebody asked for are occasions, with their amounts", async () => {
  const { clock, organization, rule, read, operating } = await arrange();
  clock.advance(DAY_MS);
  await organization.deposit(operating, 1_000);
  const write = (status: string, minutesAgo: number) =>
    database.ownerPool.query(
      `insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode,
         trigger_details, created_at, base)
       values ($1, id_at(gen_random_uuid(), $2), $3, 1, $4, 'LIVE', '{"type": "MANUAL", "amountInCents": 5000}', $2,
         '{"mode": "LIVE", "incomingAmountInCents": 5000}')`,
      [organization.organizationId, new Date(clock.now().getTime() - minutesAgo * 60_000), rule.id, status],
    );
  await write("EXECUTED", 3);
  await write("APPROVAL_DENIED", 2);
  const view = await read(1);
  expect(view.version.occasions).toEqual({ arrivals: 0, scheduled: 0, asked: 1 });
});

test("another organization's rule, and a version that was never written, are not found", async () => {
  const one = await arrange();
  const other = await arrange();
  await expect(
    readBacktest(other.services, other.organization.owner, { ruleId: one.rule.id, version: 1 }),
  ).rejects.toMatchObject({ code: "RULE_NOT_FOUND" });
  await expect(one.read(2)).rejects.toMatchObject({ code: "RULE_NOT_FOUND" });
});
