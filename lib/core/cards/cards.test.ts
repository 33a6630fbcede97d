import { describe, expect, it } from "vitest";
import { expireCardAuthorizations } from "@/lib/core/cards/expire-card-authorizations";
import { issueCard } from "@/lib/core/cards/issue-card";
import { closeCard, freezeCard, thawCard } from "@/lib/core/cards/set-card-status";
import { makeCardCredit, makePurchase } from "@/lib/core/sandbox/make-purchase";
import { newId } from "@/lib/platform/ids";
import { createCardNetwork } from "@/lib/ports/cards/create-card-network";
import { createTestCards } from "@/lib/testing/cards";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization, type TestAccount } from "@/lib/testing/organization";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readActions } from "@/lib/views/sandbox/read-actions";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

/** A card of a pod with $1,000.00, on 15 January 2026. */
async function arrange(pod: Partial<TestAccount> = {}, monthlyLimitInCents: number | null = null) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
    ...pod,
  });
  const cards = createTestCards(database, services, organization);
  const cardId = await cards.issue({ accountId: operating, monthlyLimitInCents });
  const sandbox = createTestSandbox(services);
  const { organizationId } = organization;
  const readOne = async (sql: string) =>
    (await database.pool.query(sql, [organizationId, operating])).rows[0];
  const money = () =>
    readOne(
      `select credits_in_cents - debits_in_cents as balance, held_in_cents as held,
              return_shortfall_in_cents as shortfall from ledgers where organization_id = $1 and id = $2`,
    );
  const spent = async () =>
    (
      await readOne(
        "select coalesce(sum(spent_in_cents), 0)::bigint as spent, $2::uuid from card_months where organization_id = $1",
      )
    ).spent;
  const statusOf = async (reference: string) =>
    (
      await database.pool.query(
        "select status from card_authorizations where organization_id = $1 and network_reference = $2",
        [organizationId, reference],
      )
    ).rows[0]?.status;
  const recordedCount = async () =>
    (
      await readOne(
        "select count(*)::int as count from card_transactions where organization_id = $1 and account_id = $2",
      )
    ).count;
  const expectSoundBooks = async () =>
    expect(await auditBooks(database, organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
      unbookedCauses: [],
    });
  return {
    ...{ services, clock, woken, organization, operating, cardId, sandbox, ...cards },
    ...{ money, spent, statusOf, recordedCount, expectSoundBooks },
  };
}

