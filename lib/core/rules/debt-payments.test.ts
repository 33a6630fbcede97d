/**
 * Goal: rules that pay a debt's statement and minimum daily never overpay, over months of purchases, late or incomplete
 * refreshes, payments by hand, returns and races. Method: the test keeps a card and a loan as their bank does, and adds
 * up transfers by the statement or due date reported when they were accepted, without reading what Sluice computed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeBalances } from "@/lib/core/connections/write-balances";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

interface Terms {
  balanceInCents: number;
  lastStatementBalanceInCents: number | null;
  lastStatementDate: string | null;
  nextPaymentMinimumInCents: number;
  nextPaymentDueDate: string | null;
}

async function arrange() {
  const { services, clock } = createTestServices(database);
  clock.set(new Date("2026-01-05T15:00:00.000Z"));
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 90_000_000,
  });
  const debt = (name: string) =>
    organization.addAccount({
      name,
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
      balanceInCents: 0,
    });
  const [card, loan] = [await debt("Card"), await debt("Loan")];
  const key = await organization.addKey([...anythingWithRules(false), moveAnything(false)]);
  const context = () => ({ ...key.context, now: services.clock.now() });
  const pay = async (
    type: "LAST_STATEMENT_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "TOTAL_AMOUNT_DUE" | "SNOWBALL",
    destinationAccountId: string,
  ) => {
    const to =
      type === "SNOWBALL"
        ? { destinationAccountIds: [destinationAccountId], amountInCents: 500_000, upTo: true }
        : { destinationAccountId };
    const action = { type, sourceAccountId: operating, group: 0, ...to };
    const ruleId = await writeRule(services, context(), {
      trigger: { type: "MANUAL", accountId: operating },
      steps: [{ actions: [action] }],
    });
    await makeActive(database, ruleId);
    return ruleId;
  };
  const rules = {
    statement: await pay("LAST_STATEMENT_BALANCE", card),
    cardMinimum: await pay("NEXT_PAYMENT_MINIMUM", card),
    loanMinimum: await pay("NEXT_PAYMENT_MINIMUM", loan),
    cardTotal: await pay("TOTAL_AMOUNT_DUE", card),
    loanBudget: await pay("SNOWBALL", loan),
  };
  const bank = createSandboxBank(database.pool);
  const settle = async () => {
    await submitDueTransfers(services, bank, 50);
    await collectBankNotices(services, bank, 50);
  };
  /** Reports these terms as the provider's, as of now. */
  const publish = (accountId: string, terms: Terms) =>
    writeBalances(services.pool, organizationId, new Map([[accountId, accountId]]), [
      {
        providerAccountId: accountId,
        availableBalanceInCents: null,
        interestRatePercentage: null,
        originalLoanAmountInCents: null,
        asOf: clock.now(),
        ...terms,
      },
    ]);
  const run = async (...ruleIds: string[]) => {
    for (const ruleId of ruleIds) await askRun(services, context(), ruleId);
    // Two workers at once: neither may repeat a payment that the other has not committed yet.
    await Promise.all([runDueRules(services, 1), runDueRules(services, 8)]);
    await runDueRules(services, 8);
  };
  const payByHand = (accountId: string, amountInCents: number) =>
    askTransfer(services, context(), {
      sourceAccountId: operating,
      destinationAccountId: accountId,
      amountInCents,
    });
  const payments = async (accountId: string) => {
    const { rows } = await database.pool.query<{
      amount: number;
      status: string;
      origin: string;
      acceptedAt: Date;
      completedAt: Date | null;
    }>(
      `select amount_in_cents as amount, status, origin, accepted_at as "acceptedAt",
          completed_at as "completedAt" from transfers
        where organization_id = $1 and destination_account_id = $2 order by id`,
      [organizationId, accountId],
    );
    return rows;
  };
  const facts = async (ruleId: string, accountId: string) => {
    const { rows } = await database.pool.query("select definition from rule_versions where rule_id = $1", [
      ruleId,
    ]);
    const where = { organizationId, now: clock.now(), timeZone: "America/New_York" };
    const read = await readRuleFacts(database.pool, where, { ruleId, definition: rows[0].definition }, false);
    return read.accounts[accountId];
  };
  /** The institution lists our latest payment of this amount. */
  const show = async (accountId: string, amountInCents: number) => {
    await database.ownerPool.query(
      `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
          direction, status, description, transaction_date, created_at, updated_at, transfer_id)
       select organization_id, gen_random_uuid(), $1, gen_random_uuid()::text, $2, 'MONEY_IN', 'COMPLETE', 'Payment',
          completed_at, $3, $3, id
         from transfers where destination_account_id = $1 and amount_in_cents = $2 and status = 'COMPLETE'
        order by id desc limit 1`,
      [accountId, amountInCents, clock.now()],
    );
  };
  return { organizationId, clock, card, loan, rules, settle, publish, show, run, payByHand, payments, facts };
}

