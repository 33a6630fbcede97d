/**
 * Goal: the adapter for Mercury keeps the promises of the bank port. Method: it talks HTTP to a stateful emulator of
 * Mercury's API; nothing inside the adapter is replaced.
 */

import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { describeBankEvents } from "@/lib/ports/bank/bank-events.contract";
import {
  type BankOrder,
  BankOrderConflict,
  type BankPort,
  BankRefusesAccount,
  BankSearchIncomplete,
  type BankStatementLine,
  BankUnavailable,
  MAX_NOTICES,
} from "@/lib/ports/bank/bank-port";
import { describeBankPort } from "@/lib/ports/bank/bank-port.contract";
import type { MercurySetting } from "@/lib/ports/bank/mercury/call-mercury";
import { createMercuryBank } from "@/lib/ports/bank/mercury/create-mercury-bank";
import { describeOddAnswers, TIMEOUT_MS } from "@/lib/ports/bank/odd-answers.contract";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { createTestDatabase, useTestDatabase } from "@/lib/testing/database";
import { type MercuryEmulator, openMercuryEmulator } from "@/proof/emulators/mercury/emulator";
import type { MercurySilence } from "@/proof/emulators/mercury/world";

/** Friday, 10:00 in New York. */
const FRIDAY = new Date("2026-11-20T15:00:00Z");
const MONDAY_POSTED = new Date("2026-11-23T13:30:00Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TOKEN = "secret-token:mercury_sandbox_emulated";
const OPENING_IN_CENTS = 5_000_000_029;

const database = useTestDatabase();

function bankOf(
  emulator: MercuryEmulator,
  accountId: string,
  changes: Partial<MercurySetting> = {},
  pool = database.pool,
): BankPort {
  const setting = { token: TOKEN, environment: "sandbox", accountId, send: "REQUEST" } as const;
  return createMercuryBank(pool, { ...setting, baseUrl: emulator.url, ...changes });
}

async function approveAll(emulator: MercuryEmulator, accountId: string): Promise<void> {
  for (const { id, status, accountId: of } of emulator.approvals) {
    if (of === accountId && status === "pendingApproval") {
      await emulator.simulate(`/request-send-money/${id}/approve`);
    }
  }
}

async function arrange(
  options: { send?: "REQUEST" | "DIRECT"; silence?: Partial<MercurySilence>; opening?: number } = {},
) {
  const emulator = await openMercuryEmulator({
    startsAt: FRIDAY,
    token: TOKEN,
    ...(options.silence ? { silence: options.silence } : {}),
  });
  onTestFinished(() => emulator.close());
  const accountId = emulator.openAccount(options.opening ?? OPENING_IN_CENTS);
  const mercuryAccount = `/account/${accountId}`;
  const bank = bankOf(emulator, accountId, options.send ? { send: options.send } : {});
  const organizationId = uuidv7();
  const outside = newOutsideAccount(organizationId);
  const registered = await bank.registerOutsideAccount(outside);
  const order = (changes: Partial<BankOrder> = {}): BankOrder => ({
    transferId: uuidv7(),
    organizationId,
    direction: "CREDIT",
    amountInCents: 425_029,
    label: "RENT",
    outsideAccount: { name: "Harbor Print Shop", ...registered },
    ...changes,
  });
  const submit = (one: BankOrder) => bank.submit(one, { businessNow: emulator.now() });
  const find = ({ transferId }: BankOrder) =>
    bank.find({ organizationId, transferId, businessNow: emulator.now() });
  const notices = () => bank.notices({ organizationId, businessNow: emulator.now(), limit: MAX_NOTICES });
  const sendPath = `${mercuryAccount}/${options.send === "DIRECT" ? "transactions" : "request-send-money"}`;
  const sends = () => emulator.requests.filter((request) => request === `POST ${sendPath}`).length;
  const openIncome = async () => {
    const incomeId = uuidv7();
    const name = "Client payments";
    const opened = await bank.openAccount({
      organizationId,
      accountId: incomeId,
      name,
      businessNow: emulator.now(),
    });
    return { incomeId, opened };
  };
  return {
    emulator,
    accountId,
    mercuryAccount,
    bank,
    organizationId,
    outside,
    registered,
    order,
    submit,
    find,
    notices,
    sendPath,
    sends,
    openIncome,
  };
}

describe.each(["REQUEST", "DIRECT"] as const)("over one emulator, sent as %s", (send) => {
  let emulator: MercuryEmulator;
  beforeAll(async () => {
    emulator = await openMercuryEmulator({ startsAt: FRIDAY, token: TOKEN });
  });
  afterAll(() => emulator.close());
  describeBankPort("Mercury", () => {
    const accountId = emulator.openAccount(OPENING_IN_CENTS);
    return {
      bank: bankOf(emulator, accountId, { send }),
      startsAt: emulator.now(),
      createOrganization: async () => uuidv7(),
      advanceTo: async (businessNow) => {
        await approveAll(emulator, accountId);
        await emulator.advanceTo(businessNow);
      },
    };
  });
});

describeBankEvents("Mercury", async () => {
  const own = await createTestDatabase();
  const emulator = await openMercuryEmulator({ startsAt: FRIDAY, token: TOKEN });
  const account = emulator.openAccount(0);
  return {
    bank: bankOf(emulator, account, {}, own.pool),
    pool: own.ownerPool,
    now: () => emulator.now(),
    advanceTo: (now) => emulator.advanceTo(now),
    odd: emulator.odd,
    deposit: async ({ amountInCents }) => {
      const { id } = await emulator.simulate(`/account/${account}/receive`, { amountInCents });
      if (!id) throw new Error("A deposit has an id");
      return id;
    },
    neededField: "amount",
    oddFields: { counterpartyName: null, kind: "constructor", relatedTransactions: null, bankDescription: 7 },
    unsaidFields: [{ status: "aNewStatus" }, { postedAt: null }, { postedAt: "9999-12-31T00:00:00Z" }],
    burst: (count) => emulator.burst(count),
    emit: (objectId, createdAt) =>
      emulator.emit({ resourceId: objectId, occurredAt: createdAt.toISOString() }),
    emitUnreadable: () => emulator.emit({ resourceId: null, occurredAt: emulator.now().toISOString() }),
    rawEvent: ({ id = "strange", at = emulator.now().toISOString(), objectId = "nothing" }) => ({
      id,
      resourceType: "transaction",
      resourceId: objectId,
      operationType: "update",
      resourceVersion: 1,
      occurredAt: at,
      changedPaths: [],
      mergePatch: {},
    }),
    hasCursors: false,
    requests: () => emulator.requests.length,
    close: async () => {
      await emulator.close();
      await own.close();
    },
  };
});

describeOddAnswers("Mercury", "transactions", async () => {
  const own = await createTestDatabase();
  const emulator = await openMercuryEmulator({ startsAt: FRIDAY, token: TOKEN });
  const account = emulator.openAccount(OPENING_IN_CENTS);
  return {
    bank: bankOf(emulator, account, { timeoutMs: TIMEOUT_MS }, own.pool),
    now: () => emulator.now(),
    odd: emulator.odd,
    sends: () => emulator.approvals.length,
    addLines: async (_, count) => {
      // Of the moment of adoption: part of the opening line.
      await emulator.advanceTo(new Date(emulator.now().getTime() + MINUTE_MS));
      emulator.fill(account, count);
    },
    fieldsOf: ({ amountInCents, bookedAt }) => ({
      amount: amountInCents / 100,
      postedAt: bookedAt.toISOString(),
    }),
    close: async () => {
      await emulator.close();
      await own.close();
    },
  };
});

test("a list that answers 410 is read again from its beginning", async () => {
  const own = await createTestDatabase();
  const emulator = await openMercuryEmulator({ startsAt: FRIDAY, token: TOKEN });
  const account = emulator.openAccount(OPENING_IN_CENTS);
  const bank = bankOf(emulator, account, {}, own.pool);
  const organizationId = uuidv7();
  await bank.openAccount({ organizationId, accountId: uuidv7(), name: "Income", businessNow: FRIDAY });
  const listNotices = () => bank.notices({ organizationId, businessNow: emulator.now(), limit: MAX_NOTICES });
  await emulator.simulate(`/account/${account}/receive`, { amountInCents: 1_000 });
  await listNotices();
  const startOf = async () => (await own.ownerPool.query("select after_id from bank_feeds")).rows[0];
  expect(await startOf()).toEqual({ after_id: expect.any(String) });
  emulator.refusals.answer("GET /events", { status: 410, body: { errors: { message: "gone" } } });
  await listNotices();
  expect(await startOf()).toEqual({ after_id: null });
  await emulator.close();
  await own.close();
});

describe("a payment", () => {
  test("waits for a person at Mercury, leaves after the approval, and settles", async () => {
    const { emulator, order, submit, find, notices } = await arrange();
    const paid = order();
    expect(await submit(paid)).toMatchObject({ kind: "ACCEPTED", expectedSettlementAt: MONDAY_POSTED });
    await emulator.advanceTo(MONDAY_POSTED);
    expect(await notices()).toEqual([]);
    expect(await find(paid)).toMatchObject({ state: "PENDING" });
    await emulator.simulate(`/request-send-money/${emulator.approvals[0]?.id}/approve`);
    expect(await find(paid)).toMatchObject({ state: "PENDING" });
    await emulator.advanceTo(new Date("2026-11-24T13:30:00Z"));
    expect(await notices()).toMatchObject([
      { kind: "SETTLED", transferId: paid.transferId, rail: "ACH", occurredAt: emulator.now() },
    ]);
    expect(await find(paid)).toMatchObject({ state: "SETTLED" });
  });

  test("cannot be approved by the member who created the token", async () => {
    const { emulator, order, submit } = await arrange();
    await submit(order());
    const creator = { userId: "00000000-0000-4000-9000-000000000001" };
    const path = `/request-send-money/${emulator.approvals[0]?.id}/approve`;
    await expect(emulator.simulate(path, creator)).rejects.toThrow("403");
  });

  test.each([
    ["reject", "REJECTED"],
    ["cancel", "CANCELED"],
  ])("that a person at Mercury does %s never left, and no event says so", async (act, code) => {
    const { emulator, order, submit, find, notices } = await arrange();
    const paid = order();
    await submit(paid);
    await emulator.simulate(`/request-send-money/${emulator.approvals[0]?.id}/${act}`);
    expect(await notices()).toEqual([]);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const { transferId } = paid;
    expect(await notices()).toMatchObject([{ kind: "RETURNED", transferId, code }]);
    expect(await find(paid)).toMatchObject({ state: "REFUSED", code });
    const asked = emulator.requests.length;
    await emulator.advanceTo(new Date(FRIDAY.getTime() + DAY_MS));
    await notices();
    expect(emulator.requests.slice(asked)).toEqual(["GET /events"]);
  });

  test("that waits is asked about once a minute, not more often", async () => {
    const { emulator, order, submit, notices } = await arrange();
    await submit(order());
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const before = emulator.requests.length;
    for (let round = 0; round < 5; round += 1) await notices();
    const asked = emulator.requests.slice(before).filter((request) => request.includes("request-send-money"));
    expect(asked).toHaveLength(1);
  });

  test.each([
    ["fail", { reason: "R03 No account/unable to locate" }, { kind: "RETURNED", code: "R03" }],
    ["fail", {}, { kind: "RETURNED", code: "SENT_BACK" }],
    ["cancel", {}, { kind: "RETURNED", code: "CANCELED" }],
    ["block", {}, { kind: "RETURNED", code: "BLOCKED" }],
  ])("that ends by %s before it was posted never settles: %j", async (act, body, notice) => {
    const { emulator, accountId, order, submit, notices } = await arrange();
    await submit(order());
    await approveAll(emulator, accountId);
    const pending = emulator.transactions.find(({ status }) => status === "pending");
    await emulator.simulate(`/transaction/${pending?.id}/${act}`, body);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    expect(await notices()).toMatchObject([notice]);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 10 * DAY_MS));
    expect(await notices()).toHaveLength(1);
  });

  test.each(["fail", "reverse"])(
    "that comes back by %s after it was posted is returned, and its money is not a deposit",
    async (act) => {
      const { emulator, bank, accountId, organizationId, order, submit, find, notices, openIncome } =
        await arrange();
      await openIncome();
      const paid = order();
      await submit(paid);
      await approveAll(emulator, accountId);
      await emulator.advanceTo(MONDAY_POSTED);
      const opening = { kind: "DEPOSITED", payerName: "Balance at Mercury" };
      expect(await notices()).toMatchObject([opening, { kind: "SETTLED" }]);
      const sent = emulator.transactions.find(({ amountInCents }) => amountInCents < 0);
      await emulator.simulate(`/transaction/${sent?.id}/${act}`, { reason: "R02" });
      expect(await notices()).toMatchObject([
        opening,
        { kind: "SETTLED" },
        { kind: "RETURNED", code: "R02" },
      ]);
      expect(await find(paid)).toMatchObject({ state: "RETURNED", code: "R02" });
      const asked = {
        organizationId,
        from: new Date(0),
        cursor: null,
        limit: 10,
        businessNow: emulator.now(),
      };
      const { transferId } = paid;
      expect((await bank.statement(asked)).lines).toMatchObject([
        { kind: "DEPOSIT", amountInCents: OPENING_IN_CENTS },
        { kind: "ORDER", amountInCents: -425_029, transferId, rail: "ACH" },
        { kind: "ORDER_RETURN", amountInCents: 425_029, transferId, rail: "ACH" },
      ]);
    },
  );

  test("of the same amount to the same payee within a day is refused, and said so; not tried again", async () => {
    const { emulator, order, submit, find, sends } = await arrange();
    expect(await submit(order())).toMatchObject({ kind: "ACCEPTED" });
    const again = order();
    const refused = { kind: "REFUSED", code: "DUPLICATE" };
    expect(await submit(again)).toMatchObject(refused);
    expect(await find(again)).toMatchObject({ state: "REFUSED", code: "DUPLICATE" });
    expect(await submit(again)).toMatchObject(refused);
    expect(sends()).toBe(2);
    expect(await submit(order({ amountInCents: 425_030 }))).toMatchObject({ kind: "ACCEPTED" });
    await emulator.advanceTo(new Date(FRIDAY.getTime() + DAY_MS));
    expect(await submit(order())).toMatchObject({ kind: "ACCEPTED" });
  });

  test("with details that Mercury does not accept is refused", async () => {
    const { order, submit, registered } = await arrange();
    const unknown = { name: "Elsewhere", ...registered, bankReference: uuidv7() };
    expect(await submit(order({ outsideAccount: unknown }))).toMatchObject({
      kind: "REFUSED",
      code: "NOT_ACCEPTED",
    });
  });

  test("to an account that is not registered is refused before anything is sent", async () => {
    const { order, submit, sends, registered } = await arrange();
    const outsideAccount = { name: "Elsewhere", ...registered, bankReference: null };
    expect(await submit(order({ outsideAccount }))).toMatchObject({
      kind: "REFUSED",
      code: "NOT_REGISTERED",
    });
    expect(sends()).toBe(0);
  });

  test.each([1, 10, 29, 100, 425_029, 1_234_567_890_123])("of %d cents arrives exactly", async (amount) => {
    const { emulator, accountId, bank, organizationId, order, submit, notices } = await arrange({
      opening: 2_000_000_000_000,
    });
    expect(await submit(order({ amountInCents: amount }))).toMatchObject({ kind: "ACCEPTED" });
    expect(emulator.approvals[0]?.amountInCents).toBe(amount);
    await approveAll(emulator, accountId);
    await emulator.advanceTo(MONDAY_POSTED);
    expect(await notices()).toHaveLength(1);
    const { currentInCents } = await bank.balance({ organizationId, businessNow: emulator.now() });
    expect(currentInCents).toBe(2_000_000_000_000 - amount);
  });
});

