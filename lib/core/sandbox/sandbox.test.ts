import { expect, test } from "vitest";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { LONGEST_JUMP_MS, moveClock } from "@/lib/core/sandbox/move-clock";
import { bookByBank, makeDeposit, sendBack, silenceBank } from "@/lib/core/sandbox/play-bank";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { businessTime } from "@/lib/platform/clock";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS, createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readActions } from "@/lib/views/sandbox/read-actions";

/**
 * Controls of the simulated bank. Risks: unbalanced books, a clock that goes back, an order sent twice after silence.
 */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const database = useTestDatabase();

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
  const sandbox = createTestSandbox(services);
  const { organizationId } = organization;

  /** The member's context as a new request has it: the clock is read from the organization. */
  async function mara() {
    const { rows } = await database.pool.query<{ clockOffsetMs: number }>(
      `select clock_offset_ms as "clockOffsetMs" from organizations where id = $1`,
      [organizationId],
    );
    return { ...organization.owner, now: businessTime(services.clock, rows[0]?.clockOffsetMs ?? 0) };
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
    checking,
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

test("a deposit lists the rules it triggered", async () => {
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
  expect((await readActions({ services, context: organization.owner }))[0]?.setOff).toEqual({
    count: 0,
    runs: [],
  });
  await work();
  const { rows } = await database.pool.query("select id from rule_executions where rule_id = $1", [ruleId]);
  const [reported] = await readActions({ services, context: organization.owner });
  expect(reported?.setOff).toEqual({
    count: 1,
    runs: [{ ruleName: "Set aside", href: `/rules/${ruleId}/runs/${rows[0].id}` }],
  });
});

test("a deposit arrives once, however often the bank reports it", async () => {
  const { services, sandbox, mara, pod, work, balanceOf, booksAreRight, organization, organizationId } =
    await arrange();
  await makeDeposit(services, sandbox, await mara(), { ...deposit, accountId: pod });
  await Promise.all([work(), work(), work()]);
  expect(await balanceOf(pod)).toBe(1_210_000);
  const [reported] = await readActions({ services, context: organization.owner });
  expect(reported).toMatchObject({ memberName: "Mara", outcome: { settled: 1 } });
  const { rows } = await database.pool.query(
    `select direction, origin,
        counterparty_name as "counterpartyName" from transfers where organization_id = $1 and amount_in_cents = 710000`,
    [organizationId],
  );
  expect(rows).toEqual([
    { direction: "MONEY_IN", origin: "DIRECT_DEPOSIT", counterpartyName: "Halden Health" },
  ]);
  await booksAreRight();
});

test("a check clears on the next banking day, not before", async () => {
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

test("a pending transfer is returned instead of settling, and its hold is released", async () => {
  const { services, sandbox, mara, work, payOut, moveOn, statusOf, balanceOf, pod, booksAreRight } =
    await arrange();
  const { id } = await payOut(64_000);
  await moveOn(BANK_WINDOW_MS);
  // Only an account that money is drawn from can have too little.
  await expect(
    sendBack(services, sandbox, await mara(), { transferId: id, code: "R01" }),
  ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  await sendBack(services, sandbox, await mara(), { transferId: id, code: "R03" });
  await work();
  expect(await statusOf(id)).toBe("FAILED");
  await moveOn(7 * DAY_MS);
  expect(await statusOf(id)).toBe("FAILED");
  expect(await balanceOf(pod)).toBe(500_000);
  await booksAreRight();
});

test("a settled transfer is returned by an entry of its own, once", async () => {
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

test("a returned deposit restores the account's balance", async () => {
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

test("a fee and interest are on the bank's statement and not in the books", async () => {
  const { services, sandbox, bank, mara, pod, balanceOf, organizationId } = await arrange();
  const context = await mara();
  await bookByBank(services, sandbox, context, { as: "FEE", amountInCents: 1_500 });
  await bookByBank(services, sandbox, context, { as: "INTEREST", amountInCents: 204 });
  const asked = { organizationId, businessNow: context.now };
  const { lines } = await bank.statement({ ...asked, from: new Date(0), cursor: null, limit: 10 });
  const seen = lines.map(({ kind, amountInCents }) => `${kind} ${amountInCents}`).toSorted();
  expect(seen).toEqual(["FEE -1500", "INTEREST 204"]);
  expect(await bank.balance(asked)).toMatchObject({ currentInCents: -1_296 });
  expect(await balanceOf(pod)).toBe(500_000);
  const actions = await readActions({ services, context });
  expect(actions.map(({ action }) => action.kind)).toEqual(["BOOKED_BY_BANK", "BOOKED_BY_BANK"]);
});

test("the clock goes only forward, not too far at once, and only in this organization", async () => {
  const { services, sandbox, mara, organizationId } = await arrange();
  const other = await arrange();
  const context = await mara();
  const after = (ms: number) => new Date(context.now.getTime() + ms);
  for (const toAt of [after(0), after(-1), after(LONGEST_JUMP_MS + 1), new Date(Number.NaN)]) {
    await expect(moveClock(services, sandbox, context, toAt)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  }
  // A repeated click or an outdated page: the latest moment remains.
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

test("a clock move is listed among the organization's changes, with the member and both times", async () => {
  const { services, sandbox, mara } = await arrange();
  const context = await mara();
  const toAt = new Date(context.now.getTime() + 3 * DAY_MS);
  await moveClock(services, sandbox, context, toAt);
  expect(await readRecordedChanges(database, context.organizationId)).toMatchObject([
    {
      kind: "CLOCK_MOVED",
      before: context.now.toISOString(),
      after: toAt.toISOString(),
      byName: "Mara",
      at: toAt,
    },
  ]);
});

test("due work follows the moved clock: yesterday's proposal expires", async () => {
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

test("viewers cannot control the sandbox, and no one can where any provider is real", async () => {
  const { services, sandbox, organization, pod } = await arrange();
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const accountant = await organization.addMember("ACCOUNTANT", "Ada");
  const denied = { code: "ACCESS_DENIED" };
  const drive = (context: typeof viewer, world: typeof sandbox | null) => [
    () => moveClock(services, world, context, new Date(context.now.getTime() + DAY_MS)),
    () => makeDeposit(services, world, context, { ...deposit, accountId: pod }),
    () => sendBack(services, world, context, { transferId: pod, code: "R01" }),
    () => bookByBank(services, world, context, { as: "FEE", amountInCents: 1_500 }),
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

test("another organization's transfers cannot be returned", async () => {
  const { services, sandbox, mara } = await arrange();
  const other = await arrange();
  const { id } = await other.payOut(64_000);
  await other.work();
  await expect(
    sendBack(services, sandbox, await mara(), { transferId: id, code: "R01" }),
  ).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
});

test("a moved clock carries out what falls due on the way, in order and at its own time", async () => {
  const { services, sandbox, mara, organization, pod, checking, balanceOf } = await arrange();
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const { context: key } = await organization.addKey([...anythingWithRules(false), moveAnything(false)]);
  const setAside = {
    actions: [
      {
        type: "PERCENTAGE",
        sourceAccountId: pod,
        destinationAccountId: taxes,
        group: 0,
        percentage: 10,
        of: "SOURCE_BALANCE",
      },
    ],
  };
  const schedule = { frequency: "DAILY", startAt: "2026-01-01T00:00:00Z", timeZone: "America/New_York" };
  const ruleId = await writeRule(services, key, {
    trigger: ruleDefinitionSchema.shape.trigger.parse({ type: "SCHEDULED", accountId: pod, schedule }),
    steps: [setAside],
  });
  await makeActive(database, ruleId, new Date("2026-01-16T14:00:00.000Z"));
  // Pulled on Thursday, arrives on Tuesday at 08:30, since Monday is a holiday; the rule runs daily at 09:00.
  const pull = await askTransfer(services, key, {
    sourceAccountId: checking,
    destinationAccountId: pod,
    amountInCents: 100_000,
  });
  const context = await mara();
  await moveClock(services, sandbox, context, new Date("2026-01-21T17:00:00.000Z"));

  const { rows } = await database.pool.query(
    `select e.created_at as at, e.trigger_details ->> 'scheduledTime' as scheduled, t.amount_in_cents as cents
       from rule_executions e join transfers t on t.rule_execution_id = e.id
      where e.rule_id = $1 order by e.created_at`,
    [ruleId],
  );
  const days = ["16", "17", "18", "19", "20", "21"];
  expect(rows.map(({ at, scheduled }) => [at.toISOString(), scheduled])).toEqual(
    days.map((day) => [`2026-01-${day}T14:00:00.000Z`, `2026-01-${day}T14:00:00.000Z`]),
  );
  // A tenth of the remaining balance each day, including the arrival from Tuesday on.
  expect(rows.map(({ cents }) => cents)).toEqual([50_000, 45_000, 40_500, 36_450, 42_805, 38_524]);
  const { rows: settled } = await database.pool.query(
    `select completed_at as "completedAt" from transfers
  where id = $1`,
    [pull.id],
  );
  expect(settled[0].completedAt.toISOString()).toBe("2026-01-20T13:30:00.000Z");
  const { rows: skipped } = await database.pool.query("select from rule_skipped_times where rule_id = $1", [
    ruleId,
  ]);
  expect(skipped).toEqual([]);
  expect(await balanceOf(pod)).toBe(346_721);
  expect((await mara()).now.toISOString()).toBe("2026-01-21T17:00:00.000Z");
  const [reported] = await readActions({ services, context: organization.owner });
  expect(reported?.outcome.settled).toBe(days.length + 1);
  expect(reported?.setOff.count).toBe(days.length);
});