const COUNTS = new Set(["PROCESSING", "COMPLETE"]);
const sum = (amounts: readonly { amount: number; status: string }[]) =>
  amounts.reduce((total, { amount, status }) => total + (COUNTS.has(status) ? amount : 0), 0);

/** A card whose statement closes on the 18th and is due on the 13th of the next month. */
const CARD_MINIMUM = (statement: number) => Math.min(Math.max(0, statement), 3_500);
const monthLater = (date: string, months: number, day: string) => {
  const [year = 0, month = 0] = date.split("-").map(Number);
  return `${new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7)}-${day}`;
};

const dayArbitrary = fc.record({
  purchase: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 100, max: 90_000 })),
  refreshes: fc.nat(3).map((chance) => chance > 0),
  /** The reported balance does not include recent settlements. */
  lags: fc.boolean(),
  byHand: fc.nat(40).map((chance) => (chance === 1 ? 12_345 : 0)),
  /** The provider omits the due date once. */
  forgetsDueDate: fc.nat(20).map((chance) => chance === 1),
});
const monthsArbitrary = fc.record({
  days: fc.array(dayArbitrary, { minLength: 45, maxLength: 80 }),
  reportedAfterDays: fc.nat(2),
  loanPayment: fc.integer({ min: 10_000, max: 80_000 }),
  loanDueDay: fc.integer({ min: 1, max: 28 }),
});

const THE_18TH: Terms = {
  balanceInCents: 300_000,
  lastStatementBalanceInCents: 161_362,
  lastStatementDate: "2026-01-05",
  nextPaymentMinimumInCents: 3_500,
  nextPaymentDueDate: "2026-01-30",
};

