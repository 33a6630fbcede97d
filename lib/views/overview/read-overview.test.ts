import { describe, expect, it } from "vitest";
import type { MapDays } from "@/lib/contract/hrefs";
import {
  accountsSearchSchema,
  movementPlaceSchema,
  movementSearchSchema,
} from "@/lib/contract/search/search-schemas";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createMoneyHistory } from "@/lib/testing/money-history";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readAccountsPage } from "@/lib/views/accounts/read-accounts-page";
import { listMemberMovements } from "@/lib/views/movements/list-member-movements";
import { readOverview } from "@/lib/views/overview/read-overview";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

/** Noon of 15 January 2026 in New York. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 50_000,
  });
  const moving = await organization.addKey([moveAnything(false)], "moving");
  const asking = await organization.addKey([moveAnything(true)], "asking");
  const move = (from: string, to: string, amountInCents: number, context = moving.context) =>
    askTransfer(services, context, { sourceAccountId: from, destinationAccountId: to, amountInCents });
  const book = () => bookDueTransfers(services, 64);
  const overBank = async (days: number) => {
    const bank = createSandboxBank(database.pool);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 64);
    clock.advance(days * DAY_MS);
    await collectBankNotices(services, bank, 64);
  };
  const look = (days: MapDays = 30, member = organization.owner) => {
    const now = clock.now();
    const time = { nowAt: now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
    return readOverview({ services, context: { ...member, now }, time }, days);
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    operating,
    taxes,
    checking,
    asking,
    move,
    book,
    overBank,
    look,
  };
}

const linksOf = ({ map }: Awaited<ReturnType<Awaited<ReturnType<typeof arrange>>["look"]>>) => {
  const name = (id: string) => map.nodes.find((node) => node.id === id)?.name;
  return map.links
    .map(({ fromId, toId, amountInCents }) => `${name(fromId)} > ${name(toId)}: ${amountInCents}`)
    .sort();
};

describe("the total", () => {
  it("is the sum of Sluice's books, and its daily steps lead to it", async () => {
    const { clock, organization, operating, taxes, move, book, look } = await arrange();
    await organization.deposit(operating, 100_000);
    clock.advance(2 * DAY_MS);
    await organization.deposit(operating, 40_000);
    await move(operating, taxes, 30_000);
    await book();
    clock.advance(DAY_MS);
    const { total } = await look();
    expect(total).toMatchObject({ totalInCents: 140_000, accountCount: 2, changeInCents: 140_000 });
    expect(total.points).toEqual([
      { at: "2025-12-20T05:00:00.000Z", balanceInCents: 0 },
      { at: "2026-01-16T04:59:59.999Z", balanceInCents: 100_000 },
      { at: "2026-01-18T04:59:59.999Z", balanceInCents: 140_000 },
      { at: clock.now().toISOString(), balanceInCents: 140_000 },
    ]);
  });

  it("never treats an unknown balance as zero, and shows how old the others are", async () => {
    const { organization, operating, look } = await arrange();
    await organization.addAccount({
      name: "Loan",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
    });
    await organization.deposit(operating, 70_000);
    const { total } = await look();
    expect(total.totalInCents).toBe(70_000);
    expect(total.outside).toMatchObject([
      { name: "Checking", balanceInCents: 50_000, balanceAt: "2026-01-15T17:00:00.000Z" },
    ]);
    expect(total.owed).toMatchObject([{ name: "Loan", balanceInCents: null }]);
  });

  it("is the same on the accounts page, with what the bank booked into a closed account", async () => {
    const { services, clock, organization, operating, look } = await arrange();
    const former = await organization.addAccount({ name: "Former", type: "POD" });
    await organization.addAccount({ name: "Sales", type: "INCOME_SOURCE", balanceInCents: 3_000 });
    await organization.deposit(operating, 70_000);
    await organization.deposit(former, 500);
    await database.ownerPool.query("update accounts set deleted_at = $2 where id = $1", [
      former,
      clock.now(),
    ]);
    const { total, time } = await look();
    const page = await readAccountsPage(
      { services, context: { ...organization.owner, now: clock.now() }, time },
      accountsSearchSchema.parse({}),
    );
    expect(page.inSluice).toEqual({ totalInCents: 73_500, closedInCents: 500, accountCount: 3 });
    expect(total).toMatchObject(page.inSluice);
    expect(page.incomeTotalInCents + page.podsTotalInCents + page.inSluice.closedInCents).toBe(
      page.inSluice.totalInCents,
    );
  });
});

describe("the money map", () => {
  it("shows payers, moves between pods, and card spending net of refunds", async () => {
    const { services, organization, organizationId, operating, taxes, move, book, look } = await arrange();
    const cards = createTestCards(database, services, organization);
    const cardId = await cards.issue({ accountId: operating });
    await organization.deposit(operating, 100_000);
    await move(operating, taxes, 30_000);
    await book();
    const spend = { cardId, authorization: null } as const;
    await cards.report({ ...spend, kind: "SETTLED", amountInCents: 9_000, reference: "bought" });
    await cards.report({ kind: "REFUND", cardId, amountInCents: 2_500, reference: "back" });
    const view = await look();
    expect(linksOf(view)).toEqual([
      "Halden Health > Operating: 100000",
      "Operating > Card purchases: 6500",
      "Operating > Taxes: 30000",
    ]);
    expect(view.map.sums).toMatchObject({ inInCents: 100_000, outInCents: 6_500, keptInCents: 93_500 });
    expect((await auditBooks(database, organizationId)).wrongLedgers).toEqual([]);
  });

  it("deducts a returned deposit from income, and does not count moves from own outside accounts as earned", async () => {
    const { clock, organization, organizationId, operating, checking, move, overBank, look } =
      await arrange();
    await organization.deposit(operating, 80_000);
    const pulled = await move(checking, operating, 20_000);
    await overBank(6);
    expect((await look()).map.sums).toMatchObject({ inInCents: 100_000, inFromOwnInCents: 20_000 });
    await database.pool.query("select apply_bank_notice($1, 'back', $2, 'RETURNED', 'ACH_R10', $3, $4, $3)", [
      organizationId,
      pulled.id,
      clock.now(),
      newId(clock.now()),
    ]);
    const view = await look();
    expect(view.map.sums).toMatchObject({ inInCents: 80_000, inFromOwnInCents: 0, outInCents: 0 });
    expect(view.total.totalInCents).toBe(80_000);
    expect((await auditBooks(database, organizationId)).wrongLedgers).toEqual([]);
  });

  it("covers 30 or 90 days, and nothing older", async () => {
    const { clock, organization, operating, look } = await arrange();
    await organization.deposit(operating, 1_000);
    clock.advance(60 * DAY_MS);
    await organization.deposit(operating, 2_000);
    expect((await look(30)).map.sums.inInCents).toBe(2_000);
    expect((await look(90)).map.sums.inInCents).toBe(3_000);
    clock.advance(91 * DAY_MS);
    const later = await look(90);
    expect(later.map).toMatchObject({ nodes: [], sums: { inInCents: 0 } });
    expect(later.total).toMatchObject({ totalInCents: 3_000, changeInCents: 0 });
  });

  it("says what came in and went out as the movements do: cards included, older returns the other way", async () => {
    const { services, clock, organization, organizationId, operating, checking, move, overBank, look } =
      await arrange();
    const cards = createTestCards(database, services, organization);
    const cardId = await cards.issue({ accountId: operating });
    const pulled = await move(checking, operating, 20_000);
    await overBank(6);
    clock.advance(40 * DAY_MS);
    await organization.deposit(operating, 80_000);
    await cards.report({
      kind: "SETTLED",
      cardId,
      authorization: null,
      amountInCents: 9_000,
      reference: "bought",
    });
    await cards.report({ kind: "REFUND", cardId, amountInCents: 2_500, reference: "back" });
    await cards.report({ kind: "PAYOUT", cardId, amountInCents: 4_000, reference: "paid" });
    await move(operating, checking, 5_000);
    await overBank(3);
    await database.pool.query("select apply_bank_notice($1, 'back', $2, 'RETURNED', 'ACH_R10', $3, $4, $3)", [
      organizationId,
      pulled.id,
      clock.now(),
      newId(clock.now()),
    ]);
    const view = await look();
    expect(view.map.sums).toMatchObject({
      inInCents: 84_000,
      inFromOwnInCents: 0,
      outInCents: 6_500 + 5_000 + 20_000,
      outToOwnInCents: 25_000,
    });
    expect(view.map.sums.keptInCents).toBe(view.total.changeInCents);
    const movements = await listMemberMovements(
      { services, context: { ...organization.owner, now: clock.now() }, time: view.time },
      "TRANSFERS",
      movementSearchSchema.parse({}),
      movementPlaceSchema.parse({}),
    );
    const { inInCents, outInCents } = view.map.sums;
    expect(movements.totals).toEqual({ inInCents, outInCents });
  });

  it("shows waiting proposals at their accounts", async () => {
    const { organization, operating, taxes, asking, move, look } = await arrange();
    await organization.deposit(operating, 90_000);
    await move(operating, taxes, 12_000, asking.context);
    const view = await look();
    expect(view.map.sums.atGateInCents).toBe(12_000);
    expect(view.map.nodes.find(({ name }) => name === "Operating")?.waitingInCents).toBe(12_000);
    expect(view.waiting).toMatchObject([
      {
        requesterName: "asking",
        subject: { sourceName: "Operating", destinationName: "Taxes", amountInCents: 12_000 },
      },
    ]);
    expect(view.waitingCount).toBe(1);
  });
});

describe("recent movements", () => {
  it("leave out dry runs and waiting transfers, and list the rest newest first", async () => {
    const { clock, organization, organizationId, operating, taxes, asking, move, book, look } =
      await arrange();
    await organization.deposit(operating, 90_000);
    clock.advance(1_000);
    await move(operating, taxes, 5_000);
    await book();
    clock.advance(1_000);
    await move(operating, taxes, 7_000, asking.context);
    await createMoneyHistory(database, organizationId).transfer({
      on: clock.now().toISOString(),
      amountInCents: 1_234,
      direction: "INTERNAL",
      from: operating,
      to: taxes,
      executionMode: "SIMULATION",
    });
    const view = await look();
    expect(
      view.movements.map(({ fromName, toName, amountInCents, isIn, status }) => [
        fromName,
        toName,
        amountInCents,
        isIn,
        status,
      ]),
    ).toEqual([
      ["Operating", "Taxes", 5_000, false, "SETTLED"],
      ["Halden Health", "Operating", 90_000, true, "SETTLED"],
    ]);
    expect(linksOf(view)).toContain("Operating > Taxes: 5000");
  });
});

it("shows nothing of another organization, to viewers and owners alike", async () => {
  const theirs = await arrange();
  await theirs.organization.deposit(theirs.operating, 900_000);
  await theirs.move(theirs.operating, theirs.taxes, 1_000, theirs.asking.context);
  const ours = await arrange();
  await ours.organization.deposit(ours.operating, 500);
  for (const member of [ours.organization.owner, await ours.organization.addMember("VIEWER", "Vera")]) {
    const view = await ours.look(30, member);
    expect(view.total.totalInCents).toBe(500);
    expect(view.map.sums).toMatchObject({ inInCents: 500, atGateInCents: 0 });
    expect(view).toMatchObject({
      waiting: [],
      waitingCount: 0,
      viewer: { canDecide: member.actor.role === "OWNER" },
    });
    expect(view.movements).toHaveLength(1);
    expect(view.total.outside).toHaveLength(1);
  }
});
