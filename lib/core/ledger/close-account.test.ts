import { describe, expect, it } from "vitest";
import { closeAccount, reopenAccount } from "@/lib/core/ledger/close-account";
import { createAccount } from "@/lib/core/ledger/create-account";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices, recordDeposit } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { joinTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, askUnbooked, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { proofSize } from "@/lib/testing/proof-size";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const bank = createSandboxBank(database.pool);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const pod = await organization.addAccount({ name: "Spare", type: "POD" });
  const key = await organization.addKey([moveAnything(false), { type: "CREATE_ACCOUNTS" }]);
  const asking = await organization.addKey([moveAnything(true)], "asking");
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const close = (id = pod) => closeAccount(services, owner(), id);
  const move = (
    sourceAccountId: string,
    destinationAccountId: string,
    amountInCents = 10_000,
    ask = askUnbooked,
  ) => ask(services, key.context, { sourceAccountId, destinationAccountId, amountInCents });
  /** A rule that tops up the account, only stored. */
  const activateRule = async (destinationAccountId: string) => {
    const ruleId = newId(clock.now());
    const { organizationId, owner: maker } = organization;
    await database.ownerPool.query(
      `insert into rules (organization_id, id, name, latest_version, active_version, active_trigger_type,
          active_trigger_account_id, source_account_ids, created_at, updated_at)
        values ($1, $2, 'Top up', 1, 1, 'MANUAL', $3, array[$3::uuid], now(), now())`,
      [organizationId, ruleId, operating],
    );
    await database.ownerPool.query(
      "insert into rule_versions values ($1, $2, 1, $3, 'MEMBER', $4, 'Mara', now())",
      [
        organizationId,
        ruleId,
        JSON.stringify({ steps: [{ actions: [{ destinationAccountId }] }] }),
        maker.actor.id,
      ],
    );
    return ruleId;
  };
  const look = async (id = pod) => {
    const { rows } = await database.pool.query<{ isClosed: boolean; balance: number; held: number }>(
      `select a.deleted_at is not null as "isClosed", l.credits_in_cents - l.debits_in_cents as balance,
          l.held_in_cents as held
         from accounts a join ledgers l on l.organization_id = a.organization_id and l.id = a.id
        where a.organization_id = $1 and a.id = $2`,
      [organization.organizationId, id],
    );
    const row = rows[0];
    if (!row) throw new Error("no such account");
    return row;
  };
  return {
    services,
    clock,
    organization,
    bank,
    operating,
    pod,
    key,
    asking,
    owner,
    close,
    move,
    look,
    activateRule,
  };
}

