import { v7 as uuidv7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "@/lib/db/transaction";
import { type BankOrder, type BankPort, BankUnavailable, MAX_NOTICES } from "@/lib/ports/bank/bank-port";
import { describeBankPort } from "@/lib/ports/bank/bank-port.contract";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createTestDatabase, openTestDatabase, useTestDatabase } from "@/lib/testing/database";

const DAY_MS = 86_400_000;
/** Friday 20 November 2026, 10:00 in New York. A CREDIT settles on Monday at 08:30, a DEBIT on Tuesday. */
const FRIDAY = new Date("2026-11-20T15:00:00Z");
const MONDAY_POSTED = new Date("2026-11-23T13:30:00Z");
const TUESDAY_POSTED = new Date("2026-11-24T13:30:00Z");
const WEDNESDAY_POSTED = new Date("2026-11-25T13:30:00Z");
const justBefore = (instant: Date) => new Date(instant.getTime() - 1);

const database = useTestDatabase();
let bank: BankPort;

beforeAll(async () => {
  bank = createSandboxBank(database.pool);
});

async function createOrganization(clockOffsetMs = 0): Promise<string> {
  const id = uuidv7();
  await database.ownerPool.query(
    `insert into organizations (id, name, kind, time_zone, clock_offset_ms, clearing_ledger_id,
                                default_beneficiary_id, created_at)
     values ($1, 'Northwind Studio', 'BUSINESS', 'America/New_York', $2, $3, $4, $5)`,
    [id, clockOffsetMs, uuidv7(), uuidv7(), FRIDAY],
  );
  return id;
}

function newOrder(
  organizationId: string,
  amountInCents: number,
  direction: BankOrder["direction"] = "CREDIT",
) {
  const outsideAccount = {
    name: "First Harbor",
    routingNumberLast4: "0021",
    accountNumberLast4: "8812",
    bankReference: null,
  };
  const label = "Quarterly tax";
  return { transferId: uuidv7(), organizationId, direction, amountInCents, label, outsideAccount };
}

/** The order's state and its readable notices at a business time. */
async function inspect({ organizationId, transferId }: BankOrder, businessNow: Date) {
  const found = await bank.find({ organizationId, transferId, businessNow });
  const notices = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
  return {
    state: found?.state,
    code: found?.code,
    notices: notices.map((notice) => `${notice.kind} ${"code" in notice ? notice.code : null}`),
  };
}

async function acknowledgeAll(organizationId: string, businessNow: Date): Promise<string[]> {
  const notices = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
  const noticeReferences = notices.map((notice) => notice.noticeReference);
  await bank.acknowledge({ organizationId, noticeReferences, businessNow });
  return noticeReferences;
}

describeBankPort("The sandbox bank", () => ({
  bank,
  startsAt: FRIDAY,
  createOrganization: () => createOrganization(),
  advanceTo: async () => undefined,
}));

