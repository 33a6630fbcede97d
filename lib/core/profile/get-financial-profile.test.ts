import { beforeEach, describe, expect, it } from "vitest";
import { type FinancialProfile, financialProfileSchema } from "@/lib/contract/financial-profile";
import { getFinancialProfile, readKeptProfile } from "@/lib/core/profile/get-financial-profile";
import { useTestDatabase } from "@/lib/testing/database";
import { createMoneyHistory } from "@/lib/testing/money-history";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

/** Noon of 15 January 2026 in New York; the default window begins on 17 October 2025. */
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const account = (name: string, externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY") =>
    organization.addAccount({ name, type: "EXTERNAL_ACCOUNT", externalAccountType });
  const accounts = {
    pod: await organization.addAccount({ name: "Operating", type: "POD" }),
    goal: await organization.addAccount({ name: "Taxes", type: "POD" }),
    checking: await account("Checking", "DEPOSITORY"),
    savings: await account("Ally Savings", "DEPOSITORY"),
    broker: await account("Brokerage", "INVESTMENT"),
    visa: await account("Visa", "LIABILITY"),
  };
  await database.pool.query(
    "update accounts set savings_target_in_cents = 400000 where organization_id = $1 and id = $2",
    [organization.organizationId, accounts.goal],
  );
  const history = createMoneyHistory(database, organization.organizationId);
  const read = async (from: string | null = null, to: string | null = null): Promise<FinancialProfile> => {
    const profile = await getFinancialProfile(services, organization.owner, {
      from: from ? new Date(from) : null,
      to: to ? new Date(to) : null,
    });
    return financialProfileSchema.parse(profile);
  };
  return { services, clock, organization, ...accounts, ...history, read };
}
type World = Awaited<ReturnType<typeof arrange>>;
let world: World;
beforeEach(async () => {
  world = await arrange();
});

const spent = (profile: FinancialProfile) =>
  profile.categoryBreakdown.reduce((sum, entry) => sum + entry.amountInCents, 0);
const ofCategory = (profile: FinancialProfile, category: string) =>
  profile.categoryBreakdown.find((entry) => entry.category === category);
/** The figures that change only for a documented reason: income, spending, saved. */
const figures = (profile: FinancialProfile) => ({
  income: profile.income.totalInCents,
  spending: spent(profile),
  saved: profile.savings.netTransferredInCents,
});
const IN = "MONEY_IN" as const;
const OUT = "MONEY_OUT" as const;

describe("an organization without activity", () => {
  it("has a complete profile of zeros, with the eight categories and every month of the window", async () => {
    const profile = await world.read();
    expect(profile.window).toEqual({ from: "2025-10-17T17:00:00.000Z", to: "2026-01-15T17:00:00.000Z" });
    expect(profile.categoryBreakdown).toHaveLength(8);
    expect(figures(profile)).toEqual({ income: 0, spending: 0, saved: 0 });
    expect(profile.cashFlow.months.map(({ month }) => month)).toEqual([
      "2025-10",
      "2025-11",
      "2025-12",
      "2026-01",
    ]);
    expect(profile.savings.rate).toBeNull();
    expect(profile.savings.targets).toEqual([
      { accountId: world.goal, name: "Taxes", targetInCents: 400_000, balanceInCents: 0, share: 0 },
    ]);
  });
});

