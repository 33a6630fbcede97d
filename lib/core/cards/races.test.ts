import { describe, expect, it } from "vitest";
import { freezeCard } from "@/lib/core/cards/set-card-status";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase(RACING);

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

async function arrange(balanceInCents: number) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents });
  const cards = createTestCards(database, services, organization);
  const expectSoundBooks = async () =>
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
      unbookedCauses: [],
    });
  const held = async () => {
    const { rows } = await database.pool.query("select held_in_cents as held from ledgers where id = $1", [
      operating,
    ]);
    return rows[0]?.held;
  };
  return { services, clock, organization, operating, ...cards, expectSoundBooks, held };
}

describe("at the same moment", () => {
  it("50 purchases with five cards of a pod that has money for ten: ten are approved", async () => {
    const { operating, issue, ask, held, expectSoundBooks } = await arrange(10_000);
    const ids = await Promise.all(range(5).map(() => issue({ accountId: operating })));
    const reasons = await Promise.all(
      range(50).map((index) => ask(ids[index % 5] ?? "", 1_000, `A${index}`)),
    );
    expect(reasons.filter((reason) => reason === null)).toHaveLength(10);
    expect(new Set(reasons)).toEqual(new Set([null, "INSUFFICIENT_FUNDS"]));
    expect(await held()).toBe(10_000);
    await expectSoundBooks();
  });

  it("50 purchases with one card whose limit allows ten: ten are approved", async () => {
    const { operating, issue, ask, held } = await arrange(1_000_000);
    const id = await issue({ accountId: operating, monthlyLimitInCents: 10_000 });
    const reasons = await Promise.all(range(50).map((index) => ask(id, 1_000, `A${index}`)));
    expect(reasons.filter((reason) => reason === null)).toHaveLength(10);
    expect(new Set(reasons)).toEqual(new Set([null, "MONTHLY_LIMIT"]));
    expect(await held()).toBe(10_000);
  });

  it("the same request 20 times holds once; the same settlement 20 times is booked once", async () => {
    const { operating, issue, ask, report, held, expectSoundBooks } = await arrange(100_000);
    const cardId = await issue({ accountId: operating });
    const reasons = await Promise.all(range(20).map(() => ask(cardId, 1_000, "A")));
    expect(new Set(reasons)).toEqual(new Set([null]));
    expect(await held()).toBe(1_000);
    const settled = await Promise.all(
      range(20).map(() =>
        report({ kind: "SETTLED", cardId, amountInCents: 1_000, reference: "S", authorization: "A" }),
      ),
    );
    expect(settled.filter((recorded) => recorded !== null)).toHaveLength(1);
    await expectSoundBooks();
  });

  it("a freeze and purchases: none is approved after the freeze has returned", async () => {
    const { services, organization, operating, issue, ask, held, expectSoundBooks } =
      await arrange(1_000_000);
    const id = await issue({ accountId: operating });
    let isFrozen = false;
    const freezing = freezeCard(services, organization.owner, id).then(() => {
      isFrozen = true;
    });
    const asked = range(40).map(async (index) => {
      const wasFrozen = isFrozen;
      return { wasFrozen, reason: await ask(id, 1_000, `A${index}`) };
    });
    const answers = await Promise.all(asked);
    await freezing;
    expect(answers.filter(({ wasFrozen, reason }) => wasFrozen && reason === null)).toEqual([]);
    expect(await ask(id, 1_000, "after")).toBe("CARD_FROZEN");
    expect(await held()).toBe(1_000 * answers.filter(({ reason }) => reason === null).length);
    await expectSoundBooks();
  });

  it("purchases, settlements, releases, deposits and transfers in both directions do not deadlock", async () => {
    const { services, clock, organization, operating, issue, ask, report, expectSoundBooks } =
      await arrange(1_000_000);
    const taxes = await organization.addAccount({ name: "Taxes", type: "POD", balanceInCents: 1_000_000 });
    const key = await organization.addKey([moveAnything(false)]);
    const ids = [await issue({ accountId: operating }), await issue({ accountId: taxes })];
    await Promise.all(
      range(60).map(async (index) => {
        const cardId = ids[index % 2] ?? "";
        const [sourceAccountId, destinationAccountId] = index % 2 ? [operating, taxes] : [taxes, operating];
        const money = { cardId, amountInCents: 1_000, authorization: `A${index}` };
        await ask(cardId, 1_000, `A${index}`);
        await Promise.all([
          askTransfer(services, key.context, { sourceAccountId, destinationAccountId, amountInCents: 500 }),
          bookDueTransfers(services, 16),
          organization.deposit(sourceAccountId, 100),
          report({ ...money, kind: "SETTLED", amountInCents: 900, reference: `S${index}` }),
          report({ ...money, kind: "RELEASED" }),
          report({ kind: "REFUND", cardId, amountInCents: 10, reference: `R${index}` }),
        ]);
      }),
    );
    clock.advance(1_000);
    await bookDueTransfers(services, 64);
    await expectSoundBooks();
  });
});