describe("a purchase", () => {
  it("holds its amount when approved and is booked when it settles", async () => {
    const { ask, report, cardId, money, spent, statusOf, expectSoundBooks } = await arrange();
    expect(await ask(cardId, 30_000, "A")).toBeNull();
    expect(await money()).toEqual({ balance: 100_000, held: 30_000, shortfall: 0 });
    const reported = {
      kind: "SETTLED",
      cardId,
      amountInCents: 30_000,
      reference: "S",
      authorization: "A",
    } as const;
    expect(await report(reported)).toMatchObject({ subtype: "PURCHASE" });
    expect(await money()).toEqual({ balance: 70_000, held: 0, shortfall: 0 });
    expect([await statusOf("A"), await spent()]).toEqual(["SETTLED", 30_000]);
    await expectSoundBooks();
  });

  it("is declined above what is available after other holds, to the cent", async () => {
    const { ask, cardId, money } = await arrange();
    expect(await ask(cardId, 60_000, "A")).toBeNull();
    expect(await ask(cardId, 40_001, "B")).toBe("INSUFFICIENT_FUNDS");
    expect(await ask(cardId, 40_000, "C")).toBeNull();
    expect(await money()).toMatchObject({ balance: 100_000, held: 100_000 });
  });

  it("never takes its pod below the floor", async () => {
    const { ask, cardId } = await arrange({ floorInCents: 20_000 });
    expect(await ask(cardId, 80_001, "A")).toBe("BELOW_FLOOR");
    expect(await ask(cardId, 80_000, "B")).toBeNull();
  });

  it("is declined above the month's limit, which releases restore and refunds do not", async () => {
    const { ask, report, cardId, spent } = await arrange({}, 50_000);
    expect(await ask(cardId, 50_001, "A")).toBe("MONTHLY_LIMIT");
    expect(await ask(cardId, 30_000, "B")).toBeNull();
    expect(await ask(cardId, 20_001, "C")).toBe("MONTHLY_LIMIT");
    await report({ kind: "RELEASED", cardId, amountInCents: 30_000, authorization: "B" });
    expect(await ask(cardId, 50_000, "D")).toBeNull();
    await report({ kind: "REFUND", cardId, amountInCents: 50_000, reference: "R" });
    expect(await ask(cardId, 1, "E")).toBe("MONTHLY_LIMIT");
    expect(await spent()).toBe(50_000);
  });

  it("counts in the calendar month of the organization, not of UTC", async () => {
    const { ask, clock, cardId } = await arrange({}, 50_000);
    expect(await ask(cardId, 50_000, "A")).toBeNull();
    // Still 31 January in New York.
    clock.set(new Date("2026-02-01T04:59:59.999Z"));
    expect(await ask(cardId, 100, "B")).toBe("MONTHLY_LIMIT");
    clock.set(new Date("2026-02-01T05:00:00.000Z"));
    expect(await ask(cardId, 50_000, "C")).toBeNull();
  });

  it("is declined on a frozen, closed or unknown card and on a closed pod", async () => {
    const { services, organization, operating, ask, cardId, money } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    await freezeCard(services, viewer, cardId);
    expect(await ask(cardId, 100, "A")).toBe("CARD_FROZEN");
    await thawCard(services, organization.owner, cardId);
    await database.ownerPool.query("update accounts set deleted_at = now() where id = $1", [operating]);
    expect(await ask(cardId, 100, "B")).toBe("ACCOUNT_CLOSED");
    await closeCard(services, organization.owner, cardId);
    expect(await ask(cardId, 100, "C")).toBe("CARD_CLOSED");
    expect(await ask(newId(services.clock.now()), 100, "D")).toBe("CARD_UNKNOWN");
    expect(await money()).toMatchObject({ held: 0 });
  });

  it("requested twice is held once with the same answer; the same reference with another amount is declined", async () => {
    const { ask, cardId, money } = await arrange();
    expect(await ask(cardId, 60_000, "A")).toBeNull();
    expect(await ask(cardId, 60_000, "A")).toBeNull();
    expect(await ask(cardId, 10_000, "A")).toBe("REFERENCE_REUSED");
    expect(await ask(cardId, 60_000, "B")).toBe("INSUFFICIENT_FUNDS");
    expect(await ask(cardId, 60_000, "B")).toBe("INSUFFICIENT_FUNDS");
    expect(await money()).toMatchObject({ held: 60_000 });
  });

  it("is declined on another organization's card as on an unknown one", async () => {
    const [mine, theirs] = [await arrange(), await arrange()];
    expect(await mine.ask(theirs.cardId, 100, "A")).toBe("CARD_UNKNOWN");
  });
});

