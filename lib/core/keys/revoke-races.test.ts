import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import type { Services } from "@/lib/platform/services";
import { askTransfer, askUnbooked, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction, overlap } from "@/lib/testing/overlap";
import { proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

/**
 * Goal: whatever a revocation meets in progress either finishes before it or is stopped by it. Method: real connections
 * and real locks; where the order matters, one transaction stays open while the other waits for it.
 */

const database = useTestDatabase(RACING);

async function arrange(needsApproval: boolean) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(needsApproval)]);
  const ask = (by = key, amountInCents = 1_000, through = services, send = askUnbooked) =>
    send(through, by.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
    });
  const owner = { ...organization.owner, now: clock.now() };
  const revoke = () => revokeApiKey(services, owner, key.id);
  const statuses = async (keyId = key.id) => {
    const { rows } = await database.ownerPool.query<{ status: string }>(
      "select status from transfers where organization_id = $1 and proposed_by_id = $2 order by id",
      [organization.organizationId, keyId],
    );
    return rows.map((row) => row.status);
  };
  const entries = async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from entries e join transfers t using (organization_id)
        where e.transfer_id = t.id and organization_id = $1 and t.proposed_by_id = $2`,
      [organization.organizationId, key.id],
    );
    return rows[0]?.count ?? 0;
  };
  const expectCleanBooks = async () => {
    const books = await auditBooks(database, organization.organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], wrongHolds: [], negative: [] });
    expect(books.managedInCents).toBe(1_000_000);
  };
  return { services, organization, operating, key, ask, owner, revoke, statuses, entries, expectCleanBooks };
}

/** Resolves once this many connections wait for a lock. */
async function untilWaiting(count = 1): Promise<void> {
  for (let look = 0; look < 5_000; look++) {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(distinct l.pid)::int as count from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`,
    );
    if ((rows[0]?.count ?? 0) >= count) return;
  }
  throw new Error("No connection ever waited");
}

/** Runs `first` in a transaction that stays open until `second` waits for it, then commits it. */
async function firstThen<T>(
  first: (query: (sql: string, values: unknown[]) => Promise<unknown>) => Promise<void>,
  second: () => Promise<T>,
): Promise<T> {
  const { hasWaited, result } = await overlap(
    database,
    (client) => first((sql, values) => client.query(sql, values)),
    second,
  );
  expect(hasWaited).toBe(true);
  return result;
}

/** What a transfer passes to the database, without passing it. */
async function captureItem(
  services: Services,
  ask: Awaited<ReturnType<typeof arrange>>["ask"],
): Promise<unknown> {
  const captured: unknown[] = [];
  const pool = new Proxy(services.pool, {
    get: (target, property) => {
      if (property !== "query") return Reflect.get(target, property);
      return async (query: { name?: string; values?: string[] }) => {
        if (query.name !== "create_transfers") return target.query({ text: "", ...query });
        captured.push(...JSON.parse(query.values?.[0] ?? "[]"));
        throw new Error("captured");
      };
    },
  });
  await ask(undefined, undefined, { ...services, pool }).catch(() => undefined);
  return captured[0];
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);