describe("magic amounts", () => {
  test("x.01 is refused with R03, again when asked again, and reports nothing", async () => {
    const order = newOrder(await createOrganization(), 64_001);
    const answer = await bank.submit(order, { businessNow: FRIDAY });
    expect(answer).toMatchObject({ kind: "REFUSED", code: "R03" });
    expect(await bank.submit(order, { businessNow: FRIDAY })).toEqual(answer);
    expect(await inspect(order, TUESDAY_POSTED)).toEqual({ state: "REFUSED", code: "R03", notices: [] });
  });

  test.each([
    [2, "R16"],
    [6, "R02"],
  ])("x.0%d is returned with %s instead of settling", async (cents, code) => {
    const order = newOrder(await createOrganization(), 90_000 + cents);
    expect(await bank.submit(order, { businessNow: FRIDAY })).toMatchObject({ kind: "ACCEPTED" });
    expect(await inspect(order, justBefore(MONDAY_POSTED))).toEqual({
      state: "PENDING",
      code: null,
      notices: [],
    });
    expect(await inspect(order, MONDAY_POSTED)).toEqual({
      state: "RETURNED",
      code,
      notices: [`RETURNED ${code}`],
    });
  });

  test("x.03 settles, and is returned with R10 two banking days later", async () => {
    const order = newOrder(await createOrganization(), 90_003);
    await bank.submit(order, { businessNow: FRIDAY });
    const settled = { state: "SETTLED", code: null, notices: ["SETTLED null"] };
    expect(await inspect(order, MONDAY_POSTED)).toEqual(settled);
    expect(await inspect(order, justBefore(WEDNESDAY_POSTED))).toEqual(settled);
    expect(await inspect(order, WEDNESDAY_POSTED)).toEqual({
      state: "RETURNED",
      code: "R10",
      notices: ["SETTLED null", "RETURNED R10"],
    });
  });

  test("x.04 is recorded although the answer is lost, and asking tells", async () => {
    const order = newOrder(await createOrganization(), 90_004);
    await expect(bank.submit(order, { businessNow: FRIDAY })).rejects.toThrow(BankUnavailable);
    expect(await inspect(order, FRIDAY)).toEqual({ state: "PENDING", code: null, notices: [] });
    expect(await bank.submit(order, { businessNow: FRIDAY })).toMatchObject({ kind: "ACCEPTED" });
    expect(await inspect(order, MONDAY_POSTED)).toMatchObject({
      state: "SETTLED",
      notices: ["SETTLED null"],
    });
  });

  test("x.05 never arrives the first time; the second submission gets through", async () => {
    const order = newOrder(await createOrganization(), 90_005);
    const { organizationId, transferId } = order;
    await expect(bank.submit(order, { businessNow: FRIDAY })).rejects.toThrow(BankUnavailable);
    expect(await bank.find({ organizationId, transferId, businessNow: TUESDAY_POSTED })).toBeNull();
    expect(await bank.submit(order, { businessNow: FRIDAY })).toMatchObject({ kind: "ACCEPTED" });
    expect(await inspect(order, MONDAY_POSTED)).toMatchObject({
      state: "SETTLED",
      notices: ["SETTLED null"],
    });
  });

  test.each([4, 5])(
    "twenty concurrent submissions of x.0%d: one gets no answer, one order exists",
    async (cents) => {
      const order = newOrder(await createOrganization(), 90_000 + cents);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => bank.submit(order, { businessNow: FRIDAY })),
      );
      const lost = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(lost).toHaveLength(1);
      expect(lost[0]?.reason).toBeInstanceOf(BankUnavailable);
      expect((await inspect(order, MONDAY_POSTED)).notices).toEqual(["SETTLED null"]);
    },
  );

  test("x.07 pulled in settles and is returned late; paid out it just settles", async () => {
    const pull = newOrder(await createOrganization(), 90_007, "DEBIT");
    await bank.submit(pull, { businessNow: FRIDAY });
    expect(await inspect(pull, TUESDAY_POSTED)).toMatchObject({ state: "SETTLED" });
    expect(await inspect(pull, WEDNESDAY_POSTED)).toMatchObject({ state: "RETURNED", code: "R01" });

    const push = newOrder(await createOrganization(), 90_007);
    await bank.submit(push, { businessNow: FRIDAY });
    expect(await inspect(push, new Date("2027-01-01"))).toMatchObject({ notices: ["SETTLED null"] });
  });

  test("x.08 is reported once more after it was acknowledged, under the same reference", async () => {
    const order = newOrder(await createOrganization(), 90_008);
    await bank.submit(order, { businessNow: FRIDAY });
    const first = await acknowledgeAll(order.organizationId, MONDAY_POSTED);
    expect(first).toHaveLength(1);
    expect(await acknowledgeAll(order.organizationId, MONDAY_POSTED)).toEqual(first);
    expect(await acknowledgeAll(order.organizationId, MONDAY_POSTED)).toEqual([]);
  });

  test("x.09 settles three banking days after the promised day", async () => {
    const order = newOrder(await createOrganization(), 90_009);
    const answer = await bank.submit(order, { businessNow: FRIDAY });
    expect(answer).toMatchObject({
      expectedSettlementDate: "2026-11-23",
      expectedSettlementAt: MONDAY_POSTED,
    });
    // Thanksgiving is in between: Monday plus three banking days is Friday.
    const fridayPosted = new Date("2026-11-27T13:30:00Z");
    expect(await inspect(order, justBefore(fridayPosted))).toMatchObject({ state: "PENDING", notices: [] });
    expect(await inspect(order, fridayPosted)).toMatchObject({ state: "SETTLED", notices: ["SETTLED null"] });
  });
});

