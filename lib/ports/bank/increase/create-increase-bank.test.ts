/**
 * Goal: the adapter for Increase keeps the promises of the bank port. Method: it talks HTTP to a stateful emulator of
 * Increase's API; nothing inside the adapter is replaced.
 */

import { createServer } from "node:http";
import Increase from "increase";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeBankEvents } from "@/lib/ports/bank/bank-events.contract";
import {
  type BankOrder,
  type BankPort,
  BankUnavailable,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
} from "@/lib/ports/bank/bank-port";
import { describeBankPort } from "@/lib/ports/bank/bank-port.contract";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { describeOddAnswers, TIMEOUT_MS } from "@/lib/ports/bank/odd-answers.contract";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { createTestDatabase, useTestDatabase } from "@/lib/testing/database";
import { type IncreaseEmulator, openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

/** Friday, 10:00 in New York. */
const FRIDAY = new Date("2026-11-20T15:00:00Z");
const MONDAY_POSTED = new Date("2026-11-23T13:30:00Z");
const WEDNESDAY_POSTED = new Date("2026-11-25T13:30:00Z");
const API_KEY = "emulated";

const database = useTestDatabase();
const opened: IncreaseEmulator[] = [];

afterAll(async () => {
  await Promise.all(opened.map((emulator) => emulator.close()));
});

function bankOf(emulator: IncreaseEmulator, pool = database.pool): BankPort {
  return createIncreaseBank(pool, { apiKey: API_KEY, environment: "sandbox", baseUrl: emulator.url });
}

async function openEmulator(): Promise<IncreaseEmulator> {
  const emulator = await openIncreaseEmulator({
    startsAt: FRIDAY,
    apiKey: API_KEY,
    openingInCents: 100_000_000,
  });
  opened.push(emulator);
  return emulator;
}

/** An emulator with its own database, since an adapter reads the events of one bank. */
async function arrange() {
  const own = await createTestDatabase();
  const emulator = await openEmulator();
  const bank = bankOf(emulator, own.pool);
  const increase = new Increase({ apiKey: API_KEY, baseURL: emulator.url, maxRetries: 0 });
  const organizationId = uuidv7();
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId));
  const order = (changes: Partial<BankOrder> = {}): BankOrder => ({
    transferId: uuidv7(),
    organizationId,
    direction: "CREDIT",
    amountInCents: 425_000,
    label: "RENT",
    outsideAccount: { name: "Harbor Print Shop", ...registered },
    ...changes,
  });
  const notices = () => bank.notices({ organizationId, businessNow: emulator.now(), limit: MAX_NOTICES });
  const close = () => own.close();
  return { bank, emulator, increase, organizationId, registered, order, notices, close };
}

describe("over one emulator", () => {
  let emulator: IncreaseEmulator;
  beforeAll(async () => {
    emulator = await openEmulator();
  });
  describeBankPort("Increase", () => ({
    bank: bankOf(emulator),
    startsAt: emulator.now(),
    createOrganization: async () => uuidv7(),
    advanceTo: (businessNow) => emulator.advanceTo(businessNow),
  }));
});

describeBankEvents("Increase", async () => {
  const own = await createTestDatabase();
  const emulator = await openIncreaseEmulator({ startsAt: FRIDAY, apiKey: API_KEY, openingInCents: 0 });
  const increase = new Increase({ apiKey: API_KEY, baseURL: emulator.url, maxRetries: 0 });
  return {
    bank: bankOf(emulator, own.pool),
    pool: own.ownerPool,
    now: () => emulator.now(),
    advanceTo: (now) => emulator.advanceTo(now),
    odd: emulator.odd,
    deposit: async ({ organizationId, accountId, amountInCents }) => {
      const key = `sluice-number:${organizationId}:${accountId}`;
      const [number] = (await increase.accountNumbers.list({ idempotency_key: key })).data;
      const { id } = await increase.simulations.inboundACHTransfers.create({
        account_number_id: number?.id ?? "",
        amount: amountInCents,
        company_name: "Halden Health",
      });
      return id;
    },
    neededField: "amount",
    oddFields: { originator_company_name: null, status: "a_new_status", standard_entry_class_code: null },
    unsaidFields: [
      { acceptance: null },
      { acceptance: { accepted_at: null, transaction_id: "transaction_1" } },
      { acceptance: { accepted_at: "9999-12-31T00:00:00Z", transaction_id: "transaction_1" } },
      { direction: null },
      { account_number_id: 7 },
    ],
    burst: (count) => emulator.burst(count),
    emit: (objectId, createdAt) =>
      emulator.emit({ category: "inbound_ach_transfer.updated", objectId, createdAt }),
    emitUnreadable: () => emulator.emit({ category: "inbound_ach_transfer.updated", objectId: "" }),
    rawEvent: ({ id = "event_strange", at = emulator.now().toISOString(), objectId = "nothing" }) => ({
      id,
      type: "event",
      category: "inbound_ach_transfer.updated",
      created_at: at,
      associated_object_id: objectId,
      associated_object_type: "inbound_ach_transfer",
    }),
    hasCursors: true,
    requests: () => emulator.requests.length,
    close: async () => {
      await emulator.close();
      await own.close();
    },
  };
});

