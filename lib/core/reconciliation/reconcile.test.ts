import { describe, expect, it } from "vitest";
import { authorizeCardPurchase } from "@/lib/core/cards/authorize-card-purchase";
import { findBrokenDay, nextDue } from "@/lib/core/reconciliation/proof-of-day";
import { reconcileDue } from "@/lib/core/reconciliation/reconcile";
import { askReconciliation } from "@/lib/core/reconciliation/resolve-difference";
import { passPage } from "@/lib/core/reconciliation/statement-end";
import { BankUnavailable } from "@/lib/ports/bank/bank-port";
import { useTestDatabase } from "@/lib/testing/database";
import { misreporting } from "@/lib/testing/reconciliation/misreporting";
import { createReconciliationScene } from "@/lib/testing/reconciliation/reconciliation-scene";

const database = useTestDatabase();

const arrange = () => createReconciliationScene(database);
const DAY_MS = 86_400_000;

describe("a bank that reports what happened", () => {
  it("leaves no difference: deposits, orders both ways, returns, and cards", async () => {
    const scene = await arrange();
    const { organizationId, clock, services } = scene;
    const cardId = await scene.cards.issue({ accountId: scene.pod });
    await scene.deposit(500_000);
    const returned = await scene.deposit(70_000);
    await scene.order("OUT", 20_000);
    await scene.order("OUT", 10_003);
    await scene.order("OUT", 10_002);
    await scene.order("IN", 30_000);
    await scene.order("IN", 15_009);
    await scene.cards.driver.purchase(
      { organizationId, cardId, merchant: "Nord", category: null, amountInCents: 2_500 },
      { businessNow: clock.now(), authorize: (request) => authorizeCardPurchase(services, request) },
    );
    await scene.passDays(1);
    const about = { organizationId, depositReference: returned, code: "R10" };
    await scene.driver.returnDeposit({ ...about, businessNow: clock.now() });
    await scene.passDays(12);
    await scene.reconcile();
    expect(await scene.differences()).toEqual([]);
    const inCents = 500_000 - 20_000 + 30_000 + 15_009 - 2_500;
    expect(await scene.last()).toEqual({
      bank: inCents,
      books: inCents,
      expected: 0,
      open: 0,
      unexplained: 0,
    });
  });

  it("has the settled purchases and credits of cards on its statement", async () => {
    const scene = await arrange();
    const cardId = await scene.cards.issue({ accountId: scene.pod });
    await scene.deposit(500_000);
    const { organizationId, clock } = scene;
    const at = { organizationId, cardId, merchant: "Nord", category: null };
    await scene.cards.driver.refund({ ...at, amountInCents: 1_200 }, { businessNow: clock.now() });
    await scene.passDays(1);
    await scene.reconcile();
    expect(await scene.differences()).toEqual([]);
    expect(await scene.last()).toEqual({
      bank: 501_200,
      books: 501_200,
      expected: 0,
      open: 0,
      unexplained: 0,
    });
  });

  it("is asked page by page, and a turn that ends goes on where it stopped", async () => {
    const scene = await arrange();
    for (let count = 0; count < 230; count += 1) {
      await scene.driver.deposit({
        organizationId: scene.organizationId,
        accountId: scene.pod,
        amountInCents: 100 + count,
        origin: "DIRECT_DEPOSIT",
        payerName: "Halden Health",
        businessNow: scene.clock.now(),
      });
    }
    for (let round = 0; round < 3; round += 1) await scene.passDays(1);
    let pages = 0;
    const failingOnce = {
      ...scene.ports,
      bank: {
        ...scene.bank,
        statement: async (input: Parameters<typeof scene.bank.statement>[0]) => {
          if (input.organizationId === scene.organizationId) pages += 1;
          if (pages === 2) throw new BankUnavailable("gone for a moment");
          return scene.bank.statement(input);
        },
      },
    };
    await scene.reconcile(failingOnce);
    expect(pages).toBe(4);
    expect(await scene.differences()).toEqual([]);
    expect(await scene.last()).toMatchObject({ unexplained: 0, open: 0 });
    const { rows } = await database.pool.query<{ lines: number; matches: number }>(
      `select (select count(*) from bank_lines where organization_id = $1)::int as lines,
          (select count(*) from bank_matches where organization_id = $1)::int as matches`,
      [scene.organizationId],
    );
    expect(rows[0]).toEqual({ lines: 230, matches: 230 });
  });
});

