/**
 * Goal: a field of an object that Increase does not write as documented hides nothing else, and is read again once it is.
 * Method: the adapter against the emulator, which answers with such fields and then without.
 */

import Increase from "increase";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, onTestFinished, test } from "vitest";
import { BankUnavailable, MAX_NOTICES } from "@/lib/ports/bank/bank-port";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { createTestDatabase } from "@/lib/testing/database";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const FRIDAY = new Date("2026-11-20T15:00:00Z");
const API_KEY = "emulated";
const HOUR_MS = 3_600_000;

/** An order that has settled, of which no news was read yet. */
async function arrange() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const emulator = await openIncreaseEmulator({
    startsAt: FRIDAY,
    apiKey: API_KEY,
    openingInCents: 1_000_000,
  });
  onTestFinished(() => emulator.close());
  const { odd } = emulator;
  const setting = { apiKey: API_KEY, environment: "sandbox", baseUrl: emulator.url } as const;
  const bank = createIncreaseBank(database.pool, setting);
  const increase = new Increase({ apiKey: API_KEY, baseURL: emulator.url, maxRetries: 0 });
  const [organizationId, transferId] = [uuidv7(), uuidv7()];
  const account = { organizationId, accountId: uuidv7(), name: "Income", businessNow: FRIDAY };
  await bank.openAccount(account);
  const outside = newOutsideAccount(organizationId);
  const outsideAccount = { name: "Print shop", ...(await bank.registerOutsideAccount(outside)) };
  const amount = { direction: "CREDIT", amountInCents: 5_000, label: null } as const;
  await bank.submit({ transferId, organizationId, ...amount, outsideAccount }, { businessNow: FRIDAY });
  const [order] = (await increase.achTransfers.list()).data;
  if (!order) throw new Error("An order was sent");
  await increase.simulations.achTransfers.submit(order.id);
  await increase.simulations.achTransfers.settle(order.id, {});
  /** The kinds of what is new. */
  const news = async () => {
    const businessNow = emulator.now();
    const notices = await bank.notices({ organizationId, businessNow, limit: MAX_NOTICES });
    const noticeReferences = notices.map((notice) => notice.noticeReference);
    await bank.acknowledge({ organizationId, noticeReferences, businessNow });
    return notices.map(({ kind }) => kind);
  };
  const countAside = async () => (await database.ownerPool.query("select from bank_unread_objects")).rowCount;
  const recover = async () => {
    odd.recover();
    await emulator.advanceTo(new Date(emulator.now().getTime() + HOUR_MS));
  };
  return { bank, emulator, increase, odd, organizationId, transferId, order, news, countAside, recover };
}

test.each([
  ["names no key", { idempotency_key: undefined }],
  ["names another id", { id: "account_other" }],
  ["is nothing", { id: undefined, idempotency_key: undefined }],
])("an account whose answer %s does not pass for someone else's", async (_, fields) => {
  const { odd, order, news, countAside, recover } = await arrange();
  odd.alter(order.account_id, fields);
  expect(await news()).toEqual([]);
  expect(await countAside()).toBe(1);
  await recover();
  expect(await news()).toEqual(["SETTLED"]);
  expect(await countAside()).toBe(0);
});

test("an account number whose answer names no key does not pass for someone else's", async () => {
  const { increase, odd, news, countAside, recover } = await arrange();
  const [number] = (await increase.accountNumbers.list()).data;
  if (!number) throw new Error("An income source has a number");
  odd.alter(number.id, { idempotency_key: undefined });
  await increase.simulations.inboundACHTransfers.create({ account_number_id: number.id, amount: 2_000 });
  expect(await news()).toEqual(["SETTLED"]);
  expect(await countAside()).toBe(1);
  await recover();
  expect(await news()).toEqual(["DEPOSITED"]);
});