describe("a lost answer", () => {
  test.each([
    ["REQUEST", "note"],
    ["DIRECT", "note"],
  ] as const)(
    "of a payment sent as %s is found by its note, and nothing is sent again",
    async (send, memoIs) => {
      const { emulator, order, submit, find, sends, sendPath } = await arrange({ send, silence: { memoIs } });
      const paid = order();
      emulator.loseNextAnswer("POST", sendPath);
      await expect(submit(paid)).rejects.toThrow(BankUnavailable);
      expect(await find(paid)).toMatchObject({ state: "PENDING", expectedSettlementAt: MONDAY_POSTED });
      expect(sends()).toBe(1);
      expect(await submit(paid)).toMatchObject({ kind: "ACCEPTED" });
      expect(sends()).toBe(1);
    },
  );

  test.each([true, false])(
    "whose order cannot be recognized is learned from 409 (which repeats it: %s), and paid once",
    async (repeatsApproval) => {
      const silence = { memoIs: "externalMemo", repeatsApproval } as const;
      const { emulator, order, submit, find, sendPath } = await arrange({ silence });
      const paid = order();
      emulator.loseNextAnswer("POST", sendPath);
      await expect(submit(paid)).rejects.toThrow(BankUnavailable);
      expect(await find(paid)).toBeNull();
      expect(await submit(paid)).toMatchObject({ kind: "ACCEPTED", reference: emulator.approvals[0]?.id });
      expect(await find(paid)).toMatchObject({ state: "PENDING" });
      expect(emulator.approvals).toHaveLength(1);
    },
  );

  test.each(["REQUEST", "DIRECT"] as const)(
    "of a payment sent as %s stays unknown where the lists are longer than is searched, and is found later",
    async (send) => {
      const { emulator, order, submit, find, sends, sendPath } = await arrange({
        send,
        silence: { memoIs: "externalMemo" },
      });
      const [unnamed, named] = [order(), order({ amountInCents: 425_030 })];
      emulator.loseNextAnswer("POST", sendPath);
      await expect(submit(unnamed)).rejects.toThrow(BankUnavailable);
      const made = [...emulator.approvals, ...emulator.transactions].map(({ id }) => id);
      for (const id of made) emulator.odd.alter(id, { memo: "no name", note: "no name" });
      emulator.odd.isListEndless = true;
      await expect(find(unnamed)).rejects.toThrow(BankSearchIncomplete);
      expect(sends()).toBe(1);
      // What the first pages name is found, however long the rest is.
      await submit(named);
      const { id = "" } =
        [...emulator.approvals, ...emulator.transactions].find((one) => !made.includes(one.id)) ?? {};
      const name = `Sluice transfer ${named.transferId}`;
      emulator.odd.alter(id, { memo: name, note: name });
      await database.pool.query(
        "update mercury_orders set request_id = null, transaction_id = null, expected_at = null where transfer_id = $1",
        [named.transferId],
      );
      expect(await find(named)).toMatchObject({ state: "PENDING" });
      emulator.odd.recover();
      if (send === "DIRECT") expect(await find(unnamed)).toMatchObject({ state: "PENDING" });
      expect(sends()).toBe(2);
    },
  );

  test("that was a refusal is not taken for one until a day has passed: it may be of its own first attempt", async () => {
    const { emulator, order, submit, find, sendPath, registered } = await arrange();
    const unknown = { name: "Elsewhere", ...registered, bankReference: uuidv7() };
    const refused = order({ outsideAccount: unknown });
    emulator.loseNextAnswer("POST", sendPath);
    await expect(submit(refused)).rejects.toThrow(BankUnavailable);
    expect(await find(refused)).toBeNull();
    await expect(submit(refused)).rejects.toThrow(BankUnavailable);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 26 * 3_600_000));
    expect(await submit(refused)).toMatchObject({ kind: "REFUSED", code: "NOT_ACCEPTED" });
  });

  test("of a request whose payment does not name it is found by the note", async () => {
    const { emulator, accountId, order, submit, find, notices } = await arrange({
      silence: { namesRequest: false },
    });
    const [paid, alike] = [order(), order({ amountInCents: 425_030 })];
    await submit(paid);
    await submit(alike);
    await approveAll(emulator, accountId);
    expect(emulator.transactions.every(({ requestId }) => requestId === null)).toBe(true);
    await emulator.advanceTo(MONDAY_POSTED);
    const settled = (await notices()).filter(({ kind }) => kind === "SETTLED");
    const ids = settled.map((notice) => ("transferId" in notice ? notice.transferId : null));
    expect(ids.toSorted()).toEqual([paid.transferId, alike.transferId].toSorted());
    expect(await find(paid)).toMatchObject({ state: "SETTLED" });
  });

  test("of a request whose payment does not name it: events and the statement know it by its note, and by nothing else", async () => {
    const { emulator, accountId, mercuryAccount, bank, organizationId, registered, ...scene } = await arrange(
      {
        silence: { namesRequest: false },
        opening: 1_000_000,
      },
    );
    await scene.openIncome();
    const paid = scene.order();
    await scene.submit(paid);
    // A person copies the note to another payment.
    const copied = await fetch(`${emulator.url}${mercuryAccount}/transactions`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({
        recipientId: registered.bankReference,
        amount: 12.5,
        paymentMethod: "ach",
        idempotencyKey: uuidv7(),
        note: `Sluice transfer ${paid.transferId}`,
      }),
    });
    expect(copied.status).toBe(200);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 1_000));
    await approveAll(emulator, accountId);
    // Within a minute nothing but the payment's own event tells of it.
    for (const { id, status } of emulator.transactions) {
      if (status === "pending") await emulator.simulate(`/transaction/${id}/post`);
    }
    const asked = { organizationId, from: FRIDAY, cursor: null, limit: 10, businessNow: emulator.now() };
    const orders = async () =>
      (await bank.statement(asked)).lines.map(({ kind, transferId, amountInCents }) => [
        kind,
        transferId,
        amountInCents,
      ]);
    const expected = [
      ["DEPOSIT", null, 1_000_000],
      ["OTHER", null, -1_250],
      ["ORDER", paid.transferId, -425_029],
    ];
    expect(await orders()).toEqual(expected);
    expect((await scene.notices()).filter(({ kind }) => kind === "SETTLED")).toMatchObject([
      { transferId: paid.transferId },
    ]);
    expect(await orders()).toEqual(expected);
  });

  test("of a database that was restored without the order is found by the note", async () => {
    const { order, submit, find, organizationId, sends } = await arrange();
    const paid = order();
    await submit(paid);
    await database.ownerPool.query("delete from mercury_orders where organization_id = $1", [organizationId]);
    expect(await find(paid)).toMatchObject({ state: "PENDING" });
    expect(await submit(paid)).toMatchObject({ kind: "ACCEPTED" });
    await expect(submit({ ...paid, amountInCents: 1 })).rejects.toThrow(BankOrderConflict);
    expect(sends()).toBe(1);
  });

  test("of a recipient is found by its nickname, so that it exists once", async () => {
    const { emulator, bank, outside } = await arrange();
    const other = { ...outside, outsideAccountId: uuidv7() };
    emulator.loseNextAnswer("POST", "/recipients");
    await expect(bank.registerOutsideAccount(other)).rejects.toThrow(BankUnavailable);
    const registered = await bank.registerOutsideAccount(other);
    expect(registered).toMatchObject({ accountNumberLast4: "4321" });
    const made = emulator.requests.filter((request) => request === "POST /recipients");
    expect(made).toHaveLength(2);
  });
});