describe("a payment of a statement", () => {
  it("counts whether or not a refresh shows it, even on the statement's own date, but not after its return", async () => {
    const { clock, card, rules, settle, publish, run, payByHand, payments, facts } = await arrange();
    await publish(card, THE_18TH);
    await run(rules.statement);
    // Pending; settled but not reported; reported; reported by a late refresh.
    for (const balanceInCents of [300_000, 300_000, 211_590, 284_640]) {
      expect((await facts(rules.statement, card))?.paid?.ofStatementInCents).toBe(161_362);
      await run(rules.statement);
      clock.advance(DAY_MS);
      await settle();
      await publish(card, { ...THE_18TH, balanceInCents });
    }
    expect((await payments(card)).map(({ amount, status }) => [amount, status])).toEqual([
      [161_362, "COMPLETE"],
    ]);

    // The next statement closes on the day of a payment, which it may or may not include: it counts at most once.
    await payByHand(card, 20_000);
    clock.advance(DAY_MS);
    await settle();
    const settledOn = clock.now().toISOString().slice(0, 10);
    await publish(card, { ...THE_18TH, lastStatementBalanceInCents: 90_000, lastStatementDate: settledOn });
    expect((await facts(rules.statement, card))?.paid?.ofStatementInCents).toBe(20_000);

    // 700.03 settles and is returned: it is owed again and paid again.
    await publish(card, { ...THE_18TH, lastStatementBalanceInCents: 90_003, lastStatementDate: settledOn });
    await run(rules.statement);
    const amounts = async () => (await payments(card)).slice(2).map(({ amount, status }) => [amount, status]);
    expect(await amounts()).toEqual([[70_003, "PROCESSING"]]);
    for (let day = 0; day < 8; day += 1) {
      clock.advance(DAY_MS);
      await settle();
    }
    expect(await amounts()).toEqual([[70_003, "RETURNED"]]);
    await run(rules.statement);
    expect(await amounts()).toEqual([
      [70_003, "RETURNED"],
      [70_003, "PROCESSING"],
    ]);
  });

  it("from before periods of the minimum were recorded counts from a month before its due date", async () => {
    const { clock, card, rules, settle, publish, run, payments } = await arrange();
    const loan = { ...THE_18TH, lastStatementBalanceInCents: null, lastStatementDate: null };
    await publish(card, loan);
    await run(rules.cardMinimum);
    for (let day = 0; day < 3; day += 1) {
      clock.advance(DAY_MS);
      await settle();
    }
    // Like a database from an older Sluice.
    await database.ownerPool.query(
      "alter table provider_balances disable trigger provider_balances_payment_period",
    );
    await database.ownerPool.query(
      "update provider_balances set payment_period_due_date = null, payment_period_since = null where account_id = $1",
      [card],
    );
    await database.ownerPool.query(
      "alter table provider_balances enable trigger provider_balances_payment_period",
    );
    await run(rules.cardMinimum);
    clock.advance(DAY_MS);
    await publish(card, loan);
    // Reported a few days later: a correction, not another due date.
    await publish(card, { ...loan, nextPaymentDueDate: "2026-02-02" });
    await run(rules.cardMinimum);
    expect((await payments(card)).map(({ amount }) => amount)).toEqual([3_500]);
    await publish(card, { ...loan, nextPaymentDueDate: "2026-03-02" });
    await run(rules.cardMinimum);
    await run(rules.cardMinimum);
    expect((await payments(card)).map(({ amount }) => amount)).toEqual([3_500, 3_500]);
  });
});

it("of each organization are counted to its own accounts, however many are locked together", async () => {
  const [both, shown, sent] = [await arrange(), await arrange(), await arrange()];
  for (const one of [both, shown, sent]) await one.publish(one.card, THE_18TH);
  await both.payByHand(both.card, 1_000);
  await shown.payByHand(shown.card, 2_000);
  for (const one of [both, shown]) {
    for (let day = 0; day < 3; day += 1) {
      one.clock.advance(DAY_MS);
      await one.settle();
    }
    expect(await one.payments(one.card)).toMatchObject([{ status: "COMPLETE" }]);
  }
  await shown.show(shown.card, 2_000);
  shown.clock.advance(DAY_MS);
  await shown.publish(shown.card, THE_18TH);
  await both.payByHand(both.card, 500);
  await sent.payByHand(sent.card, 3_000);
  const asked = [both, shown, sent].flatMap(({ organizationId, card, loan }) => [
    { organizationId, id: card },
    { organizationId, id: loan },
  ]);
  // And an account of another organization, which has none of it.
  asked.push({ organizationId: shown.organizationId, id: sent.card });
  const { rows } = await database.pool.query(
    `select organization_id as "organizationId", id, "onItsWayInCents" from lock_facts('{}', $1, $2)`,
    [asked.map(({ organizationId }) => organizationId), asked.map(({ id }) => id)],
  );
  const byId = (left: { id: string }, right: { id: string }) => left.id.localeCompare(right.id);
  expect(rows.sort(byId)).toEqual(
    [both, shown, sent]
      .flatMap(({ organizationId, card, loan }, index) => [
        { organizationId, id: card, onItsWayInCents: [1_500, 0, 3_000][index] },
        { organizationId, id: loan, onItsWayInCents: 0 },
      ])
      .sort(byId),
  );
});

