/**
 * Goal: a line that the bank changes after it was read is a difference of its own. It stops nothing, books nothing twice, and
 * nothing that it touches is called reconciled.
 * Method: a sandbox bank whose statement and balance are changed on the way, before and after a reconciliation.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { askedBankSchema, matchDifferencesSchema } from "@/lib/contract/reconciliation";
import { acceptDate, bookLine, matchDifferences } from "@/lib/core/reconciliation/resolve-difference";
import type { BankStatementLine } from "@/lib/ports/bank/bank-port";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { misreporting } from "@/lib/testing/reconciliation/misreporting";
import { createReconciliationScene } from "@/lib/testing/reconciliation/reconciliation-scene";
import { readDifference } from "@/lib/views/reconciliation/read-difference";

const database = useTestDatabase();
const DAY_MS = 86_400_000;

/** A deposit of $5,000.00 that was reconciled, and a bank that says something else of its line from then on. */
async function arrange() {
  const scene = await createReconciliationScene(database);
  const { organization, organizationId, clock } = scene;
  const reference = await scene.deposit(500_000);
  await scene.passDays(1);
  await scene.reconcile();
  const [line] = (
    await scene.bank.statement({
      organizationId,
      from: new Date(0),
      cursor: null,
      limit: 1,
      businessNow: clock.now(),
    })
  ).lines;
  if (!line) throw new Error("The deposit has a line");
  let stated: Partial<BankStatementLine> = {};
  const bank = misreporting(scene, (lines) =>
    lines.map((one) => (one.lineReference === line.lineReference ? { ...one, ...stated } : one)),
  );
  /** Another day, on which the bank says this of the line. */
  const say = async (changes: Partial<BankStatementLine>) => {
    stated = changes;
    await scene.passDays(1);
    await scene.reconcile(bank);
  };
  const owner = async () => {
    await database.ownerPool.query("update sessions set authenticated_at = $2 where id = $1", [
      organization.owner.actor.sessionId,
      clock.now(),
    ]);
    return { ...organization.owner, now: clock.now() };
  };
  const view = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    return await readDifference({ services: scene.services, context: await owner(), time }, id);
  };
  const openIds = async () =>
    (await scene.differences()).filter(({ state }) => state === "OPEN").map(({ id }) => id);
  return { ...scene, reference, line, bank, say, owner, view, openIds };
}

const notices = async (organizationId: string) => {
  const { rows } = await database.pool.query(
    "select subject_id from notices where organization_id = $1 and kind = 'BANK_DIFFERENCE'",
    [organizationId],
  );
  return rows.length;
};