describe("what a person made at Mercury and is not as documented", () => {
  const odd = { recipientId: null, counterpartyId: 7, amount: null, nickname: 7, status: null };

  test.each(["REQUEST", "DIRECT"] as const)(
    "hides no order sent as %s, nor that it never arrived",
    async (send) => {
      const { emulator, mercuryAccount, sendPath, order, submit, find } = await arrange({ send });
      const theirs = order();
      await submit(theirs);
      const { id: received } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 5_000 });
      for (const { id } of [...emulator.approvals, ...emulator.transactions]) emulator.odd.alter(id, odd);
      emulator.odd.alter(received ?? "", odd);
      const lost = order({ amountInCents: 9_900 });
      emulator.loseNextAnswer("POST", sendPath);
      await expect(submit(lost)).rejects.toThrow(BankUnavailable);
      expect(await find(lost)).toMatchObject({ state: "PENDING" });
      expect(await find(order())).toBeNull();
    },
  );

  test("and names an order leaves it unknown: it may have left", async () => {
    const { emulator, sendPath, order, submit, find } = await arrange();
    const lost = order();
    emulator.loseNextAnswer("POST", sendPath);
    await expect(submit(lost)).rejects.toThrow(BankUnavailable);
    emulator.odd.alter(emulator.approvals[0]?.id ?? "", odd);
    await expect(find(lost)).rejects.toThrow(BankUnavailable);
    emulator.odd.recover();
    expect(await find(lost)).toMatchObject({ state: "PENDING" });
  });

  test("hides no recipient, and does not keep the account from being adopted", async () => {
    const { emulator, bank, mercuryAccount, outside, openIncome, notices } = await arrange();
    emulator.odd.alter(emulator.recipients[0]?.id ?? "", odd);
    const other = { ...outside, outsideAccountId: uuidv7() };
    emulator.loseNextAnswer("POST", "/recipients");
    await expect(bank.registerOutsideAccount(other)).rejects.toThrow(BankUnavailable);
    await bank.registerOutsideAccount(other);
    expect(emulator.recipients).toHaveLength(2);
    const { id } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 5_000 });
    emulator.odd.alter(id ?? "", odd);
    await openIncome();
    expect(await notices()).toMatchObject([{ amountInCents: OPENING_IN_CENTS + 5_000 }]);
    emulator.odd.recover();
    expect(await notices()).toHaveLength(1);
  });
});

