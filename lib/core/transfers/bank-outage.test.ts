/** An outage of the bank: polled at growing intervals, logged in a few lines, and no delay for other organizations. */
import { describe, expect, it } from "vitest";
import { openAtBank } from "@/lib/core/ledger/create-account";
import { collectBankNotices, createBankRounds } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createLog, type Log } from "@/lib/platform/log";
import { type BankPort, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { countQueries, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const SECOND_MS = 1_000;
const HOUR_S = 3_600;

interface Line {
  level: "info" | "warn" | "error";
  message: string;
}

/** Collects what would be logged. */
function listen(): { log: Log; lines: Line[] } {
  const lines: Line[] = [];
  const log = createLog("silent");
  for (const level of ["info", "warn", "error"] as const) {
    log[level] = (_about: unknown, message?: string) => {
      lines.push({ level, message: message ?? "" });
    };
  }
  return { log, lines };
}

/** Organizations with a deposit that is due at the bank; the bank counts requests. */
async function arrange(organizations = 1) {
  const { services, clock } = createTestServices(database);
  // Notices that an earlier test left undelivered would count here.
  await database.ownerPool.query("update sandbox_bank_notices set deliveries_left = 0");
  const { log, lines } = listen();
  const heard = { ...services, log };
  const real = createSandboxBank(database.pool);
  const driver = createSandboxBankDriver(database.pool);
  const people = [];
  for (let index = 0; index < organizations; index += 1) {
    const organization = await createTestOrganization(database, services);
    const pod = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 100_000 });
    const deposit = () =>
      driver.deposit({
        organizationId: organization.organizationId,
        accountId: pod,
        amountInCents: 5_000,
        origin: "DIRECT_DEPOSIT",
        payerName: "Orbit Maps",
        businessNow: clock.now(),
      });
    await deposit();
    people.push({ organization, pod, deposit });
  }
  const asked: string[] = [];
  const silent = new Set<string>();
  let isDown = false;
  const bank: BankPort = {
    ...real,
    organizationsWithNotices: async (input) => {
      asked.push("everyone");
      if (isDown) throw new BankUnavailable("timeout");
      return real.organizationsWithNotices(input);
    },
    notices: async (input) => {
      asked.push(input.organizationId);
      if (silent.has(input.organizationId)) throw new BankUnavailable("timeout");
      return real.notices(input);
    },
  };
  const rounds = createBankRounds(heard, bank);
  /** One second of a worker that polls every second. */
  const tick = async (limit = 16) => {
    await collectBankNotices(heard, bank, limit, rounds);
    clock.advance(SECOND_MS);
  };
  return {
    services: heard,
    clock,
    lines,
    bank,
    people,
    asked,
    silent,
    rounds,
    tick,
    setDown: (down: boolean) => {
      isDown = down;
    },
  };
}

describe("an outage of an hour", () => {
  it.each(["of the bank", "for one organization"])(
    "%s polls about once a minute and logs its start, at most one line a minute, and its end",
    async (of) => {
      const { lines, asked, silent, people, tick, setDown } = await arrange();
      const [{ organization }] = people as [(typeof people)[number]];
      const key = of === "of the bank" ? "everyone" : organization.organizationId;
      if (of === "of the bank") setDown(true);
      else silent.add(organization.organizationId);
      for (let second = 0; second < HOUR_S; second += 1) await tick();
      const count = asked.filter((one) => one === key).length;
      // Intervals end up between half a minute and a minute.
      expect(count).toBeGreaterThan(55);
      expect(count).toBeLessThan(140);
      expect(lines[0]).toEqual({ level: "warn", message: "the bank does not answer" });
      expect(lines.length).toBeLessThanOrEqual(61);
      expect(new Set(lines.slice(1).map(({ level, message }) => `${level}: ${message}`))).toEqual(
        new Set(["error: the bank still does not answer"]),
      );
      setDown(false);
      silent.clear();
      lines.length = 0;
      for (let second = 0; second < 61; second += 1) await tick();
      expect(lines).toEqual([{ level: "info", message: "the bank answers again" }]);
      const { rows } = await database.pool.query(
        "select 1 from transfers where organization_id = $1 and counterparty_name = 'Orbit Maps'",
        [organization.organizationId],
      );
      expect(rows).toHaveLength(1);
    },
  );
});

