import { beforeEach, describe, expect, it } from "vitest";
import type { SpendingCategory } from "@/lib/contract/transactions";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";
import { useTestDatabase } from "@/lib/testing/database";
import { createMoneyHistory } from "@/lib/testing/money-history";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

/** Today is 15 January 2026; the window begins on 17 October 2025. */
async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const { outside } = createMoneyHistory(database, organization.organizationId);
  const charge =
    (direction: "MONEY_IN" | "MONEY_OUT") =>
    async (
      merchantName: string,
      charges: readonly (readonly [on: string, cents: number])[],
      category: SpendingCategory | null = null,
    ) => {
      for (const [on, amountInCents] of charges) {
        await outside({ accountId: checking, on, amountInCents, direction, merchantName, category });
      }
    };
  const read = (to: string | null = null) =>
    getFinancialProfile(services, organization.owner, { from: null, to: to ? new Date(to) : null });
  return { outside, checking, paid: charge("MONEY_IN"), billed: charge("MONEY_OUT"), read };
}
let world: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  world = await arrange();
});

const same = (days: readonly string[], cents: number) => days.map((on) => [on, cents] as const);

describe("a rhythm", () => {
  it.each([
    ["WEEKLY", ["2025-12-19", "2025-12-26", "2026-01-02", "2026-01-09"], "2026-01-16"],
    // A holiday moved one occurrence by a day.
    [
      "EVERY_OTHER_WEEK",
      ["2025-11-14", "2025-11-28", "2025-12-12", "2025-12-25", "2026-01-09"],
      "2026-01-23",
    ],
    ["TWICE_A_MONTH", ["2025-11-15", "2025-12-01", "2025-12-15", "2026-01-01", "2026-01-15"], "2026-02-01"],
    // On the 15th and the last day of the month.
    ["TWICE_A_MONTH", ["2025-11-30", "2025-12-15", "2025-12-31", "2026-01-15"], "2026-01-31"],
    // One is missing: the next is the other day, not the last one again.
    ["TWICE_A_MONTH", ["2025-10-15", "2025-11-01", "2025-11-15", "2025-12-01", "2026-01-01"], "2026-01-16"],
    ["MONTHLY", ["2025-10-31", "2025-11-30", "2025-12-31"], "2026-01-31"],
    // A weekend moved the last occurrence; the next is due on the usual day.
    ["MONTHLY", ["2025-10-01", "2025-11-01", "2025-12-01", "2026-01-03"], "2026-02-01"],
    ["QUARTERLY", ["2025-04-10", "2025-07-10", "2025-10-10", "2026-01-10"], "2026-04-10"],
    ["YEARLY", ["2025-01-10", "2026-01-12"], "2027-01-10"],
  ] as const)("%s is found in %j, next on %s", async (frequency, days, next) => {
    await world.billed("Harbor Cloud", same(days, 2_000), "OTHER");
    const { recurringBills } = await world.read();
    expect(recurringBills.items).toMatchObject([
      { name: "Harbor Cloud", frequency, nextExpectedDate: next, status: "ACTIVE", lastDate: days.at(-1) },
    ]);
  });

  it("needs three occurrences, or two if they are a year apart", async () => {
    await world.billed("Twice", same(["2025-12-10", "2026-01-10"], 2_000));
    await world.billed("Nearly a year", same(["2025-02-10", "2026-01-10"], 2_000));
    await world.billed("A year", same(["2025-01-10", "2026-01-10"], 2_000));
    const { recurringBills } = await world.read();
    expect(recurringBills.items.map(({ name }) => name)).toEqual(["A year"]);
  });

  it("is not found if every other gap differs", async () => {
    await world.billed(
      "Now and then",
      same(["2025-11-01", "2025-12-01", "2025-12-11", "2026-01-11", "2026-01-14"], 2_000),
    );
    expect((await world.read()).recurringBills.items).toEqual([]);
  });

  it("survives one missed month in five", async () => {
    const days = ["2025-08-05", "2025-09-05", "2025-10-05", "2025-12-05", "2026-01-05"];
    await world.billed("Gym", same(days, 3_000));
    expect((await world.read()).recurringBills.items).toMatchObject([{ frequency: "MONTHLY" }]);
  });

  it("is named after the merchant, or the description without its numbers", async () => {
    for (const [on, number] of [
      ["2025-11-05", 1],
      ["2025-12-05", 22],
      ["2026-01-05", 333],
    ] as const) {
      await world.outside({
        accountId: world.checking,
        on,
        amountInCents: 1_999,
        direction: "MONEY_OUT",
        description: `TIDE WATER INS #${number}`,
      });
    }
    expect((await world.read()).recurringBills.items).toMatchObject([{ name: "TIDE WATER INS" }]);
  });
});

