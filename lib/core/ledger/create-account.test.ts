import { expect, it } from "vitest";
import type { AccountLook } from "@/lib/contract/hrefs";
import { closeAccount } from "@/lib/core/ledger/close-account";
import { createAccountAsMember, openAtBank } from "@/lib/core/ledger/create-account";
import { findAccount } from "@/lib/core/ledger/read-accounts";
import { type BankPort, BankRefusesAccount, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readAccountPage } from "@/lib/views/accounts/read-account-page";

const database = useTestDatabase();

const HALF_HOUR_MS = 30 * 60_000;
const LOOK: AccountLook = { days: 30, filter: "ALL", page: 1, showsAllOnItsWay: false };

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const open = (type: "POD" | "INCOME_SOURCE") =>
    createAccountAsMember(services, organization.owner, {
      type,
      name: "Client payments",
      floorInCents: null,
    });
  const read = async (id: string) => {
    const account = await findAccount(database.pool, { ...organization.owner, now: clock.now() }, id);
    if (!account) throw new Error("no such account");
    return account;
  };
  return { services, clock, organization, open, read, bank: createSandboxBank(database.pool) };
}

it("an income source gets its masked numbers from the bank once; a pod gets none", async () => {
  const { services, open, read, bank } = await arrange();
  const income = await open("INCOME_SOURCE");
  const pod = await open("POD");
  expect(await openAtBank(services, bank, 16)).toBe(1);
  const account = await read(income);
  expect(account.bankAccountNumber).toMatch(/^••••\d{4}$/);
  expect(account.routingNumber).toBe("••••0000");
  expect(account.institutionName).toBe("Sandbox bank");
  expect(await read(pod)).toMatchObject({
    bankAccountNumber: null,
    routingNumber: null,
    institutionName: null,
  });
  expect(await openAtBank(services, bank, 16)).toBe(0);
});

it("an unresponsive bank is retried later", async () => {
  const { services, clock, open, read, bank } = await arrange();
  const income = await open("INCOME_SOURCE");
  const silent: BankPort = { ...bank, openAccount: () => Promise.reject(new BankUnavailable("timeout")) };
  expect(await openAtBank(services, silent, 16)).toBe(1);
  expect(await openAtBank(services, bank, 16)).toBe(0);
  expect((await read(income)).bankAccountNumber).toBeNull();
  clock.advance(5_000);
  expect(await openAtBank(services, bank, 16)).toBe(1);
  expect((await read(income)).bankAccountNumber).not.toBeNull();
});

it("a bank that opens no account says why on the page until it does", async () => {
  const { services, clock, organization, open, bank } = await arrange();
  const income = await open("INCOME_SOURCE");
  const needy: BankPort = {
    ...bank,
    openAccount: () => Promise.reject(new BankRefusesAccount("You must specify a program_id")),
  };
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const context = () => ({ ...organization.owner, now: clock.now() });
  const seen = () => readAccountPage({ services, context: context(), time }, income, LOOK);
  expect(await openAtBank(services, needy, 16)).toBe(1);
  expect(await seen()).toMatchObject({
    isGettingNumbers: true,
    numberProblem: "You must specify a program_id",
  });
  clock.advance(HALF_HOUR_MS);
  expect(await openAtBank(services, bank, 16)).toBe(1);
  expect(await seen()).toMatchObject({ isGettingNumbers: false, numberProblem: null });
});

it("a closed account is not opened at the bank", async () => {
  const { services, clock, organization, open, read, bank } = await arrange();
  const income = await open("INCOME_SOURCE");
  const owner = {
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  };
  expect(await closeAccount(services, owner, income)).toEqual({ kind: "CLOSED" });
  expect(await openAtBank(services, bank, 16)).toBe(0);
  expect((await read(income)).bankAccountNumber).toBeNull();
});

it("an account is leased by one worker at a time, until its lease ends", async () => {
  const { clock, open } = await arrange();
  const income = await open("INCOME_SOURCE");
  const lease = async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from lease_accounts_to_open($1, 60000, 16)",
      [clock.now()],
    );
    return rows.some(({ id }) => id === income);
  };
  expect([await lease(), await lease()]).toEqual([true, false]);
  clock.advance(60_001);
  expect(await lease()).toBe(true);
});

it("two workers request an account's numbers once", async () => {
  const { services, open, bank } = await arrange();
  await open("INCOME_SOURCE");
  const counts = await Promise.all([openAtBank(services, bank, 16), openAtBank(services, bank, 16)]);
  expect(counts.toSorted()).toEqual([0, 1]);
});
