import { describe, expect, it } from "vitest";
import { bankingInstant } from "@/lib/contract/banking-days";
import { ACH_RETURNS, BANK_REFUSALS } from "@/lib/contract/transfer";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { findUnbalancedLedgers } from "@/lib/core/ledger/find-unbalanced-ledgers";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { collectBankNotices, releaseAvailableFunds } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import {
  type BankOrder,
  type BankPort,
  BankSearchIncomplete,
  BankUnavailable,
} from "@/lib/ports/bank/bank-port";
import { createSandboxBank, SANDBOX_CAPABILITIES } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

// The clock starts on Thursday, 15 January 2026; Monday the 19th is a bank holiday.
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 50_000,
  });
  const key = await organization.addKey([moveAnything(false)]);
  const bank = createSandboxBank(database.pool);
  const create = async (direction: "OUT" | "IN", amountInCents: number) => {
    const [source, destination] = direction === "OUT" ? [operating, checking] : [checking, operating];
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: source,
      destinationAccountId: destination,
      amountInCents,
    });
    return transfer.id;
  };
  const read = async (id: string) => {
    const { rows } = await database.pool.query(
      `select status, next_step as "nextStep", error_code as "errorCode", hold_in_cents as hold,
          completed_at as "completedAt" from transfers where id = $1`,
      [id],
    );
    return rows[0];
  };
  const balance = async () => {
    const { rows } = await database.pool.query(
      "select credits_in_cents - debits_in_cents as balance, held_in_cents as held from ledgers where id = $1",
      [operating],
    );
    return rows[0];
  };
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(BANK_WINDOW_MS);
      await submitDueTransfers(services, bank, 20);
      clock.advance(DAY_MS - BANK_WINDOW_MS);
      await submitDueTransfers(services, bank, 20);
      await collectBankNotices(services, bank, 20);
    }
  };
  return { services, clock, organization, key, bank, create, read, balance, passDays };
}

describe("money sent through the bank", () => {
  it("is held from acceptance and booked when the bank settles it, on a banking day", async () => {
    const { services, clock, bank, create, read, balance, passDays } = await arrange();
    const id = await create("OUT", 20_000);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 20);
    expect(await read(id)).toMatchObject({ status: "PROCESSING", nextStep: "AWAIT" });
    expect(await balance()).toEqual({ balance: 100_000, held: 20_000 });
    await passDays(5);
    expect(await read(id)).toMatchObject({ status: "COMPLETE" });
    expect(await balance()).toEqual({ balance: 80_000, held: 0 });
  });

  it.each([
    [10_001, "FAILED", "ACH_R03", 100_000],
    [10_002, "FAILED", "ACH_R16", 100_000],
    [10_003, "RETURNED", "ACH_R10", 100_000],
    [10_004, "COMPLETE", null, 89_996],
    [10_005, "COMPLETE", null, 89_995],
    [10_006, "FAILED", "ACH_R02", 100_000],
    [10_008, "COMPLETE", null, 89_992],
  ])("of %i cents ends as %s (%s), and the books match", async (amount, status, code, left) => {
    const { organization, create, read, balance, passDays } = await arrange();
    const id = await create("OUT", amount);
    await passDays(14);
    expect(await read(id)).toMatchObject({ status, errorCode: code, hold: 0 });
    expect(await balance()).toEqual({ balance: left, held: 0 });
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
    });
  });
});

it.each([...Object.keys(ACH_RETURNS), ...Object.keys(BANK_REFUSALS)])(
  "a transfer that failed with ACH_%s says why in words of its own",
  async (code) => {
    const { rows } = await database.ownerPool.query("select failure_message($1) as message", [`ACH_${code}`]);
    expect(rows[0]?.message).toMatch(/Nothing moved\./);
    expect(rows[0]?.message).not.toContain("ACH_");
  },
);

it("the window in which an order can be canceled is as long as the bank's capabilities say", async () => {
  const { rows } = await database.ownerPool.query<{ ms: number }>(
    "select extract(epoch from next_bank_window(now()) - now())::int * 1000 as ms",
  );
  expect(rows[0]?.ms).toBe(SANDBOX_CAPABILITIES.cancelWindowMs);
});

