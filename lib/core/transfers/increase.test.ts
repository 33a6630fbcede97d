/**
 * Goal: the product's own work (opening, collecting, submitting) carries money over the adapter for Increase. Method:
 * the due work of the product against the emulator, over HTTP.
 */

import Increase from "increase";
import { expect, onTestFinished, test } from "vitest";
import { openAtBank } from "@/lib/core/ledger/create-account";
import { collectBankNotices, releaseAvailableFunds } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { auditBooks } from "@/lib/testing/conservation";
import { openTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const DAY_MS = 86_400_000;

async function arrange() {
  const database = await openTestDatabase();
  const { services, clock } = createTestServices(database);
  const setting = { startsAt: clock.now(), apiKey: "emulated", openingInCents: 10_000_000 };
  const emulator = await openIncreaseEmulator(setting);
  onTestFinished(() => emulator.close());
  const bank = createIncreaseBank(database.pool, {
    apiKey: "emulated",
    environment: "sandbox",
    baseUrl: emulator.url,
  });
  const increase = new Increase({ apiKey: "emulated", baseURL: emulator.url, maxRetries: 0 });
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const advance = async (ms: number) => {
    clock.advance(ms);
    await emulator.advanceTo(clock.now());
  };
  const collect = () => collectBankNotices(services, bank, 20);
  const transfers = async () => {
    const { rows } = await database.pool.query(
      `select direction, status, error_code as "errorCode", amount_in_cents as "amountInCents",
          counterparty_name as "counterpartyName" from transfers
        where organization_id = $1 and counterparty_name is distinct from 'Opening' order by id`,
      [organizationId],
    );
    return rows;
  };
  return {
    database,
    services,
    clock,
    bank,
    emulator,
    increase,
    organization,
    organizationId,
    advance,
    collect,
    transfers,
  };
}

test("a deposit arrives on its income source, is booked once, and is taken back", async () => {
  const { database, services, clock, bank, increase, organizationId, organization, collect } =
    await arrange();
  const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
  await database.ownerPool.query(
    "update accounts set number_due_at = $2, account_number_last4 = null where id = $1",
    [income, clock.now()],
  );
  expect(await openAtBank(services, bank, 10)).toBe(1);
  const [number] = (await increase.accountNumbers.list()).data;
  if (!number) throw new Error("no number");
  const opened = await database.pool.query(
    "select institution_name as bank, account_number_last4 as digits from accounts where id = $1",
    [income],
  );
  expect(opened.rows).toEqual([{ bank: "Increase", digits: number.account_number.slice(-4) }]);

  const deposit = await increase.simulations.inboundACHTransfers.create({
    account_number_id: number.id,
    amount: 710_000,
    company_name: "Halden Health",
  });
  await collect();
  await collect();
  const balance = async () => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance from ledgers where id = $1",
      [income],
    );
    return rows[0]?.balance;
  };
  expect(await balance()).toBe(710_000);
  await increase.inboundACHTransfers.transferReturn(deposit.id, { reason: "duplicate_entry" });
  await collect();
  expect(await balance()).toBe(0);
  const books = { wrongLedgers: [], wrongHolds: [], negative: [] };
  expect(await auditBooks(database, organizationId)).toMatchObject(books);
});

test("a payment to an account that is not registered fails with words, and its money is available again", async () => {
  const { services, bank, emulator, organization, advance, transfers } = await arrange();
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const key = await organization.addKey([moveAnything(false)]);
  await askTransfer(services, key.context, {
    sourceAccountId: operating,
    destinationAccountId: checking,
    amountInCents: 20_000,
  });
  await advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, bank, 10);
  expect((await transfers()).at(-1)).toMatchObject({ status: "FAILED", errorCode: "ACH_NOT_REGISTERED" });
  expect(emulator.requests).not.toContain("POST /ach_transfers");
});

/** A pod, an account outside that is registered at the bank, and a bank to which orders name it. */
async function arrangeOrders() {
  const arranged = await arrange();
  const { bank, organization, organizationId, services } = arranged;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const outside = { type: "EXTERNAL_ACCOUNT", balanceInCents: 90_000 } as const;
  const checking = await organization.addAccount({ name: "Checking", ...outside });
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId, checking));
  // What the payees of the dashboard do: orders to this account name its registration.
  const registeredBank = {
    ...bank,
    submit: (order: Parameters<typeof bank.submit>[0], context: { businessNow: Date }) =>
      bank.submit({ ...order, outsideAccount: { ...order.outsideAccount, ...registered } }, context),
  };
  const key = await organization.addKey([moveAnything(false)]);
  const ask = (sourceAccountId: string, destinationAccountId: string, amountInCents: number) =>
    askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents });
  return { ...arranged, operating, checking, registeredBank, ask };
}