describe("organizations that get no answer", () => {
  it("delay no other organization, even with a small limit per round", async () => {
    const { silent, people, tick } = await arrange(6);
    for (const { organization } of people.slice(0, 5)) silent.add(organization.organizationId);
    const last = people[5]?.organization.organizationId;
    for (let second = 0; second < 30; second += 1) await tick(2);
    const { rows } = await database.pool.query(
      "select organization_id from transfers where counterparty_name = 'Orbit Maps' and organization_id = $1",
      [last],
    );
    expect(rows).toHaveLength(1);
  });

  it("are polled again as soon as their clock is moved, because intervals are business time", async () => {
    const { silent, people, tick, asked } = await arrange();
    const organizationId = people[0]?.organization.organizationId ?? "";
    silent.add(organizationId);
    for (let second = 0; second < 300; second += 1) await tick();
    const before = asked.filter((one) => one === organizationId).length;
    silent.clear();
    await database.ownerPool.query("update organizations set clock_offset_ms = 86400000 where id = $1", [
      organizationId,
    ]);
    await tick();
    expect(asked.filter((one) => one === organizationId)).toHaveLength(before + 1);
  });
});

describe("a notice that cannot be applied", () => {
  it("backs off without delaying other notices", async () => {
    const { lines, people, tick } = await arrange();
    const [{ organization, deposit }] = people as [(typeof people)[number]];
    const { organizationId } = organization;
    // The bank returns a deposit that it never reported.
    await database.ownerPool.query(
      `insert into sandbox_bank_deposits (organization_id, reference, account_id, origin, amount_in_cents, payer_name, made_at)
         select organization_id, 'SBX-unknown', account_id, origin, amount_in_cents, payer_name, made_at
           from sandbox_bank_deposits where organization_id = $1`,
      [organizationId],
    );
    await database.ownerPool.query(
      `insert into sandbox_bank_notices (organization_id, notice_reference, deposit_reference, kind, code, due_at)
         select organization_id, gen_random_uuid(), 'SBX-unknown', 'DEPOSIT_RETURNED', 'R10', made_at
           from sandbox_bank_deposits where organization_id = $1 and reference = 'SBX-unknown'`,
      [organizationId],
    );
    for (let second = 0; second < 600; second += 1) {
      if (second === 300) await deposit();
      await tick();
    }
    const { rows } = await database.pool.query(
      "select 1 from transfers where organization_id = $1 and counterparty_name = 'Orbit Maps'",
      [organizationId],
    );
    expect(rows).toHaveLength(2);
    expect(new Set(lines.map(({ message }) => message))).toEqual(
      new Set(["a bank notice could not be applied"]),
    );
    expect(lines.length).toBeLessThan(30);
  });
});

describe("more notices that cannot be applied than are read at once", () => {
  it("are set aside, counted, and delay nothing; each is applied once what it needs is there", async () => {
    const { people, tick, clock } = await arrange();
    const [{ organization, pod, deposit }] = people as [(typeof people)[number]];
    const { organizationId } = organization;
    // Returns of deposits that the bank has not reported yet, due before everything else.
    await database.ownerPool.query(
      `insert into sandbox_bank_deposits (organization_id, reference, account_id, origin, amount_in_cents, payer_name, made_at)
         select $1, 'SBX-stuck-' || number, $2, 'DIRECT_DEPOSIT', 1000 + number, 'Stuck', $3::timestamptz
           from generate_series(1, 120) number`,
      [organizationId, pod, clock.now()],
    );
    const report = (kind: "DEPOSITED" | "DEPOSIT_RETURNED") =>
      database.ownerPool.query(
        `insert into sandbox_bank_notices (organization_id, notice_reference, deposit_reference, kind, code, due_at)
           select organization_id, gen_random_uuid(), reference, $2, case when $2 = 'DEPOSIT_RETURNED' then 'R10' end,
               made_at - interval '1 hour'
             from sandbox_bank_deposits where organization_id = $1 and payer_name = 'Stuck'
              and ($2 = 'DEPOSIT_RETURNED' or amount_in_cents <= 1003)`,
        [organizationId, kind],
      );
    await report("DEPOSIT_RETURNED");
    await deposit();
    for (let second = 0; second < 3; second += 1) await tick();
    const booked = async (payer: string) => {
      const { rows } = await database.pool.query(
        "select status from transfers where organization_id = $1 and counterparty_name = $2",
        [organizationId, payer],
      );
      return rows.map((row) => row.status);
    };
    expect(await booked("Orbit Maps")).toEqual(["COMPLETE", "COMPLETE"]);
    const setAside = async () => {
      const { rows } = await database.pool.query(
        "select 1 from bank_unapplied_notices where organization_id = $1",
        [organizationId],
      );
      return rows.length;
    };
    expect(await setAside()).toBe(120);
    await report("DEPOSITED");
    clock.advance(3_600_000);
    for (let second = 0; second < 15; second += 1) await tick();
    expect(await booked("Stuck")).toEqual(["RETURNED", "RETURNED", "RETURNED"]);
    expect(await setAside()).toBe(117);
  });
});

