import { afterAll, beforeAll, expect, test } from "vitest";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { createSandboxWorld } from "@/lib/core/sandbox/create-sandbox-world";
import { makeDeposit } from "@/lib/core/sandbox/make-deposit";
import { LONGEST_JUMP_MS, moveClock } from "@/lib/core/sandbox/move-clock";
import { readActions } from "@/lib/core/sandbox/read-actions";
import { sendBack } from "@/lib/core/sandbox/send-back";
import { silenceBank } from "@/lib/core/sandbox/silence-bank";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { businessTime } from "@/lib/platform/clock";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { moveAnything } from "@/lib/testing/api";
import { askTransfer } from "@/lib/testing/ask-transfer";
import { BANK_WINDOW_MS } from "@/lib/testing/bank-window";
import { auditBooks } from "@/lib/testing/conservation";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules";
import { createTestServices } from "@/lib/testing/services";

/**
 * A member who plays the bank. What would be lost: books that a sandbox could unbalance, a clock that goes back, an
 * order that silence sends twice.
 */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 500_000 });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 900_000,
  });
  const { context: key } = await organization.addKey([moveAnything(false)]);
  const bank = createSandboxBank(database.pool);
  const sandbox = createSandboxWorld(database.pool, false);
  const { organizationId } = organization;

  /** The member's context as a request has it now: the clock is read from the organization. */
  async function mara() {
    const { rows } = await database.pool.query<{ clock_offset_ms: number }>(
      "select clock_offset_ms from organizations where id = $1",
      [organizationId],
    );
    return { ...organization.owner, now: businessTime(services.clock, rows[0]?.clock_offset_ms ?? 0) };
  }
  async function work() {
    await bookDueTransfers(services, 50);
    await submitDueTransfers(services, bank, 50);
    await collectBankNotices(services, bank, 50);
  }
  async function moveOn(ms: number) {
    const context = await mara();
    await moveClock(services, sandbox, context, new Date(context.now.getTime() + ms));
    await work();
  }
  async function statusOf(id: string): Promise<string | undefined> {
    const { rows } = await database.pool.query("select status from transfers where id = $1", [id]);
    return rows[0]?.status;
  }
  async function balanceOf(id: string): Promise<number> {
    const { rows } = await database.pool.query(
      "select (credits_in_cents - debits_in_cents)::bigint as balance from ledgers where id = $1",
      [id],
    );
    return rows[0]?.balance;
  }
  const payOut = (amountInCents: number) =>
    askTransfer(services, key, { sourceAccountId: pod, destinationAccountId: checking, amountInCents });
  const booksAreRight = async () => {
    const books = await auditBooks(database, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], wrongHolds: [], negative: [] });
    expect(books.managedInCents).toBe(books.cameInInCents - books.wentOutInCents);
  };
  return {
    services,
    organization,
    organizationId,
    pod,
    bank,
    sandbox,
    mara,
    work,
    moveOn,
    statusOf,
    balanceOf,
    payOut,
    booksAreRight,
  };
}

const deposit = { amountInCents: 710_000, payerName: "Halden Health", origin: "DIRECT_DEPOSIT" } as const;