describe("a pull that is settled and not available yet", () => {
  /** Pulls $100.10 into Operating, and settles it on Tuesday, the 20th; it is available on Thursday, the 22nd. */
  async function settledPull() {
    const arranged = await arrange();
    const id = await arranged.create("IN", 10_010);
    await arranged.passDays(6);
    expect(await arranged.read(id)).toMatchObject({ status: "COMPLETE" });
    return { ...arranged, id };
  }
  const HELD = { balance: 110_010, held: 10_010 };

  it("is booked and held, cannot be spent, and is released when it is available", async () => {
    const { services, clock, organization, create, read, balance } = await settledPull();
    expect(await balance()).toEqual(HELD);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({ wrongHolds: [] });
    expect(await findUnbalancedLedgers(database.ownerPool)).toEqual([]);
    const tooMuch = await create("OUT", 100_100);
    expect(await releaseAvailableFunds(services, 10)).toBe(0);
    await bookDueTransfers(services, 10);
    expect(await read(tooMuch)).toMatchObject({ status: "FAILED", errorCode: "INSUFFICIENT_FUNDS" });

    clock.advance(3 * DAY_MS);
    expect(await releaseAvailableFunds(services, 10)).toBe(1);
    expect(await balance()).toEqual({ balance: 110_010, held: 0 });
    expect(await releaseAvailableFunds(services, 10)).toBe(0);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({ wrongHolds: [] });
  });

  it("says so on its page, with how it traveled, its fee and until when it may come back", async () => {
    const { services, clock, organization, id, create } = await settledPull();
    const settlement = {
      rail: "ACH",
      feeInCents: 0,
      finalAt: "2026-03-21T13:30:00.000Z",
      availableAt: "2026-01-22T13:30:00.000Z",
    };
    const owner = { ...organization.owner, now: clock.now() };
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    expect(await readTransferDetail({ services, context: owner, time }, id)).toMatchObject({ settlement });
    const underWay = await create("OUT", 1_000);
    expect(await readTransferDetail({ services, context: owner, time }, underWay)).toMatchObject({
      settlement: null,
    });
    clock.advance(3 * DAY_MS);
    expect(await releaseAvailableFunds(services, 10)).toBe(1);
  });

  it("is released once, however many workers do it", async () => {
    const { services, clock, balance } = await settledPull();
    clock.advance(3 * DAY_MS);
    const released = await Promise.all(Array.from({ length: 8 }, () => releaseAvailableFunds(services, 10)));
    expect(released.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await balance()).toEqual({ balance: 110_010, held: 0 });
  });

  it("takes its hold with it when the bank returns it", async () => {
    const { services, clock, organization, bank, id, read, balance } = await settledPull();
    const driver = createSandboxBankDriver(database.pool);
    const { organizationId } = organization;
    const about = { organizationId, transferId: id, code: "R01", businessNow: clock.now() };
    expect(await driver.returnOrder(about)).toBe(true);
    await collectBankNotices(services, bank, 20);
    expect(await read(id)).toMatchObject({ status: "RETURNED" });
    expect(await balance()).toEqual({ balance: 100_000, held: 0 });
    clock.advance(3 * DAY_MS);
    expect(await releaseAvailableFunds(services, 10)).toBe(0);
    expect(await auditBooks(database, organizationId)).toMatchObject({ wrongLedgers: [], wrongHolds: [] });
  });

  it("does not cover a shortfall before it is available", async () => {
    const { services, clock, organization, bank, create, passDays } = await arrange();
    const { organizationId } = organization;
    const returned = await create("IN", 20_000);
    await passDays(7);
    const spent = await create("OUT", 115_000);
    await passDays(7);
    expect(spent).toBeDefined();
    const driver = createSandboxBankDriver(database.pool);
    const about = { organizationId, transferId: returned, code: "R01", businessNow: clock.now() };
    expect(await driver.returnOrder(about)).toBe(true);
    await collectBankNotices(services, bank, 20);
    const ledger = async () => {
      const { rows } = await database.pool.query(
        `select credits_in_cents - debits_in_cents - held_in_cents as available, return_shortfall_in_cents as shortfall
           from ledgers where organization_id = $1 and kind = 'MANAGED' and debits_in_cents > 0`,
        [organizationId],
      );
      return rows[0];
    };
    expect(await ledger()).toEqual({ available: -15_000, shortfall: 15_000 });
    await create("IN", 20_010);
    await passDays(5);
    expect(await ledger()).toEqual({ available: -15_000, shortfall: 15_000 });
    await passDays(3);
    expect(await releaseAvailableFunds(services, 10)).toBe(1);
    expect(await ledger()).toEqual({ available: 5_010, shortfall: 0 });
  });
});