describe("a revocation and a transfer being requested", () => {
  // Alone, no lock of the group that it is in hides a missing one of its own.
  it.each([
    ["alone", askTransfer],
    ["in a group", askUnbooked],
  ])("revoked first: the request, %s, waits, is refused and writes nothing", async (_, send) => {
    const { services, key, ask, owner, organization, statuses, expectCleanBooks } = await arrange(false);
    const refused = await firstThen(
      async (query) => {
        await query("select * from revoke_api_key($1, $2, $3, 'MEMBER', $4)", [
          organization.organizationId,
          key.id,
          owner.actor.id,
          owner.now,
        ]);
      },
      () => ask(key, 1_000, services, send).catch(codeOf),
    );
    expect(refused).toBe("UNAUTHORIZED");
    expect(await statuses()).toEqual([]);
    await expectCleanBooks();
  });

  it("requested first: the revocation waits for it, sees it and stops it", async () => {
    const { services, organization, key, ask, revoke, statuses, expectCleanBooks } = await arrange(false);
    await ask();
    const revocation = await firstThen(
      // The lock that create_transfers holds on the key from before its first write to its commit.
      async (query) => {
        await query("select 1 from api_keys where organization_id = $1 and id = $2 for key share", [
          organization.organizationId,
          key.id,
        ]);
      },
      revoke,
    );
    expect(revocation).toEqual({ deniedProposals: 0, stoppedTransfers: 1 });
    expect(await statuses()).toEqual(["CANCELLED"]);
    await bookDueTransfers(services, 10);
    await expectCleanBooks();
  });

  it("a group of transfers and a revocation never deadlock", async () => {
    const { services, organization, operating, key, owner, ask, statuses, expectCleanBooks } =
      await arrange(false);
    await ask();
    const items = await Promise.all([captureItem(services, ask), captureItem(services, ask)]);
    // On plain connections, without the command or the pool, which would retry after a deadlock.
    const [writer, revoker] = await Promise.all([database.pool.connect(), database.pool.connect()]);
    try {
      const { writing, revoking } = await inOpenTransaction(database.pool, async (client) => {
        await client.query("select lock_ledgers($1, $2)", [organization.organizationId, [operating]]);
        const written = writer.query("select outcome from create_transfers($1)", [JSON.stringify(items)]);
        await untilWaiting(1);
        const revoked = revoker.query(
          `select outcome, stopped_transfers as "stoppedTransfers" from revoke_api_key($1, $2, $3, 'MEMBER', $4)`,
          [organization.organizationId, key.id, owner.actor.id, owner.now],
        );
        await untilWaiting(2);
        await client.query("commit");
        return { writing: await written, revoking: await revoked };
      });
      // The group locked the key first, so it is written, and booked; only what still waits for the worker is stopped.
      expect(writing.rows).toEqual([{ outcome: "CREATED" }, { outcome: "CREATED" }]);
      expect(revoking.rows).toEqual([{ outcome: "REVOKED", stoppedTransfers: 1 }]);
    } finally {
      for (const used of [writer, revoker]) used.release();
    }
    expect(await statuses()).toEqual(["CANCELLED", "COMPLETE", "COMPLETE"]);
    await expectCleanBooks();
  });

  it.each([true, false])(
    "all at once (approval: %s): nothing of the key is left in progress",
    { timeout: 300_000 },
    async (needsApproval) => {
      for (let round = 0; round < proofSize(4, 30); round++) {
        const { services, organization, ask, revoke, statuses, entries, expectCleanBooks } =
          await arrange(needsApproval);
        const other = await organization.addKey([moveAnything(false)], "other");
        const before = round % 4;
        const asks = Array.from({ length: 24 }, (_, index) =>
          (index % 3 === 0 ? ask(other) : ask()).catch(codeOf),
        );
        if (before > 0) await Promise.all(asks.slice(0, before * 4));
        const [, ...answers] = await Promise.all([revoke(), ...asks, ask().catch(codeOf)]);
        expect(answers.filter((answer) => typeof answer === "string" && answer !== "UNAUTHORIZED")).toEqual(
          [],
        );
        const ended = needsApproval ? "APPROVAL_DENIED" : "CANCELLED";
        expect((await statuses()).filter((status) => status !== ended)).toEqual([]);
        while ((await bookDueTransfers(services, 32)) > 0);
        expect(await entries()).toBe(0);
        expect(await statuses(other.id)).toEqual(Array(8).fill("COMPLETE"));
        await expectCleanBooks();
      }
    },
  );
});