describe("a settlement", () => {
  it.each([
    ["with a tip takes the rest from what is available", 36_000, 64_000, 36_000],
    ["of less releases the rest of the hold", 20_000, 80_000, 20_000],
  ])("%s", async (_, amountInCents, balance, counted) => {
    const { ask, report, cardId, money, spent, expectSoundBooks } = await arrange();
    await ask(cardId, 30_000, "A");
    await report({ kind: "SETTLED", cardId, amountInCents, reference: "S", authorization: "A" });
    expect(await money()).toEqual({ balance, held: 0, shortfall: 0 });
    expect(await spent()).toBe(counted);
    await expectSoundBooks();
  });

  it("in parts reduces the hold with each part, and the last part releases the rest", async () => {
    const { ask, report, cardId, money, statusOf, spent } = await arrange();
    await ask(cardId, 30_000, "A");
    const part = { kind: "SETTLED", cardId, amountInCents: 10_000, authorization: "A" } as const;
    await report({ ...part, reference: "S1", isFinal: false });
    expect(await money()).toMatchObject({ balance: 90_000, held: 20_000 });
    expect(await statusOf("A")).toBe("AUTHORIZED");
    await report({ ...part, reference: "S2" });
    expect(await money()).toMatchObject({ balance: 80_000, held: 0 });
    expect([await statusOf("A"), await spent()]).toEqual(["SETTLED", 20_000]);
  });

  it("reported twice counts once; the same reference with another amount is an error, not ignored", async () => {
    const { ask, report, cardId, money, recordedCount } = await arrange();
    await ask(cardId, 30_000, "A");
    const reported = {
      kind: "SETTLED",
      cardId,
      amountInCents: 30_000,
      reference: "S",
      authorization: "A",
    } as const;
    await report(reported);
    expect(await report(reported)).toBeNull();
    await expect(report({ ...reported, amountInCents: 1 })).rejects.toThrow(/recorded before/);
    expect([(await money()).balance, await recordedCount()]).toEqual([70_000, 1]);
  });

  it.each(["DECLINED", "RELEASED", "UNKNOWN", "NEVER_ASKED"])(
    "of an authorization that is %s is booked anyway, because the money is gone",
    async (was) => {
      const { ask, report, cardId, money, spent, expectSoundBooks } = await arrange({}, 50_000);
      if (was === "DECLINED") expect(await ask(cardId, 50_001, "A")).toBe("MONTHLY_LIMIT");
      if (was === "RELEASED") {
        await ask(cardId, 20_000, "A");
        await report({ kind: "RELEASED", cardId, amountInCents: 20_000, authorization: "A" });
      }
      const authorization = was === "NEVER_ASKED" ? null : "A";
      await report({ kind: "SETTLED", cardId, amountInCents: 50_001, reference: "S", authorization });
      expect(await money()).toEqual({ balance: 49_999, held: 0, shortfall: 0 });
      expect(await spent()).toBe(50_001);
      await expectSoundBooks();
    },
  );

  it("above the pod's balance is booked below zero; Sluice spends nothing until a deposit covers it", async () => {
    const { ask, report, cardId, money, organization, operating, expectSoundBooks } = await arrange();
    await ask(cardId, 90_000, "A");
    await report({ kind: "SETTLED", cardId, amountInCents: 120_000, reference: "S", authorization: "A" });
    expect(await money()).toEqual({ balance: -20_000, held: 0, shortfall: 20_000 });
    await expectSoundBooks();
    expect(await ask(cardId, 1, "B")).toBe("INSUFFICIENT_FUNDS");
    await organization.deposit(operating, 30_000);
    expect(await money()).toEqual({ balance: 10_000, held: 0, shortfall: 0 });
  });

  it("of an authorized purchase is booked even if the card was closed", async () => {
    const { services, organization, ask, report, cardId, money } = await arrange();
    await ask(cardId, 30_000, "A");
    await closeCard(services, organization.owner, cardId);
    await report({ kind: "SETTLED", cardId, amountInCents: 30_000, reference: "S", authorization: "A" });
    expect(await money()).toMatchObject({ balance: 70_000, held: 0 });
  });

  it("under another card's authorization does not touch that card's hold", async () => {
    const { ask, report, issue, operating, cardId, money, statusOf, expectSoundBooks } = await arrange();
    const replaced = await issue({ accountId: operating });
    await ask(cardId, 30_000, "A");
    const reported = { cardId: replaced, amountInCents: 30_000, authorization: "A" } as const;
    await report({ ...reported, kind: "SETTLED", reference: "S" });
    await report({ ...reported, kind: "RELEASED" });
    expect(await money()).toEqual({ balance: 70_000, held: 30_000, shortfall: 0 });
    expect(await statusOf("A")).toBe("AUTHORIZED");
    await expectSoundBooks();
  });

  it("that arrives before its authorization request leaves nothing to hold", async () => {
    const { ask, report, cardId, money } = await arrange();
    await report({ kind: "SETTLED", cardId, amountInCents: 30_000, reference: "S", authorization: "A" });
    expect(await ask(cardId, 30_000, "A")).toBeNull();
    expect(await money()).toMatchObject({ balance: 70_000, held: 0 });
  });
});

describe("a release", () => {
  it("releases the hold once, and nothing that was settled", async () => {
    const { ask, report, cardId, money, statusOf } = await arrange();
    await ask(cardId, 30_000, "A");
    const part = { kind: "SETTLED", cardId, amountInCents: 10_000, authorization: "A" } as const;
    await report({ ...part, reference: "S", isFinal: false });
    const release = { kind: "RELEASED", cardId, amountInCents: 30_000, authorization: "A" } as const;
    await report(release);
    await report(release);
    expect(await money()).toEqual({ balance: 90_000, held: 0, shortfall: 0 });
    expect(await statusOf("A")).toBe("SETTLED");
  });

  it("under another card's authorization does not touch that card's hold", async () => {
    const { ask, report, issue, operating, cardId, money, statusOf, expectSoundBooks } = await arrange();
    const replaced = await issue({ accountId: operating });
    await ask(cardId, 30_000, "A");
    const reported = { cardId: replaced, amountInCents: 30_000, authorization: "A" } as const;
    await report({ ...reported, kind: "SETTLED", reference: "S" });
    await report({ ...reported, kind: "RELEASED" });
    expect(await money()).toEqual({ balance: 70_000, held: 30_000, shortfall: 0 });
    expect(await statusOf("A")).toBe("AUTHORIZED");
    await expectSoundBooks();
  });

  it("that arrives before its authorization request makes that request declined", async () => {
    const { ask, report, cardId, money } = await arrange();
    await report({ kind: "RELEASED", cardId, amountInCents: 30_000, authorization: "A" });
    expect(await ask(cardId, 30_000, "A")).toBe("RELEASED");
    expect(await money()).toMatchObject({ held: 0 });
  });

  it("happens automatically after seven days", async () => {
    const { services, clock, ask, cardId, money, statusOf, spent } = await arrange();
    await ask(cardId, 30_000, "A");
    clock.advance(7 * DAY_MS - 1);
    await expireCardAuthorizations(services, 500);
    expect(await statusOf("A")).toBe("AUTHORIZED");
    clock.advance(1);
    await expireCardAuthorizations(services, 500);
    expect([(await money()).held, await statusOf("A"), await spent()]).toEqual([0, "RELEASED", 0]);
  });
});