describe("what settlement explains", () => {
  it("is not a difference until the banking day after, and then one that its owners learn of once", async () => {
    const scene = await arrange();
    await scene.deposit(500_000);
    const late = misreporting(scene, (lines) =>
      scene.clock.now() < new Date("2026-01-23T00:00:00Z") ? [] : lines,
    );
    await scene.reconcile(late);
    expect(await scene.differences()).toMatchObject([{ kind: "MISSING_AT_BANK", state: "EXPECTED" }]);
    expect(await scene.last()).toMatchObject({ expected: -500_000, open: 0, unexplained: 0 });

    scene.clock.set(new Date("2026-01-20T15:00:00Z"));
    await scene.reconcile(late);
    await scene.reconcile(late);
    expect(await scene.differences()).toMatchObject([{ kind: "MISSING_AT_BANK", state: "OPEN" }]);
    const { rows: notices } = await database.pool.query(
      "select kind from notices where organization_id = $1 and kind = 'BANK_DIFFERENCE'",
      [scene.organizationId],
    );
    expect(notices).toHaveLength(1);

    scene.clock.set(new Date("2026-01-23T15:00:00Z"));
    await scene.reconcile(late);
    expect(await scene.differences()).toMatchObject([{ state: "RESOLVED", resolution: "ARRIVED" }]);
    expect(await scene.last()).toMatchObject({ expected: 0, open: 0, unexplained: 0 });
  });

  it("waits for notices that are due, since they would look like differences", async () => {
    const scene = await arrange();
    await scene.deposit(500_000);
    await scene.order("OUT", 20_000);
    scene.clock.advance(6 * DAY_MS);
    const { rowCount } = await database.pool.query(
      "insert into reconciliations (organization_id, due_at) values ($1, $2)",
      [scene.organizationId, scene.clock.now()],
    );
    expect(rowCount).toBe(1);
    await reconcileDue(scene.services, scene.ports, 50);
    expect(await scene.differences()).toEqual([]);
    await scene.passDays(0);
    await scene.passDays(1);
    await scene.reconcile();
    expect(await scene.differences()).toEqual([]);
    expect(await scene.last()).toMatchObject({ bank: 480_000, books: 480_000, unexplained: 0 });
  });
});