describe("income", () => {
  it("is deposits from outside, money into connected deposit accounts, and payouts to cards", async () => {
    await world.transfer({ on: "2026-01-05", amountInCents: 100_000, direction: IN, to: world.pod });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-06",
      amountInCents: 20_000,
      direction: IN,
    });
    await world.card({ accountId: world.pod, on: "2026-01-07", amountInCents: 3_000, subtype: "PAYOUT" });
    const profile = await world.read();
    expect(figures(profile)).toEqual({ income: 123_000, spending: 0, saved: 0 });
    // 123,000 × 30.4375 / 90
    expect(profile.income.monthlyAverageInCents).toBe(41_598);
  });

  it("that moves from a connected account into a pod counts once, linked or not", async () => {
    for (const [on, isLinked] of [
      ["2025-12-01", true],
      ["2026-01-02", false],
    ] as const) {
      await world.outside({ accountId: world.checking, on, amountInCents: 90_000, direction: IN });
      const pull = await world.transfer({
        on,
        amountInCents: 90_000,
        direction: IN,
        from: world.checking,
        to: world.pod,
      });
      await world.outside({
        accountId: world.checking,
        on,
        amountInCents: 90_000,
        direction: OUT,
        ...(isLinked && { transferId: pull }),
      });
    }
    expect(figures(await world.read())).toEqual({ income: 180_000, spending: 0, saved: 0 });
  });

  it("excludes deposits from own connected accounts, linked or not", async () => {
    const deposit = { amountInCents: 70_000, direction: IN, to: world.pod } as const;
    const outside = { accountId: world.checking, amountInCents: 70_000, direction: OUT } as const;
    const linked = await world.transfer({ ...deposit, on: "2025-12-03" });
    await world.outside({ ...outside, on: "2025-12-01", transferId: linked });
    await world.transfer({ ...deposit, on: "2026-01-08" });
    await world.outside({ ...outside, on: "2026-01-06" });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 0, saved: 0 });
  });

  it.each([
    ["returned", { status: "RETURNED" }],
    ["failed", { status: "FAILED" }],
    ["still pending", { status: "PROCESSING" }],
    ["simulated", { executionMode: "SIMULATION" }],
  ] as const)("excludes a deposit that was %s", async (_what, fields) => {
    await world.transfer({ on: "2026-01-05", amountInCents: 5_000, direction: IN, to: world.pod, ...fields });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 0, saved: 0 });
  });

  it("excludes loans received, investment account activity, and debt payments", async () => {
    const movement = { on: "2026-01-05", direction: IN } as const;
    await world.outside({
      ...movement,
      accountId: world.checking,
      amountInCents: 1_000,
      category: "DEBT_AND_FEES",
    });
    await world.outside({ ...movement, accountId: world.broker, amountInCents: 2_000 });
    await world.outside({ ...movement, accountId: world.visa, amountInCents: 3_000 });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 0, saved: 0 });
  });
});

