/**
 * Goal: the product's own work (opening, collecting, submitting) carries money over the adapter for Mercury, whose own
 * approval still applies. Method: the due work of the product against the emulator, over HTTP.
 */

import { expect, onTestFinished, test } from "vitest";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { registerAccount } from "@/lib/core/connections/register-account";
import { createAccountAsMember, openAtBank } from "@/lib/core/ledger/create-account";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import type { OutsideAddress } from "@/lib/ports/bank/bank-port";
import { createMercuryBank } from "@/lib/ports/bank/mercury/create-mercury-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { auditBooks } from "@/lib/testing/conservation";
import { openTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";
import { openMercuryEmulator } from "@/proof/emulators/mercury/emulator";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const OPENING_IN_CENTS = 5_000_029;

async function arrange() {
  const database = await openTestDatabase();
  const { services: sandbox, clock } = createTestServices(database);
  const token = "secret-token:emulated";
  const emulator = await openMercuryEmulator({ startsAt: clock.now(), token });
  onTestFinished(() => emulator.close());
  const accountId = emulator.openAccount(OPENING_IN_CENTS);
  const setting = { token, environment: "sandbox", accountId, send: "REQUEST" } as const;
  const bank = createMercuryBank(database.pool, { ...setting, baseUrl: emulator.url });
  const services = { ...sandbox, bankCapabilities: bank.capabilities };
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const advance = async (ms: number) => {
    clock.advance(ms);
    await emulator.advanceTo(clock.now());
  };
  const collect = () => collectBankNotices(services, bank, 20);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const openIncome = async () => {
    const income = { type: "INCOME_SOURCE", name: "Client payments" } as const;
    const id = await createAccountAsMember(services, owner(), { ...income, floorInCents: null });
    await openAtBank(services, bank, 10);
    return id;
  };
  const ledgerOf = async (id: string) => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance, held_in_cents as held from ledgers where id = $1",
      [id],
    );
    return rows[0];
  };
  return {
    database,
    services,
    clock,
    bank,
    emulator,
    accountId,
    organization,
    organizationId,
    advance,
    collect,
    owner,
    openIncome,
    ledgerOf,
  };
}

/** An income source with Mercury's balance, and a payment from it that Mercury has received. */
async function arrangePayment(amountInCents = 20_029) {
  const arranged = await arrange();
  const { database, services, bank, organization, organizationId, advance, collect, openIncome, clock } =
    arranged;
  const income = await openIncome();
  await collect();
  const checking = await organization.addAccount({ name: "Harbor Print Shop", type: "EXTERNAL_ACCOUNT" });
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId, checking));
  // What confirming a payee does: the account may be paid, and orders to it name its registration.
  await database.ownerPool.query(
    "update accounts set is_payee = true, external_account_type = null where id = $1",
    [checking],
  );
  const registeredBank = {
    ...bank,
    submit: (order: Parameters<typeof bank.submit>[0], context: { businessNow: Date }) =>
      bank.submit({ ...order, outsideAccount: { ...order.outsideAccount, ...registered } }, context),
  };
  const key = await organization.addKey([moveAnything(false)]);
  const pay = async () => {
    const route = { sourceAccountId: income, destinationAccountId: checking, amountInCents };
    const { id } = await askTransfer(services, key.context, route);
    await advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, registeredBank, 10);
    return id;
  };
  const detail = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    return await readTransferDetail({ services, context: arranged.owner(), time }, id);
  };
  const lastStep = async (id: string) => (await detail(id))?.life.at(-1);
  return { ...arranged, income, pay, lastStep };
}

test("what Mercury holds arrives on the one income source, and a payment out is approved there, settles and is shown", async () => {
  const arranged = await arrangePayment();
  const { database, bank, emulator, organizationId, advance, collect, income, pay, lastStep, ledgerOf } =
    arranged;
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS, held: 0 });
  const id = await pay();
  expect(emulator.approvals).toMatchObject([{ amountInCents: 20_029, status: "pendingApproval" }]);
  await advance(3 * DAY_MS);
  await collect();
  expect(await lastStep(id)).toMatchObject({ kind: "AT_THE_BANK", isApprovedThere: true });
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS, held: 20_029 });
  await emulator.simulate(`/request-send-money/${emulator.approvals[0]?.id}/approve`);
  await advance(5 * DAY_MS);
  await collect();
  expect(await lastStep(id)).toMatchObject({ kind: "SETTLED" });
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS - 20_029, held: 0 });
  const { currentInCents } = await bank.balance({ organizationId, businessNow: emulator.now() });
  expect(currentInCents).toBe(OPENING_IN_CENTS - 20_029);
  const books = { wrongLedgers: [], wrongHolds: [], negative: [] };
  expect(await auditBooks(database, organizationId)).toMatchObject(books);
});