describe("a bank that errs", () => {
  it("loses, doubles, delays and reorders lines: each is found, and every cent is explained", async () => {
    const scene = await arrange();
    const [lost, doubled, delayed] = [
      await scene.deposit(1_000_12),
      await scene.deposit(2_000_12),
      await scene.deposit(3_000_12),
    ];
    const reordered = await scene.deposit(4_000_12);
    const { organizationId, driver, clock } = scene;
    const plant = (depositReference: string, fault: Parameters<typeof driver.misreport>[0]["fault"]) =>
      driver.misreport({ organizationId, of: { depositReference }, fault });
    expect(await plant(lost, { kind: "LOST" })).toBe(true);
    expect(await plant(doubled, { kind: "DOUBLED" })).toBe(true);
    expect(await plant(delayed, { kind: "DELAYED", until: new Date("2026-01-27T14:00:00Z") })).toBe(true);
    expect(await plant(reordered, { kind: "REORDERED", until: new Date("2026-01-24T14:00:00Z") })).toBe(true);
    expect(await plant(lost, { kind: "DOUBLED" })).toBe(false);
    await driver.bookOwnLine({
      organizationId,
      kind: "FEE",
      amountInCents: -250,
      description: "Account fee",
      businessNow: clock.now(),
    });
    const reordering = misreporting(scene, (lines) => lines.toReversed());
    await scene.passDays(6);
    await scene.reconcile(reordering);
    const summary = async () =>
      (await scene.differences())
        .filter(({ state }) => state === "OPEN")
        .map(({ kind, bankInCents, booksInCents }) => `${kind} ${bankInCents} ${booksInCents}`)
        .toSorted();
    const constant = ["MISSING_AT_BANK 0 100012", "MISSING_HERE -250 0", "MISSING_HERE 200012 0"];
    expect(await summary()).toEqual(
      [...constant, "MISSING_AT_BANK 0 300012", "MISSING_AT_BANK 0 400012"].toSorted(),
    );
    const open = -100_012 + 200_012 - 300_012 - 400_012 - 250;
    expect(await scene.last()).toMatchObject({ open, unexplained: 0 });

    await scene.passDays(8);
    await scene.reconcile(reordering);
    expect(await summary()).toEqual([...constant, "DIFFERENT_DATE 300012 300012"].toSorted());
    expect(await scene.last()).toMatchObject({ open: 200_012 - 100_012 - 250, unexplained: 0 });
  });

  it("reports another amount: a difference with both sides", async () => {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    await scene.passDays(1);
    await scene.reconcile(
      misreporting(scene, (lines) =>
        lines.map((line) => ({ ...line, amountInCents: line.amountInCents - 15 })),
      ),
    );
    expect(await scene.differences()).toMatchObject([
      { kind: "DIFFERENT_AMOUNT", state: "OPEN", bankInCents: 499_985, booksInCents: 500_000 },
    ]);
  });

  it("charges a fee in the evening: it differs at once, though the bank books it on the next banking day", async () => {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    const friday = new Date("2026-02-06T23:00:00Z");
    scene.clock.set(friday);
    await scene.driver.bookOwnLine({
      organizationId: scene.organizationId,
      kind: "FEE",
      amountInCents: -1_234,
      description: "Monthly account fee",
      businessNow: friday,
    });
    await scene.reconcile();
    expect(await scene.differences()).toMatchObject([
      { kind: "MISSING_HERE", state: "OPEN", bankInCents: -1_234 },
    ]);
  });

  it("repeats a line under one reference: it counts once", async () => {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    await scene.passDays(1);
    const [line] = (
      await scene.bank.statement({
        organizationId: scene.organizationId,
        from: new Date(0),
        cursor: null,
        limit: 1,
        businessNow: scene.clock.now(),
      })
    ).lines;
    const repeating = {
      ...scene.ports,
      bank: { ...scene.bank, statement: async () => ({ lines: line ? [line, line] : [], nextCursor: null }) },
    };
    await scene.reconcile(repeating);
    expect(await scene.differences()).toEqual([]);
  });

  it("whose lines do not add up to its balance: the rest is unexplained, and kept as such", async () => {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    await scene.passDays(1);
    const balance = async ({ businessNow }: { businessNow: Date }) => ({
      currentInCents: 499_000,
      availableInCents: 499_000,
      asOf: businessNow,
    });
    await scene.reconcile({ ...scene.ports, bank: { ...scene.bank, balance } });
    expect(await scene.last()).toMatchObject({ bank: 499_000, books: 500_000, open: 0, unexplained: -1_000 });
  });

  it("whose rest stays unexplained: its lines are read from a week before the last time, all of them once a week", async () => {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    await scene.passDays(1);
    const asked: { from: Date; at: Date }[] = [];
    const unexplained = {
      ...scene.ports,
      bank: {
        ...scene.bank,
        statement: async (input: Parameters<typeof scene.bank.statement>[0]) => {
          if (input.organizationId === scene.organizationId)
            asked.push({ from: input.from, at: scene.clock.now() });
          return await scene.bank.statement(input);
        },
        balance: async ({ businessNow }: { businessNow: Date }) => ({
          currentInCents: 499_000,
          availableInCents: 499_000,
          asOf: businessNow,
        }),
      },
    };
    const readOn = async (days: number) => {
      scene.clock.set(new Date(start.getTime() + days * DAY_MS));
      const before = asked.length;
      await scene.reconcile(unexplained);
      expect(await scene.last()).toMatchObject({ unexplained: -1_000 });
      return asked.slice(before).filter(({ from }) => from.getTime() === 0).length;
    };
    const start = scene.clock.now();
    // A rest is compared again within minutes: only the first time reads everything.
    expect(await readOn(0)).toBe(1);
    const lastAt = asked.at(-1)?.at.getTime() ?? 0;
    const count = asked.length;
    expect(await readOn(6)).toBe(0);
    expect(asked[count]?.from).toEqual(new Date(lastAt - 7 * DAY_MS));
    expect(await readOn(8)).toBe(1);
  });

  it.each([1, 2, 3, 7])(
    "whose statement goes in a circle of %d pages is read to its end, each line once, with few requests more",
    async (length) => {
      const scene = await arrange();
      await scene.deposit(5_000_00);
      await scene.deposit(6_000_00);
      await scene.passDays(1);
      let asked = 0;
      /** A page of its own for each line, then others without a line, and from the last one back to the third. */
      const circling = {
        ...scene.ports,
        bank: {
          ...scene.bank,
          statement: async (input: Parameters<typeof scene.bank.statement>[0]) => {
            if (input.organizationId !== scene.organizationId) return await scene.bank.statement(input);
            asked += 1;
            const { lines } = await scene.bank.statement({ ...input, cursor: null });
            const page = Number(input.cursor ?? 0);
            const next = page < length + 1 ? page + 1 : 2;
            return { lines: lines.slice(page, page + 1), nextCursor: String(next) };
          },
        },
      };
      await scene.reconcile(circling);
      expect(await scene.last()).toMatchObject({ unexplained: 0, open: 0 });
      expect(asked).toBeLessThanOrEqual(3 * (length + 2));
    },
  );

  it.each([
    ["of thousands of characters is read to its end", "c".repeat(9_000), 1_100_000, 0],
    ["that no address carries ends there, and the rest is missing", "c".repeat(10_001), 500_000, 600_000],
    ["that cannot be stored ends there, and the rest is missing", "c\0", 500_000, 600_000],
  ])("whose statement has a cursor %s", async (_, cursor, matched, missing) => {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    await scene.deposit(6_000_00);
    await scene.passDays(1);
    const paged = {
      ...scene.ports,
      bank: {
        ...scene.bank,
        statement: async (input: Parameters<typeof scene.bank.statement>[0]) => {
          const { lines } = await scene.bank.statement({ ...input, cursor: null });
          return input.cursor === null
            ? { lines: lines.slice(0, 1), nextCursor: cursor }
            : { lines: lines.slice(1), nextCursor: null };
        },
      },
    };
    await scene.reconcile(paged);
    const { rows } = await database.pool.query<{ cents: number }>(
      "select sum(amount_in_cents)::float8 as cents from bank_lines where organization_id = $1",
      [scene.organizationId],
    );
    expect(rows).toEqual([{ cents: matched }]);
    expect(await scene.last()).toMatchObject({ bank: 1_100_000, books: 1_100_000 });
    // What was not read is missing at the bank, never matched.
    const { expected, open } = await scene.last();
    expect(expected + open).toBe(0 - missing);
  });

  it("whose statement names a new page for ever, none with a new line, ends after as many pages as it has lines", async () => {
    const { organizationId } = await arrange();
    const idle = { mark: null, pages: 20_000, idle: 9_999 };
    const pass = (newLines: number, before = idle) =>
      passPage(database.pool, organizationId, before, { nextCursor: "another", newLines });
    expect(await pass(0)).toBeNull();
    expect(await pass(0, { ...idle, idle: 9_998 })).toMatchObject({ idle: 9_999 });
    expect(await pass(1)).toMatchObject({ idle: 0 });
  });
});

