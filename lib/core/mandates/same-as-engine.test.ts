import fc from "fast-check";
import { expect, it } from "vitest";
import { brokenMandateSchema, type MandateTerms } from "@/lib/contract/mandates/mandate";
import { readMandate } from "@/lib/core/mandates/read-mandates";
import { findBreach, type MandateUse } from "@/lib/engine/mandates/find-broken-part";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { leftOf } from "@/lib/testing/mandates/left-of";
import { putMandate } from "@/lib/testing/mandates/put-mandate";
import { routeTerms } from "@/lib/testing/mandates/route-terms";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";

/**
 * The database decides whether a transfer is inside a mandate; pages, backtests and the search decide by the engine. Random
 * mandates and transfers through the real command at the edges of days, weeks, months and 30 days: both find the same part,
 * limit and amount, and leave the same.
 */
const database = useTestDatabase();

/** Moments at which days, weeks and months begin, clocks change, and days are skipped or have an hour twice. */
const EDGES: { timeZone: string; moments: string[] }[] = [
  {
    timeZone: "America/New_York",
    moments: [
      "2026-10-31T04:00:00Z",
      "2026-11-01T04:00:00Z",
      "2026-11-01T06:00:00Z",
      "2026-11-02T05:00:00Z",
      "2026-12-01T04:00:00Z",
      "2026-12-01T05:00:00Z",
    ],
  },
  // Clocks go back over midnight: the first hour of November is shown twice.
  {
    timeZone: "America/Havana",
    moments: [
      "2026-10-31T04:00:00Z",
      "2026-11-01T04:00:00Z",
      "2026-11-01T05:00:00Z",
      "2026-11-01T06:00:00Z",
      "2026-11-02T05:00:00Z",
    ],
  },
  // Clocks skip midnight.
  {
    timeZone: "Africa/Cairo",
    moments: [
      "2026-04-22T22:00:00Z",
      "2026-04-23T22:00:00Z",
      "2026-04-24T21:00:00Z",
      "2026-04-30T21:00:00Z",
      "2026-05-03T21:00:00Z",
    ],
  },
  // Clocks change by half an hour.
  {
    timeZone: "Australia/Lord_Howe",
    moments: [
      "2026-03-31T13:00:00Z",
      "2026-04-04T13:00:00Z",
      "2026-04-04T15:00:00Z",
      "2026-04-05T13:30:00Z",
      "2026-04-30T13:30:00Z",
    ],
  },
  {
    timeZone: "Asia/Kolkata",
    moments: [
      "2027-02-28T18:30:00Z",
      "2027-03-01T18:30:00Z",
      "2027-03-07T18:30:00Z",
      "2027-03-30T18:30:00Z",
      "2027-03-31T18:30:00Z",
    ],
  },
];

const UNIT = 100;
const BALANCE = 24 * UNIT;
const units = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * UNIT);
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const terms = fc.record({
  minimumInCents: perhaps(units(1, 2)),
  maximumInCents: units(3, 4),
  dayInCents: perhaps(units(2, 8)),
  weekInCents: perhaps(units(3, 9)),
  monthInCents: perhaps(units(3, 10)),
  thirtyDaysInCents: perhaps(units(4, 12)),
  totalInCents: perhaps(units(5, 16)),
  maximumUses: perhaps(fc.integer({ min: 2, max: 6 })),
  recurrence: perhaps(
    fc.record({
      period: fc.constantFrom("DAY" as const, "WEEK" as const, "MONTH" as const),
      atMost: fc.integer({ min: 1, max: 4 }),
      daysApart: perhaps(fc.constantFrom(1, 2, 6, 30)),
    }),
  ),
  keepsInCents: perhaps(units(8, 18)),
});
const step = fc.record({
  place: fc.nat(5),
  offsetMs: fc.constantFrom(-3_600_000, -1, 0, 0, 1, 1_800_000, 43_200_000),
  /** Also a cent off the limits. */
  amountInCents: fc
    .integer({ min: 1, max: 5 })
    .chain((count) =>
      fc.constantFrom(count * UNIT, count * UNIT, count * UNIT + 1, Math.max(UNIT, count * UNIT - 1)),
    ),
  /** What becomes of it afterwards, if it is accepted. */
  afterwards: fc.constantFrom("NOTHING", "NOTHING", "NOTHING", "FAILED", "RETURNED"),
  isOnRoute: fc.constantFrom(true, true, true, true, true, true, true, false),
});
const sequence = fc
  .record({
    edge: fc.constantFrom(...EDGES),
    terms,
    steps: fc.array(step, { minLength: 6, maxLength: 14 }),
    isShuffled: fc.constantFrom(false, false, false, true),
  })
  .map(({ edge, steps, isShuffled, ...rest }) => {
    const timed = steps.map(({ place, offsetMs, ...asked }) => {
      const moment = edge.moments[place % edge.moments.length] ?? "";
      return { ...asked, now: new Date(Date.parse(moment) + offsetMs) };
    });
    // Another process may be behind.
    const ordered = isShuffled
      ? timed
      : timed.toSorted((one, other) => one.now.getTime() - other.now.getTime());
    return { ...rest, timeZone: edge.timeZone, steps: ordered };
  });

