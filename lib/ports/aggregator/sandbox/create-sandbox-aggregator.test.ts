import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import {
  AggregatorUnavailable,
  type ConnectionAccess,
  type ProviderBalance,
  type ProviderTransaction,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";
import { describeAggregatorPort } from "@/lib/ports/aggregator/aggregator-port.contract";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { INSTITUTIONS, TEMPLATES } from "@/lib/ports/aggregator/sandbox/institutions";
import { openItem } from "@/lib/ports/aggregator/sandbox/open-item";
import { createSandboxInstitutions } from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import { drawnNumbers } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { useTestDatabase } from "@/lib/testing/database";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Friday 20 November 2026, 10:00 in New York. */
const FRIDAY = new Date("2026-11-20T15:00:00Z");

const database = useTestDatabase();

const aggregatorOf = () => createSandboxAggregator(database.pool);

async function connect(institutionId = "sbx_meridian", templates?: string[]): Promise<ConnectionAccess> {
  const names = TEMPLATES.filter((one) => one.institutionId === institutionId).map((one) => one.template);
  const ids = { organizationId: uuidv7(), connectionId: uuidv7(), businessNow: FRIDAY };
  const { providerItemId, sealedAccessToken } = await aggregatorOf().completeConnecting({
    ...ids,
    proof: { kind: "CHOICE", institutionId, templates: templates ?? names },
  });
  return { ...ids, providerItemId, sealedAccessToken };
}

const at = (access: ConnectionAccess, days: number): ConnectionAccess => ({
  ...access,
  businessNow: new Date(FRIDAY.getTime() + days * DAY_MS),
});

/** A reader that stores what it receives, as the product does. */
function createReader(access: ConnectionAccess) {
  const aggregator = aggregatorOf();
  const kept = new Map<string, ProviderTransaction>();
  const vanished: ProviderTransaction[] = [];
  const before = new Map<string, ProviderTransaction>();
  let cursor: string | null = null;
  return {
    kept,
    vanished,
    /** The pending state of each posted transaction, by the posted id. */
    before,
    async readOn(moment: ConnectionAccess = access): Promise<ProviderBalance[]> {
      await this.readTransactions(moment);
      return await aggregator.readBalances(moment);
    },
    async readTransactions(moment: ConnectionAccess): Promise<void> {
      for (let hasMore = true; hasMore; ) {
        const batch = await aggregator.syncTransactions(moment, cursor);
        for (const change of batch.changes) {
          if (change.kind === "UPSERT") {
            const { providerTransactionId, pendingTransactionId, status } = change.transaction;
            const former = kept.get(pendingTransactionId ?? providerTransactionId);
            if (former?.status === "PENDING" && status === "COMPLETE")
              before.set(providerTransactionId, former);
            kept.set(providerTransactionId, change.transaction);
            continue;
          }
          const gone = kept.get(change.providerTransactionId);
          kept.delete(change.providerTransactionId);
          if (gone && ![...before.values()].includes(gone)) vanished.push(gone);
        }
        cursor = batch.nextCursor;
        hasMore = batch.hasMore;
      }
    },
    postedNet(providerAccountId: string): number {
      return [...kept.values()]
        .filter((one) => one.providerAccountId === providerAccountId && one.status === "COMPLETE")
        .reduce((net, one) => net + (one.direction === "MONEY_IN" ? 1 : -1) * one.amountInCents, 0);
    },
  };
}

describeAggregatorPort("The sandbox institutions", () => ({ aggregator: aggregatorOf(), connect }));

describe("the sandbox institutions", () => {
  it("numbers end in the digits that the institution lists, and savings accounts are marked", async () => {
    const access = await connect("sbx_first_harbor");
    const listed = await aggregatorOf().listAccounts(access);
    const numbers = await aggregatorOf().readAccountNumbers(access);
    const endings = numbers.map(({ providerAccountId, routingNumber, accountNumber, accountKind }) => {
      const account = listed.find((one) => one.providerAccountId === providerAccountId);
      expect(accountNumber.slice(-4)).toBe(account?.numberLast4);
      expect(routingNumber.slice(-4)).toBe(account?.routingNumberLast4);
      return [account?.name, accountKind];
    });
    expect(endings.toSorted()).toEqual([
      ["Harbor Checking", "CHECKING"],
      ["Harbor Savings", "SAVINGS"],
    ]);
    expect(new Set(numbers.map(({ accountNumber }) => accountNumber)).size).toBe(2);
  });

  it.each(INSTITUTIONS.map(({ id }) => id))(
    "%s: the balance is the opening balance plus what was posted since, whenever it is read",
    async (institutionId) => {
      const access = await connect(institutionId);
      const accounts = await aggregatorOf().listAccounts(access);
      const reader = createReader(access);
      const openings = new Map<string, number>();
      for (const days of [0, 0.4, 1, 2, 3.3, 4, 7, 8, 30, 31, 61, 95, 96, 180]) {
        const balances = await reader.readOn(at(access, days));
        for (const { providerAccountId, balanceInCents } of balances) {
          const account = accounts.find((one) => one.providerAccountId === providerAccountId);
          const sign = account?.externalAccountType === "LIABILITY" ? -1 : 1;
          const opening = (balanceInCents ?? 0) - sign * reader.postedNet(providerAccountId);
          expect(opening, `${account?.name} after ${days} days`).toBe(
            openings.get(providerAccountId) ?? opening,
          );
          openings.set(providerAccountId, opening);
        }
      }
      expect(openings.size).toBe(accounts.length);
    },
  );

  it("report the same to a reader every few hours and to one who reads once", async () => {
    const access = await connect();
    const often = createReader(access);
    for (let hours = 0; hours <= 40 * 24; hours += 19) await often.readTransactions(at(access, hours / 24));
    await often.readOn(at(access, 40));
    const once = createReader(access);
    await once.readOn(at(access, 40));
    expect(new Map([...often.kept].toSorted())).toEqual(new Map([...once.kept].toSorted()));
  });

  it("show twelve months when connected, for every kind of customer", async () => {
    const access = {
      organizationId: uuidv7(),
      connectionId: uuidv7(),
      providerItemId: uuidv7(),
      sealedAccessToken: null,
      businessNow: FRIDAY,
    };
    // An account with this name always has the same history, in which everything happens.
    const account = { accountId: "019a9c52-7a12-7b6d-9e4a-c81f36d05713", template: "first_harbor_checking" };
    await openItem(
      database.pool,
      { organizationId: access.organizationId, itemId: access.providerItemId },
      { institutionId: "sbx_first_harbor", connectedAt: FRIDAY, accounts: [account] },
    );
    const reader = createReader(access);
    await reader.readOn();
    const dates = [...reader.kept.values()].map((one) => one.transactionDate.getTime());
    expect(FRIDAY.getTime() - Math.min(...dates)).toBeGreaterThan(355 * DAY_MS);
    for (let hours = 9; hours <= 60 * 24; hours += 9) await reader.readTransactions(at(access, hours / 24));
    const settled = [...reader.before].map(([id, pending]) => ({ pending, posted: reader.kept.get(id) }));
    expect(settled.length).toBeGreaterThan(20);
    expect(settled.some(({ pending, posted }) => pending.amountInCents !== posted?.amountInCents)).toBe(true);
    expect(settled.every(({ posted }) => posted?.status === "COMPLETE")).toBe(true);
    expect(settled.some(({ pending, posted }) => pending.merchantName === null && posted?.merchantName)).toBe(
      true,
    );
    expect(reader.vanished.length).toBeGreaterThan(0);
    expect(reader.vanished.every(({ status }) => status === "PENDING")).toBe(true);
  });

  it("give two accounts of one customer different digits, also where they draw the same", async () => {
    const drawn = new Map<number, string>();
    let accountIds: string[] = [];
    for (let count = 0; accountIds.length === 0; count += 1) {
      const id = `00000000-0000-7000-8000-${String(count).padStart(12, "0")}`;
      const digits = drawnNumbers(`${id}|number`)(1_000, 9_999);
      const twin = drawn.get(digits);
      if (twin !== undefined) accountIds = [twin, id];
      drawn.set(digits, id);
    }
    const organizationId = uuidv7();
    const accounts = accountIds.map((accountId) => ({ accountId, template: "first_harbor_checking" }));
    await openItem(
      database.pool,
      { organizationId, itemId: uuidv7() },
      { institutionId: "sbx_first_harbor", connectedAt: FRIDAY, accounts },
    );
    const { rows } = await database.pool.query(
      "select distinct number_last4 from sandbox_institution_accounts where organization_id = $1",
      [organizationId],
    );
    expect(rows).toHaveLength(2);
  });

  it("raise the price of a subscription once", async () => {
    const access = await connect("sbx_first_harbor");
    const reader = createReader(access);
    await reader.readOn();
    const prices = [...reader.kept.values()]
      .filter((one) => one.description.startsWith("FRAMEWISE") && one.status === "COMPLETE")
      .toSorted((left, right) => left.transactionDate.getTime() - right.transactionDate.getTime())
      .map((one) => one.amountInCents);
    expect([...new Set(prices)]).toEqual([1_549, 1_799]);
    expect(prices).toEqual(prices.toSorted((left, right) => left - right));
  });

  it("pay the card from checking for the purchases of the statement's month", async () => {
    const access = await connect("sbx_meridian");
    const accounts = await aggregatorOf().listAccounts(access);
    const idOf = (name: string) => accounts.find((one) => one.name === name)?.providerAccountId;
    const reader = createReader(access);
    const balances = await reader.readOn();
    const payments = [...reader.kept.values()].filter(
      (one) => /AUTOPAY/.test(one.description) && !/FIBER/.test(one.description),
    );
    const amounts = (id: string | undefined) =>
      payments
        .filter((one) => one.providerAccountId === id)
        .map((one) => one.amountInCents)
        .toSorted();
    expect(amounts(idOf("Everyday Checking"))).toEqual(amounts(idOf("Meridian Rewards Card")));
    expect(payments.length).toBeGreaterThan(20);
    const card = balances.find((one) => one.providerAccountId === idOf("Meridian Rewards Card"));
    expect(card?.lastStatementDate).toBe("2026-11-18");
    expect(card?.nextPaymentDueDate).toBe("2026-12-18");
    expect(card?.lastStatementBalanceInCents).toBeGreaterThan(0);
    const loan = balances.find((one) => one.providerAccountId === idOf("Auto Loan"));
    expect(loan?.originalLoanAmountInCents).toBe(2_450_000);
    expect(loan?.balanceInCents).toBeLessThan(2_000_000);
  });

  it("show the other side of what Sluice moves, and of returns", async () => {
    const access = await connect("sbx_first_harbor", ["first_harbor_checking"]);
    const [account] = await aggregatorOf().listAccounts(access);
    const bank = createSandboxBank(database.pool);
    const order = (amountInCents: number, direction: "CREDIT" | "DEBIT", digits: string | null) =>
      bank.submit(
        {
          transferId: uuidv7(),
          organizationId: access.organizationId,
          direction,
          amountInCents,
          label: "RENT",
          outsideAccount: {
            name: "Checking",
            routingNumberLast4: null,
            accountNumberLast4: digits,
            bankReference: null,
          },
        },
        { businessNow: FRIDAY },
      );
    const digits = account?.numberLast4 ?? null;
    await order(123_456, "CREDIT", digits);
    await order(50_003, "DEBIT", digits);
    await order(77_702, "CREDIT", digits);
    await order(99_999, "CREDIT", "0000");
    const reader = createReader(access);
    await reader.readOn(at(access, 14));
    const seen = [...reader.kept.values()].filter((one) => one.description.startsWith("ACH "));
    expect(seen.map((one) => [one.direction, one.amountInCents, one.status]).toSorted()).toEqual([
      ["MONEY_IN", 123_456, "COMPLETE"],
      ["MONEY_IN", 50_003, "COMPLETE"],
      ["MONEY_OUT", 50_003, "COMPLETE"],
    ]);
  });

  it("do what members trigger", async () => {
    const access = await connect("sbx_first_harbor", ["first_harbor_checking"]);
    const [account] = await aggregatorOf().listAccounts(access);
    const institutions = createSandboxInstitutions(database.pool);
    const key = { organizationId: access.organizationId, itemId: access.providerItemId };
    const reader = createReader(access);
    const before = await reader.readOn();
    const move = (as: "POSTED" | "PENDING", direction: "MONEY_IN" | "MONEY_OUT", amountInCents: number) =>
      institutions.move(
        key,
        {
          providerAccountId: account?.providerAccountId ?? "",
          direction,
          amountInCents,
          description: `MEMBER ${as} ${amountInCents}`,
          merchantName: "Corner Pantry",
          providerCategory: "FOOD_AND_DRINK_GROCERIES",
          as,
        },
        FRIDAY,
      );
    await move("POSTED", "MONEY_IN", 250_000);
    const pending = await move("PENDING", "MONEY_OUT", 4_000);
    const dropped = await move("PENDING", "MONEY_OUT", 700);
    const after = await reader.readOn();
    expect((after[0]?.balanceInCents ?? 0) - (before[0]?.balanceInCents ?? 0)).toBe(250_000);
    expect(
      (await institutions.listPending(key.organizationId, [key.itemId], FRIDAY)).map(
        (one) => one.transactionId,
      ),
    ).toEqual(expect.arrayContaining([pending, dropped]));
    const soon = at(access, 0.1);
    const decide = (id: string | null, decision: Parameters<typeof institutions.decidePending>[2]) =>
      institutions.decidePending(key, id ?? "", decision, soon.businessNow);
    expect(await decide(pending, { kind: "SETTLE", amountInCents: 4_720 })).toBe(true);
    expect(await decide(pending, { kind: "VANISH" })).toBe(false);
    expect(await decide(dropped, { kind: "VANISH" })).toBe(true);
    await reader.readOn(soon);
    const reported = [...reader.kept.values()].filter((one) => one.description.startsWith("MEMBER"));
    expect(reported.map((one) => [one.amountInCents, one.status]).toSorted()).toEqual([
      [250_000, "COMPLETE"],
      [4_720, "COMPLETE"],
    ]);
  });

  it("fail, ask for a sign-in, go stale and heal as members say", async () => {
    const access = await connect("sbx_first_harbor");
    const aggregator = aggregatorOf();
    const institutions = createSandboxInstitutions(database.pool);
    const key = { organizationId: access.organizationId, itemId: access.providerItemId };
    const later = at(access, 5);
    await institutions.fail(key, { kind: "UNAVAILABLE", code: "INSTITUTION_DOWN" }, FRIDAY);
    await expect(aggregator.readBalances(access)).rejects.toMatchObject({ code: "INSTITUTION_DOWN" });
    await expect(aggregator.readBalances(access)).rejects.toThrow(AggregatorUnavailable);
    await institutions.fail(key, { kind: "SIGN_IN", code: "ITEM_LOGIN_REQUIRED" }, FRIDAY);
    await expect(aggregator.syncTransactions(access, null)).rejects.toThrow(SignInNeeded);
    await aggregator.beginConnecting({ ...key, memberId: uuidv7(), institutionId: null, again: access });
    const fresh = await aggregator.readBalances(access);
    await institutions.fail(key, { kind: "STALE" }, FRIDAY);
    expect(await aggregator.readBalances(later)).toEqual(fresh);
    await institutions.heal(key);
    expect((await aggregator.readBalances(later))[0]?.asOf).toEqual(later.businessNow);
    expect(await institutions.heal({ ...key, itemId: uuidv7() })).toBe(false);
  });
});
