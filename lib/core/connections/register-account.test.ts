/**
 * Goal: a connected account that a member registers at the bank can be drawn on and paid, no other one can, and nothing
 * of its number stays here. Method: the product's commands and due work against Increase's emulator and the sandbox
 * institutions, on a real PostgreSQL.
 */
import Increase from "increase";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RegisterAccountInput } from "@/lib/contract/register-account";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { disconnect } from "@/lib/core/connections/disconnect";
import { registerAccount } from "@/lib/core/connections/register-account";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices, releaseAvailableFunds } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  NumbersNotShared,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { type BankPort, BankRefusesAccount, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { openTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readAccountPage } from "@/lib/views/accounts/read-account-page";
import { previewMove } from "@/lib/views/transfers/read-move-page";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const DAY_MS = 86_400_000;

// The workers process all organizations, so each test has its own database.
async function arrange() {
  const database = await openTestDatabase();
  const { services: plain, clock, woken } = createTestServices(database);
  const emulator = await openIncreaseEmulator({
    startsAt: clock.now(),
    apiKey: "emulated",
    openingInCents: 10_000_000,
  });
  onTestFinished(() => emulator.close());
  const bank = createIncreaseBank(database.pool, {
    apiKey: "emulated",
    environment: "sandbox",
    baseUrl: emulator.url,
  });
  const services = { ...plain, bankCapabilities: bank.capabilities };
  const increase = new Increase({ apiKey: "emulated", baseURL: emulator.url, maxRetries: 0 });
  const aggregator = createSandboxAggregator(database.pool);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const here = (member = organization.owner) => ({ ...member, now: clock.now() });
  const { connectionId, accountIds } = await connectAccounts(services, aggregator, here(), {
    kind: "CHOICE",
    institutionId: "sbx_first_harbor",
    templates: ["first_harbor_checking", "first_harbor_savings"],
  });
  const { rows } = await database.pool.query<{ id: string; name: string; provider_account_id: string }>(
    "select id, name, provider_account_id from accounts where id = any ($1)",
    [accountIds],
  );
  const accountNamed = (name: string) => {
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`no account ${name}`);
    return found;
  };
  const checking = accountNamed("Harbor Checking");
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const key = await organization.addKey([moveAnything(false)]);
  const input: RegisterAccountInput = {
    accountId: checking.id,
    holderKind: "BUSINESS",
    account: { holderName: "Northwind LLC", address: null },
  };
  const register = (
    changes: Partial<RegisterAccountInput> = {},
    ports: { bank?: BankPort; aggregator?: AggregatorPort } = {},
    member = organization.owner,
  ) => registerAccount(services, { aggregator, bank, ...ports }, here(member), { ...input, ...changes });
  const ask = (sourceAccountId: string, destinationAccountId: string, amountInCents: number) =>
    askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents });
  const transfers = async () => {
    const { rows: found } = await database.pool.query(
      `select direction, status, error_code as "errorCode", due_at as "dueAt" from transfers
        where organization_id = $1 and direction <> 'INTERNAL' and counterparty_name is null order by id`,
      [organizationId],
    );
    return found;
  };
  const registration = async () => {
    const { rows: found } = await database.pool.query(
      "select * from registered_accounts where organization_id = $1 and account_id = $2",
      [organizationId, checking.id],
    );
    return found[0];
  };
  const notices = async () => {
    const { rows: found } = await database.pool.query(
      "select kind, subject_id, user_id from notices where organization_id = $1 and kind = 'ACCOUNT_REGISTERED'",
      [organizationId],
    );
    return found;
  };
  const externalAccounts = async () => (await increase.externalAccounts.list()).data;
  const advance = async (ms: number) => {
    clock.advance(ms);
    await emulator.advanceTo(clock.now());
  };
  const submit = async () => {
    await submitDueTransfers(services, bank, 20);
    await bookDueTransfers(services, 20);
  };
  return {
    database,
    services,
    clock,
    woken,
    bank,
    increase,
    aggregator,
    organization,
    organizationId,
    connectionId,
    checking,
    savings: accountNamed("Harbor Savings"),
    operating,
    key,
    register,
    ask,
    transfers,
    registration,
    notices,
    externalAccounts,
    advance,
    submit,
    here,
    collect: () => collectBankNotices(services, bank, 20),
  };
}

