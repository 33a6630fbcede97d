import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spendingCategorySchema } from "@/lib/contract/transactions";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";
import { useTestDatabase } from "@/lib/testing/database";
import { createMoneyHistory } from "@/lib/testing/money-history";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const PLACES = ["checking", "savings", "visa", "pod"] as const;
const MERCHANTS = ["Harbor Cloud", "Lumen", "Grocer", "Halden Health"] as const;
const FIRST_DAY_MS = Date.parse("2025-09-01T12:00:00Z");
const dayText = (day: number) => new Date(FIRST_DAY_MS + day * 86_400_000).toISOString().slice(0, 10);

/** Few amounts, merchants, and days, so that pairs, refunds, and streams occur and collide by chance. */
const event = fc.record({
  place: fc.constantFrom(...PLACES),
  day: fc.nat(130),
  // Even: the properties add odd amounts, which match no other.
  amountInCents: fc.constantFrom(1_000, 2_000, 2_500, 4_000, 10_000),
  isIn: fc.boolean(),
  merchant: fc.constantFrom(...MERCHANTS, null),
  category: fc.constantFrom(...spendingCategorySchema.options, null),
  description: fc.constantFrom("TRANSFER", "LATE FEE", "POS 1234", ""),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
const story = fc.array(event, { minLength: 10, maxLength: 60, size: "max" });

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const outside = (name: string, externalAccountType: "DEPOSITORY" | "LIABILITY") =>
    organization.addAccount({ name, type: "EXTERNAL_ACCOUNT", externalAccountType });
  const accounts = {
    checking: await outside("Checking", "DEPOSITORY"),
    savings: await outside("Rainy day savings", "DEPOSITORY"),
    visa: await outside("Visa", "LIABILITY"),
    pod: await organization.addAccount({ name: "Operating", type: "POD" }),
  };
  const history = createMoneyHistory(database, organization.organizationId);

  async function report(one: Event): Promise<void> {
    const on = dayText(one.day);
    const { amountInCents } = one;
    const direction = one.isIn ? "MONEY_IN" : "MONEY_OUT";
    if (one.place !== "pod") {
      const { category, description, merchant: merchantName } = one;
      const accountId = accounts[one.place];
      await history.outside({ accountId, on, amountInCents, direction, category, description, merchantName });
    } else if (one.isIn) {
      const counterpartyName = one.merchant ?? "Payer";
      await history.transfer({
        on,
        amountInCents,
        direction: "MONEY_IN",
        to: accounts.pod,
        counterpartyName,
      });
    } else {
      const { category, description } = one;
      const subtype = one.merchant === null ? "REFUND" : "PURCHASE";
      await history.card({ accountId: accounts.pod, on, amountInCents, subtype, category, description });
    }
  }

  /** Without ids and timestamps. */
  async function read() {
    const profile = await getFinancialProfile(services, organization.owner, { from: null, to: null });
    const { coverage, income, recurringBills, fees, savings, cashFlow, discretionary, categoryBreakdown } =
      profile;
    return {
      uncategorizedShare: coverage.uncategorizedShare,
      transactionCount: coverage.transactionCount,
      ...{ income, recurringBills, fees, savings, cashFlow, discretionary, categoryBreakdown },
    };
  }
  return { accounts, ...history, report, read };
}
type Profile = Awaited<ReturnType<Awaited<ReturnType<typeof arrange>>["read"]>>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const spendingOf = (profile: Profile) => sum(profile.categoryBreakdown.map((entry) => entry.amountInCents));
const runs = { seed: proofSeed, numRuns: proofSize(8, 100), endOnFailure: true };

async function reported(events: readonly Event[]) {
  const world = await arrange();
  for (const one of events) await world.report(one);
  return world;
}

describe("whatever the history", () => {
  it("months and categories add up to the same totals", async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(story, async (events) => {
        const profile = await (await reported(events)).read();
        const { months } = profile.cashFlow;
        expect(sum(months.map((month) => month.inInCents))).toBe(profile.income.totalInCents);
        expect(sum(months.map((month) => month.outInCents))).toBe(spendingOf(profile));
        for (const month of months) expect(month.netInCents).toBe(month.inInCents - month.outInCents);
        expect(sum(profile.fees.byKind.map((fee) => fee.amountInCents))).toBe(profile.fees.totalInCents);
        counted += profile.transactionCount;
      }),
      runs,
    );
    expect(counted).toBeGreaterThan(proofSize(40, 800));
  });

  it("the order of insertion changes nothing", async () => {
    const shuffled = story.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([events, permuted]) => {
        expect(await (await reported(permuted)).read()).toEqual(await (await reported(events)).read());
      }),
      runs,
    );
  });

  it("a transfer between own accounts changes neither income nor spending, bills nor fees", async () => {
    const pair = fc.record({
      from: fc.constantFrom("checking" as const, "savings" as const),
      day: fc.integer({ min: 50, max: 120 }),
      daysLater: fc.integer({ min: -4, max: 4 }),
      to: fc.constantFrom("checking" as const, "savings" as const, "visa" as const, "pod" as const),
    });
    await fc.assert(
      fc.asyncProperty(story, pair, async (events, { from, to, day, daysLater }) => {
        fc.pre(from !== to);
        const world = await reported(events);
        const before = await world.read();
        const [on, later] = [dayText(day), dayText(day + daysLater)];
        await world.outside({
          accountId: world.accounts[from],
          on,
          amountInCents: 7_777,
          direction: "MONEY_OUT",
        });
        const arrival = { on: later, amountInCents: 7_777, direction: "MONEY_IN" } as const;
        if (to === "pod") await world.transfer({ ...arrival, to: world.accounts.pod });
        else await world.outside({ ...arrival, accountId: world.accounts[to] });
        const after = await world.read();
        const moved = (to === "savings" ? 7_777 : 0) - (from === "savings" ? 7_777 : 0);
        const isInWindow = day >= 46 && day + daysLater >= 46 && day + daysLater <= 136;
        if (isInWindow) {
          expect(after.savings.netTransferredInCents - before.savings.netTransferredInCents).toBe(moved);
        }
        expect({ ...after, savings: null }).toEqual({ ...before, savings: null });
      }),
      runs,
    );
  });

  it("a refund reduces its category by its amount, and no other", async () => {
    const named = spendingCategorySchema.exclude(["OTHER", "DEBT_AND_FEES"]).options;
    const refund = fc.record({
      place: fc.constantFrom("checking" as const, "visa" as const, "pod" as const),
      day: fc.integer({ min: 50, max: 130 }),
      category: fc.constantFrom(...named),
    });
    await fc.assert(
      fc.asyncProperty(story, refund, async (events, { place, day, category }) => {
        const world = await reported(events);
        const before = await world.read();
        const credit = { accountId: world.accounts[place], on: dayText(day), amountInCents: 555, category };
        if (place === "pod") await world.card({ ...credit, subtype: "REFUND" });
        else await world.outside({ ...credit, direction: "MONEY_IN" });
        const after = await world.read();
        expect(after.income).toEqual(before.income);
        expect(after.categoryBreakdown.map((entry) => [entry.category, entry.amountInCents])).toEqual(
          before.categoryBreakdown.map((entry) => [
            entry.category,
            entry.amountInCents - (entry.category === category ? 555 : 0),
          ]),
        );
      }),
      runs,
    );
  });

  it("another organization's rows never count", async () => {
    await fc.assert(
      fc.asyncProperty(story, story, async (events, others) => {
        const world = await reported(events);
        const before = await world.read();
        const other = await reported(others);
        expect(await world.read()).toEqual(before);
        expect((await other.read()).transactionCount).toBeLessThanOrEqual(others.length);
      }),
      runs,
    );
  });
});
