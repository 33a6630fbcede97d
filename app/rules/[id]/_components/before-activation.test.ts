/**
 * Goal: before an activation a person reads what the first run and the backtest would do, not only what the checks prove. Method:
 * the words of the dialog and of the backtest as a check.
 */
import { describe, expect, test } from "vitest";
import { firstRunWords, mostWords } from "@/app/rules/[id]/_components/activate-dialog";
import { backtestFinding } from "@/app/rules/[id]/_components/backtest-section";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { mostOfRun } from "@/lib/engine/most-of-a-run";
import { pod } from "@/lib/testing/rules/rule-examples";

const OPERATING = "aaaaaaaa-0000-4000-8000-000000000000";
const TAXES = "bbbbbbbb-0000-4000-8000-000000000000";
const TIME = { nowAt: "2026-11-20T16:26:00Z", timeZone: "UTC", locale: "en-US" };

function rule({ floorInCents = null as number | null, trigger = "MANUAL" }) {
  return {
    definition: ruleDefinitionSchema.parse({
      name: "Sweep",
      trigger: { type: trigger, accountId: OPERATING },
      steps: [
        {
          actions: [
            {
              type: "REMAINDER",
              sourceAccountId: OPERATING,
              destinationAccountId: TAXES,
              group: 0,
            },
          ],
        },
      ],
    }),
    facts: {
      at: TIME.nowAt,
      date: "2026-11-20",
      incomingAmountInCents: null,
      isApprovedByPerson: false,
      accounts: { [OPERATING]: pod(2_000_000, { floorInCents }), [TAXES]: pod(0) },
      limitsUsedInCents: {},
    },
    names: {
      [OPERATING]: { name: "Operating", kind: "POD" as const, isClosed: false },
      [TAXES]: { name: "Taxes", kind: "POD" as const, isClosed: false },
    },
    typicalInCents: null,
  };
}

describe("the dialog", () => {
  test("says what the first run would move, and what stays", () => {
    const floored = rule({ floorInCents: 800_000 });
    expect(firstRunWords(floored)).toBe("Would move $12,000.00 to Taxes as things are now");
    expect(mostWords(mostOfRun(floored.definition), floored)).toBe(
      "Everything above $8,000.00 in Operating, to Taxes",
    );
    const bare = rule({});
    expect(firstRunWords(bare)).toBe("Would move $20,000.00 to Taxes as things are now");
    expect(mostWords(mostOfRun(bare.definition), bare)).toBe("The full available balance, to Taxes");
  });

  test("names nothing as unknown that it does not know", () => {
    expect(firstRunWords(rule({ trigger: "ON_FUNDS_TRANSFERRED" }))).toBe("Unknown: no deposit in 90 days");
  });
});

describe("the backtest as a check", () => {
  const ran = (change = {}) => ({
    occasions: { arrivals: 14, scheduled: 0, asked: 0 },
    brokeOff: 0,
    lowest: { balanceInCents: 0, at: "2026-11-02T00:00:00Z" },
    ...change,
  });
  const find = (past: object, ahead: object | null = null) =>
    backtestFinding({
      sourceName: "Operating",
      time: TIME,
      version: ran(past),
      ahead: ahead && { version: ran(ahead) },
    });

  test("is clear only while the account stays at or above zero, before and ahead", () => {
    expect(find({})).toEqual({ outcome: "CLEAR", title: "Its runs succeed in the backtest", text: null });
    const low = { lowest: { balanceInCents: -1_970_677, at: "2026-11-02T00:00:00Z" } };
    expect(find(low)).toMatchObject({
      outcome: "LOOK",
      text: expect.stringMatching(/Operating would have been at .\$19,706\.77 on/),
    });
    expect(find({}, low)).toMatchObject({
      outcome: "LOOK",
      text: expect.stringContaining("if everything else repeats"),
    });
  });

  test("names runs that stop partway, and is left out for a rule that would not have run", () => {
    expect(find({ brokeOff: 1 }, { brokeOff: 1 })).toMatchObject({
      outcome: "LOOK",
      title: "The backtest stops partway",
      text: "2 runs would stop early for lack of money.",
    });
    expect(find({ occasions: { arrivals: 0, scheduled: 0, asked: 0 } })).toBeNull();
  });
});