test("a payment that a person rejects at Mercury fails with words, and its hold is released", async () => {
  const { emulator, advance, collect, income, pay, lastStep, ledgerOf } = await arrangePayment();
  const id = await pay();
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS, held: 20_029 });
  await emulator.simulate(`/request-send-money/${emulator.approvals[0]?.id}/reject`);
  await advance(MINUTE_MS);
  await collect();
  const sentence = "The payment was rejected at the bank. Nothing moved.";
  expect(await lastStep(id)).toMatchObject({ kind: "FAILED", code: "ACH_REJECTED", sentence });
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS, held: 0 });
});

test("a payment that comes back after it settled is returned, and its money is available again", async () => {
  const { emulator, advance, collect, income, pay, lastStep, ledgerOf } = await arrangePayment();
  const id = await pay();
  await emulator.simulate(`/request-send-money/${emulator.approvals[0]?.id}/approve`);
  await advance(5 * DAY_MS);
  await collect();
  expect(await lastStep(id)).toMatchObject({ kind: "SETTLED" });
  const sent = emulator.transactions.find(({ amountInCents }) => amountInCents < 0);
  await emulator.simulate(`/transaction/${sent?.id}/fail`, { reason: "R02 Account closed" });
  await collect();
  expect(await lastStep(id)).toMatchObject({ kind: "RETURNED", code: "R02" });
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS, held: 0 });
});

test("a second payment of the same amount within a day fails with words, and is not tried again", async () => {
  const { emulator, services, bank, advance, income, pay, lastStep, ledgerOf } = await arrangePayment();
  await pay();
  const again = await pay();
  expect(await lastStep(again)).toMatchObject({
    kind: "FAILED",
    code: "ACH_DUPLICATE",
    sentence: expect.stringContaining("same amount to the same payee within 24 hours"),
  });
  expect(await ledgerOf(income)).toEqual({ balance: OPENING_IN_CENTS, held: 20_029 });
  const before = emulator.requests.length;
  await advance(DAY_MS);
  expect(await submitDueTransfers(services, bank, 10)).toBe(0);
  expect(emulator.requests).toHaveLength(before);
});

test("a connected account is registered with its holder's address, is paid, and cannot be drawn on", async () => {
  const { database, services, bank, emulator, organization, advance, collect, openIncome, owner } =
    await arrange();
  const income = await openIncome();
  await collect();
  const aggregator = createSandboxAggregator(database.pool);
  const connected = await connectAccounts(services, aggregator, owner(), {
    kind: "CHOICE",
    institutionId: "sbx_first_harbor",
    templates: ["first_harbor_savings"],
  });
  const accountId = connected.accountIds[0] ?? "";
  const register = (address: OutsideAddress | null) =>
    registerAccount(services, { aggregator, bank }, owner(), {
      accountId,
      holderKind: "BUSINESS",
      account: { holderName: "Northwind LLC", address },
    });
  await expect(register(null)).rejects.toMatchObject({
    details: [{ field: "account.address.street", message: expect.stringContaining("postal address") }],
  });
  await register({ street: "18 Harbor Road", city: "Portland", state: "ME", postalCode: "04101" });
  expect(emulator.requests.filter((request) => request === "POST /recipients")).toHaveLength(1);
  const key = await organization.addKey([moveAnything(false)]);
  const amountInCents = 20_029;
  await expect(
    askTransfer(services, key.context, {
      sourceAccountId: accountId,
      destinationAccountId: income,
      amountInCents,
    }),
  ).rejects.toThrow("this bank cannot draw money from outside accounts");
  await askTransfer(services, key.context, {
    sourceAccountId: income,
    destinationAccountId: accountId,
    amountInCents,
  });
  await advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, bank, 10);
  expect(emulator.approvals).toMatchObject([{ amountInCents, status: "pendingApproval" }]);
});

test("a second income source, and a second organization, are refused in words", async () => {
  const { database, services, clock, openIncome, owner } = await arrange();
  await openIncome();
  const another = { type: "INCOME_SOURCE", name: "Stripe payouts", floorInCents: null } as const;
  await expect(createAccountAsMember(services, owner(), another)).rejects.toThrow(
    "This bank has one account number, and Client payments receives on it. Nothing was opened.",
  );
  const elsewhere = await createTestOrganization(database, services);
  const stranger = { ...elsewhere.owner, now: clock.now() };
  await expect(createAccountAsMember(services, stranger, another)).rejects.toThrow(
    "The bank account of this installation belongs to another organization. Nothing was opened.",
  );
});
