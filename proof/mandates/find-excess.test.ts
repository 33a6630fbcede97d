import { describe, expect, it } from "vitest";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { findBrokenPart } from "@/lib/engine/mandates/find-broken-part";
import { NEW_YORK, routeTerms } from "@/lib/testing/mandates/route-terms";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import {
  type Decide,
  describeCounterexample,
  findExcess,
  type SearchSetting,
} from "@/proof/mandates/find-excess";
import { randomSetting } from "@/proof/mandates/random-keys";

const search = (change: Partial<MandateTerms>, decide?: Decide, more: Partial<SearchSetting> = {}) =>
  findExcess({
    keys: [
      {
        name: "claude-taxes",
        mandates: [{ terms: routeTerms({ maximumInCents: 3, ...change }), timeZone: NEW_YORK }],
        dailyCapInCents: null,
      },
    ],
    moments: ["2026-11-01T03:59:59.999Z", "2026-11-01T04:00:00Z", "2026-11-01T20:00:00Z"].map(
      (text) => new Date(text),
    ),
    amounts: [1, 3],
    depth: 4,
    timeZone: NEW_YORK,
    decide,
    ...more,
  });

describe("the search", () => {
  it("finds no sequence that moves more than the sentence, whatever the keys and mandates", {
    timeout: 600_000,
  }, () => {
    const random = seededNumbers(proofSeed);
    let sequences = 0;
    for (let round = 0; round < proofSize(30, 1_000); round += 1) {
      const setting = randomSetting(random);
      const result = findExcess(setting);
      sequences += result.sequences;
      const text =
        result.found && `${describeCounterexample(result.found)}\n${JSON.stringify(setting, null, 2)}`;
      expect(text).toBe(null);
    }
    expect(sequences, "hardly anything was accepted: the proof is empty").toBeGreaterThan(10_000);
  });

  it("reaches what the sentence says, so that one cent less would be found", () => {
    const month = { monthInCents: 6 };
    expect(search(month).found).toBe(null);
    // A sentence of a mandate of 5 cents over uses of one of 6.
    const wide: Decide = ({ terms }, facts) => findBrokenPart({ ...terms, monthInCents: 6 }, facts);
    expect(search({ monthInCents: 5 }, wide).found).toMatchObject({ saysInCents: 5, movedInCents: 6 });
  });
});

describe("a planted fault", () => {
  const FAULTS: [string, Decide, Partial<MandateTerms>][] = [
    [
      "a use that is not counted",
      ({ terms }, facts) => findBrokenPart(terms, { ...facts, uses: facts.uses.slice(1) }),
      { totalInCents: 6 },
    ],
    [
      "no use counted at all",
      ({ terms }, facts) => findBrokenPart(terms, { ...facts, uses: [] }),
      { maximumUses: 2 },
    ],
    [
      "a day of another zone",
      ({ terms }, facts) => findBrokenPart(terms, { ...facts, timeZone: "UTC" }),
      // In New York, all but the first moment is one day; in UTC, the last evening is another.
      { dayInCents: 3, from: "2026-10-01", until: "2026-11-30" },
    ],
    [
      "a period that ends with this process's clock",
      ({ terms }, facts) =>
        findBrokenPart(terms, {
          ...facts,
          uses: facts.uses.filter(({ acceptedAt }) => acceptedAt <= facts.now),
        }),
      { monthInCents: 3 },
    ],
    [
      "a limit that is compared before the transfer is added",
      ({ terms }, facts) => findBrokenPart(terms, { ...facts, amountInCents: 1 }),
      { monthInCents: 4 },
    ],
  ];

  it.each(FAULTS)("is found: %s", (_, decide, change) => {
    const moments = ["2026-11-01T03:59:59.999Z", "2026-11-01T20:00:00Z", "2026-11-02T04:00:00Z"];
    const { found } = search(change, decide, { moments: moments.map((text) => new Date(text)) });
    expect(found?.movedInCents).toBeGreaterThan(found?.saysInCents ?? 0);
    expect(describeCounterexample(found ?? none())).toMatch(
      /^claude-taxes may move \d+ cents \(\w+\), and moved \d+:\n {2}2026/,
    );
    expect(search(change, undefined, { moments: moments.map((text) => new Date(text)) }).found).toBe(null);
  });

  it("is found in a sentence that reads the days of one zone as those of another", () => {
    const setting: SearchSetting = {
      keys: [
        {
          name: "claude-taxes",
          mandates: [
            {
              terms: routeTerms({
                maximumInCents: 3,
                dayInCents: 3,
                from: "2026-11-01",
                until: "2026-11-30",
              }),
              timeZone: "Asia/Tokyo",
            },
          ],
          dailyCapInCents: null,
        },
      ],
      moments: [new Date("2026-11-10T14:59:59Z"), new Date("2026-11-10T15:00:00Z")],
      amounts: [3],
      depth: 2,
      timeZone: NEW_YORK,
    };
    expect(findExcess(setting).found).toBe(null);
    const [key] = setting.keys;
    const [mandate] = key?.mandates ?? [];
    if (!key || !mandate) throw none();
    // The same uses, with the sentence of a mandate of New York's days.
    const asTokyo: Decide = ({ terms }, facts) => findBrokenPart(terms, { ...facts, timeZone: "Asia/Tokyo" });
    const here = {
      ...setting,
      keys: [{ ...key, mandates: [{ ...mandate, timeZone: NEW_YORK }] }],
      decide: asTokyo,
    };
    expect(findExcess(here).found).toMatchObject({ span: "dayInCents", saysInCents: 3, movedInCents: 6 });
  });
});

const none = () => {
  throw new Error("No counterexample was found");
};