describe("spending", () => {
  it("is purchases on connected accounts, credit cards included, and on own cards; never pending or vanished ones", async () => {
    const purchase = { on: "2026-01-05", direction: OUT } as const;
    await world.outside({
      ...purchase,
      accountId: world.checking,
      amountInCents: 1_000,
      category: "SHOPPING",
    });
    await world.outside({
      ...purchase,
      accountId: world.visa,
      amountInCents: 2_000,
      category: "FOOD_AND_DRINK",
    });
    await world.card({
      accountId: world.pod,
      on: "2026-01-05",
      amountInCents: 4_000,
      subtype: "PURCHASE",
    });
    await world.outside({
      ...purchase,
      accountId: world.visa,
      amountInCents: 8_000,
      status: "PENDING",
    });
    await world.outside({
      ...purchase,
      accountId: world.visa,
      amountInCents: 16_000,
      status: "PENDING",
      vanished: true,
    });
    const profile = await world.read();
    expect(spent(profile)).toBe(7_000);
    expect(ofCategory(profile, "SHOPPING")).toMatchObject({
      amountInCents: 1_000,
      share: 0.1429,
      transactionCount: 1,
    });
    expect(ofCategory(profile, "FOOD_AND_DRINK")).toMatchObject({ amountInCents: 2_000, share: 0.2857 });
    expect(ofCategory(profile, "OTHER")).toMatchObject({ amountInCents: 4_000, share: 0.5714 });
    expect(profile.coverage.uncategorizedShare).toBe(0.3333);
    expect(profile.discretionary).toEqual({
      totalInCents: 3_000,
      monthlyAverageInCents: 1_015,
      share: 0.4286,
    });
  });

  it("excludes payments of own cards, from a connected account or from a pod", async () => {
    await world.outside({
      accountId: world.checking,
      on: "2026-01-02",
      amountInCents: 55_000,
      direction: OUT,
      category: "DEBT_AND_FEES",
      description: "VISA AUTOPAY",
    });
    await world.outside({
      accountId: world.visa,
      on: "2026-01-05",
      amountInCents: 55_000,
      direction: IN,
      category: "DEBT_AND_FEES",
      description: "PAYMENT THANK YOU",
    });
    await world.transfer({
      on: "2026-01-07",
      amountInCents: 11_000,
      direction: OUT,
      from: world.pod,
      to: world.visa,
    });
    await world.outside({ accountId: world.visa, on: "2026-01-09", amountInCents: 11_000, direction: IN });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 0, saved: 0 });
  });

  it("includes payments of a card that is not connected: nothing else shows its purchases", async () => {
    await world.outside({
      accountId: world.checking,
      on: "2026-01-02",
      amountInCents: 55_000,
      direction: OUT,
      category: "DEBT_AND_FEES",
      description: "OTHER CARD AUTOPAY",
    });
    expect(ofCategory(await world.read(), "DEBT_AND_FEES")?.amountInCents).toBe(55_000);
  });

  it("is split by month and category for the page, and adds up to both", async () => {
    const buy = { accountId: world.checking, direction: OUT } as const;
    await world.outside({ ...buy, on: "2025-11-03", amountInCents: 4_000, category: "FOOD_AND_DRINK" });
    await world.outside({ ...buy, on: "2025-12-30", amountInCents: 1_500, category: "FOOD_AND_DRINK" });
    await world.outside({ ...buy, on: "2025-12-31", amountInCents: 9_000, category: "SHOPPING" });
    await world.outside({ ...buy, on: "2025-12-31", amountInCents: 700, category: null });
    const { spendingMonths, ...profile } = await readKeptProfile(
      world.services,
      { organizationId: world.organization.organizationId, now: world.organization.owner.now },
      { days: 90 },
    );
    const amounts = spendingMonths.flatMap(({ month, categories }) =>
      categories.flatMap(({ category, amountInCents }) =>
        amountInCents === 0 ? [] : [[month, category, amountInCents]],
      ),
    );
    expect(amounts).toEqual([
      ["2025-11", "FOOD_AND_DRINK", 4_000],
      ["2025-12", "FOOD_AND_DRINK", 1_500],
      ["2025-12", "SHOPPING", 9_000],
      ["2025-12", "OTHER", 700],
    ]);
    expect(spendingMonths.map(({ categories }) => categories.length)).toEqual([8, 8, 8, 8]);
    expect(spendingMonths.map(({ month }) => month)).toEqual(
      profile.cashFlow.months.map(({ month }) => month),
    );
    // Programs get the profile of the contract, which has no such months.
    expect(await world.read()).not.toHaveProperty("spendingMonths");
  });

  it("is reduced by refunds, each in its category, even below zero", async () => {
    await world.outside({
      accountId: world.visa,
      on: "2026-01-02",
      amountInCents: 5_000,
      direction: OUT,
      category: "SHOPPING",
    });
    await world.outside({
      accountId: world.visa,
      on: "2026-01-09",
      amountInCents: 1_500,
      direction: IN,
      category: "SHOPPING",
    });
    await world.card({
      accountId: world.pod,
      on: "2026-01-10",
      amountInCents: 700,
      subtype: "REFUND",
      category: "TRANSPORTATION",
    });
    const profile = await world.read();
    expect(ofCategory(profile, "SHOPPING")).toMatchObject({ amountInCents: 3_500, transactionCount: 1 });
    expect(ofCategory(profile, "TRANSPORTATION")).toMatchObject({
      amountInCents: -700,
      share: 0,
      transactionCount: 0,
    });
    expect(figures(profile)).toEqual({ income: 0, spending: 2_800, saved: 0 });
  });

  it("is reduced by an uncategorized credit that reverses a purchase: same account, merchant, and amount", async () => {
    const shop = { accountId: world.checking, merchantName: "Harbor Books", amountInCents: 4_200 };
    await world.outside({ ...shop, on: "2025-12-20", direction: OUT, category: "ENTERTAINMENT_AND_TRAVEL" });
    await world.outside({ ...shop, on: "2026-01-03", direction: IN });
    await world.outside({ ...shop, on: "2026-01-04", direction: IN, amountInCents: 4_201 });
    expect(figures(await world.read())).toEqual({ income: 4_201, spending: 0, saved: 0 });
  });
});

