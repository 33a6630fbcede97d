import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { MovementFilter } from "@/lib/contract/hrefs";
import { readClosingBlockers } from "@/lib/core/ledger/close-account";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askUnbooked, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { readAccountPage } from "@/lib/views/accounts/read-account-page";
import { buildBalanceHistory, historyRange } from "@/lib/views/accounts/read-balance-history";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(false)], "claude-bookkeeping");
  const asking = await organization.addKey([moveAnything(true)], "asking");
  const ask = (amountInCents: number, context = key.context) =>
    askUnbooked(services, context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
      description: "Q4 TAX",
    });
  const look = async (
    id = operating,
    filter: MovementFilter = "ALL",
    page = 1,
    member = organization.owner,
    showsAllOnItsWay = false,
  ) => {
    const now = new Date(clock.now().getTime() + offsetMs);
    const time = { nowAt: now.toISOString(), timeZone: "UTC", locale: "en-US" };
    const shown = { days: 30, filter, page, showsAllOnItsWay } as const;
    const view = await readAccountPage({ services, context: { ...member, now }, time }, id, shown);
    if (!view) throw new Error("no such account");
    return view;
  };
  let offsetMs = 0;
  const moveClock = async (ms: number) => {
    offsetMs = ms;
    await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
      organization.organizationId,
      ms,
    ]);
  };
  return { services, clock, organization, operating, taxes, asking, ask, look, moveClock };
}

