import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addBankingDays } from "@/lib/contract/banking-days";
import {
  type CauseKind,
  type ComparedLine,
  type ComparedMovement,
  causeKey,
  compare,
  type Finding,
  type KnownCauses,
} from "@/lib/core/reconciliation/compare";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const FIRST_DAY = "2026-11-02";
const day = (place: number) => addBankingDays(FIRST_DAY, place);
const NO_ORDERS: KnownCauses = { taken: new Set(), awaited: new Map(), unmoved: new Set() };

/** Faults of a bank's statement; each is a difference, except for the order of the lines. */
const FAULTS = ["LOST", "DOUBLED", "DELAYED", "WRONG_AMOUNT", "NONE"] as const;

const planned = fc.record({
  kind: fc.constantFrom<CauseKind>("ORDER", "ORDER_RETURN", "DEPOSIT", "DEPOSIT_RETURN", "CARD"),
  // Few amounts and days, so that likenesses occur by chance.
  amountInCents: fc.constantFrom(-5_000, -100, 100, 5_000),
  settledOn: fc.nat(8),
  tookDays: fc.nat(3),
  /** Banks date a line by the sending or the settlement of an order. */
  isDatedBySending: fc.boolean(),
  fault: fc.constantFrom(...FAULTS),
});
type Planned = typeof planned extends fc.Arbitrary<infer T> ? T : never;

function movementOf(plan: Planned, place: number): ComparedMovement {
  const isOrder = plan.kind === "ORDER";
  const settledOn = plan.settledOn + 4;
  return {
    entryId: `entry ${place}`,
    key: causeKey(plan.kind, String(place)),
    amountInCents: plan.amountInCents,
    day: day(settledOn),
    sentDay: day(isOrder ? settledOn - plan.tookDays : settledOn),
    expectedDay: day(settledOn),
  };
}

/** What a bank with this fault reports. */
function linesOf(plan: Planned, place: number): ComparedLine[] {
  const movement = movementOf(plan, place);
  const line = {
    reference: `line ${place}`,
    key: movement.key,
    amountInCents: movement.amountInCents,
    day: plan.isDatedBySending ? movement.sentDay : movement.day,
  };
  switch (plan.fault) {
    case "LOST":
      return [];
    case "DOUBLED":
      return [line, { ...line, reference: `line ${place} again` }];
    case "DELAYED":
      return [{ ...line, day: addBankingDays(movement.day, 2 + plan.tookDays) }];
    case "WRONG_AMOUNT":
      return [{ ...line, amountInCents: line.amountInCents + 1 }];
    case "NONE":
      return [line];
  }
}

function expectedOf(plan: Planned, place: number): string[] {
  const entry = `entry ${place}`;
  const line = `line ${place}`;
  switch (plan.fault) {
    case "LOST":
      return [`MISSING_AT_BANK ${entry}`];
    case "DOUBLED":
      return [`MATCHED ${entry}`, `MISSING_HERE ${line}`];
    case "DELAYED":
      return [`DIFFERENT_DATE ${entry} ${line}`];
    case "WRONG_AMOUNT":
      return [`DIFFERENT_AMOUNT ${entry} ${line}`];
    case "NONE":
      return [`MATCHED ${entry}`];
  }
}

function summary(finding: Finding): string {
  switch (finding.kind) {
    case "MISSING_AT_BANK":
      return `MISSING_AT_BANK ${finding.movement.entryId}`;
    case "MISSING_HERE":
      return `MISSING_HERE ${finding.line.reference.replace(" again", "")}`;
    case "CANCELED_OUT":
      return `CANCELED_OUT ${finding.line.reference}`;
    case "MATCHED":
      return `MATCHED ${finding.movement.entryId}`;
    default:
      return `${finding.kind} ${finding.movement.entryId} ${finding.line.reference}`;
  }
}

const shuffled = <T>(items: readonly T[]) => fc.shuffledSubarray([...items], { minLength: items.length });