describeOddAnswers("Increase", "data", async () => {
  const own = await createTestDatabase();
  const emulator = await openIncreaseEmulator({
    startsAt: FRIDAY,
    apiKey: API_KEY,
    openingInCents: 100_000_000,
  });
  const setting = { apiKey: API_KEY, environment: "sandbox", baseUrl: emulator.url } as const;
  return {
    bank: createIncreaseBank(own.pool, { ...setting, timeoutMs: TIMEOUT_MS }),
    now: () => emulator.now(),
    odd: emulator.odd,
    sends: () => emulator.requests.filter((request) => request === "POST /ach_transfers").length,
    addLines: async (organizationId, count) => {
      const increase = new Increase({ apiKey: API_KEY, baseURL: emulator.url });
      const asked = { idempotency_key: `sluice-account:${organizationId}` };
      const [account] = (await increase.accounts.list(asked)).data;
      emulator.fill(account?.id ?? "", count);
    },
    fieldsOf: ({ amountInCents, bookedAt }) => ({
      amount: amountInCents,
      created_at: bookedAt.toISOString(),
    }),
    close: async () => {
      await emulator.close();
      await own.close();
    },
  };
});

describe("an order", () => {
  test("whose answer is lost is found by its key, and sent once", async () => {
    const { bank, emulator, increase, organizationId, order, close } = await arrange();
    const lost = order();
    emulator.loseNextAnswer("POST", "/ach_transfers");
    await expect(bank.submit(lost, { businessNow: FRIDAY })).rejects.toThrow(BankUnavailable);
    const { transferId } = lost;
    expect(await bank.find({ organizationId, transferId, businessNow: FRIDAY })).toMatchObject({
      state: "PENDING",
    });
    expect((await increase.achTransfers.list()).data).toHaveLength(1);
    expect(emulator.requests.filter((request) => request === "POST /ach_transfers")).toHaveLength(1);
    await close();
  });

  test("of an account without enough money is refused, and nothing is kept of it", async () => {
    const { bank, organizationId, order, close } = await arrange();
    const tooMuch = order({ amountInCents: 900_000_000 });
    expect(await bank.submit(tooMuch, { businessNow: FRIDAY })).toMatchObject({
      kind: "REFUSED",
      code: "NOT_ALLOWED",
      bankWords: "The account has not enough money.",
    });
    const { transferId } = tooMuch;
    expect(await bank.find({ organizationId, transferId, businessNow: FRIDAY })).toBeNull();
    await close();
  });

  test("to an account that is not registered is refused before anything is sent", async () => {
    const { bank, emulator, order, close } = await arrange();
    const unregistered = { name: "Elsewhere", routingNumberLast4: null, accountNumberLast4: null };
    const answer = await bank.submit(order({ outsideAccount: { ...unregistered, bankReference: null } }), {
      businessNow: FRIDAY,
    });
    expect(answer).toMatchObject({ kind: "REFUSED", code: "NOT_REGISTERED" });
    expect(emulator.requests).not.toContain("POST /ach_transfers");
    await close();
  });

  test("a wrong key leaves the outcome unknown: no transfer fails because of it", async () => {
    const { emulator, order, close } = await arrange();
    const setting = { apiKey: "wrong", environment: "sandbox", baseUrl: emulator.url } as const;
    const bank = createIncreaseBank(database.pool, setting);
    await expect(bank.submit(order(), { businessNow: FRIDAY })).rejects.toThrow(BankUnavailable);
    await close();
  });

  test("settles first and is returned later, each reported once", async () => {
    const { bank, emulator, increase, order, notices, close } = await arrange();
    const answer = await bank.submit(order(), { businessNow: FRIDAY });
    if (answer.kind !== "ACCEPTED") throw new Error("refused");
    expect(answer.expectedSettlementAt).toEqual(MONDAY_POSTED);
    await emulator.advanceTo(MONDAY_POSTED);
    expect(await notices()).toMatchObject([{ kind: "SETTLED", rail: "ACH", finalAt: expect.any(Date) }]);
    await increase.simulations.achTransfers.return(answer.reference, { reason: "no_account" });
    expect(await notices()).toMatchObject([{ kind: "SETTLED" }, { kind: "RETURNED", code: "R03" }]);
    expect(await notices()).toHaveLength(2);
    await close();
  });

  test("that pulls money in says when it is available", async () => {
    const { bank, emulator, increase, order, notices, organizationId, close } = await arrange();
    const answer = await bank.submit(order({ direction: "DEBIT" }), { businessNow: FRIDAY });
    if (answer.kind !== "ACCEPTED") throw new Error("refused");
    const { achTransfers } = increase.simulations;
    await achTransfers.submit(answer.reference);
    await achTransfers.settle(answer.reference, {
      inbound_funds_hold_behavior: "release_on_default_schedule",
    });
    expect(await notices()).toMatchObject([
      { kind: "SETTLED", availableAt: new Date("2026-11-24T13:30:00Z") },
    ]);
    const held = await bank.balance({ organizationId, businessNow: FRIDAY });
    expect(held.currentInCents - held.availableInCents).toBe(425_000);
    await emulator.advanceTo(WEDNESDAY_POSTED);
    const free = await bank.balance({ organizationId, businessNow: WEDNESDAY_POSTED });
    expect(free.currentInCents).toBe(free.availableInCents);
    await close();
  });

  test("of another program, under a key that is not a transfer's id, is on the statement alone", async () => {
    const { bank, increase, order, organizationId, registered, notices, close } = await arrange();
    await bank.submit(order(), { businessNow: FRIDAY });
    const [{ account_id: account } = { account_id: "" }] = (await increase.achTransfers.list()).data;
    const foreign = await increase.achTransfers.create(
      {
        account_id: account,
        external_account_id: registered.bankReference,
        amount: 1_000,
        statement_descriptor: "Payroll",
      },
      { idempotencyKey: "payroll-2026-11" },
    );
    await increase.simulations.achTransfers.submit(foreign.id);
    await increase.simulations.achTransfers.settle(foreign.id, {});
    expect(await notices()).toEqual([]);
    const asked = { organizationId, from: new Date(0), cursor: null, limit: 10, businessNow: FRIDAY };
    expect((await bank.statement(asked)).lines).toContainEqual(
      expect.objectContaining({ kind: "OTHER", transferId: null, amountInCents: -1_000 }),
    );
    await close();
  });

  test("whose account is corrected names the account that was registered instead", async () => {
    const { bank, increase, order, notices, registered, close } = await arrange();
    const answer = await bank.submit(order(), { businessNow: FRIDAY });
    if (answer.kind !== "ACCEPTED") throw new Error("refused");
    await increase.simulations.achTransfers.submit(answer.reference);
    await increase.simulations.achTransfers.createNotificationOfChange(answer.reference, {
      corrected_account_number: "987650000",
    });
    const [corrected] = await notices();
    expect(corrected).toMatchObject({ kind: "CORRECTED", code: "C01", accountNumberLast4: "0000" });
    if (corrected?.kind !== "CORRECTED" || corrected.bankReference === null) throw new Error("not corrected");
    expect(corrected.bankReference).not.toBe(registered.bankReference);
    const after = await increase.externalAccounts.retrieve(corrected.bankReference);
    expect(after).toMatchObject({ account_number: "987650000", routing_number: "101050001" });
    await close();
  });
});

