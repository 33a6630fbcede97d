import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import {
  type AskedPeriod,
  type AskedStatement,
  instantsOf,
  monthPeriod,
  readStatement,
  statementPeriod,
} from "@/lib/views/accounts/read-statement";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const TIME_ZONE = "America/New_York";
const NO_PERIOD: AskedPeriod = { month: null, from: null, to: null };
const WHOLE: AskedStatement = { ...NO_PERIOD, isWhole: true };

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const read = (accountId: string, asked: Partial<AskedStatement> = {}, organizationId?: string) =>
    readStatement(
      {
        services,
        context: { organizationId: organizationId ?? organization.organizationId, now: clock.now() },
        time: { nowAt: clock.now().toISOString(), timeZone: TIME_ZONE, locale: "en-US" },
      },
      accountId,
      { ...WHOLE, ...asked },
      { organizationName: "Northwind", isSandbox: true },
    );
  return { services, clock, organization, operating, taxes, read };
}

const step = fc.record({
  kind: fc.constantFrom("DEPOSIT" as const, "OUT" as const, "BACK" as const),
  amountInCents: fc.integer({ min: 100, max: 50_000 }),
  // Up to and past the last hour of a month.
  hours: fc.integer({ min: 0, max: 24 * 6 }),
});

describe("the statement of an account", () => {
  it("opens with the balance, closes with the sum of its movements, and the next one opens with that", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const { services, clock, organization, operating, taxes, read } = await arrange();
        const key = await organization.addKey([moveAnything(false)]);
        const ask = (sourceAccountId: string, destinationAccountId: string, amountInCents: number) =>
          askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents });
        for (const { kind, amountInCents, hours } of steps) {
          clock.advance(hours * HOUR_MS);
          if (kind === "DEPOSIT") await organization.deposit(operating, amountInCents);
          if (kind === "OUT") await ask(operating, taxes, amountInCents);
          if (kind === "BACK") await ask(taxes, operating, amountInCents);
          await bookDueTransfers(services, 10);
        }
        for (const account of [operating, taxes]) {
          const { rows } = await database.pool.query<{ balance: number; count: number }>(
            `select l.credits_in_cents - l.debits_in_cents as balance, (
                select count(*)::int from entries e
                 where e.organization_id = $1 and $2 in (e.debit_ledger_id, e.credit_ledger_id)) as count
               from ledgers l where l.organization_id = $1 and l.id = $2`,
            [organization.organizationId, account],
          );
          let expectedOpening = 0;
          let count = 0;
          const months = (await read(account))?.months.toReversed() ?? [];
          for (const { href } of months) {
            const month = new URL(href, "http://localhost").searchParams.get("month");
            const statement = await read(account, { month });
            const books = statement?.books;
            if (!statement || !books) throw new Error("no statement");
            expect(books.openingInCents).toBe(expectedOpening);
            expect(books.openingInCents + books.inInCents - books.outInCents).toBe(books.closingInCents);
            const sum = books.rows.reduce((total, row) => total + row.changeInCents, 0);
            expect(books.openingInCents + sum).toBe(books.closingInCents);
            expect(books.rows.at(-1)?.balanceAfterInCents ?? books.openingInCents).toBe(books.closingInCents);
            const { from, until } = instantsOf(statement.period, TIME_ZONE);
            const moments = books.rows.map((row) => Date.parse(row.at));
            expect(moments).toEqual(moments.toSorted((left, right) => left - right));
            expect(moments.every((at) => at >= from.getTime() && at < until.getTime())).toBe(true);
            expectedOpening = books.closingInCents;
            count += books.count;
          }
          expect(expectedOpening).toBe(rows[0]?.balance);
          expect(count).toBe(rows[0]?.count);
        }
      }),
      { seed: proofSeed, numRuns: proofSize(3, 40), endOnFailure: true },
    );
  });

  it("is limited in rows, shows how many are missing and their sum, and still adds up", async () => {
    const { organization, operating, read } = await arrange();
    await organization.deposit(operating, 500_000);
    await Promise.all(Array.from({ length: 1_004 }, () => organization.deposit(operating, 1)));
    const books = (await read(operating))?.books;
    expect(books).toMatchObject({ openingInCents: 0, closingInCents: 501_004, count: 1_005 });
    expect(books?.rows).toHaveLength(1_000);
    expect(books?.more).toMatchObject({ count: 5, netInCents: 5, href: expect.stringContaining(operating) });
    expect(books?.more?.whole).toBeNull();
    const first = (await read(operating, { isWhole: false }))?.books;
    expect(first).toMatchObject({
      openingInCents: 0,
      closingInCents: 501_004,
      count: 1_005,
      inInCents: 501_004,
    });
    expect(first?.rows).toEqual(books?.rows.slice(0, 100));
    expect(first?.more).toMatchObject({ count: 905, netInCents: 905, whole: { rowCount: 1_000 } });
    const query = new URL(first?.more?.whole?.href ?? "", "http://localhost").searchParams;
    expect(Object.fromEntries(query)).toEqual({ from: "2026-01-01", to: "2026-01-31", rows: "all" });
  });

  it("does not exist for another organization, and for an outside account refers to its bank", async () => {
    const { organization, operating, read } = await arrange();
    const stranger = await arrange();
    expect(await read(operating, {}, stranger.organization.organizationId)).toBeNull();
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    expect(await read(checking)).toMatchObject({ account: { name: "Checking" }, books: null });
  });
});

describe("the period of a statement", () => {
  it("is a month in the organization's time zone, across clock changes too", () => {
    expect(monthPeriod("2024-02")).toEqual({ from: "2024-02-01", to: "2024-02-29" });
    const { from, until } = instantsOf(monthPeriod("2026-03"), TIME_ZONE);
    expect([from.toISOString(), until.toISOString()]).toEqual([
      "2026-03-01T05:00:00.000Z",
      "2026-04-01T04:00:00.000Z",
    ]);
  });

  it("is the requested days, in order and at most a year", () => {
    const now = new Date("2026-01-15T17:00:00.000Z");
    const asked = (from: string, to: string) => statementPeriod({ month: null, from, to }, now, TIME_ZONE);
    expect(asked("2026-01-10", "2026-01-02")).toEqual({ from: "2026-01-02", to: "2026-01-10" });
    expect(asked("2020-01-01", "2026-01-01")).toEqual({ from: "2020-01-01", to: "2020-12-31" });
    expect(statementPeriod(NO_PERIOD, now, TIME_ZONE)).toEqual({ from: "2026-01-01", to: "2026-01-31" });
  });
});