describe("of an order, its settlement is reported", () => {
  const change = { change_code: "incorrect_account_number", corrected_account_number: "12345678" };
  test.each([
    ["return has no date", { status: "returned", return: {} }],
    ["return has null for a date", { status: "returned", return: { created_at: null } }],
    ["correction has an odd date", { notifications_of_change: [{ ...change, created_at: "soon" }] }],
    ["correction has null for a date", { notifications_of_change: [{ ...change, created_at: null }] }],
    ["corrections are an object", { notifications_of_change: {} }],
    ["status is a new one", { status: "a_new_status" }],
  ])("while its %s", async (_, fields) => {
    const { odd, order, news, countAside, recover } = await arrange();
    odd.alter(order.id, fields);
    expect(await news()).toEqual(["SETTLED"]);
    expect(await countAside()).toBe(1);
    await recover();
    expect(await news()).toEqual([]);
    expect(await countAside()).toBe(0);
  });

  test("while the account that was corrected does not answer", async () => {
    const { increase, odd, order, news, countAside, recover } = await arrange();
    const corrected = { corrected_account_number: "987650000" };
    await increase.simulations.achTransfers.createNotificationOfChange(order.id, corrected);
    odd.fail(order.external_account_id ?? "", 500);
    expect(await news()).toEqual(["SETTLED"]);
    expect(await countAside()).toBe(1);
    await recover();
    expect(await news()).toEqual(["CORRECTED"]);
  });

  test("only when its own time can be read", async () => {
    const { odd, order, news, countAside, recover } = await arrange();
    odd.alter(order.id, { settlement: { settled_at: null } });
    expect(await news()).toEqual([]);
    expect(await countAside()).toBe(1);
    await recover();
    expect(await news()).toEqual(["SETTLED"]);
  });
});

test("an order whose answer names no key does not pass for one that Sluice did not send", async () => {
  const { odd, order, news, countAside, recover } = await arrange();
  odd.alter(order.id, { idempotency_key: undefined });
  expect(await news()).toEqual([]);
  expect(await countAside()).toBe(1);
  await recover();
  expect(await news()).toEqual(["SETTLED"]);
});

test("an order with a return was returned, whatever its status is called, once", async () => {
  const { bank, emulator, increase, odd, organizationId, transferId, order, news, countAside, recover } =
    await arrange();
  await increase.simulations.achTransfers.return(order.id, { reason: "no_account" });
  odd.alter(order.id, { status: "a_new_status" });
  expect((await news()).toSorted()).toEqual(["RETURNED", "SETTLED"]);
  expect(await countAside()).toBe(0);
  await recover();
  emulator.emit({ category: "ach_transfer.updated", objectId: order.id });
  expect(await news()).toEqual([]);
  const found = await bank.find({ organizationId, transferId, businessNow: FRIDAY });
  expect(found).toMatchObject({ state: "RETURNED", code: "R03" });
});

test("a FedNow payment of a new status arrives once its status can be read", async () => {
  const { increase, odd, news, countAside, recover } = await arrange();
  const [number] = (await increase.accountNumbers.list()).data;
  const received = { account_number_id: number?.id ?? "", amount: 2_000 };
  const payment = await increase.simulations.inboundFednowTransfers.create(received);
  odd.alter(payment.id, { status: "a_new_status" });
  expect(await news()).toEqual(["SETTLED"]);
  expect(await countAside()).toBe(1);
  await recover();
  expect(await news()).toEqual(["DEPOSITED"]);
});

test("a deposit that was returned, it does not say when, arrives, and its return once it says so", async () => {
  const { increase, odd, news, countAside, recover } = await arrange();
  const [number] = (await increase.accountNumbers.list()).data;
  const deposit = await increase.simulations.inboundACHTransfers.create({
    account_number_id: number?.id ?? "",
    amount: 2_000,
  });
  await news();
  await increase.inboundACHTransfers.transferReturn(deposit.id, { reason: "payment_stopped" });
  odd.alter(deposit.id, { transfer_return: null });
  expect(await news()).toEqual([]);
  expect(await countAside()).toBe(1);
  await recover();
  expect(await news()).toEqual(["DEPOSIT_RETURNED"]);
});