describe("the proof of a day", () => {
  async function proven() {
    const scene = await arrange();
    await scene.deposit(5_000_00);
    for (let day = 0; day < 4; day += 1) {
      await scene.reconcile();
      await scene.passDays(1);
    }
    return scene;
  }
  const daysOf = async (organizationId: string) => {
    const { rows } = await database.pool.query<{ day: string; lines: number }>(
      "select day::text, line_count as lines from reconciliation_days where organization_id = $1 order by sequence",
      [organizationId],
    );
    return rows;
  };

  it("is kept once for each banking day, also when a member asks again", async () => {
    const { organizationId } = await proven();
    // Reconciled at noon of Thursday to Sunday.
    expect(await daysOf(organizationId)).toEqual([
      { day: "2026-01-14", lines: 1 },
      { day: "2026-01-15", lines: 0 },
      { day: "2026-01-16", lines: 0 },
    ]);
    expect(await findBrokenDay(database.pool, organizationId)).toBeNull();
  });

  it("cannot be changed by the application or by the owner of the tables", async () => {
    const { organizationId } = await proven();
    for (const table of [
      "reconciliation_days",
      "bank_lines",
      "bank_line_causes",
      "bank_line_changes",
      "bank_matches",
      "bank_difference_events",
    ]) {
      await expect(
        database.ownerPool.query(`delete from ${table} where organization_id = $1`, [organizationId]),
      ).rejects.toThrow(/append only/);
      await expect(
        database.pool.query(`delete from ${table} where organization_id = $1`, [organizationId]),
      ).rejects.toThrow(/permission denied/);
    }
  });

  it("that is changed or removed in spite of that no longer fits the chain", async () => {
    const changed = await proven();
    await database.ownerPool.query("alter table reconciliation_days disable trigger user");
    try {
      await database.ownerPool.query(
        "update reconciliation_days set line_count = 7 where organization_id = $1 and sequence = 2",
        [changed.organizationId],
      );
      expect(await findBrokenDay(database.pool, changed.organizationId)).toBe("2026-01-15");
      const removed = await proven();
      await database.ownerPool.query(
        "delete from reconciliation_days where organization_id = $1 and sequence = 1",
        [removed.organizationId],
      );
      expect(await findBrokenDay(database.pool, removed.organizationId)).toBe("2026-01-15");
    } finally {
      await database.ownerPool.query("alter table reconciliation_days enable trigger user");
    }
  });
});