describe("deposits that the bank reports together", () => {
  it("are booked in one transaction, each once however often the bank repeats it", async () => {
    const { services, bank, people, rounds } = await arrange();
    const [{ organization, pod, deposit }] = people as [(typeof people)[number]];
    for (let more = 0; more < 20; more += 1) await deposit();
    const counted = countQueries(services.pool);
    const forgetful: BankPort = { ...bank, acknowledge: async () => undefined };
    for (let round = 0; round < 3; round += 1) {
      await collectBankNotices({ ...services, pool: counted.pool }, forgetful, 16, rounds);
    }
    expect(counted.queries.filter((text) => text.includes("record_deposits"))).toHaveLength(3);
    const { rows } = await database.ownerPool.query(
      `select t.status, count(*)::int, count(distinct e.id)::int as entries, count(distinct s.transfer_id)::int as settlements,
          (select credits_in_cents - debits_in_cents from ledgers where organization_id = $1 and id = $2)::int as balance
         from transfers t join entries e on e.transfer_id = t.id join bank_settlements s on s.transfer_id = t.id
        where t.organization_id = $1 and t.counterparty_name = 'Orbit Maps' group by 1`,
      [organization.organizationId, pod],
    );
    expect(rows).toEqual([
      { status: "COMPLETE", count: 21, entries: 21, settlements: 21, balance: 100_000 + 21 * 5_000 },
    ]);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
    });
  });

  it("are booked one by one if one of them cannot be, which is tried again later", async () => {
    const { lines, people, tick } = await arrange();
    const [{ organization, pod, deposit }] = people as [(typeof people)[number]];
    const { organizationId } = organization;
    await deposit();
    // Money for an account that has no ledger.
    const outside = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    await database.ownerPool.query(
      `update sandbox_bank_deposits set account_id = $2 where organization_id = $1 and reference = (
         select min(reference) from sandbox_bank_deposits where organization_id = $1)`,
      [organizationId, outside],
    );
    await deposit();
    await tick();
    const { rows } = await database.pool.query(
      "select count(*)::int from transfers where organization_id = $1 and destination_account_id = $2 and origin = 'DIRECT_DEPOSIT' and counterparty_name = 'Orbit Maps'",
      [organizationId, pod],
    );
    expect(rows).toEqual([{ count: 2 }]);
    expect(lines).toEqual([
      { level: "warn", message: "deposits are applied one by one" },
      { level: "error", message: "a bank notice could not be applied" },
    ]);
  });
});

describe("orders and accounts of an outage", () => {
  it("are left alone for as long as the bank asks", async () => {
    const { services, clock, bank, people } = await arrange();
    const [{ organization, pod }] = people as [(typeof people)[number]];
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const { context } = await organization.addKey([moveAnything(false)]);
    await askTransfer(
      services,
      { ...context, now: clock.now() },
      { sourceAccountId: pod, destinationAccountId: checking, amountInCents: 1_000 },
    );
    clock.advance(BANK_WINDOW_MS);
    const retryAfterMs = HOUR_S * SECOND_MS;
    const busy = { ...bank, submit: () => Promise.reject(new BankUnavailable("429", { retryAfterMs })) };
    expect(await submitDueTransfers(services, busy, 64)).toBe(1);
    clock.advance(retryAfterMs - 1);
    expect(await submitDueTransfers(services, bank, 64)).toBe(0);
    clock.advance(1);
    expect(await submitDueTransfers(services, bank, 64)).toBe(1);
  });

  it("share one log line", async () => {
    const { services, clock, lines, bank, people, rounds } = await arrange();
    const [{ organization, pod }] = people as [(typeof people)[number]];
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const { context } = await organization.addKey([moveAnything(false)]);
    for (let index = 0; index < 20; index += 1) {
      const route = { sourceAccountId: pod, destinationAccountId: checking };
      await askTransfer(services, { ...context, now: clock.now() }, { ...route, amountInCents: 1_000 });
    }
    clock.advance(BANK_WINDOW_MS);
    const silent = () => Promise.reject(new BankUnavailable("timeout"));
    const dead: BankPort = { ...bank, submit: silent, find: silent, openAccount: silent };
    const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
    await database.ownerPool.query("update accounts set number_due_at = created_at where id = $1", [income]);
    for (let round = 0; round < 5; round += 1) {
      await submitDueTransfers(services, dead, 64, rounds.outages);
      await openAtBank(services, dead, 16, rounds.outages);
      clock.advance(5 * SECOND_MS);
    }
    expect(lines).toEqual([{ level: "warn", message: "the bank does not answer" }]);
  });
});