test("a wrong token, and an answer that is not as documented, leave the outcome unknown", async () => {
  const { emulator, accountId, order } = await arrange();
  const paid = order();
  const wrong = bankOf(emulator, accountId, { token: "wrong" });
  const business = { businessNow: FRIDAY };
  await expect(wrong.submit(paid, business)).rejects.toThrow(
    "Mercury refuses MERCURY_API_TOKEN (401: unauthorized)",
  );
  const elsewhere = bankOf(emulator, accountId, { baseUrl: "http://127.0.0.1:1" });
  await expect(elsewhere.submit(order(), business)).rejects.toThrow(BankUnavailable);
  const { organizationId } = paid;
  await expect(wrong.balance({ organizationId, ...business })).rejects.toThrow(BankUnavailable);
});

test("a payee without an address is refused in words before Mercury is asked", async () => {
  const { emulator, bank, outside } = await arrange();
  const before = emulator.requests.length;
  const without = { ...outside, outsideAccountId: uuidv7(), address: null };
  await expect(bank.registerOutsideAccount(without)).rejects.toThrow(BankRefusesAccount);
  expect(emulator.requests.slice(before)).toEqual([]);
});

describe("deposits", () => {
  test("what the account already held is the first one, exactly", async () => {
    const { bank, openIncome, notices, organizationId } = await arrange();
    const { incomeId, opened } = await openIncome();
    expect(opened).toMatchObject({ institutionName: "Mercury", routingNumberLast4: "0001" });
    const accountId = incomeId;
    expect(await notices()).toMatchObject([
      { kind: "DEPOSITED", accountId, amountInCents: OPENING_IN_CENTS, rail: "BOOK" },
    ]);
    const asked = { organizationId, accountId, name: "Client payments", businessNow: FRIDAY };
    expect(await bank.openAccount(asked)).toEqual(opened);
    expect(await notices()).toHaveLength(1);
  });

  test.each([
    ["externalTransfer", "ACH"],
    ["incomingDomesticWire", "WIRE"],
    ["checkDeposit", "CHECK"],
    ["internalTransfer", "BOOK"],
  ])("by %s arrive by %s, once, and can be taken back", async (kind, rail) => {
    const { bank, organizationId, emulator, mercuryAccount, openIncome, notices } = await arrange({
      opening: 0,
    });
    const { incomeId } = await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const body = { amountInCents: 710_029, from: "Halden Health", kind };
    const { id } = await emulator.simulate(`${mercuryAccount}/receive`, body);
    const arrived = { kind: "DEPOSITED", accountId: incomeId, amountInCents: 710_029, rail };
    expect(await notices()).toMatchObject([{ ...arrived, depositReference: id, payerName: "Halden Health" }]);
    expect(await notices()).toHaveLength(1);
    const asked = { organizationId, from: FRIDAY, cursor: null, limit: 10, businessNow: emulator.now() };
    expect((await bank.statement(asked)).lines).toMatchObject([{ kind: "DEPOSIT", rail }]);
    await emulator.simulate(`/transaction/${id}/return`, { reason: "R24" });
    expect(await notices()).toMatchObject([arrived, { kind: "DEPOSIT_RETURNED", depositReference: id }]);
  });

  test("of another account of the business, and money that leaves elsewhere, are not reported", async () => {
    const { emulator, openIncome, notices } = await arrange({ opening: 0 });
    await openIncome();
    const other = emulator.openAccount(900_000);
    await emulator.simulate(`/account/${other}/receive`, { amountInCents: 5_000 });
    expect(await notices()).toEqual([]);
  });

  test("from before the account was adopted are part of the opening balance, and not booked again", async () => {
    const { emulator, mercuryAccount, openIncome, notices } = await arrange({ opening: 100_000 });
    await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 5_000 });
    await openIncome();
    expect(await notices()).toMatchObject([{ amountInCents: 105_000 }]);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 7_000 });
    expect(await notices()).toMatchObject([{ amountInCents: 105_000 }, { amountInCents: 7_000 }]);
  });
});