describe("a payment of the total owed, or of a budget over debts", () => {
  it.each(["TOTAL_AMOUNT_DUE", "SNOWBALL"] as const)(
    "by %s is not repeated while refreshes do not show it, and is made again once more is owed",
    async (type) => {
      const { clock, card, loan, rules, settle, publish, show, run, payments } = await arrange();
      const [debt, rule] = type === "SNOWBALL" ? [loan, rules.loanBudget] : [card, rules.cardTotal];
      const owes = (balanceInCents: number) => publish(debt, { ...THE_18TH, balanceInCents });
      const amounts = async () => (await payments(debt)).map(({ amount }) => amount);
      await owes(300_000);
      await run(rule);
      for (let day = 0; day < 3; day += 1) {
        clock.advance(DAY_MS);
        await settle();
        // The refresh follows the settlement but reports the earlier balance.
        await owes(300_000);
        await run(rule);
      }
      expect(await amounts()).toEqual([300_000]);
      // Once the institution lists the payment, the balance is right; later purchases are owed.
      await show(debt, 300_000);
      await owes(12_000);
      await run(rule);
      expect(await amounts()).toEqual([300_000, 12_000]);
    },
  );

  it.each([
    ["not repeated within exactly five days", 0, [300_000]],
    ["repeated a moment later", 1, [300_000, 300_000]],
  ])("that no refresh shows is %s", async (_, laterMs, expected) => {
    const { clock, card, rules, settle, publish, run, payments } = await arrange();
    const owes = () => publish(card, { ...THE_18TH, balanceInCents: 300_000 });
    const amounts = async () => (await payments(card)).map(({ amount }) => amount);
    await owes();
    await run(rules.cardTotal);
    for (let day = 0; day < 4; day += 1) {
      clock.advance(DAY_MS);
      await settle();
    }
    const [paid] = await payments(card);
    expect(paid).toMatchObject({ status: "COMPLETE" });
    clock.set(new Date((paid?.completedAt?.getTime() ?? 0) + 5 * DAY_MS + laterMs));
    await owes();
    await run(rules.cardTotal);
    expect(await amounts()).toEqual(expected);
  });

  it("counts if it settled after the last report, though the institution lists it already", async () => {
    const { clock, card, rules, settle, publish, show, run, payments } = await arrange();
    await publish(card, { ...THE_18TH, balanceInCents: 300_000 });
    await run(rules.cardTotal);
    for (let day = 0; day < 4; day += 1) {
      clock.advance(DAY_MS);
      await settle();
    }
    await show(card, 300_000);
    await run(rules.cardTotal);
    expect((await payments(card)).map(({ amount, status }) => [amount, status])).toEqual([
      [300_000, "COMPLETE"],
    ]);
  });

  it("is repeated if the institution shows no payment for five days", async () => {
    const { clock, card, rules, settle, publish, run, payments } = await arrange();
    const owes = (balanceInCents: number) => publish(card, { ...THE_18TH, balanceInCents });
    await owes(300_000);
    await run(rules.cardTotal);
    for (let day = 0; day < 9; day += 1) {
      clock.advance(DAY_MS);
      await settle();
    }
    await owes(45_000);
    await run(rules.cardTotal);
    expect((await payments(card)).map(({ amount }) => amount)).toEqual([300_000, 45_000]);
  });
});