describe("movements between own accounts", () => {
  const move = async (fields: { amountInCents: number; out: string; in: string }) => {
    await world.outside({
      accountId: world.checking,
      on: fields.out,
      amountInCents: fields.amountInCents,
      direction: OUT,
    });
    await world.outside({
      accountId: world.savings,
      on: fields.in,
      amountInCents: fields.amountInCents,
      direction: IN,
    });
  };

  it("are found within five days, whichever side comes first, and are neither income nor spending", async () => {
    await move({ amountInCents: 10_000, out: "2026-01-02", in: "2026-01-07" });
    await move({ amountInCents: 20_000, out: "2026-01-07", in: "2026-01-03" });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 0, saved: 30_000 });
  });

  it("are no longer matched after six days", async () => {
    await move({ amountInCents: 10_000, out: "2026-01-02", in: "2026-01-08" });
    expect(figures(await world.read())).toEqual({ income: 10_000, spending: 10_000, saved: 0 });
  });

  it("are found even if the other side is outside the window", async () => {
    await move({ amountInCents: 10_000, out: "2026-01-10", in: "2026-01-12" });
    expect(figures(await world.read(null, "2026-01-11T00:00:00Z"))).toMatchObject({ income: 0, spending: 0 });
    expect(figures(await world.read("2026-01-11T00:00:00Z"))).toMatchObject({ income: 0, spending: 0 });
  });

  it("pair one to one: two out and one in count one as spent", async () => {
    await move({ amountInCents: 10_000, out: "2026-01-02", in: "2026-01-03" });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-02",
      amountInCents: 10_000,
      direction: OUT,
    });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 10_000, saved: 10_000 });
  });

  it("never pair two sides of one account: income that is passed on stays income", async () => {
    await world.outside({
      accountId: world.checking,
      on: "2026-01-02",
      amountInCents: 10_000,
      direction: IN,
    });
    await move({ amountInCents: 10_000, out: "2026-01-02", in: "2026-01-03" });
    expect(figures(await world.read())).toEqual({ income: 10_000, spending: 0, saved: 10_000 });
  });

  it("prefer a bank-labeled transfer over a payer with the same amount", async () => {
    const amountInCents = 50_000;
    await world.outside({
      accountId: world.savings,
      on: "2026-01-02",
      amountInCents,
      direction: OUT,
      description: "TRANSFER TO CHECKING",
    });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-03",
      amountInCents,
      direction: IN,
      merchantName: "Orbit Maps",
    });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-04",
      amountInCents,
      direction: IN,
      description: "TRANSFER FROM SAVINGS",
    });
    // The three payments of the payer must remain as income.
    for (const on of ["2025-11-03", "2025-12-03"]) {
      await world.outside({
        accountId: world.checking,
        on,
        amountInCents: 50_000,
        direction: IN,
        merchantName: "Orbit Maps",
      });
    }
    const { income } = await world.read();
    expect(income.streams).toMatchObject([{ name: "Orbit Maps", lastDate: "2026-01-03" }]);
  });

  it("ignore a purchase that has a category of its own", async () => {
    await world.outside({
      accountId: world.checking,
      on: "2026-01-02",
      amountInCents: 10_000,
      direction: OUT,
      category: "FOOD_AND_DRINK",
    });
    await world.outside({ accountId: world.savings, on: "2026-01-03", amountInCents: 10_000, direction: IN });
    expect(figures(await world.read())).toEqual({ income: 10_000, spending: 10_000, saved: 0 });
  });

  it("that the bank returned count as nothing, though transfer and return both show outside", async () => {
    await world.transfer({
      on: "2026-01-02",
      changedOn: "2026-01-06",
      amountInCents: 30_000,
      direction: IN,
      from: world.checking,
      to: world.pod,
      status: "RETURNED",
    });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-02",
      amountInCents: 30_000,
      direction: OUT,
    });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-06",
      amountInCents: 30_000,
      direction: IN,
    });
    expect(figures(await world.read())).toEqual({ income: 0, spending: 0, saved: 0 });
  });
});