describe("closing an account", () => {
  it("closes an empty one, and says the same when it is already closed", async () => {
    const world = await arrange();
    expect(await world.close()).toEqual({ kind: "CLOSED" });
    expect(await world.close()).toEqual({ kind: "CLOSED" });
    expect((await world.look()).isClosed).toBe(true);
    await expect(world.move(world.operating, world.pod)).rejects.toMatchObject({
      code: "TRANSFER_DESTINATION_NOT_FOUND",
    });
  });

  it("lists everything that blocks closing, and closes once each is gone", async () => {
    const world = await arrange();
    await world.organization.deposit(world.pod, 5_000);
    await world.move(world.operating, world.pod, 20_000);
    const ruleId = await world.activateRule(world.pod);
    const proposal = await askUnbooked(world.services, world.asking.context, {
      sourceAccountId: world.pod,
      destinationAccountId: world.operating,
      amountInCents: 1_000,
    });
    await database.ownerPool.query(
      `insert into cards (organization_id, id, card_type, name, number_last4, account_id, status, created_at, updated_at)
       values ($1, $2, 'DEBIT_CARD', 'Studio', '0003', $3, 'FROZEN', now(), now())`,
      [world.organization.organizationId, proposal.id, world.pod],
    );
    expect(await world.close()).toEqual({
      kind: "IN_THE_WAY",
      blockers: [
        { kind: "WAITING", count: 1 },
        { kind: "ON_ITS_WAY", count: 1 },
        { kind: "CARDS", count: 1 },
        { kind: "RULES", count: 1, rules: [{ href: `/rules/${ruleId}`, name: "Top up" }] },
        { kind: "BALANCE", balanceInCents: 5_000 },
      ],
    });
    expect((await world.look()).isClosed).toBe(false);
    await database.ownerPool.query("update cards set status = 'CLOSED' where id = $1", [proposal.id]);
    await database.ownerPool.query(
      "update proposals set state = 'REVOKED', decided_at = now() where id = $1",
      [proposal.id],
    );
    await database.ownerPool.query(
      "update rules set active_version = null, active_trigger_type = null, active_trigger_account_id = null where id = $1",
      [ruleId],
    );
    await bookDueTransfers(world.services, 64);
    await world.move(world.pod, world.operating, 25_000);
    await bookDueTransfers(world.services, 64);
    expect(await world.close()).toEqual({ kind: "CLOSED" });
  });

  it("is for owners and co-owners, in their own organization, and for managed accounts", async () => {
    const world = await arrange();
    const viewer = await world.organization.addMember("VIEWER", "Vic");
    await expect(closeAccount(world.services, viewer, world.pod)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    const other = await arrange();
    await expect(closeAccount(world.services, other.owner(), world.pod)).rejects.toMatchObject({
      code: "ACCOUNT_NOT_FOUND",
    });
    const outside = await world.organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    await expect(world.close(outside)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect((await world.look()).isClosed).toBe(false);
  });
});

/**
 * Goal: money is never in a closed account unless a bank says so. Method: closing races transfers out of and into the
 * account, and (elsewhere) deposits, while the workers run; then the books are checked from their entries.
 */
describe("closing races money", () => {
  it.each([
    ["booked as it is accepted", askTransfer],
    ["left for the worker", askUnbooked],
  ])("a transfer between pods, %s, lands before the closing, or not at all", async (_, ask) => {
    const outcomes = new Set<string>();
    for (let round = 0; round < proofSize(15, 400); round++) {
      const world = await arrange();
      // Refused when the closing came first.
      const move = () => world.move(world.operating, world.pod, 10_000, ask).catch(() => null);
      // Two rounds of four give one of them a head start, so that both orders occur.
      const asked = round % 4 === 0 ? await move() : null;
      const isClosing = world.close();
      if (round % 4 === 2) await isClosing;
      const [closing, moving] = await Promise.all([
        isClosing,
        asked ?? move(),
        bookDueTransfers(world.services, 64),
      ]);
      await bookDueTransfers(world.services, 64);
      const { isClosed, balance } = await world.look();
      outcomes.add(`${closing.kind} ${moving ? "asked" : "refused"}`);
      expect(isClosed).toBe(closing.kind === "CLOSED");
      expect(balance).toBe(isClosed || !moving ? 0 : 10_000);
      expect((await world.look(world.operating)).held).toBe(0);
      expect(await auditBooks(database, world.organization.organizationId)).toMatchObject({
        wrongLedgers: [],
        wrongHolds: [],
        negative: [],
        managedInCents: 1_000_000,
      });
    }
    expect([...outcomes]).toContain("CLOSED refused");
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it("a transfer decided before the closing and written after it fails, and releases its hold", async () => {
    const world = await arrange();
    const transfer = await inOpenTransaction(database.ownerPool, async (holder) => {
      // Keeps the transfer between its decision and its row.
      await holder.query("select 1 from ledgers where id = $1 for update", [world.operating]);
      const moving = world.move(world.operating, world.pod);
      await waitForLock();
      expect(await world.close()).toEqual({ kind: "CLOSED" });
      await holder.query("commit");
      return moving;
    });
    await bookDueTransfers(world.services, 64);
    expect(await statusOf(transfer.id)).toEqual({ status: "FAILED", errorCode: "ACCOUNT_CLOSED" });
    expect(await world.look()).toEqual({ isClosed: true, balance: 0, held: 0 });
    expect((await world.look(world.operating)).held).toBe(0);
  });

  it("a pull written after the closing is never submitted to the bank", async () => {
    const world = await arrange();
    const checking = await world.organization.addAccount({
      name: "Checking",
      type: "EXTERNAL_ACCOUNT",
      balanceInCents: 90_000,
    });
    const transfer = await inOpenTransaction(database.ownerPool, async (holder) => {
      await holder.query("select 1 from provider_balances where account_id = $1 for update", [checking]);
      const pulling = world.move(checking, world.pod);
      await waitForLock();
      expect(await world.close()).toEqual({ kind: "CLOSED" });
      await holder.query("commit");
      return pulling;
    });
    world.clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(world.services, world.bank, 16);
    await bookDueTransfers(world.services, 64);
    expect(await statusOf(transfer.id)).toEqual({ status: "FAILED", errorCode: "ACCOUNT_CLOSED" });
    const { organizationId } = world.organization;
    const asked = { organizationId, transferId: transfer.id, businessNow: world.clock.now() };
    expect(await world.bank.find(asked)).toBeNull();
  });

  it.each(["transfer", "deposit"] as const)(
    "waits for a %s that is being written, and sees it",
    async (kind) => {
      const world = await arrange();
      const closing = await inOpenTransaction(database.pool, async (rival) => {
        const within = { ...world.services, pool: joinTransaction(database.pool, rival) };
        if (kind === "transfer") {
          await askUnbooked(within, world.key.context, {
            sourceAccountId: world.operating,
            destinationAccountId: world.pod,
            amountInCents: 10_000,
          });
        } else {
          await recordDeposit(within, {
            organizationId: world.organization.organizationId,
            reference: "a deposit in progress",
            accountId: world.pod,
            amountInCents: 7_000,
            origin: "DIRECT_DEPOSIT",
            payerName: "Halden Health",
            arrivedAt: world.clock.now(),
          });
        }
        const closed = world.close();
        await waitForLock();
        await rival.query("commit");
        return closed;
      });
      const blocker =
        kind === "transfer" ? { kind: "ON_ITS_WAY", count: 1 } : { kind: "BALANCE", balanceInCents: 7_000 };
      expect(closing).toEqual({ kind: "IN_THE_WAY", blockers: [blocker] });
    },
  );

  it("a deposit is always booked: before the closing, which then waits, or after it, on the bank's word", async () => {
    for (let round = 0; round < proofSize(15, 400); round++) {
      const world = await arrange();
      const [closing] = await Promise.all([world.close(), world.organization.deposit(world.pod, 7_000)]);
      const { isClosed, balance } = await world.look();
      expect(balance).toBe(7_000);
      expect(isClosed).toBe(closing.kind === "CLOSED");
      // How the money in a closed account is reached.
      await reopenAccount(world.services, world.owner(), world.pod);
      await world.move(world.pod, world.operating, 7_000);
      await bookDueTransfers(world.services, 64);
      expect(await world.close()).toEqual({ kind: "CLOSED" });
    }
  });

  it("a return from the bank after the closing is booked into the closed account", async () => {
    const world = await arrange();
    const checking = await world.organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    await world.organization.deposit(world.pod, 10_003);
    const { id } = await world.move(world.pod, checking, 10_003); // .03: settles, then returns
    world.clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(world.services, world.bank, 16);
    const days = (count: number) => world.clock.advance(count * 24 * 60 * 60 * 1000);
    for (let day = 0; (await statusOf(id)).status !== "COMPLETE" && day < 14; day++) {
      expect((await world.close()).kind).toBe("IN_THE_WAY");
      days(1);
      await collectBankNotices(world.services, world.bank, 16);
    }
    expect(await world.close()).toEqual({ kind: "CLOSED" });
    days(14);
    await collectBankNotices(world.services, world.bank, 16);
    expect(await statusOf(id)).toMatchObject({ status: "RETURNED" });
    expect(await world.look()).toEqual({ isClosed: true, balance: 10_003, held: 0 });
  });
});

it("a key revoked after its request arrived opens nothing", async () => {
  const world = await arrange();
  await database.pool.query("update api_keys set revoked_at = now() where id = $1", [
    world.key.context.actor.id,
  ]);
  const body = { type: "POD", name: "Taxes" } as const;
  const sent = {
    method: "POST",
    path: "/platform/v1/accounts",
    idempotencyKey: null,
    calledReason: null,
    body,
  };
  const asked = createAccount(world.services, world.key.context, body, {
    sent,
    auditAction: "CREATE_ACCOUNT",
    status: 201,
    idempotency: null,
  });
  await expect(asked).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

async function statusOf(id: string) {
  const { rows } = await database.pool.query<{ status: string; errorCode: string | null }>(
    `select status, error_code as "errorCode" from transfers where id = $1`,
    [id],
  );
  const row = rows[0];
  if (!row) throw new Error("no such transfer");
  return row;
}

/** Until the product waits for a lock, which only its own role can see. */
async function waitForLock(): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const { rowCount } = await database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rowCount) return;
  }
  throw new Error("No connection waits");
}