const countAside = async () =>
  (await database.ownerPool.query("select from bank_unread_objects where reason like '%not as documented'"))
    .rowCount;

describe("an account is adopted while nobody can read when a transaction was posted, which is", () => {
  test("part of the opening balance, never a deposit", async () => {
    const { emulator, bank, mercuryAccount, organizationId, openIncome, notices } = await arrange({
      opening: 0,
    });
    const before = (await countAside()) ?? 0;
    const { id = "" } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 5_000 });
    emulator.odd.alter(id, { postedAt: "soon" });
    await openIncome();
    expect(await countAside()).toBe(before + 1);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 7_000 });
    const expected = [{ amountInCents: 5_000, payerName: "Balance at Mercury" }, { amountInCents: 7_000 }];
    expect(await notices()).toMatchObject(expected);
    // Posted later than anything that was readable then.
    emulator.odd.alter(id, { postedAt: emulator.now().toISOString() });
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 60 * MINUTE_MS));
    expect(await notices()).toMatchObject(expected);
    expect(await countAside()).toBe(before);
    const asked = { organizationId, from: new Date(0), cursor: null, limit: 10, businessNow: emulator.now() };
    const { lines } = await bank.statement(asked);
    expect(lines.map(({ amountInCents }) => amountInCents)).toEqual([5_000, 7_000]);
  });

  test("a deposit, if it was still pending", async () => {
    const { emulator, mercuryAccount, openIncome, notices } = await arrange({ opening: 0 });
    const { id = "" } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 5_000 });
    emulator.odd.alter(id, { postedAt: "soon", status: "pending" });
    emulator.odd.alter(mercuryAccount.split("/").at(-1) ?? "", { currentBalance: 0 });
    await openIncome();
    expect(await notices()).toEqual([]);
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 60 * MINUTE_MS));
    emulator.odd.recover();
    expect(await notices()).toMatchObject([{ amountInCents: 5_000, depositReference: id }]);
  });
});