describe("a line that the bank changes", () => {
  it("is one open difference; the lines after it are compared, and the proof of the day adds up", async () => {
    const scene = await arrange();
    await scene.deposit(70_000);
    await scene.say({ amountInCents: 499_000 });
    expect(await scene.differences()).toMatchObject([
      { kind: "LINE_CHANGED", state: "OPEN", bankInCents: 499_000, booksInCents: 500_000 },
    ]);
    const sums = { bank: 569_000, books: 570_000, expected: 0, open: -1_000, unexplained: 0 };
    expect(await scene.last()).toEqual(sums);
    const { rows } = await database.pool.query(
      `select open_count as open, line_count as lines, matched_count as matched from reconciliation_days
        where organization_id = $1 order by sequence desc limit 1`,
      [scene.organizationId],
    );
    expect(rows).toEqual([{ open: 1, lines: 1, matched: 1 }]);

    await scene.say({ amountInCents: 499_000 });
    expect(await scene.differences()).toHaveLength(1);
    expect(await notices(scene.organizationId)).toBe(1);
    expect(await auditBooks(database, scene.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
    });
  });

  it("changes back: the difference ends by itself", async () => {
    const scene = await arrange();
    await scene.say({ amountInCents: 499_000 });
    const [id = ""] = await scene.openIds();
    await scene.say({});
    expect(await scene.differences()).toMatchObject([{ state: "RESOLVED", resolution: "CHANGED_BACK" }]);
    expect(await scene.last()).toMatchObject({ open: 0, unexplained: 0 });
    expect((await scene.view(id))?.events.map(({ kind }) => kind)).toEqual([
      "CHANGED_BACK",
      "OPENED",
      "FOUND",
    ]);
  });

  it("changes back after its week is over: the whole statement is read again within a week", async () => {
    const scene = await arrange();
    await scene.say({ amountInCents: 499_000 });
    for (let week = 0; week < 3; week += 1) {
      await scene.passDays(7);
      await scene.say({ amountInCents: 499_000 });
    }
    expect(await scene.openIds()).toHaveLength(1);
    await scene.passDays(7);
    await scene.say({});
    expect(await scene.openIds()).toEqual([]);
  });

  it("changes again: the first difference ends, and the second one is about what was kept", async () => {
    const scene = await arrange();
    await scene.say({ amountInCents: 499_000 });
    await scene.say({ amountInCents: 510_000 });
    expect(await scene.differences()).toMatchObject([
      { state: "RESOLVED", resolution: "CHANGED_AGAIN" },
      { state: "OPEN", bankInCents: 510_000, booksInCents: 500_000 },
    ]);
    expect(await scene.last()).toMatchObject({ bank: 510_000, books: 500_000, open: 10_000, unexplained: 0 });
  });

  it.each<[string, Partial<BankStatementLine>]>([
    ["on another day", { bookedAt: new Date("2026-01-20T15:00:00Z") }],
    ["as a fee", { kind: "FEE", depositReference: null }],
    ["as another deposit", { depositReference: "another" }],
  ])("that is now %s has both versions, and is accepted with a reason, once", async (_, changes) => {
    const scene = await arrange();
    await scene.say(changes);
    const [id = ""] = await scene.openIds();
    expect(await scene.differences()).toMatchObject([
      { kind: "LINE_CHANGED", state: "OPEN", bankInCents: 500_000, booksInCents: 500_000 },
    ]);
    expect(await scene.last()).toMatchObject({ bank: 500_000, books: 500_000, open: 0, unexplained: 0 });
    const view = await scene.view(id);
    expect(view).toMatchObject({ accounts: null, candidates: [], entry: { amountInCents: 500_000 } });
    expect(view?.before?.kind).toBe(changes.kind ? "DEPOSIT" : null);
    const context = await scene.owner();
    const booking = { differenceId: id, accountId: scene.pod };
    await expect(bookLine(scene.services, context, booking)).rejects.toThrow("Nothing was changed");
    const other = { differenceId: id, otherId: randomUUID(), note: null };
    await expect(matchDifferences(scene.services, context, other)).rejects.toThrow("Nothing was changed");
    await acceptDate(scene.services, context, { differenceId: id, note: "The bank told us" });
    await scene.say(changes);
    expect(await scene.differences()).toMatchObject([{ state: "RESOLVED", resolution: "ACCEPTED" }]);
    await scene.say({});
    expect(await scene.openIds()).toHaveLength(1);
  });

  it("only in its text or its time of day is as before", async () => {
    const scene = await arrange();
    const bookedAt = new Date(scene.line.bookedAt.getTime() + 60_000);
    await scene.say({ description: "HALDEN HEALTH PAYROLL", bookedAt, rail: "WIRE" });
    expect(await scene.differences()).toEqual([]);
  });

  it.each([
    ["less", 499_000, "BOOKED from the pod"],
    ["more", 501_000, "BOOKED to the pod"],
  ])(
    "to %s is booked: the books follow the bank, once, also when the bank then changes it back",
    async (_, now) => {
      const scene = await arrange();
      await scene.say({ amountInCents: now });
      const [id = ""] = await scene.openIds();
      const booking = { differenceId: id, accountId: scene.pod };
      await bookLine(scene.services, await scene.owner(), booking);
      await expect(bookLine(scene.services, await scene.owner(), booking)).rejects.toThrow("no longer open");
      await scene.passDays(10);
      await scene.say({ amountInCents: now });
      expect(await scene.differences()).toMatchObject([{ state: "RESOLVED", resolution: "BOOKED" }]);
      expect(await scene.last()).toEqual({ bank: now, books: now, expected: 0, open: 0, unexplained: 0 });

      await scene.say({});
      await scene.passDays(7);
      await scene.say({});
      const [back = ""] = await scene.openIds();
      expect((await scene.differences()).at(-1)).toMatchObject({ bankInCents: 500_000, booksInCents: now });
      await bookLine(scene.services, await scene.owner(), { differenceId: back, accountId: scene.pod });
      await scene.say({});
      expect(await scene.last()).toMatchObject({ bank: 500_000, books: 500_000, open: 0, unexplained: 0 });
      expect(await auditBooks(database, scene.organizationId)).toMatchObject({
        wrongLedgers: [],
        wrongHolds: [],
      });
    },
  );
});

