/**
 * Goal: nothing that Increase says of an order is lost or misread, and no order is called unsent that may have left.
 * Method: the adapter against the emulator, with answers and groups as Increase's OpenAPI document allows them.
 */

import Increase from "increase";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type BankOrder,
  BankOrderConflict,
  BankRefusesAccount,
  BankRefusesKey,
  BankUnavailable,
  MAX_NOTICES,
} from "@/lib/ports/bank/bank-port";
import { createIncreaseBank, type IncreaseSetting } from "@/lib/ports/bank/increase/create-increase-bank";
import { createIncreaseSimulations } from "@/lib/ports/bank/increase/simulations";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { openTestDatabase } from "@/lib/testing/database";
import { TestClock } from "@/lib/testing/services";
import { type IncreaseEmulator, openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

/** Friday, 10:00 in New York. */
const FRIDAY = new Date("2026-11-20T15:00:00Z");
const MONDAY_POSTED = new Date("2026-11-23T13:30:00Z");
const API_KEY = "emulated";

async function openEmulator(): Promise<IncreaseEmulator> {
  const opening = { startsAt: FRIDAY, apiKey: API_KEY, openingInCents: 100_000_000 };
  const emulator = await openIncreaseEmulator(opening);
  onTestFinished(() => emulator.close());
  return emulator;
}

async function arrange() {
  const database = await openTestDatabase();
  const emulator = await openEmulator();
  const clock = new TestClock(FRIDAY);
  const bankAt = ({ url }: IncreaseEmulator, changes: Partial<IncreaseSetting> = {}) =>
    createIncreaseBank(
      database.pool,
      { apiKey: API_KEY, environment: "sandbox", baseUrl: url, ...changes },
      clock,
    );
  const bank = bankAt(emulator);
  const increase = new Increase({ apiKey: API_KEY, baseURL: emulator.url, maxRetries: 0 });
  const organizationId = uuidv7();
  const outside = newOutsideAccount(organizationId);
  const registered = await bank.registerOutsideAccount(outside);
  const order = (changes: Partial<BankOrder> = {}): BankOrder => ({
    transferId: uuidv7(),
    organizationId,
    direction: "CREDIT",
    amountInCents: 100_100,
    label: "RENT",
    outsideAccount: { name: "Print shop", holderName: outside.holderName, ...registered },
    ...changes,
  });
  const submit = (one: BankOrder) => bank.submit(one, { businessNow: FRIDAY });
  const find = ({ transferId, direction, amountInCents, outsideAccount }: BankOrder) => {
    const expected = { direction, amountInCents, bankReference: outsideAccount.bankReference };
    return bank.find({ organizationId, transferId, businessNow: FRIDAY, expected });
  };
  const notices = () => bank.notices({ organizationId, businessNow: emulator.now(), limit: MAX_NOTICES });
  const income = () => ({ organizationId, accountId: uuidv7(), name: "Income", businessNow: FRIDAY });
  return {
    database,
    emulator,
    clock,
    bank,
    bankAt,
    increase,
    organizationId,
    outside,
    registered,
    order,
    submit,
    find,
    notices,
    income,
  };
}

const refusalOf = async (asked: Promise<unknown>) =>
  await asked.then(
    () => null,
    (error: unknown) => error,
  );

describe("an order that Increase ends", () => {
  test.each([
    ["reject", "REJECTED", null],
    ["cancel", "CANCELED", "Canceled by approver@example.com"],
  ] as const)("after it took it (%s) says why", async (how, code, bankWords) => {
    const { emulator, order, submit, find, notices } = await arrange();
    emulator.group.approvesOrders = how === "cancel";
    const paid = order();
    const answer = await submit(paid);
    if (answer.kind !== "ACCEPTED") throw new Error("refused");
    await emulator.end(answer.reference, how);
    expect(await notices()).toMatchObject([
      { kind: "RETURNED", transferId: paid.transferId, code, bankWords },
    ]);
    expect(await find(paid)).toMatchObject({ state: "REFUSED", code, bankWords });
  });

  test("by a return of which nobody knows the code has a code of ours", async () => {
    const { increase, order, submit, find, emulator } = await arrange();
    const paid = order();
    const answer = await submit(paid);
    if (answer.kind !== "ACCEPTED") throw new Error("refused");
    await increase.simulations.achTransfers.submit(answer.reference);
    await increase.simulations.achTransfers.return(answer.reference, { reason: "no_account" });
    expect(await find(paid)).toMatchObject({ state: "RETURNED", code: "R03", bankWords: "no account" });
    const listed = (await increase.achTransfers.list()).data[0];
    const odd = {
      ...listed,
      return: { ...listed?.return, raw_return_reason_code: "", return_reason_code: "new_reason" },
    };
    emulator.refusals.answer("GET /ach_transfers", { status: 200, body: { data: [odd], next_cursor: null } });
    expect(await find(paid)).toMatchObject({ state: "RETURNED", code: "SENT_BACK", bankWords: "new reason" });
  });
});

describe("an order that Increase refuses", () => {
  const detail = "Account 987654321 cannot originate today.";
  test.each([
    [409, "invalid_operation_error", "NOT_ALLOWED"],
    [400, "invalid_parameters_error", "NOT_ACCEPTED"],
    [422, "other", "NOT_ACCEPTED"],
  ] as const)(
    "with %d %s has the code %s and Increase’s words, without numbers",
    async (status, type, code) => {
      const { emulator, order, submit } = await arrange();
      const body = { type, title: "Not possible", detail, status };
      emulator.refusals.answer("POST /ach_transfers", { status, body });
      expect(await submit(order())).toMatchObject({
        kind: "REFUSED",
        code,
        bankWords: "Not possible. Account …4321 cannot originate today.",
      });
    },
  );

  test.each([409, 403, 429, 500] as const)("with %d of an unknown type is unknown", async (status) => {
    const { emulator, order, submit } = await arrange();
    const body = { type: "brand_new_error", title: "Something new", status };
    emulator.refusals.answer("POST /ach_transfers", { status, body });
    await expect(submit(order())).rejects.toThrow(BankUnavailable);
  });
});

test("an order of 77 cents under the same key does not complete another one", async () => {
  const { increase, order, submit, find, registered } = await arrange();
  const first = order();
  await submit(first);
  const [account] = (await increase.accounts.list()).data;
  const foreign = order();
  await increase.achTransfers.create(
    {
      account_id: account?.id ?? "",
      external_account_id: registered.bankReference,
      amount: 77,
      statement_descriptor: "Elsewhere",
    },
    { idempotencyKey: foreign.transferId },
  );
  await expect(find(foreign)).rejects.toThrow(BankOrderConflict);
  await expect(submit(foreign)).rejects.toThrow(BankOrderConflict);
});

describe("a key of another group, or of a sandbox that was reset,", () => {
  test("finds nothing and fails nothing: what was sent before stays unknown", async () => {
    const { bankAt, order, submit } = await arrange();
    const sent = order();
    await submit(sent);
    const elsewhere = bankAt(await openEmulator());
    const { organizationId, transferId } = sent;
    const context = { businessNow: FRIDAY };
    await expect(elsewhere.find({ organizationId, transferId, ...context })).rejects.toThrow(BankRefusesKey);
    await expect(elsewhere.submit(sent, context)).rejects.toThrow(BankRefusesKey);
    await expect(elsewhere.submit(order(), context)).rejects.toThrow(BankRefusesKey);
    await expect(elsewhere.balance({ organizationId, ...context })).rejects.toThrow(BankUnavailable);
    await expect(elsewhere.verify()).rejects.toThrow("it is the key of another group or environment");
  });

  test("opens no other account for a database from before the accounts were kept", async () => {
    const { database, bankAt, increase, emulator, organizationId, order, income, submit } = await arrange();
    await submit(order());
    const notice = { kind: "DEPOSITED", amountInCents: 1, occurredAt: FRIDAY };
    await database.ownerPool.query(
      `insert into bank_inbox (organization_id, notice_reference, notice, occurred_at, acknowledged_at)
        values ($1, 'earlier', $2, $3, $3)`,
      [organizationId, notice, FRIDAY],
    );
    await database.ownerPool.query("delete from increase_accounts");
    const other = await openEmulator();
    const elsewhere = bankAt(other);
    await expect(elsewhere.verify()).rejects.toThrow(BankRefusesKey);
    await expect(elsewhere.openAccount(income())).rejects.toThrow(BankRefusesKey);
    const pod = { organizationId, podId: uuidv7(), name: "Taxes" };
    await expect(elsewhere.ownAccounts?.open(pod)).rejects.toThrow(BankRefusesKey);
    await expect(elsewhere.submit(order(), { businessNow: FRIDAY })).rejects.toThrow(BankRefusesKey);
    expect(other.requests.filter((request) => request === "POST /accounts")).toEqual([]);
    const again = bankAt(emulator);
    await again.verify();
    await again.openAccount(income());
    expect((await increase.accounts.list()).data).toHaveLength(1);
  });

  test("is not taken for one: an outside account that is unknown under the right key refuses the order", async () => {
    const { order, submit, registered } = await arrange();
    const outsideAccount = { name: "Gone", ...registered, bankReference: "external_account_gone" };
    expect(await submit(order({ outsideAccount }))).toMatchObject({
      kind: "REFUSED",
      code: "NOT_REGISTERED",
    });
  });
});

test.each([
  [401, { type: "invalid_api_key_error", reason: "wrong_environment" }, "other environment"],
  [403, { type: "environment_mismatch_error" }, "other environment"],
  [401, { type: "invalid_api_key_error", reason: "ip_not_allowed" }, "the address of this server"],
  [401, { type: "invalid_api_key_error", reason: "deleted_credential" }, "it was deleted"],
  [403, { type: "insufficient_permissions_error", detail: "Needs transfers." }, "Needs transfers."],
] as const)("a key that is refused with %d %j is named as that", async (status, body, words) => {
  const { emulator, bank, order } = await arrange();
  emulator.refusals.answer("GET /accounts", { status, body: { ...body, status } });
  const refused = await refusalOf(bank.verify());
  expect(refused).toBeInstanceOf(BankRefusesKey);
  expect(String(refused)).toContain("INCREASE_API_KEY");
  expect(String(refused)).toContain(words);
  emulator.refusals.answer("POST /ach_transfers", { status, body: { ...body, status } });
  await expect(bank.submit(order(), { businessNow: FRIDAY })).rejects.toThrow(BankRefusesKey);
});

test("a bank that does not answer is not a refused key", async () => {
  const { bankAt, emulator } = await arrange();
  const refused = await refusalOf(bankAt({ ...emulator, url: "http://127.0.0.1:9" }).verify());
  expect(refused).toBeInstanceOf(BankUnavailable);
  expect(refused).not.toBeInstanceOf(BankRefusesKey);
});

describe("a group with several programs", () => {
  test.each(["program_id", "entity_id"] as const)(
    "opens accounts with its %s, and says so without",
    async (needs) => {
      const { emulator, bank, bankAt, income, increase } = await arrange();
      emulator.group.needs = needs;
      const refused = await refusalOf(bank.openAccount(income()));
      expect(refused).toBeInstanceOf(BankRefusesAccount);
      expect(String(refused)).toContain(`You must specify a ${needs}`);
      const named = bankAt(emulator, { programId: "program_1", entityId: "entity_1" });
      expect(await named.openAccount(income())).toMatchObject({ institutionName: "Increase" });
      expect((await increase.accountNumbers.list()).data).toHaveLength(1);
    },
  );
});

test("the name of the account’s holder is what the other bank compares", async () => {
  const { increase, order, submit } = await arrange();
  await submit(order());
  expect((await increase.achTransfers.list()).data[0]?.individual_name).toBe("Harbor Print Shop LLC");
});

test("an order that a person must approve at Increase says so", async () => {
  const { emulator, increase, order, submit, find } = await arrange();
  emulator.group.approvesOrders = true;
  const paid = order();
  const answer = await submit(paid);
  expect(answer).toMatchObject({ kind: "ACCEPTED", isApprovedThere: true });
  expect(await find(paid)).toMatchObject({ state: "PENDING", isApprovedThere: true });
  if (answer.kind === "ACCEPTED") await increase.achTransfers.approve(answer.reference);
  expect(await find(paid)).not.toHaveProperty("isApprovedThere");
});

test("money that Increase releases before the time it named is reported as released, once", async () => {
  const { increase, order, submit, notices } = await arrange();
  const answer = await submit(order({ direction: "DEBIT" }));
  if (answer.kind !== "ACCEPTED") throw new Error("refused");
  const { achTransfers } = increase.simulations;
  await achTransfers.submit(answer.reference);
  const behavior = { inbound_funds_hold_behavior: "release_on_default_schedule" } as const;
  const held = await achTransfers.settle(answer.reference, behavior);
  expect(await notices()).toMatchObject([{ kind: "SETTLED", availableAt: expect.any(Date) }]);
  const pending = held.inbound_funds_hold?.pending_transaction_id ?? "";
  await increase.simulations.pendingTransactions.releaseInboundFundsHold(pending);
  expect(await notices()).toMatchObject([{ kind: "SETTLED" }, { kind: "RELEASED", occurredAt: FRIDAY }]);
  expect(await notices()).toHaveLength(2);
});

test("two corrections of one second are two, and the second keeps what the first corrected", async () => {
  const { increase, order, submit, notices } = await arrange();
  const answer = await submit(order());
  if (answer.kind !== "ACCEPTED") throw new Error("refused");
  const { achTransfers } = increase.simulations;
  await achTransfers.submit(answer.reference);
  await achTransfers.createNotificationOfChange(answer.reference, { corrected_account_number: "987650000" });
  await achTransfers.createNotificationOfChange(answer.reference, { corrected_routing_number: "101050001" });
  expect(await notices()).toMatchObject([
    { kind: "CORRECTED", code: "C01", accountNumberLast4: "0000" },
    { kind: "CORRECTED", code: "C02", accountNumberLast4: "0000", routingNumberLast4: "0001" },
  ]);
});

describe("429", () => {
  test.each([
    ["30", 30_000],
    ["Fri, 20 Nov 2026 15:02:00 GMT", 120_000],
    ["soon", 5_000],
    ["soon 5", 5_000],
    ["-1", 5_000],
    ["Fri, 20 Nov 2026 14:00:00 GMT", 5_000],
    ["999999", 3_600_000],
  ])("with Retry-After: %s leaves the bank alone for %d ms", async (retryAfter, restMs) => {
    const { emulator, clock, bank, order } = await arrange();
    const headers = { "retry-after": retryAfter };
    const body = { type: "rate_limited_error", status: 429 };
    emulator.refusals.answer("*", { status: 429, body, headers });
    const ask = () => refusalOf(bank.submit(order(), { businessNow: FRIDAY }));
    await ask();
    const before = emulator.requests.length;
    clock.advance(restMs - 1);
    expect(await ask()).toMatchObject({ name: "BankUnavailable", retryAfterMs: 1 });
    expect(emulator.requests).toHaveLength(before);
    clock.advance(1);
    expect(await ask()).toBeNull();
  });
});

describe("a simulated deposit", () => {
  test("of a payer with a long name arrives, shortened", async () => {
    const { emulator, bank, increase, income, organizationId } = await arrange();
    const opened = income();
    await bank.openAccount(opened);
    const simulations = createIncreaseSimulations({
      apiKey: API_KEY,
      environment: "sandbox",
      baseUrl: emulator.url,
    });
    const deposit = { organizationId, accountId: opened.accountId, amountInCents: 710_000 };
    expect(
      await simulations?.deposit({ ...deposit, payerName: "Halden Health Systems of Maine" }),
    ).not.toBeNull();
    const [arrived] = (await increase.inboundACHTransfers.list()).data;
    expect(arrived?.originator_company_name).toBe("Halden Health Sy");
    const refused = await refusalOf(
      simulations?.deposit({ ...deposit, amountInCents: 0.5, payerName: "Halden" }) ?? Promise.resolve(),
    );
    expect(refused).toBeInstanceOf(BankRefusesAccount);
  });

  test("that Increase’s document refuses, the emulator refuses too", async () => {
    const { increase } = await arrange();
    const name = "Halden Health Systems";
    const asked = { account_number_id: "account_number_1", amount: 1, company_name: name };
    await expect(increase.simulations.inboundACHTransfers.create(asked)).rejects.toThrow(
      Increase.InvalidParametersError,
    );
    const long = { description: "x".repeat(201), routing_number: "101050001", account_number: "1234" };
    await expect(increase.externalAccounts.create(long)).rejects.toThrow(Increase.InvalidParametersError);
    const instant = { ...asked, company_name: undefined, debtor_routing_number: "1010500010" };
    await expect(increase.simulations.inboundFednowTransfers.create(instant)).rejects.toThrow(/routing/);
  });
});

test("a payment that settled is unchanged by any of this", async () => {
  const { emulator, order, submit, notices } = await arrange();
  await submit(order());
  await emulator.advanceTo(MONDAY_POSTED);
  expect(await notices()).toMatchObject([{ kind: "SETTLED" }]);
});
