import fc from "fast-check";
import { expect, it } from "vitest";
import { applyRefresh, type LeasedConnection } from "@/lib/core/connections/apply-refresh";
import type { ExternalTransactionNews } from "@/lib/core/connections/apply-transactions";
import { newId } from "@/lib/platform/ids";
import type { ProviderTransaction, TransactionChange } from "@/lib/ports/aggregator/aggregator-port";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: whatever the order of events, the stored transactions end up exactly as the provider reports them, each keeps one
 * id for life, and each is reported once as new and once as settled.
 * Method: a provider that invents, settles (under the same or another id, for the same or another amount), drops and
 * corrects transactions, repeats some changes, and splits its history into pages anywhere; and two workers that fetch,
 * crash before they apply, apply late, or apply concurrently.
 */

const database = useTestDatabase();

const PROVIDER_ACCOUNT = "provider-account";

/** The provider's side: the current state, and the changes that led to it. */
class Provider {
  readonly story: TransactionChange[] = [];
  readonly truth = new Map<string, ProviderTransaction>();
  /** The first id of the transaction that an id belongs to. */
  readonly origin = new Map<string, string>();
  #names = 0;

  constructor(readonly now: Date) {}

  #pick(at: number, status?: ProviderTransaction["status"]): ProviderTransaction | undefined {
    const all = [...this.truth.values()].filter((one) => !status || one.status === status);
    return all[at % Math.max(1, all.length)];
  }

  #report(transaction: ProviderTransaction): void {
    this.truth.set(transaction.providerTransactionId, transaction);
    this.story.push({ kind: "UPSERT", transaction });
  }

  #remove(providerTransactionId: string): void {
    this.truth.delete(providerTransactionId);
    this.story.push({ kind: "REMOVE", providerTransactionId });
  }

  add(amountInCents: number, isPending: boolean, isIn: boolean): void {
    const name = `t${++this.#names}`;
    this.origin.set(name, name);
    this.#report({
      providerAccountId: PROVIDER_ACCOUNT,
      providerTransactionId: name,
      pendingTransactionId: null,
      amountInCents,
      direction: isIn ? "MONEY_IN" : "MONEY_OUT",
      status: isPending ? "PENDING" : "COMPLETE",
      description: `Payment ${name}`,
      transactionDate: new Date(this.now.getTime() + this.#names * 1_000),
      merchantName: null,
      category: null,
      providerCategory: null,
    });
  }

  settle(
    at: number,
    amountInCents: number,
    how: "SAME_NAME" | "RENAMED" | "REMOVED_FIRST" | "UNKNOWN",
  ): void {
    const pending = this.#pick(at, "PENDING");
    if (!pending) return;
    const former = pending.providerTransactionId;
    const posted = { ...pending, amountInCents, status: "COMPLETE" as const };
    if (how === "SAME_NAME") {
      this.#report(posted);
      return;
    }
    const name = `t${++this.#names}`;
    this.origin.set(name, how === "UNKNOWN" ? name : (this.origin.get(former) ?? former));
    const renamed = {
      ...posted,
      providerTransactionId: name,
      pendingTransactionId: how === "UNKNOWN" ? null : former,
    };
    if (how === "REMOVED_FIRST") this.#remove(former);
    this.#report(renamed);
    if (how !== "REMOVED_FIRST") this.#remove(former);
  }

  vanish(at: number, onlyPending: boolean): void {
    const gone = this.#pick(at, onlyPending ? "PENDING" : undefined);
    if (gone) this.#remove(gone.providerTransactionId);
  }

  correct(at: number, merchantName: string): void {
    const known = this.#pick(at);
    if (known)
      this.#report({ ...known, merchantName, category: "SHOPPING", providerCategory: "GENERAL_MERCHANDISE" });
  }

  repeat(at: number): void {
    const known = this.#pick(at);
    if (known) this.story.push({ kind: "UPSERT", transaction: known });
    else this.story.push({ kind: "REMOVE", providerTransactionId: "never heard of" });
  }

  read(cursor: string | null, size: number) {
    const from = Number(cursor ?? 0);
    const changes = this.story.slice(from, from + size);
    const nextCursor = changes.length === 0 ? cursor : String(from + changes.length);
    return { changes, nextCursor, hasMore: from + size < this.story.length, isHistoryComplete: true };
  }
}

type Fetched = Parameters<typeof applyRefresh>[2];

const cents = fc.integer({ min: 1, max: 9_000 });
const place = fc.nat(50);
const worker = fc.constantFrom(0, 1);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("ADD" as const),
      cents,
      isPending: fc.boolean(),
      isIn: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("SETTLE" as const),
      place,
      cents,
      how: fc.constantFrom(
        "SAME_NAME" as const,
        "RENAMED" as const,
        "REMOVED_FIRST" as const,
        "UNKNOWN" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("VANISH" as const), place, onlyPending: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("CORRECT" as const), place, name: fc.constantFrom("A", "B") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("REPEAT" as const), place }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("FETCH" as const), worker, size: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("APPLY" as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("APPLY_BOTH" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("CRASH" as const), worker }) },
);

