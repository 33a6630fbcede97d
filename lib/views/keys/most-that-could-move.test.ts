import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PermissionOf } from "@/lib/contract/permissions";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { LiveRule } from "@/lib/core/keys/read-key-rules";
import type { MovableAccount } from "@/lib/core/keys/rules-that-follow";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { mostThatCouldMove } from "@/lib/views/keys/most-that-could-move";

const account = (id: string, fields: Partial<MovableAccount> = {}): MovableAccount => ({
  id,
  name: id,
  isOutside: false,
  canBeSource: true,
  isClosed: false,
  availableInCents: 100_000,
  floorInCents: null,
  ...fields,
});
const ACCOUNTS = [
  account("Operating", { availableInCents: 1_842_055, floorInCents: 800_000 }),
  account("Profit", { availableInCents: 784_520 }),
  account("Taxes", { availableInCents: 931_000 }),
  account("Checking", { isOutside: true, availableInCents: 620_418 }),
  account("Savings", { isOutside: true, availableInCents: 5_000 }),
  account("Visa", { isOutside: true, canBeSource: false, availableInCents: 231_840 }),
  account("Old", { isClosed: true }),
];

type Entries = PermissionOf<"MANUAL_TRANSFER">["entries"];
const permission = (entries: Entries, required = true): PermissionOf<"MANUAL_TRANSFER"> => ({
  type: "MANUAL_TRANSFER",
  entries,
  approval: { required },
});
const route = (source: string, target: string, max_amount?: number): Entries[number] => ({
  source,
  target,
  ...(max_amount !== undefined && { max_amount }),
});

describe("the most that a key could move", () => {
  it("counts money that several routes share once", () => {
    const most = mostThatCouldMove(
      permission([
        route("Operating", "Taxes", 500_000),
        route("Profit", "Taxes"),
        route("Operating", "Profit"),
      ]),
      ACCOUNTS,
    );
    expect(most.rows.map(({ reason, inCents }) => [reason.kind, inCents])).toEqual([
      ["ALL", 1_842_055],
      ["ALL", 784_520],
      ["SHARED", null],
    ]);
    expect(most).toMatchObject({ totalInCents: 1_842_055 + 784_520, leavesInCents: 0, moreRows: 0 });
  });

  it("stops at the floor without approval, but not with it, since a person may go below", () => {
    const entries = [route("Operating", "Taxes")];
    expect(mostThatCouldMove(permission(entries, true), ACCOUNTS).totalInCents).toBe(1_842_055);
    expect(mostThatCouldMove(permission(entries, false), ACCOUNTS)).toMatchObject({
      totalInCents: 1_042_055,
      rows: [{ reason: { kind: "ABOVE_FLOOR", floorInCents: 800_000 } }],
    });
  });

  it("is not reduced by a limit, which applies per transfer and not per day", () => {
    const limited = mostThatCouldMove(permission([route("Profit", "Taxes", 100)]), ACCOUNTS);
    expect(limited).toMatchObject({ totalInCents: 784_520, rows: [{ limitInCents: 100 }] });
  });

  it("shows what could leave, including through other accounts", () => {
    const most = mostThatCouldMove(permission([route("Profit", "Taxes"), route("Taxes", "Visa")]), ACCOUNTS);
    expect(most).toMatchObject({ totalInCents: 784_520 + 931_000, leavesInCents: 784_520 + 931_000 });
    expect(
      mostThatCouldMove(permission([route("Taxes", "Visa"), route("Operating", "Profit")]), ACCOUNTS)
        .leavesInCents,
    ).toBe(931_000);
  });

  it("does not count pulled-in money as leaving: it takes days to arrive", () => {
    const most = mostThatCouldMove(
      permission([route("Checking", "Taxes"), route("Taxes", "Visa")]),
      ACCOUNTS,
    );
    expect(most).toMatchObject({ totalInCents: 620_418 + 931_000, leavesInCents: 931_000 });
  });

  it("treats an unknown balance as unknown, never as zero", () => {
    const accounts = [account("A", { availableInCents: null }), account("B")];
    const most = mostThatCouldMove(permission([route("A", "B"), route("B", "A")]), accounts);
    expect(most).toMatchObject({ totalInCents: null, leavesInCents: 0 });
    expect(most.rows[0]).toMatchObject({ reason: { kind: "NOT_KNOWN" }, inCents: null });
  });

  it.each([
    ["a debt gives nothing", "Visa", "Taxes", "SOURCE"],
    ["a closed account gives nothing", "Old", "Taxes", "SOURCE"],
    ["a closed account takes nothing", "Taxes", "Old", "DESTINATION"],
    ["nothing goes from an account to itself", "Taxes", "Taxes", "DESTINATION"],
    ["nothing goes between two accounts outside", "Checking", "Visa", "BOTH_OUTSIDE"],
  ])("knows what is impossible: %s", (_what, source, target, side) => {
    const most = mostThatCouldMove(permission([route(source, target)]), ACCOUNTS);
    expect(most.rows).toMatchObject([{ reason: { kind: "IMPOSSIBLE", side }, inCents: null }]);
    expect(most).toMatchObject({ totalInCents: 0, leavesInCents: 0 });
  });

  it("lists a row for each account behind “any account”", () => {
    const most = mostThatCouldMove(permission([route("ANY", "ANY")], false), ACCOUNTS);
    expect(most.rows.map((row) => row.sourceName)).toEqual([
      "Operating",
      "Profit",
      "Taxes",
      "Checking",
      "Savings",
    ]);
    expect(most.rows.every((row) => row.destinationName === null)).toBe(true);
    expect(most.leavesInCents).toBe(1_042_055 + 784_520 + 931_000);
    expect(
      mostThatCouldMove(permission([route("ANY", "Visa")]), ACCOUNTS).rows.map((row) => row.sourceName),
    ).toEqual(["Operating", "Profit", "Taxes"]);
  });

  it("lists a bounded number of routes and counts all of them", () => {
    const accounts = Array.from({ length: 40 }, (_, index) => account(`A${index}`));
    const most = mostThatCouldMove(permission([route("ANY", "ANY")]), accounts);
    expect(most.rows).toHaveLength(12);
    expect(most).toMatchObject({ moreRows: 28, totalInCents: 4_000_000 });
  });

  it("never exceeds what sources hold, never grows with a floor, and includes what leaves", () => {
    const ids = ACCOUNTS.map(({ id }) => id);
    const anyRoute = fc
      .tuple(
        fc.constantFrom("ANY", ...ids),
        fc.constantFrom("ANY", ...ids),
        fc.option(fc.integer({ min: 1, max: 1e9 })),
      )
      .map(([source, target, cap]) => route(source, target, cap ?? undefined));
    const everything = ACCOUNTS.filter((one) => one.canBeSource && !one.isClosed).reduce(
      (sum, one) => sum + (one.availableInCents ?? 0),
      0,
    );
    fc.assert(
      fc.property(fc.array(anyRoute, { minLength: 1, maxLength: 8 }), (entries) => {
        const withApproval = mostThatCouldMove(permission(entries, true), ACCOUNTS);
        const without = mostThatCouldMove(permission(entries, false), ACCOUNTS);
        const listed = withApproval.rows.reduce((sum, row) => sum + (row.inCents ?? 0), 0);
        if (withApproval.moreRows === 0) expect(listed).toBe(withApproval.totalInCents);
        expect(withApproval.totalInCents).toBeLessThanOrEqual(everything);
        expect(without.totalInCents).toBeLessThanOrEqual(withApproval.totalInCents ?? 0);
        expect(withApproval.leavesInCents).toBeLessThanOrEqual(withApproval.totalInCents ?? 0);
        // The order of routes changes where money is listed, not the total.
        const reversed = mostThatCouldMove(permission([...entries].reverse()), ACCOUNTS);
        expect(reversed.totalInCents).toBe(withApproval.totalInCents);
        expect(reversed.leavesInCents).toBe(withApproval.leavesInCents);
      }),
      { numRuns: proofSize(300, 5_000), seed: proofSeed },
    );
  });
});