test("a correction that the bank refuses delays neither a later one, the order's own news, nor another order", async () => {
  const { bank, emulator, increase, order, notices, close } = await arrange();
  const references: string[] = [];
  for (const sent of [order(), order()]) {
    const answer = await bank.submit(sent, { businessNow: FRIDAY });
    if (answer.kind !== "ACCEPTED") throw new Error("refused");
    await increase.simulations.achTransfers.submit(answer.reference);
    references.push(answer.reference);
  }
  const [poisoned = "", other = ""] = references;
  const correct = (corrected_account_number: string) =>
    increase.simulations.achTransfers.createNotificationOfChange(poisoned, { corrected_account_number });
  await correct("777-000 889");
  await emulator.advanceTo(new Date(FRIDAY.getTime() + 60_000));
  await correct("987650000");
  await increase.simulations.achTransfers.settle(poisoned, {});
  await increase.simulations.achTransfers.settle(other, {});
  const expected = [
    { kind: "CORRECTED", accountNumberLast4: "0000" },
    { kind: "SETTLED", noticeReference: `${poisoned}:settled` },
    { kind: "SETTLED", noticeReference: `${other}:settled` },
  ];
  const kindsOf = async () => (await notices()).toSorted((one, next) => one.kind.localeCompare(next.kind));
  expect(await kindsOf()).toMatchObject(expected);
  // Tried again with a growing pause, and still reported once.
  await emulator.advanceTo(new Date(FRIDAY.getTime() + 3_600_000));
  expect(await kindsOf()).toMatchObject(expected);
  await close();
});