describe("a deposit", () => {
  test.each([
    ["0", "externalTransfer", 0],
    ["0 of interest", "interestPayment", 0],
    ["negative", "checkDeposit", -5_000],
    ["no number", "externalTransfer", "much"],
    ["null", "externalTransfer", null],
    ["no whole cents", "externalTransfer", 0.001],
  ])("of which the amount is %s is set aside, and booked once it is an amount", async (_, kind, amount) => {
    const { emulator, mercuryAccount, openIncome, notices } = await arrange({ opening: 0 });
    const before = (await countAside()) ?? 0;
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const { id = "" } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 5_000, kind });
    emulator.odd.alter(id, { amount });
    expect(await notices()).toEqual([]);
    expect(await countAside()).toBe(before + 1);
    emulator.odd.recover();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 60 * MINUTE_MS));
    expect(await notices()).toMatchObject([{ kind: "DEPOSITED", amountInCents: 5_000 }]);
    expect(await countAside()).toBe(before);
  });

  test("is not what checks a card with a payment of nothing", async () => {
    const { emulator, mercuryAccount, openIncome, notices } = await arrange({ opening: 0 });
    const before = (await countAside()) ?? 0;
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const kind = "debitCardTransaction";
    const { id = "" } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 1, kind });
    emulator.odd.alter(id, { amount: 0 });
    expect(await notices()).toEqual([]);
    expect(await countAside()).toBe(before);
  });

  test("is not a payment of ours whose amount brings money", async () => {
    const { emulator, accountId, order, submit, notices, openIncome } = await arrange();
    await openIncome();
    await submit(order());
    await approveAll(emulator, accountId);
    expect(await notices()).toMatchObject([{ payerName: "Balance at Mercury" }]);
    const paid = emulator.transactions.find(({ amountInCents }) => amountInCents < 0)?.id ?? "";
    await emulator.advanceTo(MONDAY_POSTED);
    emulator.odd.alter(paid, { amount: 4_250.29 });
    const found = await notices();
    expect(found.filter(({ kind }) => kind === "DEPOSITED")).toHaveLength(1);
  });
});