test("a deposit tells which rules it set off", async () => {
  const { services, sandbox, mara, pod, work, organization } = await arrange();
  const { context } = await organization.addKey(anythingWithRules(true));
  const target = await organization.addAccount({ name: "Aside", type: "POD" });
  const ruleId = await writeRule(services, context, {
    name: "Set aside",
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: pod, minimumAmountInCents: null },
    steps: [
      {
        actions: [
          { type: "FIXED", sourceAccountId: pod, destinationAccountId: target, group: 0, amountInCents: 100 },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  await makeDeposit(services, sandbox, await mara(), { ...deposit, accountId: pod });
  expect((await readActions(services, organization.owner))[0]?.setOff).toEqual({ count: 0, runs: [] });
  await work();
  const { rows } = await database.pool.query("select id from rule_executions where rule_id = $1", [ruleId]);
  const [told] = await readActions(services, organization.owner);
  expect(told?.setOff).toEqual({
    count: 1,
    runs: [{ ruleName: "Set aside", href: `/rules/${ruleId}/runs/${rows[0].id}` }],
  });
});

test("a deposit arrives once, however often the bank tells of it", async () => {
  const { services, sandbox, mara, pod, work, balanceOf, booksAreRight, organization, organizationId } =
    await arrange();
  await makeDeposit(services, sandbox, await mara(), { ...deposit, accountId: pod });
  await Promise.all([work(), work(), work()]);
  expect(await balanceOf(pod)).toBe(1_210_000);
  const [told] = await readActions(services, organization.owner);
  expect(told).toMatchObject({ memberName: "Mara", outcome: { settled: 1 } });
  const { rows } = await database.pool.query(
    "select direction, origin, counterparty_name from transfers where organization_id = $1 and amount_in_cents = 710000",
    [organizationId],
  );
  expect(rows).toEqual([
    { direction: "MONEY_IN", origin: "DIRECT_DEPOSIT", counterparty_name: "Halden Health" },
  ]);
  await booksAreRight();
});

test("a check is there on the next banking day, and not before", async () => {
  const { services, sandbox, mara, pod, work, moveOn, balanceOf } = await arrange();
  await makeDeposit(services, sandbox, await mara(), {
    ...deposit,
    origin: "CHECK_DEPOSIT",
    accountId: pod,
  });
  await work();
  expect(await balanceOf(pod)).toBe(500_000);
  await moveOn(DAY_MS);
  expect(await balanceOf(pod)).toBe(1_210_000);
});

test("money that is under way comes back instead of settling, and its hold is released", async () => {
  const { services, sandbox, mara, work, payOut, moveOn, statusOf, balanceOf, pod, booksAreRight } =
    await arrange();
  const { id } = await payOut(64_000);
  await moveOn(BANK_WINDOW_MS);
  await sendBack(services, sandbox, await mara(), { transferId: id, code: "R03" });
  await work();
  expect(await statusOf(id)).toBe("FAILED");
  await moveOn(7 * DAY_MS);
  expect(await statusOf(id)).toBe("FAILED");
  expect(await balanceOf(pod)).toBe(500_000);
  await booksAreRight();
});

test("money that has settled comes back by a booking of its own, once", async () => {
  const { services, sandbox, mara, work, payOut, moveOn, statusOf, balanceOf, pod, booksAreRight } =
    await arrange();
  const { id } = await payOut(64_000);
  await moveOn(BANK_WINDOW_MS);
  await moveOn(4 * DAY_MS);
  expect(await statusOf(id)).toBe("COMPLETE");
  await sendBack(services, sandbox, await mara(), { transferId: id, code: "R10" });
  await work();
  expect(await statusOf(id)).toBe("RETURNED");
  expect(await balanceOf(pod)).toBe(500_000);
  await expect(
    sendBack(services, sandbox, await mara(), { transferId: id, code: "R10" }),
  ).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
  await booksAreRight();
});

test("a deposit that is taken back leaves the account where it was", async () => {
  const { services, sandbox, mara, pod, work, balanceOf, organizationId, booksAreRight } = await arrange();
  await makeDeposit(services, sandbox, await mara(), { ...deposit, accountId: pod });
  await work();
  const { rows } = await database.pool.query(
    "select id from transfers where organization_id = $1 and amount_in_cents = 710000",
    [organizationId],
  );
  await sendBack(services, sandbox, await mara(), { transferId: rows[0]?.id, code: "R10" });
  await work();
  expect(await balanceOf(pod)).toBe(500_000);
  await booksAreRight();
});

test("a silent bank delays an order and never gets it twice", async () => {
  const { services, sandbox, mara, payOut, moveOn, statusOf, balanceOf, pod, organizationId } =
    await arrange();
  await silenceBank(services, sandbox, await mara(), 60);
  const { id } = await payOut(64_000);
  await moveOn(BANK_WINDOW_MS);
  const orders = () =>
    database.pool.query("select from sandbox_bank_orders where organization_id = $1", [organizationId]);
  expect((await orders()).rowCount).toBe(0);
  expect(await statusOf(id)).toBe("PROCESSING");
  await moveOn(2 * HOUR_MS);
  await moveOn(4 * DAY_MS);
  await moveOn(4 * DAY_MS);
  expect((await orders()).rowCount).toBe(1);
  expect(await statusOf(id)).toBe("COMPLETE");
  expect(await balanceOf(pod)).toBe(436_000);
});

test("the clock goes forward only, not too far at once, and only here", async () => {
  const { services, sandbox, mara, organizationId } = await arrange();
  const other = await arrange();
  const context = await mara();
  const after = (ms: number) => new Date(context.now.getTime() + ms);
  for (const toAt of [after(0), after(-1), after(LONGEST_JUMP_MS + 1), new Date(Number.NaN)]) {
    await expect(moveClock(services, sandbox, context, toAt)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  }
  // The same click twice, and an older page: the latest moment stands.
  await Promise.all([
    moveClock(services, sandbox, context, after(3 * DAY_MS)),
    moveClock(services, sandbox, context, after(3 * DAY_MS)),
    moveClock(services, sandbox, context, after(DAY_MS)),
  ]);
  expect((await mara()).now).toEqual(after(3 * DAY_MS));
  expect((await other.mara()).now).toEqual(services.clock.now());
  const { rows } = await database.pool.query("select from sandbox_actions where organization_id = $1", [
    organizationId,
  ]);
  expect(rows).toHaveLength(3);
});

test("what is due by the moved clock happens: a proposal of yesterday expires", async () => {
  const { services, organization, mara, sandbox, pod, statusOf } = await arrange();
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const { context: asking } = await organization.addKey([moveAnything(true)]);
  const proposal = await askTransfer(services, asking, {
    sourceAccountId: pod,
    destinationAccountId: taxes,
    amountInCents: 5_000,
  });
  const context = await mara();
  await moveClock(services, sandbox, context, new Date(context.now.getTime() + 25 * HOUR_MS));
  await expireProposals(services, 100);
  expect(await statusOf(proposal.id)).toBe("APPROVAL_DENIED");
});

test("those who may not decide about money do not drive, and where anything is real nobody does", async () => {
  const { services, sandbox, organization, pod } = await arrange();
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const accountant = await organization.addMember("ACCOUNTANT", "Ada");
  const denied = { code: "ACCESS_DENIED" };
  const drive = (context: typeof viewer, world: typeof sandbox | null) => [
    () => moveClock(services, world, context, new Date(context.now.getTime() + DAY_MS)),
    () => makeDeposit(services, world, context, { ...deposit, accountId: pod }),
    () => sendBack(services, world, context, { transferId: pod, code: "R01" }),
    () => silenceBank(services, world, context, 10),
  ];
  for (const act of [
    ...drive(viewer, sandbox),
    ...drive(accountant, sandbox),
    ...drive(organization.owner, null),
  ]) {
    await expect(act()).rejects.toMatchObject(denied);
  }
});

test("another organization's money cannot be sent back", async () => {
  const { services, sandbox, mara } = await arrange();
  const other = await arrange();
  const { id } = await other.payOut(64_000);
  await other.work();
  await expect(
    sendBack(services, sandbox, await mara(), { transferId: id, code: "R01" }),
  ).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
});
