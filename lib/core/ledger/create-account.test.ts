import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccountAsMember, openAtBank } from "@/lib/core/ledger/create-account";
import { findAccount } from "@/lib/core/ledger/read-accounts";

import { type BankPort, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

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
  return { services, clock, open, read, bank: createSandboxBank(database.pool) };
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

it("two workers request an account's numbers once", async () => {
  const { services, open, bank } = await arrange();
  await open("INCOME_SOURCE");
  const counts = await Promise.all([openAtBank(services, bank, 16), openAtBank(services, bank, 16)]);
  expect(counts.toSorted()).toEqual([0, 1]);
});