test("many events are read page by page, and each is looked at once", async () => {
  const { emulator, mercuryAccount, openIncome, notices } = await arrange({ opening: 0 });
  await openIncome();
  await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
  for (let count = 0; count < 120; count += 1) {
    await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 1_000 + count });
  }
  expect(await notices()).toHaveLength(120);
  const before = emulator.requests.length;
  await emulator.advanceTo(new Date(FRIDAY.getTime() + 10 * MINUTE_MS));
  await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 1 });
  expect(await notices()).toHaveLength(121);
  const again = emulator.requests.slice(before).filter((request) => request.startsWith("GET /transaction/"));
  expect(again).toHaveLength(1);
});

describe("the statement of an adopted account", () => {
  const read = async (bank: BankPort, organizationId: string, businessNow: Date, limit = 100) => {
    const asked = { organizationId, from: new Date(0), limit, businessNow };
    const lines: BankStatementLine[] = [];
    let cursor: string | null = null;
    do {
      const page = await bank.statement({ ...asked, cursor });
      expect(page.lines.length).toBeLessThanOrEqual(limit);
      lines.push(...page.lines);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return lines;
  };

  test.each([1, 2, 100])("begins with one line for what it held, by pages of %d", async (limit) => {
    const { emulator, bank, accountId, mercuryAccount, organizationId, openIncome } = await arrange({
      opening: 100,
    });
    emulator.fill(accountId, 40);
    const openedAt = emulator.now();
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 7_000 });
    const lines = await read(bank, organizationId, emulator.now(), limit);
    const reference = `${accountId}:opening`;
    expect(lines).toMatchObject([
      {
        lineReference: reference,
        depositReference: reference,
        kind: "DEPOSIT",
        amountInCents: 140,
        bookedAt: openedAt,
      },
      { kind: "DEPOSIT", amountInCents: 7_000 },
    ]);
    const { currentInCents } = await bank.balance({ organizationId, businessNow: emulator.now() });
    expect(currentInCents).toBe(7_140);
  });

  test("leaves a return out while its original answers 500, which delays no other line", async () => {
    const { emulator, bank, mercuryAccount, organizationId, openIncome } = await arrange({ opening: 0 });
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const { id = "" } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 7_000 });
    await emulator.simulate(`/transaction/${id}/return`);
    await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 8_000 });
    emulator.odd.fail(id, 500);
    const amounts = async () =>
      (await read(bank, organizationId, emulator.now())).map(({ amountInCents }) => amountInCents);
    expect((await amounts()).toSorted()).toEqual([7_000, 8_000]);
    emulator.odd.isDown = true;
    await expect(amounts()).rejects.toThrow(BankUnavailable);
    emulator.odd.recover();
    expect((await amounts()).toSorted()).toEqual([-7_000, 7_000, 8_000]);
  });

  test("of more lines than were ever read at once lists each once, a request for each page", async () => {
    const { emulator, bank, accountId, organizationId, openIncome } = await arrange({ opening: 0 });
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    emulator.fill(accountId, 20_100);
    const before = emulator.requests.length;
    const lines = await read(bank, organizationId, emulator.now());
    expect(new Set(lines.map(({ lineReference }) => lineReference)).size).toBe(20_100);
    expect(emulator.requests.slice(before).length).toBeLessThanOrEqual(202);
  });
});