describe("a revocation and an approval of its proposal", () => {
  it("end either approved and booked, or denied; what was denied never moves", {
    timeout: 300_000,
  }, async () => {
    const seen = new Set<string>();
    for (let round = 0; round < proofSize(12, 80); round++) {
      const { services, ask, owner, revoke, statuses, entries, expectCleanBooks } = await arrange(true);
      const { id } = await ask();
      const time = { nowAt: owner.now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
      const view = await getApproval({ services, context: owner, time }, id);
      const approve = () =>
        decideProposal(services, owner, {
          proposalId: id,
          decision: "APPROVE",
          digest: view?.digest ?? "",
          note: null,
          confirmation: { kind: "NONE" },
        });
      // Every second round gives the approval a head start, so that both orders occur.
      const approving = approve();
      if (round % 2 === 0) await approving;
      const [decided, revocation] = await Promise.all([approving, revoke()]);
      const [status] = await statuses();
      seen.add(status ?? "");
      if (decided.kind === "DECIDED") {
        expect(status).toBe("COMPLETE");
        expect(revocation).toEqual({ deniedProposals: 0, stoppedTransfers: 0 });
      } else {
        expect(decided).toMatchObject({ kind: "ALREADY_DECIDED", decision: "DENIED" });
        expect(status).toBe("APPROVAL_DENIED");
        expect(revocation).toEqual({ deniedProposals: 1, stoppedTransfers: 0 });
      }
      await bookDueTransfers(services, 10);
      expect(await entries()).toBe(status === "COMPLETE" ? 1 : 0);
      await expectCleanBooks();
    }
    expect([...seen]).toContain("COMPLETE");
  });

  it("revoked first: the approval waits and finds nothing left to decide", async () => {
    const { services, organization, key, ask, owner, entries } = await arrange(true);
    const { id } = await ask();
    const decided = await firstThen(
      async (query) => {
        await query("select * from revoke_api_key($1, $2, $3, 'MEMBER', $4)", [
          organization.organizationId,
          key.id,
          owner.actor.id,
          owner.now,
        ]);
      },
      () =>
        decideProposal(services, owner, {
          proposalId: id,
          decision: "DENY",
          digest: "",
          note: null,
          confirmation: { kind: "NONE" },
        }),
    );
    expect(decided).toMatchObject({ kind: "ALREADY_DECIDED", byName: "The person who ended its access" });
    expect(await entries()).toBe(0);
  });
});

describe("a revocation and the worker that books", () => {
  it("each transfer is either booked or stopped, and none is lost", {
    timeout: 300_000,
  }, async () => {
    for (let round = 0; round < proofSize(6, 40); round++) {
      const { services, ask, revoke, statuses, entries, expectCleanBooks } = await arrange(false);
      await Promise.all(Array.from({ length: 20 }, () => ask()));
      const working = Promise.all([
        bookDueTransfers(services, 4),
        bookDueTransfers(services, 4),
        bookDueTransfers(services, 4),
      ]);
      const revocation = await revoke();
      await working;
      await bookDueTransfers(services, 64);
      const all = await statuses();
      const booked = all.filter((status) => status === "COMPLETE").length;
      expect(all.filter((status) => status === "CANCELLED").length).toBe(revocation?.stoppedTransfers);
      expect(booked + (revocation?.stoppedTransfers ?? 0)).toBe(20);
      expect(await entries()).toBe(booked);
      await expectCleanBooks();
    }
  });

  it("already claimed by the worker: the revocation waits, and leaves the booking", async () => {
    const { services, ask, revoke, statuses, entries, expectCleanBooks } = await arrange(false);
    const { id } = await ask();
    const revocation = await firstThen(async (query) => {
      await query("select * from book_due_transfers($1, $2)", [services.clock.now(), [id]]);
    }, revoke);
    expect(revocation).toEqual({ deniedProposals: 0, stoppedTransfers: 0 });
    expect(await statuses()).toEqual(["COMPLETE"]);
    expect(await entries()).toBe(1);
    await expectCleanBooks();
  });
});
