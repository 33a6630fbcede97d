import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseKept, type Retention } from "@/lib/db/backup/retention";

/** Protects: a backup is removed only once each of its periods has a newer one or has ended. */

const DAY_MS = 86_400_000;
const times = fc.uniqueArray(
  fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) }).map((ms) => ms - (ms % 1_000)),
  { maxLength: 80 },
);
const count = fc.integer({ min: 0, max: 15 });
const retentions: fc.Arbitrary<Retention> = fc.record({
  newest: count,
  days: count,
  weeks: count,
  months: count,
});
const toBackups = (all: readonly number[]) => all.map((ms) => ({ at: new Date(ms) }));
const kept = (all: readonly number[], retention: Retention) =>
  [...chooseKept(toBackups(all), retention)].map(({ at }) => at.getTime()).sort((one, other) => one - other);

it("keeps seven days, four weeks and twelve months of a daily backup", () => {
  const all = Array.from({ length: 800 }, (_, day) => Date.UTC(2024, 0, 1, 3) + day * DAY_MS);
  // The last one is of Monday, 10 March 2026.
  const days = kept(all, { newest: 1, days: 7, weeks: 4, months: 12 }).map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );
  expect(days).toEqual([
    "2025-04-30",
    "2025-05-31",
    "2025-06-30",
    "2025-07-31",
    "2025-08-31",
    "2025-09-30",
    "2025-10-31",
    "2025-11-30",
    "2025-12-31",
    "2026-01-31",
    "2026-02-22",
    "2026-02-28",
    "2026-03-01",
    "2026-03-04",
    "2026-03-05",
    "2026-03-06",
    "2026-03-07",
    "2026-03-08",
    "2026-03-09",
    "2026-03-10",
  ]);
});

it("always keeps the newest, and as many of the newest as it should", () => {
  fc.assert(
    fc.property(times, retentions, (all, retention) => {
      const sorted = all.toSorted((one, other) => other - one);
      const stay = kept(all, retention);
      for (const ms of sorted.slice(0, Math.max(1, retention.newest))) expect(stay).toContain(ms);
      expect(stay.length).toBeLessThanOrEqual(
        1 + retention.newest + retention.days + retention.weeks + retention.months,
      );
    }),
  );
});

it("has one of each of the last days that have any, and the same of months", () => {
  fc.assert(
    fc.property(times, retentions, (all, retention) => {
      const stay = kept(all, retention);
      for (const [bound, width] of [
        [retention.days, 10],
        [retention.months, 7],
      ] as const) {
        const periodOf = (ms: number) => new Date(ms).toISOString().slice(0, width);
        const expected = [...new Set(all.map(periodOf))].toSorted().toReversed().slice(0, bound);
        const has = new Set(stay.map(periodOf));
        for (const period of expected) expect(has).toContain(period);
      }
    }),
  );
});

it("does not change its mind: what a later round keeps was kept by each earlier one", () => {
  fc.assert(
    fc.property(times, times, retentions, (before, later, retention) => {
      const first = Math.max(0, ...before);
      const added = later.filter((ms) => ms > first);
      const all = [...before, ...added];
      // Removed once and needed afterwards would be a hole.
      const once = kept(before, retention);
      for (const ms of kept(all, retention)) if (before.includes(ms)) expect(once).toContain(ms);
      expect(kept([...once, ...added], retention)).toEqual(kept(all, retention));
    }),
  );
});

it("keeps more when any number is greater", () => {
  fc.assert(
    fc.property(
      times,
      retentions,
      fc.constantFrom("newest", "days", "weeks", "months"),
      (all, retention, of) => {
        const more = kept(all, { ...retention, [of]: retention[of] + 1 });
        for (const ms of kept(all, retention)) expect(more).toContain(ms);
      },
    ),
  );
});

it("depends on nothing but the times, in any order", () => {
  fc.assert(
    fc.property(times, retentions, (all, retention) => {
      expect(kept(all.toReversed(), retention)).toEqual(kept(all, retention));
    }),
  );
});
