import { describe, expect, test } from "vitest";
import { isRoutingNumber } from "@/lib/contract/payee";
import {
  type AggregatorPort,
  type ConnectionAccess,
  MAX_INSTITUTIONS,
  SignInNeeded,
  type TransactionChange,
} from "@/lib/ports/aggregator/aggregator-port";

export interface AggregatorHarness {
  aggregator: AggregatorPort;
  /** A new connection with history and at least a deposit account and a debt. */
  connect: () => Promise<ConnectionAccess>;
}

/** The promises of every aggregator; run it against each adapter. */
export function describeAggregatorPort(name: string, createHarness: () => AggregatorHarness): void {
  const readAll = async (aggregator: AggregatorPort, access: ConnectionAccess) => {
    const changes: TransactionChange[] = [];
    let cursor: string | null = null;
    for (let count = 0; count < 20; count += 1) {
      const batch = await aggregator.syncTransactions(access, cursor);
      changes.push(...batch.changes);
      cursor = batch.nextCursor;
      if (!batch.hasMore) return { changes, cursor };
    }
    throw new Error("The aggregator never reports the end");
  };

  describe(`${name} as an AggregatorPort`, () => {
    test("a connection has accounts of known kinds, each with a balance", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      const accounts = await aggregator.listAccounts(access);
      const balances = await aggregator.readBalances(access);
      const kinds = accounts.map(({ externalAccountType }) => externalAccountType);
      expect(kinds).toContain("DEPOSITORY");
      expect(kinds).toContain("LIABILITY");
      expect(balances.map(({ providerAccountId }) => providerAccountId).toSorted()).toEqual(
        accounts.map(({ providerAccountId }) => providerAccountId).toSorted(),
      );
      for (const balance of balances) {
        expect(Number.isSafeInteger(balance.balanceInCents)).toBe(true);
        expect(balance.asOf).toBeInstanceOf(Date);
      }
      for (const { numberLast4 } of accounts) expect(numberLast4 ?? "0000").toMatch(/^\d{4}$/);
    });

    test("a debt reports its terms, and a deposit account has none", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      const accounts = await aggregator.listAccounts(access);
      const balances = await aggregator.readBalances(access);
      const balanceOf = (kind: string) => {
        const account = accounts.find(({ externalAccountType }) => externalAccountType === kind);
        return balances.find(({ providerAccountId }) => providerAccountId === account?.providerAccountId);
      };
      expect(balanceOf("LIABILITY")).toMatchObject({
        nextPaymentDueDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        nextPaymentMinimumInCents: expect.any(Number),
        interestRatePercentage: expect.any(Number),
      });
      expect(balanceOf("DEPOSITORY")).toMatchObject({
        lastStatementBalanceInCents: null,
        nextPaymentMinimumInCents: null,
        interestRatePercentage: null,
      });
    });

    test("transactions belong to the connection's accounts, are positive, and each is reported once from the beginning", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      const accounts = new Set((await aggregator.listAccounts(access)).map((one) => one.providerAccountId));
      const { changes } = await readAll(aggregator, access);
      const reported = changes.flatMap((change) => (change.kind === "UPSERT" ? [change.transaction] : []));
      expect(reported.length).toBeGreaterThan(0);
      expect(new Set(reported.map((one) => one.providerTransactionId)).size).toBe(reported.length);
      for (const transaction of reported) {
        expect(accounts).toContain(transaction.providerAccountId);
        expect(Number.isSafeInteger(transaction.amountInCents) && transaction.amountInCents > 0).toBe(true);
        expect(transaction.transactionDate.getTime()).toBeLessThanOrEqual(access.businessNow.getTime());
      }
    });

    test("deposit accounts have whole numbers, always the same; others have none", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      const accounts = await aggregator.listAccounts(access);
      const numbers = await aggregator.readAccountNumbers(access);
      const deposits = accounts.filter(({ externalAccountType }) => externalAccountType === "DEPOSITORY");
      expect(numbers.map((one) => one.providerAccountId).toSorted()).toEqual(
        deposits.map((one) => one.providerAccountId).toSorted(),
      );
      for (const { routingNumber, accountNumber } of numbers) {
        expect(isRoutingNumber(routingNumber)).toBe(true);
        expect(accountNumber).toMatch(/^[0-9]{4,17}$/);
      }
      expect(await aggregator.readAccountNumbers(access)).toEqual(numbers);
    });

    test("nothing is new a moment later, and the same cursor gives the same answer", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      const { cursor } = await readAll(aggregator, access);
      expect((await aggregator.syncTransactions(access, cursor)).changes).toEqual([]);
      const first = await aggregator.syncTransactions(access, null);
      expect(await aggregator.syncTransactions(access, null)).toEqual(first);
    });

    test("a removed access reads nothing more, and may be removed again", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      await aggregator.remove(access);
      await expect(aggregator.readBalances(access)).rejects.toThrow(SignInNeeded);
      await expect(aggregator.readAccountNumbers(access)).rejects.toThrow(SignInNeeded);
      await expect(aggregator.syncTransactions(access, null)).rejects.toThrow(SignInNeeded);
      await expect(aggregator.remove(access)).resolves.toBeUndefined();
    });

    test("another organization cannot read with a connection's access", async () => {
      const { aggregator, connect } = createHarness();
      const access = await connect();
      const foreign = { ...access, organizationId: "0190a1b2-0000-7000-8000-000000000000" };
      await expect(aggregator.readBalances(foreign)).rejects.toThrow();
      await expect(aggregator.readAccountNumbers(foreign)).rejects.toThrow();
      await expect(aggregator.syncTransactions(foreign, null)).rejects.toThrow();
    });

    test.each([0, -1, 0.5, MAX_INSTITUTIONS + 1])(
      "a search for %d institutions is refused",
      async (limit) => {
        const { aggregator } = createHarness();
        await expect(aggregator.searchInstitutions({ query: "", limit })).rejects.toThrow(RangeError);
      },
    );
  });
}