describe("a line that was wrong", () => {
  it("and is corrected on the line: both differences end by themselves", async () => {
    const scene = await arrange();
    const wrong = misreporting(scene, (lines) =>
      lines.map((one) => (one.amountInCents === 70_000 ? { ...one, amountInCents: 70_015 } : one)),
    );
    await scene.deposit(70_000);
    await scene.passDays(1);
    await scene.reconcile(wrong);
    expect(await scene.differences()).toMatchObject([{ kind: "DIFFERENT_AMOUNT", state: "OPEN" }]);
    await scene.passDays(1);
    await scene.reconcile();
    expect(await scene.differences()).toMatchObject([
      { kind: "DIFFERENT_AMOUNT", state: "RESOLVED", resolution: "CANCELED_OUT" },
      { kind: "LINE_CHANGED", state: "RESOLVED", resolution: "CANCELED_OUT" },
    ]);
    await scene.passDays(1);
    await scene.reconcile();
    expect(await scene.last()).toEqual({
      bank: 570_000,
      books: 570_000,
      expected: 0,
      open: 0,
      unexplained: 0,
    });
  });

  it("and becomes wrong otherwise: nothing of the change is booked while the line itself is not resolved", async () => {
    const scene = await arrange();
    const saying = (amountInCents: number) =>
      misreporting(scene, (lines) =>
        lines.map((one) => (one.amountInCents === 70_000 ? { ...one, amountInCents } : one)),
      );
    await scene.deposit(70_000);
    await scene.passDays(1);
    await scene.reconcile(saying(70_015));
    await scene.passDays(1);
    await scene.reconcile(saying(70_020));
    const changed = (await scene.differences()).find(({ kind }) => kind === "LINE_CHANGED");
    expect(await scene.last()).toMatchObject({ bank: 570_020, books: 570_000, open: 20, unexplained: 0 });
    expect(await scene.view(changed?.id ?? "")).toMatchObject({ accounts: null, isLineUnresolved: true });
    const booking = { differenceId: changed?.id ?? "", accountId: scene.pod };
    await expect(bookLine(scene.services, await scene.owner(), booking)).rejects.toThrow("not resolved yet");
  });
});

describe("a line whose object the bank does not show", () => {
  it.each<[string, Partial<BankStatementLine>]>([
    ["names no order", { transferId: null }],
    ["looks like someone else's", { kind: "OTHER", transferId: null }],
  ])("%s, and is matched by itself once it is shown", async (_, unread) => {
    const scene = await arrange();
    const transferId = await scene.order("OUT", 20_000);
    await scene.passDays(6);
    const hiding = misreporting(scene, (lines) =>
      lines.map((one) => (one.transferId === transferId ? { ...one, ...unread } : one)),
    );
    await scene.reconcile(hiding);
    await scene.passDays(1);
    await scene.reconcile(hiding);
    expect((await scene.differences()).map(({ kind }) => kind).toSorted()).toEqual([
      "MISSING_AT_BANK",
      "MISSING_HERE",
    ]);
    await scene.passDays(1);
    await scene.reconcile();
    expect((await scene.differences()).map(({ resolution }) => resolution)).toEqual(["ARRIVED", "ARRIVED"]);
    await scene.reconcile(hiding);
    await scene.reconcile();
    expect(await scene.last()).toEqual({
      bank: 480_000,
      books: 480_000,
      expected: 0,
      open: 0,
      unexplained: 0,
    });
    expect(await scene.differences()).toHaveLength(2);
  });

  it("is read again within a week, however old it is", async () => {
    const scene = await arrange();
    const transferId = await scene.order("OUT", 20_000);
    await scene.passDays(4);
    const hiding = misreporting(scene, (lines) =>
      lines.map((one) => (one.transferId === transferId ? { ...one, transferId: null } : one)),
    );
    for (let week = 0; week < 3; week += 1) {
      await scene.reconcile(hiding);
      scene.clock.advance(8 * DAY_MS);
    }
    expect(await scene.openIds()).toHaveLength(2);
    await scene.reconcile();
    expect(await scene.openIds()).toEqual([]);
  });
});

it("a note that is sent says something", () => {
  const differenceId = randomUUID();
  for (const note of ["", " "]) {
    expect(askedBankSchema.safeParse({ differenceId, note }).success).toBe(false);
    expect(matchDifferencesSchema.safeParse({ differenceId, otherId: differenceId, note }).success).toBe(
      false,
    );
  }
  expect(matchDifferencesSchema.safeParse({ differenceId, otherId: differenceId, note: null }).success).toBe(
    true,
  );
});