describe("a rule that pays a debt every day", () => {
  it("never pays more than the statement, never more than the minimum of a due date", {
    timeout: 600_000,
  }, async () => {
    let statementsPaid = 0;
    await fc.assert(
      fc.asyncProperty(monthsArbitrary, async ({ days, reportedAfterDays, loanPayment, loanDueDay }) => {
        const { clock, card, loan, rules, settle, publish, run, payByHand, payments } = await arrange();
        const opening = 40_000;
        let bought = opening;
        let loanOwed = 4_000_000;
        let closed = { date: "2025-12-18", inCents: opening };
        let loanDue = monthLater("2026-01-05", loanDueDay > 5 ? 0 : 1, String(loanDueDay).padStart(2, "0"));
        const reportedStatements: { at: Date; date: string; inCents: number }[] = [];
        const reportedDueDates: { at: Date; date: string }[] = [];
        for (const [index, day] of days.entries()) {
          clock.advance(DAY_MS);
          await settle();
          const today = clock.now().toISOString().slice(0, 10);
          const paid = await payments(card);
          const arrived = paid.filter(({ status }) => status === "COMPLETE");
          const loanPaid = sum((await payments(loan)).filter(({ status }) => status === "COMPLETE"));
          if (today.slice(8) === "18") closed = { date: today, inCents: bought - sum(arrived) };
          bought += day.purchase;
          if (today >= loanDue) {
            loanDue = monthLater(loanDue, 1, loanDue.slice(8));
            loanOwed += 1_000;
          }
          if (day.refreshes || index === 0) {
            const isReported = reportedStatements.at(-1)?.date === closed.date;
            const age = (Date.parse(today) - Date.parse(closed.date)) / DAY_MS;
            if (!isReported && (age >= reportedAfterDays || index === 0)) {
              reportedStatements.push({ at: clock.now(), ...closed });
            }
            const statement = reportedStatements.at(-1) ?? { at: clock.now(), ...closed };
            const shown = day.lags
              ? arrived.filter(
                  ({ completedAt }) => (completedAt?.getTime() ?? 0) < clock.now().getTime() - DAY_MS,
                )
              : arrived;
            await publish(card, {
              balanceInCents: bought - sum(shown),
              lastStatementBalanceInCents: statement.inCents,
              lastStatementDate: statement.date,
              nextPaymentMinimumInCents: CARD_MINIMUM(statement.inCents),
              nextPaymentDueDate: monthLater(statement.date, 1, "13"),
            });
            if (reportedDueDates.at(-1)?.date !== loanDue)
              reportedDueDates.push({ at: clock.now(), date: loanDue });
            await publish(loan, {
              balanceInCents: loanOwed - loanPaid,
              lastStatementBalanceInCents: null,
              lastStatementDate: null,
              nextPaymentMinimumInCents: loanPayment,
              nextPaymentDueDate: day.forgetsDueDate && index > 0 ? null : loanDue,
            });
          }
          if (day.byHand > 0) await payByHand(card, day.byHand);
          clock.advance(60_000);
          const before = (await payments(card)).length;
          await run(rules.statement, rules.cardMinimum, rules.loanMinimum);
          const all = await payments(card);
          const statement = reportedStatements.at(-1);
          if (statement && all.length > before) {
            const ofStatement = all.filter(({ acceptedAt }) => acceptedAt >= statement.at);
            expect(sum(ofStatement)).toBeLessThanOrEqual(Math.max(0, statement.inCents));
            if (sum(ofStatement) === statement.inCents) statementsPaid += 1;
          }
          const due = reportedDueDates.at(-1);
          const ofDueDate = (await payments(loan)).filter(({ acceptedAt }) => due && acceptedAt >= due.at);
          expect(sum(ofDueDate)).toBeLessThanOrEqual(loanPayment);
        }
        // Guards against paying nothing: every due date except the last has a payment, or a returned one.
        const loanPayments = await payments(loan);
        for (const [index, { at }] of reportedDueDates.slice(0, -1).entries()) {
          const until = reportedDueDates[index + 1]?.at ?? clock.now();
          const own = loanPayments.filter(({ acceptedAt }) => acceptedAt >= at && acceptedAt < until);
          expect(own.length).toBeGreaterThan(0);
        }
      }),
      // Shrinking a history of months takes longer than reading it by hand.
      { numRuns: proofSize(3, 60), seed: proofSeed, endOnFailure: true },
    );
    expect(statementsPaid).toBeGreaterThan(0);
  });
});