describe("reconciling", () => {
  it("by many workers at once, with some that lose their lease, ends as by one", async () => {
    const scene = await arrange();
    for (const amount of [10_000, 20_000, 30_000, 40_000]) await scene.deposit(amount);
    await scene.driver.bookOwnLine({
      organizationId: scene.organizationId,
      kind: "INTEREST",
      amountInCents: 77,
      description: "Interest",
      businessNow: scene.clock.now(),
    });
    await scene.passDays(1);
    await database.pool.query("insert into reconciliations (organization_id, due_at) values ($1, $2)", [
      scene.organizationId,
      scene.clock.now(),
    ]);
    // While the bank answers, the lease is taken away, as if it had run out.
    let answers = 0;
    const slow = {
      ...scene.ports,
      bank: {
        ...scene.bank,
        statement: async (input: Parameters<typeof scene.bank.statement>[0]) => {
          answers += 1;
          if (answers === 1) {
            await database.pool.query(
              "update reconciliations set leased_until = null where organization_id = $1",
              [scene.organizationId],
            );
            await reconcileDue(scene.services, scene.ports, 50);
          }
          return scene.bank.statement(input);
        },
      },
    };
    await Promise.all([
      reconcileDue(scene.services, slow, 50),
      reconcileDue(scene.services, scene.ports, 50),
      reconcileDue(scene.services, scene.ports, 50),
    ]);
    await scene.reconcile();
    expect(await scene.differences()).toMatchObject([
      { kind: "MISSING_HERE", bankInCents: 77, state: "OPEN" },
    ]);
    expect(await scene.last()).toEqual({
      bank: 100_077,
      books: 100_000,
      expected: 0,
      open: 77,
      unexplained: 0,
    });
  });

  it("asked for during another follows it, and finds what the first one could not see", async () => {
    const scene = await arrange();
    const { organizationId, organization, clock } = scene;
    await scene.deposit(50_000);
    await scene.passDays(1);
    let isAsked = false;
    const chargingMeanwhile = {
      ...scene.ports,
      bank: {
        ...scene.bank,
        // The last thing that a reconciliation reads at the bank.
        balance: async (input: Parameters<typeof scene.bank.balance>[0]) => {
          const balance = await scene.bank.balance(input);
          if (!isAsked && input.organizationId === organizationId) {
            isAsked = true;
            clock.advance(1);
            const fee = { organizationId, kind: "FEE", amountInCents: -400, description: "Fee" } as const;
            await scene.driver.bookOwnLine({ ...fee, businessNow: clock.now() });
            await askReconciliation(scene.services, { ...organization.owner, now: clock.now() });
          }
          return balance;
        },
      },
    };
    await scene.reconcile(chargingMeanwhile);
    expect(await scene.differences()).toMatchObject([{ kind: "MISSING_HERE", bankInCents: -400 }]);
  });

  it("does not ask the bank for an organization that has nothing there", async () => {
    const scene = await arrange();
    const asked: string[] = [];
    const watched = {
      ...scene.ports,
      bank: {
        ...scene.bank,
        statement: async (input: Parameters<typeof scene.bank.statement>[0]) => {
          asked.push(input.organizationId);
          return scene.bank.statement(input);
        },
      },
    };
    await scene.reconcile(watched);
    expect(asked).not.toContain(scene.organizationId);
  });

  it.each([
    ["a Thursday noon", "2026-01-15T17:00:00Z", "2026-01-15T22:30:00.000Z"],
    ["a Friday evening before a bank holiday", "2026-01-16T23:00:00Z", "2026-01-20T22:30:00.000Z"],
    ["a Saturday", "2026-01-17T12:00:00Z", "2026-01-20T22:30:00.000Z"],
  ])("is due after the close of a banking day: from %s", (_, now, due) => {
    expect(nextDue(new Date(now)).toISOString()).toBe(due);
  });
});