describe("a correction of the outside account", () => {
  it("repairs its digits once, and later orders name them", async () => {
    const { services, clock, organization, bank, create, read, passDays } = await arrange();
    const id = await create("OUT", 10_011);
    await database.ownerPool.query(
      "update accounts set account_number_last4 = '8812' where organization_id = $1 and type = 'EXTERNAL_ACCOUNT'",
      [organization.organizationId],
    );
    const submitted: BankOrder[] = [];
    const watched: BankPort = {
      ...bank,
      submit: (order, context) => {
        submitted.push(order);
        return bank.submit(order, context);
      },
    };
    await passDays(6);
    expect(await read(id)).toMatchObject({ status: "COMPLETE" });
    const { rows } = await database.pool.query(
      `select previous_account_number_last4 as was, account_number_last4 as "is", code from account_corrections
        where organization_id = $1`,
      [organization.organizationId],
    );
    expect(rows).toEqual([{ was: "8812", is: "8813", code: "C01" }]);
    const notices = await database.ownerPool.query("select kind from notices where subject_id = $1", [id]);
    expect(notices.rows).toEqual([{ kind: "ACCOUNT_CORRECTED" }]);
    await create("OUT", 10_000);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, watched, 20);
    expect(submitted.map((order) => order.outsideAccount.accountNumberLast4)).toEqual(["8813"]);
  });
});

describe("a settlement", () => {
  const settle = (organizationId: string, transferId: string, now: Date) =>
    database.pool.query("select apply_bank_notice($1, 'late', $2, 'SETTLED', null, $3, $4, $3)", [
      organizationId,
      transferId,
      now,
      newId(now),
    ]);

  it("of an order that the bank refused earlier is an error, and its notice stays unacknowledged", async () => {
    const { organization, clock, create, read, passDays } = await arrange();
    const id = await create("OUT", 10_001);
    await passDays(3);
    expect(await read(id)).toMatchObject({ status: "FAILED", errorCode: "ACH_R03" });
    const settled = settle(organization.organizationId, id, clock.now());
    await expect(settled).rejects.toThrow(`bank settled transfer ${id} which is FAILED`);
    const kept = await database.ownerPool.query("select from bank_notices where transfer_id = $1", [id]);
    expect(kept.rowCount).toBe(0);
  });

  it("that arrives after its own return books nothing", async () => {
    const { organization, clock, create, read, balance, passDays } = await arrange();
    const id = await create("OUT", 10_002);
    await passDays(5);
    expect(await read(id)).toMatchObject({ status: "FAILED", errorCode: "ACH_R16" });
    await settle(organization.organizationId, id, clock.now());
    expect(await read(id)).toMatchObject({ status: "FAILED" });
    expect(await balance()).toEqual({ balance: 100_000, held: 0 });
  });
});

describe("money pulled through the bank", () => {
  it("is credited when the pull settles; only a later return can take the pod below zero", async () => {
    const { organization, create, read, balance, passDays } = await arrange();
    const pulled = await create("IN", 30_003);
    await passDays(5);
    expect(await balance()).toEqual({ balance: 130_003, held: 0 });
    const spent = await create("OUT", 120_000);
    await passDays(14);
    expect(await read(spent)).toMatchObject({ status: "COMPLETE" });
    expect(await read(pulled)).toMatchObject({ status: "RETURNED", errorCode: "ACH_R10" });
    expect(await balance()).toEqual({ balance: -20_000, held: 0 });
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
    });
  });

  it("cannot exceed the last known balance of the outside account minus pulls since then", async () => {
    const { create, read, passDays } = await arrange();
    const first = await create("IN", 40_000);
    const second = await create("IN", 20_000);
    expect(await read(second)).toMatchObject({ nextStep: "FAIL" });
    await passDays(7);
    expect(await read(first)).toMatchObject({ status: "COMPLETE" });
  });
});