describe("the page of an account", () => {
  it("lists pending movements, then each entry with the balance after it", async () => {
    const { services, clock, ask, look, asking, taxes } = await arrange();
    await ask(10_000);
    clock.advance(HOUR_MS);
    await bookDueTransfers(services, 64);
    await ask(5_000);
    await ask(2_000, asking.context);
    const view = await look();
    expect(view).toMatchObject({
      balanceInCents: 90_000,
      availableInCents: 85_000,
      onItsWayOutInCents: 5_000,
    });
    expect(
      view.movements.rows.map(({ state, changeInCents, balanceAfterInCents, about }) => ({
        state,
        changeInCents,
        balanceAfterInCents,
        about,
      })),
    ).toEqual([
      {
        state: "ON_ITS_WAY",
        changeInCents: -5_000,
        balanceAfterInCents: null,
        about: "claude-bookkeeping, Q4 TAX",
      },
      {
        state: "SETTLED",
        changeInCents: -10_000,
        balanceAfterInCents: 90_000,
        about: "claude-bookkeeping, Q4 TAX",
      },
      { state: "SETTLED", changeInCents: 100_000, balanceAfterInCents: 100_000, about: "Direct deposit" },
    ]);
    expect(view.waiting).toMatchObject([
      { subject: { kind: "TRANSFER", destinationName: "Taxes" }, changeInCents: -2_000 },
    ]);
    expect((await look(taxes)).waiting).toMatchObject([
      { subject: { sourceName: "Operating" }, changeInCents: 2_000 },
    ]);
  });

  it("starts with the latest 20 on their way, and shows the others when asked", async () => {
    const { organization, operating, ask, look } = await arrange();
    for (let index = 0; index < 20; index += 1) await ask(100);
    expect((await look()).movements.allOnItsWayHref).toBeNull();
    await ask(100);
    const first = (await look()).movements;
    expect(first.rows.filter(({ state }) => state === "ON_ITS_WAY")).toHaveLength(20);
    expect(first.allOnItsWayHref).toBe(`/accounts/${operating}?moving=all`);
    const all = (await look(operating, "ALL", 1, organization.owner, true)).movements;
    expect(all.rows.filter(({ state }) => state === "ON_ITS_WAY")).toHaveLength(21);
    expect(all.allOnItsWayHref).toBeNull();
  });

  it("shows card authorizations as pending, and card spending as entries", async () => {
    const { services, organization, operating, look } = await arrange();
    const cards = createTestCards(database, services, organization);
    const cardId = await cards.issue({ accountId: operating, monthlyLimitInCents: null });
    expect(await cards.ask(cardId, 30_000, "A")).toBeNull();
    expect((await look()).movements.rows[0]).toMatchObject({
      fromName: "Operating",
      state: "ON_ITS_WAY",
      changeInCents: -30_000,
      balanceAfterInCents: null,
    });
    expect(await readClosingBlockers(database.pool, organization.organizationId, operating)).toEqual([
      { kind: "ON_ITS_WAY", count: 1 },
      { kind: "CARDS", count: 1 },
      { kind: "BALANCE", balanceInCents: 100_000 },
    ]);
    await cards.report({
      kind: "SETTLED",
      cardId,
      amountInCents: 30_000,
      reference: "S",
      authorization: "A",
    });
    const { rows } = (await look()).movements;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      fromName: "Operating",
      state: "SETTLED",
      changeInCents: -30_000,
      balanceAfterInCents: 70_000,
      about: expect.stringMatching(/^Card, /),
    });
    expect(rows[0]?.toName).not.toBe("Outside Sluice");
  });

  it("keeps the balances of the whole on every page and with any filter", async () => {
    const { services, clock, organization, operating, ask, look } = await arrange();
    for (let index = 0; index < 25; index++) {
      await ask(100 + index);
      await bookDueTransfers(services, 64);
      clock.advance(1_000);
      await organization.deposit(operating, 1_000 + index);
      clock.advance(1_000);
    }
    const whole = [...(await look()).movements.rows, ...(await look(operating, "ALL", 2)).movements.rows];
    const all = [...whole, ...(await look(operating, "ALL", 3)).movements.rows];
    expect(all).toHaveLength(51);
    for (const [index, row] of all.entries()) {
      const older = all[index + 1]?.balanceAfterInCents ?? 0;
      expect(row.balanceAfterInCents).toBe(older + row.changeInCents);
    }
    for (const [filter, isShown] of [
      ["IN", (change: number) => change > 0],
      ["OUT", (change: number) => change < 0],
    ] as const) {
      const pages = [
        ...(await look(operating, filter)).movements.rows,
        ...(await look(operating, filter, 2)).movements.rows,
      ];
      expect(pages).toEqual(all.filter((row) => isShown(row.changeInCents)));
    }
    expect((await look(operating, "ALL", 3)).movements.nextHref).toBeNull();
  });

  it("keeps the order of movements after the organization's clock was moved", async () => {
    const { services, organization, operating, ask, look, moveClock } = await arrange();
    await moveClock(40 * 24 * HOUR_MS);
    await organization.deposit(operating, 1_000);
    await ask(10_000);
    await bookDueTransfers(services, 64);
    const { rows } = await look().then((view) => view.movements);
    expect(rows.map((row) => row.changeInCents)).toEqual([-10_000, 1_000, 100_000]);
  });

  it("offers changes to owners only, and nothing about another organization's account", async () => {
    const { services, organization, operating, look } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Vic");
    expect(await look(operating, "ALL", 1, viewer)).toMatchObject({ editHref: null, closeHref: null });
    expect((await look()).editHref).toBe(`/accounts/${operating}/edit`);
    const stranger = (await arrange()).organization.owner;
    const time = { nowAt: stranger.now.toISOString(), timeZone: "UTC", locale: "en-US" };
    const lookAll = { days: 30, filter: "ALL", page: 1, showsAllOnItsWay: false } as const;
    expect(await readAccountPage({ services, context: stranger, time }, operating, lookAll)).toBeNull();
  });

  it("draws a history that ends at the balance", async () => {
    const { services, clock, ask, look } = await arrange();
    clock.advance(10 * 24 * HOUR_MS);
    await ask(10_000);
    await bookDueTransfers(services, 64);
    clock.advance(5 * 24 * HOUR_MS);
    const points = (await look()).history?.points ?? [];
    expect(points.map((point) => point.balanceInCents)).toEqual([0, 100_000, 90_000, 90_000]);
    clock.advance(30 * 24 * HOUR_MS);
    expect((await look()).history?.points.map((point) => point.balanceInCents)).toEqual([90_000, 90_000]);
  });
});

test("a history starts so that the entries since lead to the balance, in chronological order", () => {
  const span = fc.record({ index: fc.nat(359), netInCents: fc.integer({ min: -1e9, max: 1e9 }) });
  const spans = fc.uniqueArray(span, { selector: ({ index }) => index, maxLength: 50 });
  const now = new Date("2026-11-21T12:00:00Z");
  fc.assert(
    fc.property(
      spans,
      fc.integer({ min: -1e12, max: 1e12 }),
      fc.constantFrom(30, 90),
      (unordered, balance, days) => {
        const ordered = unordered.toSorted((left, right) => left.index - right.index);
        const { points } = buildBalanceHistory(days, now, balance, ordered);
        expect(points[0]?.at).toBe(historyRange(days, now).from.toISOString());
        expect(points.at(-1)).toEqual({ at: now.toISOString(), balanceInCents: balance });
        expect(points.map((point) => point.at)).toEqual(points.map((point) => point.at).toSorted());
        const steps = points
          .slice(1, -1)
          .map((point, index) => point.balanceInCents - (points[index]?.balanceInCents ?? 0));
        expect(steps).toEqual(ordered.map((one) => one.netInCents));
        expect(points.at(-2)?.balanceInCents).toBe(balance);
      },
    ),
    { numRuns: proofSize(200, 5_000), seed: proofSeed },
  );
});