test.each([
  ["is available then", false],
  ["was never held if Sluice reads both at once", true],
])("money that Increase releases before the time it had said %s", async (_, isReleasedFirst) => {
  const { services, database, increase, operating, checking, registeredBank, ask, advance, collect } =
    await arrangeOrders();
  await ask(checking, operating, 30_000);
  await advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, registeredBank, 10);
  const [pull] = (await increase.achTransfers.list()).data;
  await increase.simulations.achTransfers.submit(pull?.id ?? "");
  const settled = await increase.simulations.achTransfers.settle(pull?.id ?? "", {
    inbound_funds_hold_behavior: "release_on_default_schedule",
  });
  // Read before or after its release: a hold that has ended holds nothing.
  const pendingId = settled.inbound_funds_hold?.pending_transaction_id ?? "";
  const release = () => increase.simulations.pendingTransactions.releaseInboundFundsHold(pendingId);
  if (isReleasedFirst) await release();
  await collect();
  const held = async () => {
    const { rows } = await database.pool.query<{ held: number }>(
      "select held_in_cents as held from ledgers where id = $1",
      [operating],
    );
    return rows[0]?.held;
  };
  expect(await held()).toBe(isReleasedFirst ? 0 : 30_000);
  if (!isReleasedFirst) await release();
  await collect();
  await releaseAvailableFunds(services, 10);
  expect(await held()).toBe(0);
});

test("an order that a person must approve at Increase says so on its page until it has ended", async () => {
  const { services, clock, emulator, organization, operating, checking, registeredBank, ask, advance } =
    await arrangeOrders();
  emulator.group.approvesOrders = true;
  const { id } = await ask(operating, checking, 20_000);
  await advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, registeredBank, 10);
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const seen = await readTransferDetail(
    { services, context: { ...organization.owner, now: clock.now() }, time },
    id,
  );
  expect(seen?.life.at(-1)).toMatchObject({ kind: "AT_THE_BANK", isApprovedThere: true });
});

test("a lost answer, a settlement, a hold and a return end in books that balance", async () => {
  const arranged = await arrangeOrders();
  const { database, services, clock, bank, emulator, increase, organizationId } = arranged;
  const { operating, checking, registeredBank, ask, advance, collect, transfers } = arranged;
  await ask(operating, checking, 20_000);
  await ask(checking, operating, 30_000);
  emulator.loseNextAnswer("POST", "/ach_transfers");
  await advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, registeredBank, 10);
  await advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, registeredBank, 10);
  const orders = (await increase.achTransfers.list()).data;
  expect(orders).toHaveLength(2);
  const pull = orders.find((order) => order.amount < 0);
  const push = orders.find((order) => order.amount > 0);
  if (!pull || !push) throw new Error("an order is missing");
  await increase.simulations.achTransfers.submit(pull.id);
  await increase.simulations.achTransfers.settle(pull.id, {
    inbound_funds_hold_behavior: "release_on_default_schedule",
  });
  await collect();
  const ledger = async () => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance, held_in_cents as held from ledgers where id = $1",
      [operating],
    );
    return rows[0];
  };
  expect(await ledger()).toEqual({ balance: 130_000, held: 50_000 });
  await advance(5 * DAY_MS);
  await collect();
  expect(await releaseAvailableFunds(services, 10)).toBe(1);
  expect(await ledger()).toEqual({ balance: 110_000, held: 0 });
  await increase.simulations.achTransfers.return(push.id, { reason: "no_account" });
  await collect();
  expect(await ledger()).toEqual({ balance: 130_000, held: 0 });
  expect((await transfers()).map((transfer) => transfer.status)).toContain("RETURNED");
  expect(await auditBooks(database, organizationId)).toMatchObject({ wrongLedgers: [], wrongHolds: [] });
  const { currentInCents } = await bank.balance({ organizationId, businessNow: clock.now() });
  expect(currentInCents).toBe(10_000_000 + 30_000);
});