async function connectTo(now: Date) {
  const { services } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  const [id, accountId] = [newId(now), newId(now)];
  await database.pool.query(
    `insert into connections (organization_id, id, provider, provider_item_id, institution_id, institution_name, status,
        created_at, refresh_due_at) values ($1, $2::uuid, 'PLAID', $2::text, 'i', 'Institution', 'ACTIVE', $3, $3)`,
    [organizationId, id, now],
  );
  await database.pool.query(
    `insert into accounts (organization_id, id, type, name, external_account_type, connection_id, provider_account_id,
        created_at, updated_at) values ($1, $2, 'EXTERNAL_ACCOUNT', 'Checking', 'DEPOSITORY', $3, $4, $5, $5)`,
    [organizationId, accountId, id, PROVIDER_ACCOUNT, now],
  );
  const connection: LeasedConnection = {
    organizationId,
    id,
    providerItemId: id,
    sealedAccessToken: null,
    cursor: null,
    attempts: 0,
    connectedAt: now,
    leasedUntil: now,
    clockOffsetMs: 0,
  };
  const readCursor = async () => {
    const { rows } = await database.pool.query<{ cursor: string | null }>(
      "select cursor from connections where organization_id = $1 and id = $2",
      [organizationId, id],
    );
    return rows[0]?.cursor ?? null;
  };
  const readRows = async () => {
    const { rows } = await database.pool.query(
      `select id, provider_transaction_id as "providerTransactionId", amount_in_cents as "amountInCents", direction,
          status, merchant_name as "merchantName", category, vanished_at as "vanishedAt"
         from external_transactions where organization_id = $1`,
      [organizationId],
    );
    return rows;
  };
  return { services, connection, readCursor, readRows };
}

it("stores exactly what the provider reports, whatever happens on the way", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const now = new Date("2026-01-15T17:00:00Z");
      const provider = new Provider(now);
      const { services, connection, readCursor, readRows } = await connectTo(now);
      const hands: (Fetched | null)[] = [null, null];
      const news: ExternalTransactionNews[] = [];
      const fetchPage = async (size: number): Promise<Fetched> => {
        const fromCursor = await readCursor();
        return { fromCursor, batch: provider.read(fromCursor, size), balances: null };
      };
      const apply = async (fetched: Fetched | null | undefined) => {
        if (fetched) news.push(...((await applyRefresh(services, connection, fetched, now)) ?? []));
      };
      for (const one of steps) {
        if (one.do === "ADD") provider.add(one.cents, one.isPending, one.isIn);
        else if (one.do === "SETTLE") provider.settle(one.place, one.cents, one.how);
        else if (one.do === "VANISH") provider.vanish(one.place, one.onlyPending);
        else if (one.do === "CORRECT") provider.correct(one.place, one.name);
        else if (one.do === "REPEAT") provider.repeat(one.place);
        else if (one.do === "FETCH") hands[one.worker] = await fetchPage(one.size);
        // What was applied stays in hand and may be applied again.
        else if (one.do === "APPLY") await apply(hands[one.worker]);
        else if (one.do === "APPLY_BOTH") await Promise.all(hands.map(apply));
        else hands[one.worker] = null;
      }
      for (let rest = provider.story.length; rest >= 0; rest -= 3) await apply(await fetchPage(3));
      await apply(hands[0]);

      const rows = await readRows();
      const visible = rows.filter((row) => row.vanishedAt === null);
      const reported = (one: ProviderTransaction) =>
        [one.providerTransactionId, one.amountInCents, one.direction, one.status, one.merchantName].join(" ");
      expect(
        visible
          .map((row) =>
            [row.providerTransactionId, row.amountInCents, row.direction, row.status, row.merchantName].join(
              " ",
            ),
          )
          .toSorted(),
      ).toEqual([...provider.truth.values()].map(reported).toSorted());
      // One transaction keeps one id, whatever the provider called it on the way.
      const origins = rows.map((row) => provider.origin.get(row.providerTransactionId));
      expect(new Set(origins).size).toBe(rows.length);
      for (const kind of ["NEW", "SETTLED"] as const) {
        const ids = news.filter((one) => one.kind === kind).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }
      expect(new Set(news.filter(({ kind }) => kind === "NEW").map(({ id }) => id))).toEqual(
        new Set(rows.map(({ id }) => id)),
      );
    }),
    { numRuns: proofSize(40, 1_000), seed: proofSeed },
  );
});