describe("a bank that does not answer", () => {
  /** Accepts the order and fails before it answers; counts the calls that reach the real bank. */
  function unreachable(bank: BankPort) {
    const submitted: string[] = [];
    const port: BankPort = {
      ...bank,
      submit: async (order, context) => {
        submitted.push(order.transferId);
        await bank.submit(order, context);
        throw new BankUnavailable("connection reset");
      },
    };
    return { port, submitted };
  }

  it("is asked about the order by id, and never receives it twice", async () => {
    const { services, clock, bank, create, read, balance, passDays } = await arrange();
    const { port, submitted } = unreachable(bank);
    const id = await create("OUT", 20_000);
    for (let attempt = 0; attempt < 5; attempt++) {
      clock.advance(3_600_000);
      await submitDueTransfers(services, port, 20);
    }
    expect(submitted).toEqual([id]);
    expect(await read(id)).toMatchObject({ status: "PROCESSING", nextStep: "AWAIT" });
    await passDays(6);
    expect(await balance()).toEqual({ balance: 80_000, held: 0 });
  });

  it("keeps a search that reached its bound unknown, logs it as that and searches again, without sending again", async () => {
    const { services, clock, bank, create, read, balance } = await arrange();
    const { port, submitted } = unreachable(bank);
    let searches = 0;
    const long: BankPort = {
      ...port,
      find: (asked) => {
        searches += 1;
        if (searches <= 3) return Promise.reject(new BankSearchIncomplete("lists more than 500 pages"));
        return bank.find(asked);
      },
    };
    const logged: [unknown, string | undefined][] = [];
    const log = { ...services.log, error: (about: unknown, words?: string) => logged.push([about, words]) };
    const heard = { ...services, log: Object.assign(Object.create(services.log), log) };
    const id = await create("OUT", 20_000);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      clock.advance(DAY_MS);
      await submitDueTransfers(heard, long, 20);
      expect(await read(id)).toMatchObject({ status: "PROCESSING", nextStep: "ASK" });
      expect(await balance()).toEqual({ balance: 100_000, held: 20_000 });
    }
    // The first unanswered call was a warning.
    expect(logged).toEqual(
      [2, 3, 4].map((attempts) => [
        expect.objectContaining({ transferId: id, attempts }),
        "the bank lists more than is searched for an order; whether it was sent stays unknown, and it is searched again",
      ]),
    );
    clock.advance(DAY_MS);
    await submitDueTransfers(heard, long, 20);
    expect(await read(id)).toMatchObject({ nextStep: "AWAIT" });
    expect(submitted).toEqual([id]);
  });

  it("leaves the money held for as long as it is silent: an unknown outcome is not a failure", async () => {
    const { services, clock, bank, create, read, balance } = await arrange();
    const dead: BankPort = {
      ...bank,
      submit: () => Promise.reject(new BankUnavailable("timeout")),
      find: () => Promise.reject(new BankUnavailable("timeout")),
    };
    const id = await create("OUT", 20_000);
    for (let attempt = 0; attempt < 20; attempt++) {
      clock.advance(DAY_MS);
      await submitDueTransfers(services, dead, 20);
    }
    expect(await read(id)).toMatchObject({ status: "PROCESSING", nextStep: "ASK" });
    expect(await balance()).toEqual({ balance: 100_000, held: 20_000 });
  });
});