describe("events and the statement agree on", () => {
  test.each([
    ["interestPayment", 1_234],
    ["feeRebate", 500],
    ["aNewKind", 77],
  ])("money in of kind %s: a deposit", async (kind, amountInCents) => {
    const { emulator, bank, mercuryAccount, organizationId, openIncome, notices } = await arrange({
      opening: 0,
    });
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const { id } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents, kind });
    expect(await notices()).toMatchObject([{ kind: "DEPOSITED", depositReference: id, amountInCents }]);
    const asked = { organizationId, from: FRIDAY, cursor: null, limit: 10, businessNow: emulator.now() };
    expect((await bank.statement(asked)).lines).toMatchObject([{ kind: "DEPOSIT", depositReference: id }]);
  });

  test("a return that is read before its deposit", async () => {
    const { emulator, bank, mercuryAccount, organizationId, openIncome, notices } = await arrange({
      opening: 0,
    });
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    const { id } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 9_000 });
    await emulator.simulate(`/transaction/${id}/return`, { reason: "R24" });
    emulator.odd.fail(id ?? "");
    expect(await notices()).toEqual([]);
    emulator.odd.recover();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + 60 * MINUTE_MS));
    expect(await notices()).toMatchObject([
      { kind: "DEPOSITED", depositReference: id },
      { kind: "DEPOSIT_RETURNED", depositReference: id },
    ]);
    const asked = { organizationId, from: FRIDAY, cursor: null, limit: 10, businessNow: emulator.now() };
    expect((await bank.statement(asked)).lines).toMatchObject([
      { kind: "DEPOSIT", depositReference: id },
      { kind: "DEPOSIT_RETURN", depositReference: id },
    ]);
  });

  test("money that left before the account was adopted and comes back: a deposit, and the return of an old deposit is not a return here", async () => {
    const { emulator, bank, mercuryAccount, organizationId, openIncome, notices } = await arrange({
      opening: 0,
    });
    const { id } = await emulator.simulate(`${mercuryAccount}/receive`, { amountInCents: 9_000 });
    await openIncome();
    await emulator.advanceTo(new Date(FRIDAY.getTime() + MINUTE_MS));
    await emulator.simulate(`/transaction/${id}/return`, { reason: "R24" });
    expect(await notices()).toMatchObject([{ kind: "DEPOSITED", payerName: "Balance at Mercury" }]);
    const asked = { organizationId, from: FRIDAY, cursor: null, limit: 10, businessNow: emulator.now() };
    // A member books it: nothing here knows the deposit.
    expect((await bank.statement(asked)).lines).toMatchObject([
      { kind: "DEPOSIT", amountInCents: 9_000 },
      { kind: "OTHER", amountInCents: -9_000, depositReference: null },
    ]);
  });

  test("the money of a failed payment whose own event could not be read yet: it is not a deposit", async () => {
    const { emulator, accountId, order, submit, notices, openIncome } = await arrange();
    await openIncome();
    await submit(order());
    await approveAll(emulator, accountId);
    const paid = emulator.transactions.find(({ amountInCents }) => amountInCents < 0)?.id ?? "";
    emulator.odd.fail(paid);
    await emulator.advanceTo(MONDAY_POSTED);
    await emulator.simulate(`/transaction/${paid}/fail`, { reason: "R02" });
    const expected = [{ payerName: "Balance at Mercury" }, { kind: "RETURNED", code: "R02" }];
    expect(await notices()).toMatchObject(expected);
    emulator.odd.recover();
    await emulator.advanceTo(new Date(MONDAY_POSTED.getTime() + 60 * MINUTE_MS));
    expect(await notices()).toMatchObject(expected);
  });
});