describe("a stream's status", () => {
  const days = ["2025-10-05", "2025-11-05", "2025-12-05"];

  it("is ACTIVE until ten days after a monthly due date, then ENDED with no next date", async () => {
    await world.billed("Lumen", same(days, 64_000));
    const active = await world.read("2026-01-15T12:00:00Z");
    expect(active.recurringBills).toMatchObject({
      monthlyTotalInCents: 64_000,
      items: [{ status: "ACTIVE", nextExpectedDate: "2026-01-05" }],
    });
    // Due on 4 January, eleven days late.
    await world.billed("Other", same(["2025-10-04", "2025-11-04", "2025-12-04"], 1_000));
    const later = await world.read("2026-01-15T12:00:00Z");
    expect(later.recurringBills).toMatchObject({
      monthlyTotalInCents: 64_000,
      items: [
        { name: "Lumen", status: "ACTIVE" },
        { name: "Other", status: "ENDED", nextExpectedDate: null, lastDate: "2025-12-04" },
      ],
    });
  });

  it("is as of the window's end, not today; streams that ended before the window are not listed", async () => {
    await world.billed("Lumen", same(["2025-03-05", "2025-04-05", "2025-05-05"], 64_000));
    expect((await world.read("2025-05-20T00:00:00Z")).recurringBills.items).toMatchObject([
      { status: "ACTIVE" },
    ]);
    expect((await world.read("2025-06-20T00:00:00Z")).recurringBills.items).toMatchObject([
      { status: "ENDED" },
    ]);
    expect((await world.read()).recurringBills.items).toEqual([]);
  });
});

describe("recurring bills", () => {
  it("show the last price change, the average, and the monthly total", async () => {
    await world.billed(
      "Harbor Cloud",
      [
        ["2025-11-03", 40_000],
        ["2025-12-03", 40_000],
        ["2026-01-03", 43_000],
      ],
      "OTHER",
    );
    await world.billed("Domain", same(["2025-01-09", "2026-01-09"], 2_400), "OTHER");
    const { recurringBills } = await world.read();
    expect(recurringBills.items).toMatchObject([
      { name: "Harbor Cloud", averageInCents: 41_000, priceChangeInCents: 3_000, category: "OTHER" },
      { name: "Domain", averageInCents: 2_400, priceChangeInCents: 0 },
    ]);
    expect(recurringBills.monthlyTotalInCents).toBe(41_200);
  });

  it("exclude regular purchases whose amounts vary, except metered utilities", async () => {
    const varying = [
      ["2025-11-05", 3_000],
      ["2025-12-05", 9_000],
      ["2026-01-05", 4_000],
    ] as const;
    await world.billed("Grocer", varying, "FOOD_AND_DRINK");
    await world.billed("Power", varying, "HOUSING_AND_UTILITIES");
    expect((await world.read()).recurringBills.items).toMatchObject([{ name: "Power" }]);
  });

  it("are separate when one merchant has several", async () => {
    await world.billed("Apple", same(["2025-11-03", "2025-12-03", "2026-01-03"], 299));
    await world.billed("Apple", same(["2025-11-14", "2025-12-14", "2026-01-14"], 1_099));
    await world.billed("Apple", same(["2025-12-09"], 99_900), "SHOPPING");
    expect((await world.read()).recurringBills.items).toMatchObject([
      { name: "Apple", averageInCents: 1_099, frequency: "MONTHLY" },
      { name: "Apple", averageInCents: 299, frequency: "MONTHLY" },
    ]);
  });

  it("are not discretionary, and fees are not recurring bills", async () => {
    await world.billed(
      "Films",
      same(["2025-11-03", "2025-12-03", "2026-01-03"], 1_500),
      "ENTERTAINMENT_AND_TRAVEL",
    );
    await world.billed("Cinema", same(["2025-12-20"], 2_200), "ENTERTAINMENT_AND_TRAVEL");
    for (const on of ["2025-11-30", "2025-12-30"]) {
      await world.outside({
        accountId: world.checking,
        on,
        amountInCents: 1_200,
        direction: "MONEY_OUT",
        description: "MONTHLY MAINTENANCE FEE",
      });
    }
    const profile = await world.read();
    expect(profile.discretionary.totalInCents).toBe(2_200);
    expect(profile.recurringBills.items.map(({ name }) => name)).toEqual(["Films"]);
  });
});

describe("income streams", () => {
  it("are payers with a rhythm whatever the amounts, and payers of three payments without one", async () => {
    await world.paid("Halden Health", [
      ["2025-12-12", 500_000],
      ["2025-12-26", 700_000],
      ["2026-01-09", 600_000],
    ]);
    await world.paid("Finch & Co", [
      ["2025-10-20", 100_000],
      ["2025-10-27", 300_000],
      ["2025-12-30", 200_000],
    ]);
    await world.paid("Once", [["2026-01-05", 1_000]]);
    const { income } = await world.read();
    expect(income.totalInCents).toBe(2_401_000);
    expect(income.streams).toEqual([
      {
        name: "Halden Health",
        frequency: "EVERY_OTHER_WEEK",
        averageInCents: 600_000,
        lastDate: "2026-01-09",
        nextExpectedDate: "2026-01-23",
        status: "ACTIVE",
      },
      {
        name: "Finch & Co",
        frequency: "IRREGULAR",
        averageInCents: 200_000,
        lastDate: "2025-12-30",
        nextExpectedDate: null,
        status: "ACTIVE",
      },
    ]);
  });

  it("look back beyond the window, while totals do not", async () => {
    await world.paid("Juniper", same(["2025-07-15", "2025-10-15", "2026-01-14"], 5_000));
    const { income } = await world.read();
    expect(income.totalInCents).toBe(5_000);
    expect(income.streams).toMatchObject([{ frequency: "QUARTERLY", averageInCents: 5_000 }]);
  });
});
