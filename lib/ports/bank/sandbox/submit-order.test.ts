import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bankingDateOf, bankingTimeOf, isBankingDay } from "@/lib/contract/banking-days";
import type { BankOrder } from "@/lib/ports/bank/bank-port";
import { planOrder } from "@/lib/ports/bank/sandbox/submit-order";

/** Friday 20 November 2026, 10:00 in New York; Thursday the 26th is Thanksgiving. */
const FRIDAY_MORNING = new Date("2026-11-20T15:00:00Z");

function order(direction: "CREDIT" | "DEBIT", amountInCents: number): BankOrder {
  return {
    transferId: "0199c0de-0000-7000-8000-000000000001",
    organizationId: "0199c0de-0000-7000-8000-000000000002",
    direction,
    amountInCents,
    label: null,
    outsideAccount: {
      name: "First Harbor",
      routingNumberLast4: null,
      accountNumberLast4: null,
      bankReference: null,
    },
  };
}

function happens(direction: "CREDIT" | "DEBIT", amountInCents: number): string[] {
  return planOrder(order(direction, amountInCents), FRIDAY_MORNING).notices.map(
    ({ kind, code, dueAt }) => `${kind} ${code ?? "-"} ${bankingDateOf(dueAt)} ${bankingTimeOf(dueAt)}`,
  );
}

describe("when an order settles", () => {
  test.each([
    ["CREDIT", "before the cut-off", "2026-11-20T21:44:59Z", "2026-11-23T13:30:00.000Z"],
    ["CREDIT", "at the cut-off", "2026-11-20T21:45:00Z", "2026-11-24T13:30:00.000Z"],
    ["DEBIT", "before the cut-off", "2026-11-20T21:44:59Z", "2026-11-24T13:30:00.000Z"],
    ["DEBIT", "at the cut-off", "2026-11-20T21:45:00Z", "2026-11-25T13:30:00.000Z"],
    ["CREDIT", "on a Saturday morning", "2026-11-21T15:00:00Z", "2026-11-24T13:30:00.000Z"],
    ["CREDIT", "on a Sunday after 16:45", "2026-11-22T23:00:00Z", "2026-11-24T13:30:00.000Z"],
    ["DEBIT", "the day before Thanksgiving", "2026-11-25T15:00:00Z", "2026-11-30T13:30:00.000Z"],
    ["CREDIT", "on Thanksgiving", "2026-11-26T15:00:00Z", "2026-11-30T13:30:00.000Z"],
    ["CREDIT", "the Friday before the clocks go forward", "2027-03-12T15:00:00Z", "2027-03-15T12:30:00.000Z"],
    ["CREDIT", "the Friday before the clocks go back", "2027-11-05T15:00:00Z", "2027-11-08T13:30:00.000Z"],
  ] as const)("a %s submitted %s", (direction, _, submittedAt, settlesAt) => {
    const plan = planOrder(order(direction, 425_000), new Date(submittedAt));
    expect(plan.expectedSettlementAt.toISOString()).toBe(settlesAt);
    expect(plan.expectedSettlementDate).toBe(bankingDateOf(plan.expectedSettlementAt));
    expect(plan.notices).toEqual([
      { kind: "SETTLED", code: null, dueAt: plan.expectedSettlementAt, deliveries: 1 },
    ]);
  });

  test("always in the morning of a later banking day, at most a week later", () => {
    const anyInstant = fc.date({
      min: new Date("2022-01-01"),
      max: new Date("2099-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyInstant, fc.constantFrom("CREDIT", "DEBIT"), (submittedAt, direction) => {
        const { expectedSettlementAt: at } = planOrder(order(direction, 10_000), submittedAt);
        expect(isBankingDay(bankingDateOf(at))).toBe(true);
        expect(bankingTimeOf(at)).toBe("08:30");
        expect(at.getTime()).toBeGreaterThan(submittedAt.getTime());
        expect(at.getTime() - submittedAt.getTime()).toBeLessThan(7.1 * 86_400_000);
      }),
    );
  });
});

