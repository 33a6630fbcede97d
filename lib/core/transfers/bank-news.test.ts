/**
 * Goal: one thing at the bank that cannot be read delays nothing else, and is seen: by operators in the metrics and the
 * log, by owners beside their balances. Method: the due work of the product against the emulator, over HTTP.
 */

import Increase from "increase";
import { v7 as uuidv7 } from "uuid";
import { expect, onTestFinished, test } from "vitest";
import { createHealth } from "@/lib/api/http/health";
import { createMetrics } from "@/lib/api/launcher/metrics";
import { countRequestsInFlight } from "@/lib/api/launcher/requests-in-flight";
import { openAtBank } from "@/lib/core/ledger/create-account";
import { readNewsLateSince } from "@/lib/core/transfers/bank-news";
import { collectBankNotices, createBankRounds } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createLog } from "@/lib/platform/log";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { newOutsideAccount } from "@/lib/testing/bank/outside-account";
import { openTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function arrange() {
  const database = await openTestDatabase();
  const { services, clock } = createTestServices(database);
  const lines: string[] = [];
  const log = createLog("silent");
  log.warn = (_about: unknown, message?: string) => {
    lines.push(message ?? "");
  };
  const heard = { ...services, log };
  const emulator = await openIncreaseEmulator({
    startsAt: clock.now(),
    apiKey: "emulated",
    openingInCents: 0,
  });
  onTestFinished(() => emulator.close());
  const setting = { apiKey: "emulated", environment: "sandbox", baseUrl: emulator.url } as const;
  const bank = createIncreaseBank(database.pool, setting);
  const increase = new Increase({ apiKey: "emulated", baseURL: emulator.url, maxRetries: 0 });
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
  await database.ownerPool.query(
    "update accounts set number_due_at = $2, account_number_last4 = null where id = $1",
    [income, clock.now()],
  );
  await openAtBank(services, bank, 10);
  const [number] = (await increase.accountNumbers.list()).data;
  const deposit = (amount: number) =>
    increase.simulations.inboundACHTransfers.create({
      account_number_id: number?.id ?? "",
      amount,
      company_name: "Halden Health",
    });
  const rounds = createBankRounds(heard, bank);
  const collect = () => collectBankNotices(heard, bank, 20, rounds);
  const advance = async (ms: number) => {
    clock.advance(ms);
    await emulator.advanceTo(clock.now());
  };
  const booked = async () => {
    const { rows } = await database.pool.query<{ amount: number }>(
      `select amount_in_cents as amount from transfers where organization_id = $1 and counterparty_name = 'Halden Health'
        order by id`,
      [organizationId],
    );
    return rows.map(({ amount }) => amount);
  };
  const lateSince = (of = organizationId) => readNewsLateSince(database.pool, of, clock.now());
  const metrics = createMetrics(
    heard,
    {
      roles: { web: false, api: false, worker: true },
      dataDirectory: ".",
      archive: null,
      backups: { directory: ".", command: null, isTested: false },
    },
    { inFlight: countRequestsInFlight(), version: "1.0.0" },
  );
  const measured = async (name: string) =>
    (await metrics.write())
      .split("\n")
      .filter((line) => line.startsWith(name))
      .map((line) => line.split(" ").at(-1));
  return {
    database,
    services,
    clock,
    lines,
    emulator,
    bank,
    increase,
    organization,
    organizationId,
    income,
    deposit,
    collect,
    advance,
    booked,
    lateSince,
    measured,
  };
}

test("an object that answers 404 delays no deposit of others, is counted and logged once, and read when it is there", async () => {
  const { lines, emulator, deposit, collect, advance, booked, lateSince, measured } = await arrange();
  const gone = await deposit(1_000);
  emulator.odd.fail(gone.id);
  await deposit(2_000);
  await collect();
  expect(await booked()).toEqual([2_000]);
  expect(await measured("sluice_bank_notices_set_aside")).toEqual(["1", "0"]);
  for (let minute = 0; minute < 30; minute += 1) {
    await advance(MINUTE_MS);
    await collect();
  }
  expect(lines).toEqual(["something at the bank could not be read; it is set aside and tried again"]);
  expect(await measured("sluice_bank_notice_set_aside_oldest_seconds")).toEqual(["1800"]);
  expect(await measured("sluice_bank_news_age_seconds")).toEqual(["0"]);
  // Nobody knows whose it is.
  expect(await lateSince()).toBeNull();
  emulator.odd.recover();
  await advance(HOUR_MS);
  await collect();
  expect(await booked()).toEqual([2_000, 1_000]);
  expect(await measured("sluice_bank_notices_set_aside")).toEqual(["0", "0"]);
});

test("a correction that the bank refuses to register delays neither its own order nor deposits, and its owner sees it", async () => {
  const {
    database,
    services,
    clock,
    emulator,
    bank,
    increase,
    organization,
    organizationId,
    income,
    ...scene
  } = await arrange();
  await scene.deposit(100_000);
  await scene.collect();
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const registered = await bank.registerOutsideAccount(newOutsideAccount(organizationId, checking));
  await database.ownerPool.query(
    `insert into registered_accounts (organization_id, account_id, registration_id, holder_name, holder_kind, account_kind,
        routing_number_last4, account_number_last4, begun_by, begun_at, bank_reference, registered_by, registered_at,
        cools_off_until)
      select $1, $2, $3, 'Checking', 'BUSINESS', 'CHECKING', '0001', '4321', m.user_id, $4, $5, m.user_id, $4, $4
        from memberships m where m.organization_id = $1 limit 1`,
    [organizationId, checking, uuidv7(), clock.now(), registered.bankReference],
  );
  const key = await organization.addKey([moveAnything(false)]);
  const route = { sourceAccountId: income, destinationAccountId: checking, amountInCents: 20_000 };
  await askTransfer(services, key.context, route);
  await scene.advance(BANK_WINDOW_MS);
  await submitDueTransfers(services, bank, 10);
  const [sent] = (await increase.achTransfers.list()).data;
  if (!sent) throw new Error("nothing was sent");
  await increase.simulations.achTransfers.submit(sent.id);
  await increase.simulations.achTransfers.createNotificationOfChange(sent.id, {
    corrected_account_number: "777-000 889",
  });
  const correctedAt = clock.now();
  await increase.simulations.achTransfers.settle(sent.id, {});
  await scene.deposit(3_000);
  await scene.collect();
  expect(await scene.booked()).toEqual([100_000, 3_000]);
  const { rows } = await database.pool.query(
    "select status from transfers where organization_id = $1 and amount_in_cents = 20000",
    [organizationId],
  );
  expect(rows).toEqual([{ status: "COMPLETE" }]);
  const aside = await database.pool.query(`select about, reason, organization_id as "organizationId"
  from bank_unread_objects`);
  expect(aside.rows).toEqual([
    {
      about: `ach_transfer:${sent.id}`,
      organizationId: organizationId,
      reason: expect.stringContaining("400"),
    },
  ]);
  expect(JSON.stringify(aside.rows)).not.toContain("777");
  expect(await scene.lateSince()).toBeNull();
  await scene.advance(6 * MINUTE_MS);
  await scene.collect();
  expect(await scene.lateSince()).toEqual(correctedAt);
  expect(await scene.lateSince(uuidv7())).toBeNull();
});

test("while the bank's list is not read to its end, news is late since then, for every organization", async () => {
  const { services, clock, emulator, advance, collect, deposit, booked, lateSince, measured } =
    await arrange();
  await collect();
  const last = clock.now();
  emulator.odd.isDown = true;
  await advance(4 * MINUTE_MS);
  await collect();
  expect(await lateSince()).toBeNull();
  await advance(2 * MINUTE_MS);
  await collect();
  expect(await lateSince()).toEqual(last);
  expect(await lateSince(uuidv7())).toEqual(last);
  expect(await measured("sluice_bank_news_age_seconds")).toEqual(["360"]);
  // Load balancers must not take a server out that serves all but the bank's news.
  const health = createHealth(services, { databaseFolder: null });
  expect((await health.request("/readyz")).status).toBe(200);
  emulator.odd.recover();
  await deposit(1_000);
  await advance(2 * MINUTE_MS);
  await collect();
  expect(await booked()).toEqual([1_000]);
  expect(await lateSince()).toBeNull();
});