describe("savings", () => {
  it("are transfers into goals, savings, and investments, net of withdrawals, as a share of income", async () => {
    await world.transfer({ on: "2026-01-02", amountInCents: 200_000, direction: IN, to: world.pod });
    await world.transfer({
      on: "2026-01-03",
      amountInCents: 40_000,
      direction: "INTERNAL",
      from: world.pod,
      to: world.goal,
    });
    await world.transfer({
      on: "2026-01-04",
      amountInCents: 10_000,
      direction: "INTERNAL",
      from: world.goal,
      to: world.pod,
    });
    // The other side on the brokerage account is the same money, linked or not.
    await world.transfer({
      on: "2026-01-05",
      amountInCents: 6_000,
      direction: OUT,
      from: world.pod,
      to: world.broker,
    });
    await world.outside({ accountId: world.broker, on: "2026-01-06", amountInCents: 6_000, direction: IN });
    await world.outside({ accountId: world.checking, on: "2026-01-07", amountInCents: 500, direction: OUT });
    await world.outside({ accountId: world.savings, on: "2026-01-07", amountInCents: 500, direction: IN });
    // Between two savings accounts: nothing.
    await world.outside({ accountId: world.savings, on: "2026-01-09", amountInCents: 77, direction: OUT });
    await world.outside({ accountId: world.broker, on: "2026-01-09", amountInCents: 77, direction: IN });
    const { savings } = await world.read();
    expect(savings.netTransferredInCents).toBe(36_500);
    expect(savings.rate).toBe(0.1825);
  });

  it("exclude deposits from outside: those are income, not saved by anyone", async () => {
    await world.transfer({ on: "2026-01-02", amountInCents: 9_000, direction: IN, to: world.goal });
    expect(figures(await world.read())).toEqual({ income: 9_000, spending: 0, saved: 0 });
  });
});

describe("fees", () => {
  it.each([
    ["OVERDRAFT FEE 01/03", null, "OVERDRAFT"],
    ["NSF RETURNED ITEM CHARGE", "DEBT_AND_FEES", "OVERDRAFT"],
    ["NON-NETWORK ATM FEE", null, "ATM"],
    ["FOREIGN TRANSACTION FEE", "OTHER", "FOREIGN_TRANSACTION"],
    ["LATE PAYMENT FEE", null, "LATE_PAYMENT"],
    ["OUTGOING WIRE FEE", null, "WIRE"],
    ["INTEREST CHARGE ON PURCHASES", "DEBT_AND_FEES", "INTEREST"],
    ["MONTHLY MAINTENANCE FEE", null, "BANK"],
  ] as const)("know «%s» (%s) as %s", async (description, category, kind) => {
    await world.outside({
      accountId: world.visa,
      on: "2026-01-03",
      amountInCents: 3_500,
      direction: OUT,
      description,
      category,
    });
    const profile = await world.read();
    expect(profile.fees).toEqual({ totalInCents: 3_500, byKind: [{ kind, amountInCents: 3_500, count: 1 }] });
    expect(ofCategory(profile, "DEBT_AND_FEES")?.amountInCents).toBe(3_500);
  });

  it.each([
    ["a bar called Late Fee", "LATE FEE BAR", "FOOD_AND_DRINK"],
    ["an overdraft transfer", "OVERDRAFT TRANSFER FROM SAVINGS", null],
    ["tuition fees", "SCHOOL FEES", null],
    ["a loan payment", "MORTGAGE PAYMENT", "DEBT_AND_FEES"],
  ] as const)("are not %s", async (_what, description, category) => {
    await world.outside({
      accountId: world.checking,
      on: "2026-01-03",
      amountInCents: 3_500,
      direction: OUT,
      description,
      category,
    });
    expect((await world.read()).fees).toEqual({ totalInCents: 0, byKind: [] });
  });

  it("fall when one is refunded, and interest received is income, not a fee", async () => {
    const fee = { accountId: world.checking, category: null } as const;
    await world.outside({
      ...fee,
      on: "2026-01-02",
      amountInCents: 3_500,
      direction: OUT,
      description: "OVERDRAFT FEE",
    });
    await world.outside({
      ...fee,
      on: "2026-01-05",
      amountInCents: 1_000,
      direction: IN,
      description: "OVERDRAFT FEE REFUND",
    });
    await world.outside({
      ...fee,
      on: "2026-01-06",
      amountInCents: 12,
      direction: IN,
      description: "INTEREST PAID",
    });
    const profile = await world.read();
    expect(profile.fees).toEqual({
      totalInCents: 2_500,
      byKind: [{ kind: "OVERDRAFT", amountInCents: 2_500, count: 1 }],
    });
    expect(figures(profile)).toEqual({ income: 12, spending: 2_500, saved: 0 });
  });
});

