import { v7 as uuidv7 } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type CardNetworkPort,
  type CardPurchaseAnswer,
  MAX_CARD_NOTICES,
} from "@/lib/ports/cards/card-network-port";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import {
  createSandboxCardDriver,
  type SandboxCardDriver,
} from "@/lib/ports/cards/sandbox/sandbox-card-driver";
import { useTestDatabase } from "@/lib/testing/database";

const DAY_MS = 86_400_000;
const START = new Date("2026-01-15T17:00:00Z");
const daysLater = (days: number) => new Date(START.getTime() + days * DAY_MS);

const database = useTestDatabase();
let network: CardNetworkPort;
let driver: SandboxCardDriver;
beforeAll(async () => {
  network = createSandboxCardNetwork(database.pool);
  driver = createSandboxCardDriver(database.pool);
});

async function arrange(clockOffsetMs = 0) {
  const [organizationId, cardId] = [uuidv7(), uuidv7()];
  await database.ownerPool.query(
    `insert into organizations (id, name, kind, time_zone, clock_offset_ms, clearing_ledger_id,
                                default_beneficiary_id, created_at)
     values ($1, 'Northwind Studio', 'BUSINESS', 'America/New_York', $2, $1, $1, $3)`,
    [organizationId, clockOffsetMs, START],
  );
  const { numberLast4 } = await network.issue({ organizationId, cardId }, { businessNow: START });
  const money = { organizationId, cardId, merchant: "Harbor Cloud", category: null };
  const buy = (amountInCents: number, answer: CardPurchaseAnswer = { decision: "APPROVED" }) =>
    driver.purchase({ ...money, amountInCents }, { businessNow: START, authorize: async () => answer });
  const read = async (businessNow: Date) =>
    await network.notices({ organizationId, businessNow, limit: MAX_CARD_NOTICES });
  const acknowledge = async (businessNow: Date) => {
    const noticeReferences = (await read(businessNow)).map((notice) => notice.noticeReference);
    await network.acknowledge({ organizationId, noticeReferences, businessNow });
  };
  return { organizationId, cardId, numberLast4, money, buy, read, acknowledge };
}

describe("the sandbox card network", () => {
  test("issues a card once, however often it is ordered", async () => {
    const { organizationId, cardId, numberLast4 } = await arrange();
    const again = await network.issue({ organizationId, cardId }, { businessNow: daysLater(1) });
    expect(again).toEqual({ numberLast4 });
    expect(numberLast4).toMatch(/^\d{4}$/);
  });

  test("asks with the merchant's request, and reports the settlement from its time on until it is acknowledged", async () => {
    const { buy, read, acknowledge, cardId } = await arrange();
    const outcome = await buy(5_000);
    expect(await read(START)).toEqual([]);
    const due = daysLater(1);
    const reported = await read(due);
    expect(reported).toMatchObject([
      {
        kind: "SETTLED",
        cardId,
        amountInCents: 5_000,
        isFinal: true,
        authorizationReference: outcome.authorizationReference,
      },
    ]);
    expect(await read(due)).toEqual(reported);
    await acknowledge(due);
    expect(await read(daysLater(30))).toEqual([]);
  });

  test("a notice that is not due cannot be acknowledged; a foreign reference does nothing", async () => {
    const { organizationId, buy, read } = await arrange();
    await buy(5_000);
    const [notice] = await read(daysLater(1));
    const noticeReferences = [notice?.noticeReference ?? "", "of another network", uuidv7()];
    await network.acknowledge({ organizationId, noticeReferences, businessNow: START });
    expect(await read(daysLater(1))).toHaveLength(1);
  });

  test("reports a duplicate once more after it was acknowledged, under the same reference", async () => {
    const { buy, read, acknowledge } = await arrange();
    await buy(5_005);
    const due = daysLater(1);
    const first = await read(due);
    await acknowledge(due);
    expect(await read(due)).toEqual(first);
    await acknowledge(due);
    expect(await read(due)).toEqual([]);
  });

  test("reverses a purchase whose answer it did not get, and nothing else follows", async () => {
    const { buy, read } = await arrange();
    expect((await buy(5_009)).kind).toBe("UNANSWERED");
    expect((await read(daysLater(30))).map((notice) => notice.kind)).toEqual(["RELEASED"]);
  });

  test("an answer after the acknowledged reversal is too late", async () => {
    const { money, read, acknowledge } = await arrange();
    const outcome = await driver.purchase(
      { ...money, amountInCents: 5_000 },
      {
        businessNow: START,
        authorize: async () => {
          await acknowledge(daysLater(1));
          return { decision: "APPROVED" };
        },
      },
    );
    expect(outcome.kind).toBe("UNANSWERED");
    expect(await read(daysLater(30))).toEqual([]);
  });

  test("nothing follows a declined purchase", async () => {
    const { buy, read } = await arrange();
    expect(await buy(5_000, { decision: "DECLINED", reason: "CARD_FROZEN" })).toMatchObject({
      kind: "DECLINED",
      reason: "CARD_FROZEN",
    });
    expect(await read(daysLater(30))).toEqual([]);
  });

  test("refunds and payouts arrive at once", async () => {
    const { money, read } = await arrange();
    await driver.refund({ ...money, amountInCents: 100 }, { businessNow: START });
    await driver.payout({ ...money, amountInCents: 200 }, { businessNow: START });
    expect(await read(START)).toMatchObject([
      { kind: "REFUND", amountInCents: 100, authorizationReference: null },
      { kind: "PAYOUT", amountInCents: 200, authorizationReference: null },
    ]);
  });

  test("does nothing with a card that it has not issued to this organization", async () => {
    const [mine, theirs] = [await arrange(), await arrange()];
    const money = { ...mine.money, cardId: theirs.cardId, amountInCents: 100 };
    const notIssued = { name: "CardNotIssued" };
    const context = { businessNow: START, authorize: () => Promise.reject(new Error("must not be asked")) };
    await expect(driver.purchase(money, context)).rejects.toMatchObject(notIssued);
    await expect(driver.refund(money, context)).rejects.toMatchObject(notIssued);
    await expect(driver.payout(money, context)).rejects.toMatchObject(notIssued);
  });

  test("lists the organizations with something due; a moved clock moves the network with it", async () => {
    const [moved, real] = [await arrange(3 * DAY_MS), await arrange()];
    await moved.buy(5_000);
    await real.buy(5_000);
    const due = (realNow: Date) => network.organizationsWithNotices({ realNow, limit: MAX_CARD_NOTICES });
    expect(await due(START)).toContain(moved.organizationId);
    expect(await due(START)).not.toContain(real.organizationId);
    expect(await due(daysLater(1))).toContain(real.organizationId);
  });

  test("refuses invalid amounts and bounds", async () => {
    const { organizationId, money, buy } = await arrange();
    await expect(buy(0)).rejects.toThrow(RangeError);
    await expect(driver.refund({ ...money, amountInCents: 1.5 }, { businessNow: START })).rejects.toThrow(
      RangeError,
    );
    await expect(network.notices({ organizationId, businessNow: START, limit: 501 })).rejects.toThrow(
      RangeError,
    );
  });
});