describe("magic amounts", () => {
  test.each([
    ["CREDIT", 425_002, ["RETURNED R16 2026-11-23 08:30"]],
    ["DEBIT", 425_002, ["RETURNED R01 2026-11-24 08:30"]],
    ["CREDIT", 425_003, ["SETTLED - 2026-11-23 08:30", "RETURNED R10 2026-11-25 08:30"]],
    ["DEBIT", 425_003, ["SETTLED - 2026-11-24 08:30", "RETURNED R10 2026-11-27 08:30"]],
    ["CREDIT", 425_006, ["RETURNED R02 2026-11-23 08:30"]],
    ["CREDIT", 425_007, ["SETTLED - 2026-11-23 08:30"]],
    ["DEBIT", 425_007, ["SETTLED - 2026-11-24 08:30", "RETURNED R01 2026-11-25 08:30"]],
    ["CREDIT", 425_009, ["SETTLED - 2026-11-27 08:30"]],
  ] as const)("%s of %d", (direction, amountInCents, expected) => {
    expect(happens(direction, amountInCents)).toEqual(expected);
  });

  test("x.01 is refused and reports nothing later", () => {
    const plan = planOrder(order("CREDIT", 425_001), FRIDAY_MORNING);
    expect(plan.refusal?.code).toBe("R03");
    expect(plan.notices).toEqual([]);
  });

  test("x.04 and x.05 settle as usual; only their answer is lost", () => {
    expect(planOrder(order("CREDIT", 425_004), FRIDAY_MORNING).transmission).toBe("ANSWER_LOST");
    expect(planOrder(order("CREDIT", 425_005), FRIDAY_MORNING).transmission).toBe("FIRST_LOST");
    expect(happens("CREDIT", 425_004)).toEqual(happens("CREDIT", 425_000));
    expect(happens("CREDIT", 425_005)).toEqual(happens("CREDIT", 425_000));
  });

  test("x.08 is delivered twice", () => {
    const plan = planOrder(order("CREDIT", 425_008), FRIDAY_MORNING);
    expect(plan.notices.map((notice) => notice.deliveries)).toEqual([2]);
  });

  test("x.09 promises the usual day and misses it", () => {
    const plan = planOrder(order("CREDIT", 425_009), FRIDAY_MORNING);
    expect(plan.expectedSettlementDate).toBe("2026-11-23");
  });

  test("x.10 pulled in settles as usual and is available two banking days later", () => {
    const [settled] = planOrder(order("DEBIT", 425_010), FRIDAY_MORNING).notices;
    expect(settled).toMatchObject({ kind: "SETTLED", availableAt: new Date("2026-11-27T13:30:00Z") });
    expect(planOrder(order("CREDIT", 425_010), FRIDAY_MORNING).notices[0]).not.toHaveProperty("availableAt");
  });

  test("x.11 settles, and the account's last digit was wrong", () => {
    expect(happens("CREDIT", 425_011)).toEqual([
      "SETTLED - 2026-11-23 08:30",
      "CORRECTED C01 2026-11-23 08:30",
    ]);
  });

  test("amounts that do not end in .01 to .11 always just settle", () => {
    const ordinary = fc
      .integer({ min: 100, max: 100_000_000 })
      .filter((cents) => cents % 100 === 0 || cents % 100 > 11);
    fc.assert(
      fc.property(ordinary, fc.constantFrom("CREDIT", "DEBIT"), (amountInCents, direction) => {
        const plan = planOrder(order(direction, amountInCents), FRIDAY_MORNING);
        expect(plan).toMatchObject({ transmission: "ANSWERED", refusal: null });
        expect(plan.notices).toHaveLength(1);
        expect(plan.notices[0]).toMatchObject({
          kind: "SETTLED",
          deliveries: 1,
          dueAt: plan.expectedSettlementAt,
        });
      }),
    );
  });
});