describe("cash flow", () => {
  it("is grouped by month in the organization's time zone", async () => {
    // 31 December, 23:30 in New York.
    await world.outside({
      accountId: world.checking,
      on: "2026-01-01T04:30:00Z",
      amountInCents: 900,
      direction: IN,
    });
    await world.outside({
      accountId: world.checking,
      on: "2026-01-01T05:30:00Z",
      amountInCents: 400,
      direction: OUT,
    });
    const { cashFlow } = await world.read("2025-12-15T00:00:00Z");
    expect(cashFlow.months).toEqual([
      { month: "2025-12", inInCents: 900, outInCents: 0, netInCents: 900 },
      { month: "2026-01", inInCents: 0, outInCents: 400, netInCents: -400 },
    ]);
  });

  it("includes both ends of the window, and nothing beyond", async () => {
    for (const on of [
      "2026-01-05T00:00:00Z",
      "2026-01-06T00:00:00Z",
      "2026-01-07T00:00:00Z",
      "2026-01-08T00:00:00Z",
    ]) {
      await world.outside({ accountId: world.checking, on, amountInCents: 100, direction: IN });
    }
    const profile = await world.read("2026-01-06T00:00:00Z", "2026-01-07T00:00:00Z");
    expect(profile.income).toMatchObject({ totalInCents: 200, monthlyAverageInCents: 6_088 });
  });
});

describe("coverage", () => {
  it("names stale connections, when the data begins, and how many transactions it covers", async () => {
    const connect = (name: string, status: string, refreshed: string) =>
      database.ownerPool.query(
        `insert into connections (organization_id, id, provider, provider_item_id, institution_id, institution_name,
            status, created_at, last_refreshed_at, refresh_due_at)
         values ($1, gen_random_uuid(), 'SANDBOX', gen_random_uuid(), 'ins', $2, $3, $4, $4,
           case when $3 = 'ACTIVE' then $4::timestamptz end)`,
        [world.organization.organizationId, name, status, refreshed],
      );
    await connect("Fresh", "ACTIVE", "2026-01-15T00:00:00Z");
    await connect("Signed out", "NEEDS_SIGN_IN", "2026-01-15T00:00:00Z");
    await connect("Old", "ACTIVE", "2026-01-12T00:00:00Z");
    await world.outside({ accountId: world.checking, on: "2024-03-01", amountInCents: 100, direction: IN });
    const { coverage } = await world.read();
    expect(coverage.staleConnections.map(({ institutionName }) => institutionName).sort()).toEqual([
      "Old",
      "Signed out",
    ]);
    expect(coverage.firstDate).toBe("2024-03-01");
    expect(coverage.accounts).toHaveLength(6);
    expect(coverage.accounts.find(({ id }) => id === world.visa)?.firstDate).toBeNull();
    expect(coverage.transactionCount).toBe(0);
  });
});