async function arrange() {
  const { services, clock } = createTestServices(database);
  clock.set(new Date("2026-01-15T17:00:00Z"));
  const organization = await createTestOrganization(database, services);
  const open = async () => {
    clock.set(new Date("2026-01-15T17:00:00Z"));
    const accounts = await Promise.all(
      ["Operating", "Taxes", "Elsewhere"].map((name) => organization.addAccount({ name, type: "POD" })),
    );
    const [source = "", destination = "", elsewhere = ""] = accounts;
    await organization.deposit(source, BALANCE);
    const key = await organization.addKey([moveAnything(true)]);
    return { source, destination, elsewhere, key };
  };
  return { services, clock, organization, open };
}

async function spendable(accountId: string): Promise<number> {
  const { rows } = await database.ownerPool.query<{ inCents: number }>(
    `select (credits_in_cents - debits_in_cents - held_in_cents)::bigint as "inCents" from ledgers where id = $1`,
    [accountId],
  );
  return rows[0]?.inCents ?? 0;
}

/** As the bank or the worker would end it. What it moved or held comes back, or not: both are read before the next one. */
async function end(transferId: string, status: "FAILED" | "RETURNED"): Promise<void> {
  await database.ownerPool.query(
    `update transfers set status = $2, next_step = null, due_at = null, hold_in_cents = 0 where id = $1`,
    [transferId, status],
  );
}

it("the database and the engine find the same part of a mandate broken", { timeout: 600_000 }, async () => {
  const { services, clock, organization, open } = await arrange();
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(sequence, async ({ terms: change, timeZone, steps }) => {
      const { source, destination, elsewhere, key } = await open();
      const dates = steps.map(({ now }) => calendarDate(now, timeZone)).toSorted();
      // Now and then a transfer is before the first day or after the last.
      const all: MandateTerms = routeTerms({
        ...change,
        sourceAccountIds: [source],
        destinationAccountIds: [destination],
        from: dates.at(steps.length > 9 ? 1 : 0) ?? "",
        until: dates.at(steps.length > 11 ? -2 : -1) ?? "",
      });
      const { organizationId, owner } = organization;
      const apiKeyId = key.id;
      const mandateId = await putMandate(database, {
        organizationId,
        apiKeyId,
        memberId: owner.actor.id,
        terms: all,
        timeZone,
        now: clock.now(),
      });
      const uses: MandateUse[] = [];
      for (const { now, amountInCents, isOnRoute, afterwards } of steps) {
        clock.set(now);
        const destinationAccountId = isOnRoute ? destination : elsewhere;
        const facts = {
          sourceAccountId: source,
          destinationAccountId,
          amountInCents,
          now,
          uses,
          timeZone,
          heldAfterInCents: (await spendable(source)) - amountInCents,
          needsSignatures: false,
          isDestinationChanged: false,
        };
        const expected = findBreach(all, facts);
        const left = (await readMandate(database.pool, { organizationId, now }, mandateId))?.left;
        expect(left).toEqual(leftOf(all, uses, now, timeZone));
        const made = await askTransfer(services, key.context, {
          sourceAccountId: source,
          destinationAccountId,
          amountInCents,
        });
        const found = made.mandateId === mandateId ? null : await readBreach(made.id);
        // A mandate of another route says nothing.
        const says = expected?.constraint === "ROUTE" ? "NONE" : expected;
        expect({ status: made.status, found }, `at ${now.toISOString()} in ${timeZone}`).toEqual({
          status: expected === null ? "PROCESSING" : "APPROVAL_PENDING",
          found: says,
        });
        seen.set(expected?.constraint ?? "INSIDE", (seen.get(expected?.constraint ?? "INSIDE") ?? 0) + 1);
        if (expected === null && afterwards !== "NOTHING") await end(made.id, afterwards);
        if (expected === null && afterwards !== "FAILED") uses.push({ acceptedAt: now, amountInCents });
      }
    }),
    { numRuns: proofSize(40, 1_000), seed: proofSeed },
  );
  const parts = [
    "ROUTE",
    "BELOW_MINIMUM",
    "ABOVE_MAXIMUM",
    "USES",
    "RECURRENCE",
    "DAYS_APART",
    "DAY",
    "WEEK",
    "MONTH",
  ];
  expect([...seen.keys()], "the proof is empty for the others").toEqual(
    expect.arrayContaining([...parts, "THIRTY_DAYS", "TOTAL", "BALANCE", "NOT_YET", "OVER", "INSIDE"]),
  );
});

/** As the proposal keeps it, without the mandate's id. */
async function readBreach(transferId: string) {
  const { rows } = await database.ownerPool.query<{ outside: unknown }>(
    "select outside_mandate as outside from proposals where id = $1",
    [transferId],
  );
  const outside = rows[0]?.outside ?? null;
  if (outside === null) return "NONE";
  const { mandateId: _, limit = null, reached = null, constraint } = brokenMandateSchema.parse(outside);
  return { constraint, limit, reached };
}