describe("money that a card receives", () => {
  it.each(["REFUND", "PAYOUT"] as const)(
    "as a %s is booked once on its pod, even if frozen",
    async (kind) => {
      const { services, organization, report, cardId, money, recordedCount, expectSoundBooks } =
        await arrange();
      await freezeCard(services, organization.owner, cardId);
      await report({ kind, cardId, amountInCents: 5_000, reference: "R" });
      expect(await report({ kind, cardId, amountInCents: 5_000, reference: "R" })).toBeNull();
      expect([(await money()).balance, await recordedCount()]).toEqual([105_000, 1]);
      await expectSoundBooks();
    },
  );
});

it("issues no card beside real money, not even for an owner", async () => {
  const { services, organization, operating, recordedCount } = await arrange();
  const network = createCardNetwork(
    { increase: { environment: "production" }, mercury: null },
    database.pool,
  );
  const card = { cardType: "DEBIT_CARD", name: "Studio", accountId: operating } as const;
  const input = { ...card, holderId: null, monthlyLimitInCents: null };
  const issued = issueCard(services, network, organization.owner, input);
  await expect(issued).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  expect(await recordedCount()).toBe(0);
});

describe("who may", () => {
  it("issue, thaw, close and play merchant: owners and co-owners; freeze: any member", async () => {
    const { services, organization, operating, sandbox, cardId } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const refused = { name: "AppError", code: "ACCESS_DENIED" };
    const asViewer = createTestCards(database, services, { ...organization, owner: viewer });
    await expect(asViewer.issue({ accountId: operating })).rejects.toMatchObject(refused);
    await freezeCard(services, viewer, cardId);
    await expect(thawCard(services, viewer, cardId)).rejects.toMatchObject(refused);
    await expect(closeCard(services, viewer, cardId)).rejects.toMatchObject(refused);
    const money = { cardId, amountInCents: 100, merchant: "Type Foundry Nord", category: null };
    await expect(makePurchase(services, sandbox, viewer, money)).rejects.toMatchObject(refused);
    await expect(makeCardCredit(services, sandbox, viewer, "PAYOUT", money)).rejects.toMatchObject(refused);
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    await thawCard(services, coOwner, cardId);
    await closeCard(services, coOwner, cardId);
    await expect(thawCard(services, coOwner, cardId)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it("issue and thaw: members with presence only, so that an unattended browser opens no way out for money", async () => {
    const { services, clock, organization, operating, issue, cardId } = await arrange();
    await freezeCard(services, organization.owner, cardId);
    clock.advance(5 * 60_000 + 1);
    await expect(issue({ accountId: operating })).rejects.toMatchObject({ name: "NotConfirmed" });
    await expect(thawCard(services, organization.owner, cardId)).rejects.toMatchObject({
      name: "NotConfirmed",
    });
  });

  it("use a card: members of its organization only", async () => {
    const [mine, theirs] = [await arrange(), await arrange()];
    const refused = { code: "INVALID_PARAMETERS", message: "There is no such card." };
    const { owner } = mine.organization;
    await expect(freezeCard(mine.services, owner, theirs.cardId)).rejects.toMatchObject(refused);
    const money = { cardId: theirs.cardId, amountInCents: 100, merchant: "Nord", category: null };
    await expect(makePurchase(mine.services, mine.sandbox, owner, money)).rejects.toMatchObject(refused);
  });

  it.each([
    ["an income source", "INCOME_SOURCE"],
    ["an outside account", "EXTERNAL_ACCOUNT"],
  ] as const)("hold a card: pods of the organization only, not %s", async (_, type) => {
    const { organization, issue } = await arrange();
    const accountId = await organization.addAccount({ name: "Other", type });
    await expect(issue({ accountId })).rejects.toMatchObject({ details: [{ field: "accountId" }] });
  });

  it("carry a card: members of the organization only", async () => {
    const [mine, theirs] = [await arrange(), await arrange()];
    const holderId = theirs.organization.owner.actor.id;
    const issued = mine.issue({ accountId: mine.operating, holderId });
    await expect(issued).rejects.toMatchObject({ details: [{ field: "holderId" }] });
  });
});

describe("a purchase in the sandbox", () => {
  it.each([
    ["settles", 10_000, 90_000],
    ["is released", 10_001, 100_000],
    ["settles with a tip", 10_002, 87_997],
    ["settles for less", 10_003, 91_997],
    ["settles in two parts", 10_004, 89_996],
    ["is reported twice", 10_005, 89_995],
    ["never settles and is released automatically", 10_006, 100_000],
    ["settles after its release", 10_007, 89_993],
    ["settles, and is refunded", 10_008, 100_000],
    ["is reversed because the answer was lost", 10_009, 100_000],
  ])("%s for its amount (%i cents)", async (_, amountInCents, balance) => {
    const { services, clock, network, sandbox, organization, cardId, collect, money, expectSoundBooks } =
      await arrange();
    const context = { ...organization.owner, now: clock.now() };
    const input = {
      cardId,
      amountInCents,
      merchant: "Rosa\u2019s Canteen",
      category: "FOOD_AND_DRINK" as const,
    };
    const outcome = await makePurchase(services, sandbox, context, input);
    expect(outcome.kind).toBe(amountInCents === 10_009 ? "UNANSWERED" : "APPROVED");
    expect(await money()).toMatchObject({ held: amountInCents });
    for (let day = 0; day < 8; day++) {
      clock.advance(DAY_MS);
      await collect();
      await expireCardAuthorizations(services, 500);
    }
    expect(await money()).toEqual({ balance, held: 0, shortfall: 0 });
    expect(await network.organizationsWithNotices({ realNow: clock.now(), limit: 500 })).not.toContain(
      organization.organizationId,
    );
    await expectSoundBooks();
  });

  it("is reversed by the network if answering it fails", async () => {
    const { clock, driver, organization, cardId, ask, collect, money } = await arrange();
    const { organizationId } = organization;
    const purchase = { organizationId, cardId, amountInCents: 10_000, merchant: "Nord", category: null };
    const broken = driver.purchase(purchase, {
      businessNow: clock.now(),
      authorize: async (request) => {
        await ask(request.cardId, request.amountInCents, request.authorizationReference);
        throw new Error("crashed while answering");
      },
    });
    await expect(broken).rejects.toThrow("crashed while answering");
    expect(await money()).toMatchObject({ held: 10_000 });
    clock.advance(5 * 60_000);
    await collect();
    expect(await money()).toEqual({ balance: 100_000, held: 0, shortfall: 0 });
    expect(await ask(cardId, 100_000, "later")).toBeNull();
  });

  it("that is declined has no settlement", async () => {
    const { services, clock, network, sandbox, organization, cardId, woken } = await arrange();
    const context = { ...organization.owner, now: clock.now() };
    const input = { cardId, amountInCents: 100_010, merchant: "Nord", category: null };
    const declined = await makePurchase(services, sandbox, context, input);
    expect(declined).toMatchObject({ kind: "DECLINED", reason: "INSUFFICIENT_FUNDS" });
    clock.advance(30 * DAY_MS);
    expect(await network.organizationsWithNotices({ realNow: clock.now(), limit: 500 })).not.toContain(
      organization.organizationId,
    );
    await makeCardCredit(services, sandbox, context, "PAYOUT", { ...input, merchant: "Halden Health" });
    expect(woken).toContain("collect-card-notices");
    const noted = (await readActions({ services, context })).map(({ action }) => action);
    expect(noted).toEqual([
      {
        kind: "PAID_TO_CARD",
        subtype: "PAYOUT",
        amountInCents: 100_010,
        merchant: "Halden Health",
        cardName: "Studio",
      },
      {
        kind: "BOUGHT",
        amountInCents: 100_010,
        merchant: "Nord",
        cardName: "Studio",
        answer: "INSUFFICIENT_FUNDS",
      },
    ]);
  });
});