describe("a deposit", () => {
  test("arrives on the account of its number, is reported once, and can be taken back", async () => {
    const { bank, increase, organizationId, notices, close } = await arrange();
    const accountId = uuidv7();
    await bank.openAccount({ organizationId, accountId, name: "Client payments", businessNow: FRIDAY });
    const [number] = (await increase.accountNumbers.list()).data;
    if (!number) throw new Error("no number");
    const deposit = await increase.simulations.inboundACHTransfers.create({
      account_number_id: number.id,
      amount: 710_000,
      company_name: "Halden Health",
    });
    const depositReference = deposit.acceptance?.transaction_id;
    const arrived = { kind: "DEPOSITED", accountId, amountInCents: 710_000, payerName: "Halden Health" };
    expect(await notices()).toMatchObject([{ ...arrived, rail: "ACH", depositReference }]);
    await increase.inboundACHTransfers.transferReturn(deposit.id, { reason: "duplicate_entry" });
    const returned = { kind: "DEPOSIT_RETURNED", depositReference, code: "R24" };
    expect(await notices()).toMatchObject([arrived, returned]);
    const businessNow = FRIDAY;
    const asked = { organizationId, from: new Date(0), cursor: null, limit: 10, businessNow };
    expect((await bank.statement(asked)).lines).toMatchObject([
      { kind: "OTHER", amountInCents: 100_000_000, rail: null },
      { kind: "DEPOSIT", amountInCents: 710_000, depositReference, rail: "ACH" },
      { kind: "DEPOSIT_RETURN", amountInCents: -710_000, depositReference, rail: "ACH" },
    ]);
    await close();
  });

  test("that is pending is not reported until it is accepted, and never if it is declined", async () => {
    const { bank, emulator, increase, organizationId, notices, close } = await arrange();
    const opening = { organizationId, accountId: uuidv7(), name: "Income", businessNow: FRIDAY };
    await bank.openAccount(opening);
    const [number] = (await increase.accountNumbers.list()).data;
    const received = {
      account_number_id: number?.id ?? "",
      amount: 710_000,
      company_name: "Halden Health",
      resolve_at: MONDAY_POSTED.toISOString(),
    };
    const declined = await increase.simulations.inboundACHTransfers.create(received);
    const accepted = await increase.simulations.inboundACHTransfers.create({ ...received, amount: 5_000 });
    expect([declined.status, accepted.status]).toEqual(["pending", "pending"]);
    expect(await notices()).toEqual([]);
    await increase.inboundACHTransfers.decline(declined.id, {});
    await emulator.advanceTo(MONDAY_POSTED);
    expect(await notices()).toMatchObject([
      { kind: "DEPOSITED", amountInCents: 5_000, occurredAt: MONDAY_POSTED },
    ]);
    await close();
  });
});