describe("another company", () => {
  test("keeps an order although the product's transaction is rolled back", async () => {
    const order = newOrder(await createOrganization(), 90_000);
    const rolledBack = inTransaction(database.pool, async () => {
      await bank.submit(order, { businessNow: FRIDAY });
      throw new Error("the product crashed here");
    });
    await expect(rolledBack).rejects.toThrow("the product crashed here");
    expect(await inspect(order, FRIDAY)).toMatchObject({ state: "PENDING" });
  });

  test("does not let the application forget or rewrite an order", async () => {
    const order = newOrder(await createOrganization(), 90_000);
    await bank.submit(order, { businessNow: FRIDAY });
    for (const statement of [
      "delete from sandbox_bank_orders",
      "update sandbox_bank_orders set amount_in_cents = 1",
      "delete from sandbox_bank_notices",
      "update sandbox_bank_notices set due_at = now()",
      "truncate sandbox_bank_orders cascade",
    ]) {
      await expect(database.pool.query(statement), statement).rejects.toMatchObject({ code: "42501" });
    }
  });

  test("an unreachable bank means an unknown outcome, not a refusal", async () => {
    const gone = await createTestDatabase();
    const unreachable = createSandboxBank(gone.pool);
    const order = newOrder(uuidv7(), 90_000);
    await gone.close();
    const context = { organizationId: order.organizationId, businessNow: FRIDAY };
    await expect(unreachable.submit(order, context)).rejects.toThrow(BankUnavailable);
    const { transferId } = order;
    await expect(unreachable.find({ ...context, transferId })).rejects.toThrow(BankUnavailable);
    await expect(unreachable.notices({ ...context, limit: 1 })).rejects.toThrow(BankUnavailable);
  });

  test("a notice that is not due cannot be acknowledged ahead", async () => {
    const order = newOrder(await createOrganization(), 90_000);
    const { organizationId } = order;
    await bank.submit(order, { businessNow: FRIDAY });
    const { rows } = await database.ownerPool.query<{ noticeReference: string }>(
      `select notice_reference as "noticeReference" from sandbox_bank_notices where organization_id = $1`,
      [organizationId],
    );
    const noticeReferences = rows.map((row) => row.noticeReference);
    expect(noticeReferences).toHaveLength(1);
    await bank.acknowledge({ organizationId, noticeReferences, businessNow: justBefore(MONDAY_POSTED) });
    expect((await inspect(order, MONDAY_POSTED)).notices).toHaveLength(1);
  });

  test("twenty concurrent acknowledgments of one duplicate use at most its two deliveries", async () => {
    const order = newOrder(await createOrganization(), 90_008);
    const { organizationId } = order;
    await bank.submit(order, { businessNow: FRIDAY });
    const notices = await bank.notices({ organizationId, businessNow: MONDAY_POSTED, limit: 10 });
    const noticeReferences = notices.map((notice) => notice.noticeReference);
    const acknowledging = Array.from({ length: 20 }, () =>
      bank.acknowledge({ organizationId, noticeReferences, businessNow: MONDAY_POSTED }),
    );
    await Promise.all(acknowledging);
    expect((await inspect(order, MONDAY_POSTED)).notices).toEqual([]);
  });
});

describe("polling over organizations", () => {
  const polledAt = (realNow: Date, limit = MAX_NOTICES) => bank.organizationsWithNotices({ realNow, limit });

  test("a moved clock makes its own organization's notices due, and nobody else's", async () => {
    const here = await createOrganization();
    const threeDaysOn = await createOrganization(3 * DAY_MS);
    await bank.submit(newOrder(here, 90_000), { businessNow: FRIDAY });
    await bank.submit(newOrder(threeDaysOn, 90_000), { businessNow: FRIDAY });

    // In real time it is still Friday; three days on it is Monday, 10:00.
    const polled = await polledAt(FRIDAY);
    expect(polled).toContain(threeDaysOn);
    expect(polled).not.toContain(here);
    expect(await polledAt(MONDAY_POSTED)).toEqual(expect.arrayContaining([here, threeDaysOn]));
  });

  test("one millisecond before the moved clock reaches it, a notice is not due", async () => {
    const organizationId = await createOrganization(DAY_MS);
    await bank.submit(newOrder(organizationId, 90_000), { businessNow: FRIDAY });
    const reachesIt = new Date(MONDAY_POSTED.getTime() - DAY_MS);
    expect(await polledAt(justBefore(reachesIt))).not.toContain(organizationId);
    expect(await polledAt(reachesIt)).toContain(organizationId);
  });

  test("an organization with many notices is listed once, and the longest due comes first", async () => {
    const own = await openTestDatabase();
    const quiet = createSandboxBank(own.pool);
    const late = uuidv7();
    const early = uuidv7();
    for (const submittedAt of [FRIDAY, FRIDAY, new Date(FRIDAY.getTime() + DAY_MS)]) {
      await quiet.submit(newOrder(early, 90_000), { businessNow: submittedAt });
    }
    await quiet.submit(newOrder(late, 90_000), { businessNow: new Date(FRIDAY.getTime() + 4 * DAY_MS) });
    const realNow = new Date("2026-12-10T00:00:00Z");
    expect(await quiet.organizationsWithNotices({ realNow, limit: 10 })).toEqual([early, late]);
    expect(await quiet.organizationsWithNotices({ realNow, limit: 1 })).toEqual([early]);
  });
});