test("an order is found whatever its times are, and unknown without any", async () => {
  const { bank, odd, organizationId, transferId, order } = await arrange();
  const find = () => bank.find({ organizationId, transferId, businessNow: FRIDAY });
  const before = await find();
  const list = (fields: object) => {
    odd.replacement = () => Response.json({ data: [{ ...order, ...fields }], next_cursor: null });
  };
  list({ submission: { expected_funds_settlement_at: "soon" } });
  expect(await find()).toMatchObject({ state: "PENDING", reference: before?.reference });
  list({ submission: null, created_at: null });
  await expect(find()).rejects.toThrow(BankUnavailable);
});

test("a line that is null hides no other of the statement", async () => {
  const { bank, increase, odd, organizationId } = await arrange();
  const { data } = await increase.transactions.list();
  const [first] = data;
  odd.replacement = () => Response.json({ data: [null, 7, first], next_cursor: null });
  const asked = { organizationId, from: new Date(0), cursor: null, limit: 100, businessNow: FRIDAY };
  expect((await bank.statement(asked)).lines).toMatchObject([{ lineReference: first?.id }]);
});

describe("a line of the statement that is odd", () => {
  const list = async () => {
    const { bank, increase, odd, organizationId } = await arrange();
    const [line] = (await increase.transactions.list()).data;
    if (!line) throw new Error("The order is a line");
    const read = (others: readonly object[]) => {
      odd.replacement = () => Response.json({ data: [...others, line], next_cursor: null });
      const asked = { organizationId, from: new Date(0), cursor: null, limit: 100, businessNow: FRIDAY };
      return bank.statement(asked);
    };
    return { line, read };
  };

  test.each([
    ["id cannot be kept", { id: "transaction_\u0000" }],
    ["id is long", { id: "t".repeat(201) }],
    ["id is a number", { id: 7 }],
    ["time is in 1970", { created_at: "1970-01-01T00:00:00Z" }],
    ["time has a year that cannot be kept", { created_at: "+012345-01-01T00:00:00Z" }],
    ["time is a number", { created_at: 12_345 }],
    ["amount is too large", { amount: 1e300 }],
    ["source is a text", { source: "ach" }],
  ])("because its %s is left out, and hides no other", async (_, fields) => {
    const { line, read } = await list();
    const { lines } = await read([{ ...line, id: "transaction_odd", ...fields }]);
    expect(lines).toMatchObject([{ lineReference: line.id }]);
  });

  test.each([null, 7, ["Rent"], { text: "Rent" }])(
    "because its description is %j has none",
    async (description) => {
      const { line, read } = await list();
      const { lines } = await read([{ ...line, id: "transaction_odd", description }]);
      expect(lines).toMatchObject([
        { lineReference: line.id },
        { lineReference: "transaction_odd", description: "" },
      ]);
    },
  );

  test.each([
    ["order", "ORDER", (id: unknown) => ({ ach_transfer_intention: { transfer_id: id } })],
    ["returned order", "ORDER_RETURN", (id: unknown) => ({ ach_transfer_return: { transfer_id: id } })],
    [
      "returned deposit",
      "DEPOSIT_RETURN",
      (id: unknown) => ({ check_deposit_return: { check_deposit_id: id } }),
    ],
  ])("because it names no %s is listed, however many are", async (_, kind, sourceOf) => {
    const { line, read } = await list();
    const others = Array.from({ length: 40 }, (_, place) => ({
      ...line,
      id: `transaction_${place}`,
      source: { category: "other", ...sourceOf({}) },
    }));
    const { lines } = await read(others);
    expect(lines).toHaveLength(41);
    expect(lines.slice(1)).toEqual(
      others.map(() => expect.objectContaining({ kind, transferId: null, depositReference: null })),
    );
  });
});

test.each([0, -2_000, "much", null])("a deposit of %j arrives once its amount is one", async (amount) => {
  const { increase, odd, news, countAside, recover } = await arrange();
  const [number] = (await increase.accountNumbers.list()).data;
  const received = { account_number_id: number?.id ?? "", amount: 2_000 };
  const deposit = await increase.simulations.inboundACHTransfers.create(received);
  odd.alter(deposit.id, { amount });
  expect(await news()).toEqual(["SETTLED"]);
  expect(await countAside()).toBe(1);
  await recover();
  expect(await news()).toEqual(["DEPOSITED"]);
  expect(await countAside()).toBe(0);
});