test("many events are read page by page, and each is looked at once", async () => {
  const { bank, emulator, order, notices, close } = await arrange();
  for (let count = 0; count < 120; count += 1) {
    await bank.submit(order({ amountInCents: 1_000 + count }), { businessNow: FRIDAY });
  }
  await emulator.advanceTo(MONDAY_POSTED);
  expect(await notices()).toHaveLength(120);
  const before = emulator.requests.length;
  expect(await notices()).toHaveLength(120);
  const repeated = emulator.requests.slice(before);
  expect(repeated.every((request) => request === "GET /events")).toBe(true);
  await close();
});

test("webhooks are signed so that the SDK accepts them, and no other body", async () => {
  const { bank, emulator, increase, order, close } = await arrange();
  const received: { body: string; headers: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
      const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
      received.push({ body: Buffer.concat(chunks).toString(), headers });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  await increase.eventSubscriptions.create({
    url: `http://127.0.0.1:${address.port}/`,
    shared_secret: "a shared secret",
  });
  await bank.submit(order(), { businessNow: FRIDAY });
  await emulator.advanceTo(MONDAY_POSTED);
  const last = received.at(-1);
  if (!last) throw new Error("no webhook");
  const event = increase.events.unwrap(last.body, { headers: last.headers, key: "a shared secret" });
  expect(event.category).toBe("ach_transfer.updated");
  expect(() =>
    increase.events.unwrap(`${last.body} `, { headers: last.headers, key: "a shared secret" }),
  ).toThrow();
  server.close();
  await close();
});

test("a statement of more lines than were ever read at once lists each once, a request for each page", async () => {
  const { bank, emulator, increase, organizationId, close } = await arrange();
  const asked = { organizationId, from: new Date(0), limit: MAX_STATEMENT_LINES, businessNow: FRIDAY };
  await bank.statement({ ...asked, cursor: null });
  const [account] = (await increase.accounts.list({ idempotency_key: `sluice-account:${organizationId}` }))
    .data;
  emulator.fill(account?.id ?? "", 10_100);
  // A short page is the last one, whatever its cursor says.
  emulator.odd.isListEndless = true;
  const before = emulator.requests.length;
  const seen = new Set<string>();
  let count = 0;
  let cursor: string | null = null;
  do {
    const page = await bank.statement({ ...asked, cursor });
    for (const { lineReference } of page.lines) seen.add(lineReference);
    count += page.lines.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect([seen.size, count]).toEqual([10_101, 10_101]);
  expect(emulator.requests.slice(before)).toHaveLength(102);
  await close();
});

test("a line whose order the bank does not show any more delays no other", async () => {
  const { bank, emulator, increase, organizationId, order, close } = await arrange();
  await bank.submit(order(), { businessNow: FRIDAY });
  const [sent] = (await increase.achTransfers.list()).data;
  emulator.odd.fail(sent?.id ?? "");
  const asked = { organizationId, from: new Date(0), cursor: null, limit: 10, businessNow: FRIDAY };
  expect((await bank.statement(asked)).lines).toMatchObject([
    { kind: "OTHER", amountInCents: 100_000_000 },
    { kind: "ORDER", amountInCents: -425_000, transferId: null },
  ]);
  await close();
});

test("lines whose objects answer 500 are left out while they do, delay no others, and come later", async () => {
  const { bank, emulator, increase, organizationId, order, close } = await arrange();
  const orders = Array.from({ length: 6 }, () => order());
  for (const sent of orders) await bank.submit(sent, { businessNow: FRIDAY });
  const [last] = orders;
  const broken = (await increase.achTransfers.list()).data.filter(
    ({ idempotency_key: key }) => key !== last?.transferId,
  );
  for (const { id } of broken) emulator.odd.fail(id, 500);
  const asked = { organizationId, from: new Date(0), cursor: null, limit: 10, businessNow: FRIDAY };
  expect((await bank.statement(asked)).lines).toMatchObject([
    { kind: "OTHER", amountInCents: 100_000_000 },
    { kind: "ORDER", transferId: last?.transferId },
  ]);
  emulator.odd.isDown = true;
  await expect(bank.statement(asked)).rejects.toThrow(BankUnavailable);
  emulator.odd.recover();
  const { lines } = await bank.statement(asked);
  expect(lines.flatMap(({ transferId }) => transferId ?? []).toSorted()).toEqual(
    orders.map(({ transferId }) => transferId).toSorted(),
  );
  await close();
});