describe("the triggered rules", () => {
  const ids = new Map<string, string>();
  const idOf = (name: string) => {
    const known = ids.get(name) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`;
    ids.set(name, known);
    return known;
  };
  const NAMED = ACCOUNTS.map((one) => ({ ...one, id: idOf(one.name) }));
  const onArrival = (name: string, minimumAmountInCents: number | null = null) => ({
    type: "ON_FUNDS_TRANSFERRED" as const,
    accountId: idOf(name),
    minimumAmountInCents,
  });
  const onDemand = (name: string) => ({ type: "MANUAL" as const, accountId: idOf(name) });
  const send = (from: string, to: string, limitId: string | null = null) => ({
    type: "REMAINDER",
    sourceAccountId: idOf(from),
    destinationAccountId: idOf(to),
    group: 0,
    limitId,
  });
  const rule = (
    name: string,
    trigger: object,
    actions: object[],
    limits: RuleDefinition["limits"] = [],
  ): LiveRule => ({
    id: idOf(`rule ${name}`),
    name,
    definition: ruleDefinitionSchema.parse({ name, trigger, steps: [{ actions }], limits }),
  });
  const runs = (required: boolean, ...names: string[]): PermissionOf<"TRIGGER_RULES"> => ({
    type: "TRIGGER_RULES",
    rules: names.length > 0 ? names.map((name) => idOf(`rule ${name}`)) : "ALL",
    approval: { required },
  });
  const named = (entries: Entries, required = true) =>
    permission(
      entries.map((entry) => ({ ...entry, source: idOf(entry.source), target: idOf(entry.target) })),
      required,
    );

  it("of a key that only runs rules count all that their sources hold, down to the floor without approval", () => {
    const live = [rule("Sweep", onDemand("Operating"), [send("Operating", "Checking")])];
    const most = (required: boolean) =>
      mostThatCouldMove(null, NAMED, {
        runs: runs(required),
        live,
        oneRunInCents: { [live[0]?.id ?? ""]: 7 },
      });
    expect(most(true)).toMatchObject({
      rows: [],
      rules: [
        { name: "Sweep", setOffAtName: null, oneRunInCents: 7, reason: { kind: "ALL" }, inCents: 1_842_055 },
      ],
      totalInCents: 1_842_055,
      leavesInCents: 1_842_055,
    });
    expect(most(false).totalInCents).toBe(1_842_055 - 800_000);
  });

  it("include those that its transfers trigger, down the chain, and no others", () => {
    const live = [
      rule("Payroll outside", onArrival("Profit"), [send("Profit", "Checking")]),
      rule("Pass on", onArrival("Taxes"), [send("Taxes", "Profit")]),
      rule("Unrelated", onArrival("Operating"), [send("Operating", "Checking")]),
      rule("On demand", onDemand("Taxes"), [send("Taxes", "Savings")]),
    ];
    const most = mostThatCouldMove(named([route("Checking", "Taxes")]), NAMED, {
      runs: null,
      live,
      oneRunInCents: {},
    });
    expect(most.rules.map(({ name, setOffAtName, inCents }) => [name, setOffAtName, inCents])).toEqual([
      ["Pass on", "Taxes", 931_000],
      ["Payroll outside", "Profit", 784_520],
    ]);
    expect(most.totalInCents).toBe(620_418 + 931_000 + 784_520);
    expect(most.leavesInCents).toBe(931_000 + 784_520);
  });

  it("are not triggered by transfers that are always below their minimum", () => {
    const live = [rule("Big", onArrival("Taxes", 50_000), [send("Taxes", "Profit")])];
    const most = (limit: number) =>
      mostThatCouldMove(named([route("Operating", "Taxes", limit)]), NAMED, {
        runs: null,
        live,
        oneRunInCents: {},
      }).rules.length;
    expect([most(49_999), most(50_000)]).toEqual([0, 1]);
  });

  it("stop at their limits, unless something else takes from the same source without one", () => {
    const limits = [{ id: "day", period: "DAY" as const, amountInCents: 10_000 }];
    const limited = rule("Limited", onDemand("Profit"), [send("Profit", "Taxes", "day")], limits);
    const most = mostThatCouldMove(null, NAMED, { runs: runs(true), live: [limited], oneRunInCents: {} });
    expect(most.rules).toMatchObject([
      { reason: { kind: "LIMITED", limitInCents: 10_000 }, inCents: 10_000 },
    ]);
    const free = rule("Free", onDemand("Profit"), [send("Profit", "Payroll"), send("Profit", "Taxes")]);
    expect(
      mostThatCouldMove(null, NAMED, { runs: runs(true), live: [limited, free], oneRunInCents: {} })
        .totalInCents,
    ).toBe(784_520);
    expect(
      mostThatCouldMove(named([route("Profit", "Taxes")]), NAMED, {
        runs: runs(true),
        live: [limited],
        oneRunInCents: {},
      }),
    ).toMatchObject({ rules: [{ reason: { kind: "SHARED" } }], totalInCents: 784_520 });
  });

  it("of a list are only those in the list", () => {
    const live = [
      rule("One", onDemand("Profit"), [send("Profit", "Taxes")]),
      rule("Other", onDemand("Taxes"), [send("Taxes", "Profit")]),
    ];
    const most = mostThatCouldMove(null, NAMED, { runs: runs(true, "Other"), live, oneRunInCents: {} });
    expect(most.rules.map(({ name }) => name)).toEqual(["Other"]);
  });

  it("in a cycle are each counted once, never exceeding what all accounts hold", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            at: fc.constantFrom("Operating", "Profit", "Taxes"),
            from: fc.constantFrom("Operating", "Profit", "Taxes", "Checking"),
            to: fc.constantFrom("Operating", "Profit", "Taxes", "Checking", "Visa", "Old"),
            isArrival: fc.boolean(),
          }),
          { maxLength: 6 },
        ),
        (drafts) => {
          const live = drafts
            .filter(({ from, to }) => from !== to)
            .map(({ at, from, to, isArrival }, index) =>
              rule(`r${index}`, isArrival ? onArrival(at) : onDemand(at), [send(from, to)]),
            );
          const most = mostThatCouldMove(named([route("Operating", "Taxes")]), NAMED, {
            runs: runs(true),
            live,
            oneRunInCents: {},
          });
          expect(new Set(most.rules.map(({ id }) => id)).size).toBe(most.rules.length);
          expect(most.totalInCents).toBeLessThanOrEqual(1_842_055 + 784_520 + 931_000 + 620_418);
          expect(most.leavesInCents ?? 0).toBeLessThanOrEqual(most.totalInCents ?? 0);
        },
      ),
      { seed: proofSeed, numRuns: proofSize(200, 10_000) },
    );
  });
});