const isNot = (message: string) => ({
  code: "INVALID_PARAMETERS",
  message: expect.stringContaining(message),
});

describe("a connected account at a bank that must know it", () => {
  it("is refused both ways until it is registered, with the place where that is done", async () => {
    const { ask, checking, operating, register, savings } = await arrange();
    const where = "an owner or co-owner can register this one on its page in the dashboard";
    await expect(ask(checking.id, operating, 1_000)).rejects.toMatchObject(isNot(where));
    await expect(ask(operating, checking.id, 1_000)).rejects.toMatchObject(isNot(where));
    await register();
    expect(await ask(checking.id, operating, 1_000)).toMatchObject({ status: "PROCESSING" });
    expect(await ask(operating, checking.id, 1_000)).toMatchObject({ status: "PROCESSING" });
    await expect(ask(savings.id, operating, 1_000)).rejects.toMatchObject(isNot(where));
  });

  it("gives money that is held until the bank makes it available, and takes it back when it is returned", async () => {
    const arranged = await arrange();
    const { database, increase, organizationId, checking, operating, services, bank, clock } = arranged;
    const { register, ask, advance, submit, collect, transfers, externalAccounts } = arranged;
    await register();
    await ask(checking.id, operating, 30_000);
    await advance(BANK_WINDOW_MS);
    await submit();
    const [outside] = await externalAccounts();
    const [pull] = (await increase.achTransfers.list()).data;
    if (!pull || !outside) throw new Error("nothing was drawn");
    expect(pull).toMatchObject({ amount: -30_000, external_account_id: outside.id });
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
    expect(await ledger()).toEqual({ balance: 130_000, held: 30_000 });
    await advance(5 * DAY_MS);
    await collect();
    expect(await releaseAvailableFunds(services, 10)).toBe(1);
    expect(await ledger()).toEqual({ balance: 130_000, held: 0 });
    await increase.simulations.achTransfers.return(pull.id, { reason: "insufficient_fund" });
    await collect();
    expect(await ledger()).toEqual({ balance: 100_000, held: 0 });
    expect(await transfers()).toMatchObject([
      { direction: "MONEY_IN", status: "RETURNED", errorCode: "ACH_R01" },
    ]);
    expect(await auditBooks(database, organizationId)).toMatchObject({ wrongLedgers: [], wrongHolds: [] });
    const { currentInCents } = await bank.balance({ organizationId, businessNow: clock.now() });
    expect(currentInCents).toBe(10_000_000);
  });

  it("leaves only the bank's reference and four digits: its number is in no table", async () => {
    const { database, aggregator, organizationId, connectionId, checking, clock, ...rest } = await arrange();
    await rest.register();
    await rest.ask(checking.id, rest.operating, 1_000);
    await rest.advance(BANK_WINDOW_MS);
    await rest.submit();
    const numbers = await aggregator.readAccountNumbers({
      organizationId,
      connectionId,
      providerItemId: connectionId,
      sealedAccessToken: null,
      businessNow: clock.now(),
    });
    const own = numbers.find((one) => one.providerAccountId === checking.provider_account_id);
    if (!own) throw new Error("no numbers");
    const [outside] = await rest.externalAccounts();
    expect(outside).toMatchObject({
      account_number: own.accountNumber,
      routing_number: own.routingNumber,
      funding: "checking",
      account_holder: "business",
    });
    expect(await rest.registration()).toMatchObject({
      bank_reference: outside?.id,
      account_number_last4: own.accountNumber.slice(-4),
      routing_number_last4: own.routingNumber.slice(-4),
      holder_name: "Northwind LLC",
    });
    const { rows: tables } = await database.ownerPool.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(50);
    const digits = [own.accountNumber, own.routingNumber];
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const { rowCount } = await database.ownerPool.query(
          `select 1 from ${name} t where t::text like any ($1) limit 1`,
          [digits.map((number) => `%${number}%`)],
        );
        return rowCount === 0 ? [] : [name];
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it("is registered once, announced once to all owners, and recorded, however many ask at once", async () => {
    const arranged = await arrange();
    const { register, externalAccounts, notices, registration, woken, database, organizationId } = arranged;
    await Promise.all(Array.from({ length: 8 }, () => register()));
    await register();
    const known = await externalAccounts();
    expect(known).toHaveLength(1);
    expect((await registration())?.bank_reference).toBe(known[0]?.id);
    expect(await notices()).toEqual([
      { kind: "ACCOUNT_REGISTERED", subject_id: arranged.checking.id, user_id: null },
    ]);
    expect(woken).toContain("send-notices");
    expect(await readRecordedChanges(database, organizationId)).toMatchObject([
      { kind: "ACCOUNT_REGISTERED", subject: "Harbor Checking", after: known[0]?.account_number.slice(-4) },
    ]);
  });

  it("is one account at the bank after a crash between the bank and the database", async () => {
    const { bank, register, externalAccounts, registration, ask, checking, operating } = await arrange();
    const crashing: BankPort = {
      ...bank,
      registerOutsideAccount: async (request) => {
        await bank.registerOutsideAccount(request);
        throw new BankUnavailable("lost");
      },
    };
    await expect(register({}, { bank: crashing })).rejects.toMatchObject(isNot("The bank has not answered"));
    expect(await registration()).toMatchObject({ bank_reference: null });
    await expect(ask(checking.id, operating, 1_000)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await register();
    expect(await externalAccounts()).toHaveLength(1);
  });

  it("has the details of the last attempt: one that others replaced at the bank counts for nothing", async () => {
    const { bank, register, externalAccounts, registration, notices } = await arrange();
    const replaced: BankPort = {
      ...bank,
      registerOutsideAccount: async (request) => {
        const registered = await bank.registerOutsideAccount(request);
        await register({ holderKind: "INDIVIDUAL" });
        return registered;
      },
    };
    await expect(register({}, { bank: replaced })).rejects.toMatchObject(isNot("with other details"));
    const known = await externalAccounts();
    const kept = known.find(({ account_holder }) => account_holder === "individual");
    expect(known).toHaveLength(2);
    expect(await registration()).toMatchObject({ holder_kind: "INDIVIDUAL", bank_reference: kept?.id });
    expect(await notices()).toHaveLength(1);
  });

  it("is registered by owners and co-owners who have just confirmed their presence", async () => {
    const { organization, register, savings, clock, externalAccounts } = await arrange();
    for (const role of ["ACCOUNTANT", "VIEWER"] as const) {
      const member = await organization.addMember(role, `Member ${role}`);
      await expect(register({}, {}, member)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    }
    expect(await externalAccounts()).toEqual([]);
    await register({ accountId: savings.id }, {}, await organization.addMember("CO_OWNER", "Jonas"));
    expect(await externalAccounts()).toMatchObject([{ funding: "savings" }]);
    clock.advance(6 * 60_000);
    await expect(register()).rejects.toMatchObject({ name: "NotConfirmed" });
    expect(await externalAccounts()).toHaveLength(1);
  });

  it.each<[string, () => Error, string]>([
    ["was connected without sharing them", () => new NumbersNotShared(), "connect it again"],
    ["needs a new sign-in", () => new SignInNeeded("ITEM_LOGIN_REQUIRED", "x"), "ITEM_LOGIN_REQUIRED"],
    ["does not respond", () => new AggregatorUnavailable("INSTITUTION_DOWN", "x"), "INSTITUTION_DOWN"],
  ])("is not registered where its institution %s", async (_, createError, words) => {
    const { aggregator, register, externalAccounts } = await arrange();
    const refusing = { ...aggregator, readAccountNumbers: () => Promise.reject(createError()) };
    await expect(register({}, { aggregator: refusing })).rejects.toMatchObject(isNot(words));
    expect(await externalAccounts()).toEqual([]);
  });

  it("is not registered without numbers, and a refusal of the bank repeats none", async () => {
    const { aggregator, bank, register, registration } = await arrange();
    const sharesNone = { ...aggregator, readAccountNumbers: async () => [] };
    await expect(register({}, { aggregator: sharesNone })).rejects.toMatchObject(
      isNot("does not share the account number of Harbor Checking"),
    );
    const refusing: BankPort = {
      ...bank,
      registerOutsideAccount: () => Promise.reject(new BankRefusesAccount("The bank does not accept these.")),
    };
    await expect(register({}, { bank: refusing })).rejects.toMatchObject(
      isNot("The bank does not accept these."),
    );
    expect(await registration()).toMatchObject({ bank_reference: null });
  });

  it("must be an open deposit account of the organization, and the bank must require it", async () => {
    const { database, organization, register, services } = await arrange();
    const loose = await organization.addAccount({ name: "Loose", type: "EXTERNAL_ACCOUNT" });
    await expect(register({ accountId: loose })).rejects.toMatchObject(isNot("Only a connected checking"));
    const stranger = await createTestOrganization(database, services, "Elsewhere");
    await expect(register({}, {}, stranger.owner)).rejects.toMatchObject(isNot("There is no such account"));
    const sandbox = createSandboxBank(database.pool);
    await expect(register({}, { bank: sandbox })).rejects.toMatchObject(isNot("needs no registration"));
  });

  it("cools off like a new payee: larger amounts wait a day and can be canceled, pulls do not", async () => {
    const { register, ask, checking, operating, clock, transfers, organization } = await arrange();
    await organization.deposit(operating, 100_000);
    await register();
    const until = new Date(clock.now().getTime() + DAY_MS);
    await ask(operating, checking.id, 40_000);
    await ask(operating, checking.id, 10_001);
    await ask(operating, checking.id, 10_000);
    await ask(checking.id, operating, 90_000);
    const due = await transfers();
    expect(due.map(({ dueAt }) => dueAt >= until)).toEqual([false, true, false, false]);
    clock.advance(DAY_MS);
    await ask(operating, checking.id, 60_001);
    expect((await transfers()).at(-1)?.dueAt.getTime()).toBeLessThan(clock.now().getTime() + DAY_MS);
  });

  it("is marked on what a member approves: the first payment, and when a larger one leaves", async () => {
    const { register, checking, savings, operating, services, here, clock } = await arrange();
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const look = async (destinationAccountId: string, amountInCents: number) => {
      const draft = { draftId: newId(clock.now()), sourceAccountId: operating, achLabel: null, note: null };
      const preview = await previewMove(
        { services, context: here(), time },
        { ...draft, destinationAccountId, amountInCents },
      );
      return preview.checks.find(({ kind }) => kind === "PAYEE");
    };
    await register();
    const coolsOffUntil = new Date(clock.now().getTime() + DAY_MS).toISOString();
    const first = { isOwn: true, name: "Harbor Checking", novelty: "FIRST", coolsOffUntil };
    expect(await look(checking.id, 50_000)).toMatchObject({
      outcome: "LOOK",
      payees: [{ ...first, waits: false }],
    });
    expect(await look(checking.id, 50_001)).toMatchObject({ payees: [{ ...first, waits: true }] });
    await expect(look(savings.id, 1_000)).rejects.toThrow(
      "Harbor Savings is not registered at the bank yet.",
    );
  });

  it("is announced to every owner and co-owner by email, without its number", async () => {
    const { register, services, database, organization, organizationId, registration } = await arrange();
    await organization.addMember("CO_OWNER", "Jonas");
    await organization.addMember("ACCOUNTANT", "Ines");
    await register();
    await sendNotices(services, { isSandboxBank: false }, 50);
    const { rows } = await database.pool.query<{ recipient: string; subject: string; text: string }>(
      `select recipient, subject, body_text as text from messages where organization_id = $1 and channel = 'EMAIL'
        order by recipient`,
      [organizationId],
    );
    expect(rows.map(({ recipient }) => recipient.split("-")[0])).toEqual(["jonas", "mara"]);
    const last4 = (await registration())?.account_number_last4;
    for (const { subject, text } of rows) {
      expect(subject).toContain("registered the account");
      expect(text).toContain(`ends in ${last4}`);
      expect(text).toContain("Larger amounts leave no earlier than");
    }
  });

  it("shows on its page whether it is registered, and offers to move money only then", async () => {
    const { register, services, here, checking, clock, organization } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const visa = await organization.addAccount({
      name: "Visa",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
    });
    const read = async (id = checking.id, member = organization.owner, using = services) => {
      const look = { days: 30, filter: "ALL", page: 1, showsAllOnItsWay: false } as const;
      const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
      const view = await readAccountPage({ services: using, context: here(member), time }, id, look);
      return { registration: view?.registration, moveHref: view?.moveHref };
    };
    const href = `/accounts/${checking.id}/register`;
    expect(await read()).toEqual({ registration: { kind: "MISSING", href }, moveHref: null });
    expect(await read(checking.id, viewer)).toMatchObject({ registration: { kind: "MISSING", href: null } });
    expect(await read(visa)).toEqual({ registration: { kind: "IMPOSSIBLE" }, moveHref: null });
    await register();
    expect(await read()).toMatchObject({
      registration: { kind: "REGISTERED", byName: "Mara", coolOffAboveInCents: 50_000 },
      moveHref: `/transfers/new?from=${checking.id}`,
    });
    const pushOnly = { ...services, bankCapabilities: { ...services.bankCapabilities, pull: false } };
    expect(await read(checking.id, organization.owner, pushOnly)).toMatchObject({
      moveHref: `/transfers/new?to=${checking.id}`,
    });
  });

  it("closes with its connection: what has not left ends, and nothing more is accepted", async () => {
    const arranged = await arrange();
    const { register, ask, checking, savings, operating, services, here, connectionId, database } = arranged;
    await register();
    await ask(operating, checking.id, 20_000);
    await ask(checking.id, operating, 20_000);
    expect(await disconnect(services, here(), connectionId)).toBe(true);
    await expect(ask(operating, checking.id, 1_000)).rejects.toMatchObject({
      code: "TRANSFER_DESTINATION_NOT_FOUND",
    });
    await arranged.advance(BANK_WINDOW_MS);
    await arranged.submit();
    expect(await arranged.transfers()).toMatchObject([
      { status: "FAILED", errorCode: "ACCOUNT_CLOSED" },
      { status: "FAILED", errorCode: "ACCOUNT_CLOSED" },
    ]);
    expect((await arranged.increase.achTransfers.list()).data).toEqual([]);
    expect(await auditBooks(database, arranged.organizationId)).toMatchObject({ wrongHolds: [] });
    const { rows } = await database.pool.query(
      "select id from accounts where organization_id = $1 and deleted_at is null and connection_id = $2",
      [arranged.organizationId, connectionId],
    );
    expect(rows).toEqual([{ id: savings.id }]);
  });

  it("is not registered by an attempt that its disconnection overtakes", async () => {
    const { bank, register, services, here, connectionId, registration } = await arrange();
    const overtaken: BankPort = {
      ...bank,
      registerOutsideAccount: async (request) => {
        const registered = await bank.registerOutsideAccount(request);
        await disconnect(services, here(), connectionId);
        return registered;
      },
    };
    await expect(register({}, { bank: overtaken })).rejects.toMatchObject(
      isNot("was disconnected in the meantime"),
    );
    expect(await registration()).toMatchObject({ bank_reference: null });
  });

  it("keeps what a notification of change says: later orders name the corrected account", async () => {
    const arranged = await arrange();
    const { register, ask, checking, operating, increase, advance, submit, collect, registration } = arranged;
    await register();
    const before = (await registration())?.bank_reference;
    await ask(operating, checking.id, 10_000);
    await advance(BANK_WINDOW_MS);
    await submit();
    const [push] = (await increase.achTransfers.list()).data;
    if (!push) throw new Error("nothing was sent");
    await increase.simulations.achTransfers.submit(push.id);
    await increase.simulations.achTransfers.createNotificationOfChange(push.id, {
      corrected_account_number: "987654321",
    });
    await collect();
    const after = await registration();
    expect(after?.bank_reference).not.toBe(before);
    expect(after?.account_number_last4).toBe("4321");
    await ask(operating, checking.id, 5_000);
    await advance(BANK_WINDOW_MS);
    await submit();
    const orders = (await increase.achTransfers.list()).data;
    expect(orders.find(({ amount }) => amount === 5_000)?.external_account_id).toBe(after?.bank_reference);
  });
});