describe("an order to the bank", () => {
  it("waits for the bank's next window, a minute of business time, and can be canceled until then", async () => {
    const { services, clock, organization, bank, create, read, balance } = await arrange();
    const [left, recalled] = [await create("OUT", 20_000), await create("OUT", 30_000)];
    await submitDueTransfers(services, bank, 20);
    clock.advance(BANK_WINDOW_MS - 1);
    await submitDueTransfers(services, bank, 20);
    expect(await read(left)).toMatchObject({ nextStep: "SUBMIT" });
    expect(await balance()).toEqual({ balance: 100_000, held: 50_000 });
    expect(await cancelTransfer(services, { ...organization.owner, now: clock.now() }, recalled)).toBe(
      "CANCELLED",
    );
    expect(await balance()).toEqual({ balance: 100_000, held: 20_000 });

    // Moves the organization's clock, as the sandbox page does.
    await database.ownerPool.query("update organizations set clock_offset_ms = 1 where id = $1", [
      organization.organizationId,
    ]);
    await submitDueTransfers(services, bank, 20);
    expect(await read(left)).toMatchObject({ nextStep: "AWAIT" });
    expect(await cancelTransfer(services, { ...organization.owner, now: clock.now() }, left)).toBe(
      "AT_THE_BANK",
    );
    const asked = {
      organizationId: organization.organizationId,
      transferId: recalled,
      businessNow: clock.now(),
    };
    expect(await bank.find(asked)).toBeNull();
  });

  it("is canceled while it waits when its key is revoked", async () => {
    const { services, clock, organization, key, bank, create, read, balance } = await arrange();
    const id = await create("OUT", 20_000);
    await revokeApiKey(services, { ...organization.owner, now: clock.now() }, key.id);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 20);
    expect(await read(id)).toMatchObject({ status: "CANCELLED", hold: 0 });
    expect(await balance()).toEqual({ balance: 100_000, held: 0 });
  });

  it.each([
    ["settled", 20_000, "COMPLETE"],
    ["sent back", 20_002, "FAILED"],
  ])("that was %s ends at the bank's time, however late Sluice learns of it", async (_, amount, status) => {
    const { services, clock, bank, create, read } = await arrange();
    const id = await create("OUT", amount);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 20);
    clock.advance(6 * DAY_MS);
    await collectBankNotices(services, bank, 20);
    expect(await read(id)).toMatchObject({ status, completedAt: bankingInstant("2026-01-16", "08:30") });
  });
});

describe("canceling", () => {
  it("releases the hold of a transfer that was not sent", async () => {
    const { services, clock, organization, create, read, balance } = await arrange();
    const id = await create("OUT", 20_000);
    expect(await cancelTransfer(services, { ...organization.owner, now: clock.now() }, id)).toBe("CANCELLED");
    expect(await read(id)).toMatchObject({ status: "CANCELLED" });
    expect(await balance()).toEqual({ balance: 100_000, held: 0 });
  });

  it("is too late once the transfer is leased for the bank, even if the bank does not answer", async () => {
    const { services, clock, organization, bank, create, read } = await arrange();
    const id = await create("OUT", 20_000);
    const dead: BankPort = { ...bank, submit: () => Promise.reject(new BankUnavailable("timeout")) };
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, dead, 20);
    expect(await cancelTransfer(services, { ...organization.owner, now: clock.now() }, id)).toBe(
      "UNANSWERED",
    );
    expect(await read(id)).toMatchObject({ status: "PROCESSING" });
  });

  it("and submitting at the same moment never both succeed", async () => {
    const { services, clock, organization, bank, create, read, balance, passDays } = await arrange();
    for (let round = 0; round < 10; round++) {
      const before = (await balance()).balance;
      const id = await create("OUT", 1_000);
      clock.advance(BANK_WINDOW_MS);
      const [outcome] = await Promise.all([
        cancelTransfer(services, { ...organization.owner, now: clock.now() }, id),
        submitDueTransfers(services, bank, 20),
      ]);
      await passDays(5);
      expect((await read(id)).status).toBe(outcome === "CANCELLED" ? "CANCELLED" : "COMPLETE");
      expect((await balance()).balance).toBe(outcome === "CANCELLED" ? before : before - 1_000);
    }
  });

  it("is allowed to owners and co-owners only", async () => {
    const { services, organization, create } = await arrange();
    const id = await create("OUT", 20_000);
    const viewer = await organization.addMember("VIEWER", "Tomas");
    await expect(cancelTransfer(services, viewer, id)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });
});