describe("comparing a statement with the books", () => {
  it("finds every planted fault and nothing else, in whatever order the lines come", () => {
    const cases = fc.array(planned, { maxLength: 40, size: "max" }).chain((plans) =>
      fc.record({
        plans: fc.constant(plans),
        lines: shuffled(plans.flatMap(linesOf)),
        movements: shuffled(plans.map(movementOf)),
      }),
    );
    fc.assert(
      fc.property(cases, ({ plans, lines, movements }) => {
        const found = compare(lines, movements, NO_ORDERS);
        expect(found.map(summary).toSorted()).toEqual(plans.flatMap(expectedOf).toSorted());
      }),
      { seed: proofSeed, numRuns: proofSize(200, 5_000) },
    );
  });

  it("accounts for every cent: what differs between bank and books is the sum of the findings", () => {
    const cases = fc.array(planned, { maxLength: 30 });
    fc.assert(
      fc.property(cases, (plans) => {
        const [lines, movements] = [plans.flatMap(linesOf), plans.map(movementOf)];
        const sum = (items: readonly { amountInCents: number }[]) =>
          items.reduce((total, { amountInCents }) => total + amountInCents, 0);
        const explained = compare(lines, movements, NO_ORDERS).reduce((total, finding) => {
          const atBank = "line" in finding ? finding.line.amountInCents : 0;
          const here = "movement" in finding ? finding.movement.amountInCents : 0;
          return total + atBank - here;
        }, 0);
        expect(explained).toBe(sum(lines) - sum(movements));
      }),
      { seed: proofSeed, numRuns: proofSize(200, 5_000) },
    );
  });

  const line: ComparedLine = { reference: "L1", key: "ORDER t1", amountInCents: -500, day: day(5) };
  const movement: ComparedMovement = {
    entryId: "e1",
    key: "ORDER t1",
    amountInCents: -500,
    day: day(5),
    sentDay: day(3),
    expectedDay: day(4),
  };

  it("an order on its way differs no sooner than the banking day after its expected settlement", () => {
    const orders = { ...NO_ORDERS, awaited: new Map([["ORDER t1", day(7)]]) };
    expect(compare([line], [], orders)).toEqual([{ kind: "MISSING_HERE", line, differsFrom: day(8) }]);
  });

  it("an entry that the bank lacks differs from the banking day after its settlement", () => {
    expect(compare([], [movement], NO_ORDERS)).toEqual([
      { kind: "MISSING_AT_BANK", movement, differsFrom: day(6) },
    ]);
  });

  it("a settlement later than expected explains a line until the banking day after it", () => {
    const late = { ...movement, day: day(8) };
    expect(compare([{ ...line, day: day(9) }], [late], NO_ORDERS)[0]?.kind).toBe("MATCHED");
    expect(compare([{ ...line, day: day(10) }], [late], NO_ORDERS)[0]?.kind).toBe("DIFFERENT_DATE");
  });

  it("a fee, and a second line of what is booked, differ at once", () => {
    const fee = { ...line, reference: "fee", key: null };
    const again = { ...line, reference: "L2" };
    const found = compare([fee, line, again], [movement], NO_ORDERS);
    expect(found.filter(({ kind }) => kind === "MISSING_HERE")).toEqual([
      { kind: "MISSING_HERE", line: fee, differsFrom: line.day },
      { kind: "MISSING_HERE", line: again, differsFrom: line.day },
    ]);
    const taken = { ...NO_ORDERS, taken: new Set(["ORDER t1"]) };
    expect(compare([again], [], taken)).toEqual([
      { kind: "MISSING_HERE", line: again, differsFrom: line.day },
    ]);
  });

  it("an order that moved nothing here and its return at the bank cancel each other out", () => {
    const back = { reference: "L2", key: "ORDER_RETURN t1", amountInCents: 500, day: day(6) };
    const orders = { ...NO_ORDERS, unmoved: new Set(["ORDER t1"]) };
    expect(compare([back, line], [], orders)).toEqual([{ kind: "CANCELED_OUT", line, canceledBy: back }]);
    expect(compare([{ ...back, amountInCents: 499 }, line], [], orders).map(({ kind }) => kind)).toEqual([
      "MISSING_HERE",
      "MISSING_HERE",
    ]);
    expect(compare([back, line], [], NO_ORDERS)).toHaveLength(2);
  });

  it("never matches by likeness: the same amount on the same day under another cause is two differences", () => {
    const found = compare([{ ...line, key: "ORDER t2" }], [movement], NO_ORDERS);
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(["MISSING_AT_BANK", "MISSING_HERE"]);
  });
});
