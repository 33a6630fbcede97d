import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove } from "@/lib/contract/rules/plan";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import {
  ACTION_TYPES,
  type ActionType,
  factsArbitrary,
  RULE_ACCOUNTS,
  ruleArbitrary,
  splitArbitrary,
} from "@/lib/testing/rules/rule-arbitraries";
import { type FollowedMove, followPlan, planOf } from "@/lib/testing/rules/rule-examples";

// Ten thousand cases each, on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const RUNS = proofSize(150, 10_000);
const facts = factsArbitrary();

type ActionOf<Type extends ActionType> = Extract<RuleAction, { type: Type }>;

/** A transfer of one type of action, with its plan. */
interface Seen<Type extends ActionType> extends FollowedMove {
  action: ActionOf<Type>;
  known: RuleFacts;
  destination: AccountFacts;
  /** The whole plan. */
  all: readonly FollowedMove[];
}

/**
 * Invariants per type of action, whatever other actions are in the step: among the other types, competing for the
 * same money, under limits and floors, with closed and overdrawn accounts.
 */
function never<Type extends ActionType>(type: Type, check: (seen: Seen<Type>) => void): void {
  let moves = 0;
  fc.assert(
    fc.property(ruleArbitrary({ holding: [type], maximumActions: 4 }), facts, (rule, known) => {
      const all = followPlan(rule, known, planOf(rule, known));
      for (const followed of all) {
        const destination = known.accounts[followed.move.destinationAccountId];
        if (!destination || !isOf(followed.action, type)) continue;
        if (followed.move.outcome === "MOVE") moves += 1;
        check({ ...followed, action: followed.action, known, destination, all });
      }
    }),
    { numRuns: RUNS, seed: proofSeed },
  );
  expect(moves, `hardly any ${type} moved money: the proof is empty`).toBeGreaterThan(RUNS / 20);
}

function isOf<Type extends ActionType>(action: RuleAction, type: Type): action is ActionOf<Type> {
  return action.type === type;
}

/** The bound of that kind, if the plan has one. */
function boundBy(move: PlannedMove, kind: PlannedMove["caps"][number]["kind"]): boolean {
  return move.caps.some((cap) => cap.kind === kind && cap.atInCents === move.amountInCents);
}

/** The source's limit: its available money or its floor. */
const isOutOfMoney = (move: PlannedMove) => boundBy(move, "AVAILABLE") || boundBy(move, "FLOOR");

function moved({ move }: FollowedMove): number {
  return move.outcome === "MOVE" ? move.amountInCents : 0;
}

describe("what never happens with", () => {
  it("FIXED: moving another amount than its own, unless a limit or, with up to, the source has less", () => {
    never("FIXED", ({ move, action }) => {
      expect([move.wantedInCents, move.baseInCents]).toEqual([action.amountInCents, null]);
      if (move.outcome === "FAILED" || move.amountInCents === action.amountInCents) return;
      expect(move.amountInCents).toBeLessThan(action.amountInCents);
      expect(boundBy(move, "LIMIT") || (action.upTo && isOutOfMoney(move))).toBe(true);
    });
  });

  it("PERCENTAGE: moving a cent more than its share, using another base than its group, exceeding the base in total", () => {
    never("PERCENTAGE", ({ move, action, known, all }) => {
      const together = all.filter(
        ({ action: other, move: beside }) =>
          other.type === "PERCENTAGE" &&
          other.of === action.of &&
          beside.group === move.group &&
          beside.sourceAccountId === move.sourceAccountId,
      );
      const base = move.baseInCents ?? Number.NaN;
      expect(new Set(together.map((beside) => beside.move.baseInCents))).toEqual(new Set([base]));
      expect(together.reduce((sum, beside) => sum + beside.move.wantedInCents, 0)).toBeLessThanOrEqual(base);
      const exact = (BigInt(base) * BigInt(Math.round(action.percentage * 10_000))) / 1_000_000n;
      expect([exact, exact + 1n]).toContain(BigInt(move.wantedInCents));
      if (action.of === "INCOMING_AMOUNT") expect(base).toBe(Math.max(0, known.incomingAmountInCents ?? 0));
    });
  });

  it("PERCENTAGE: leaving anything but too small shares when 100% of a source is split", () => {
    let splits = 0;
    fc.assert(
      fc.property(splitArbitrary, facts, (percentages, known) => {
        const left = leftAfterSplit(percentages, known);
        if (percentages.reduce((sum, part) => sum + Math.round(part * 10_000), 0) !== 1_000_000) return;
        splits += 1;
        expect(left.inCents).toBe(left.skippedInCents);
      }),
      { numRuns: RUNS, seed: proofSeed },
    );
    expect(splits, "hardly anything was split whole: the proof is empty").toBeGreaterThan(RUNS / 5);
  });

  it("TOP_UP: filling above its amount, filling a debt, failing for lack of money", () => {
    never("TOP_UP", ({ move, action, destination, destinationHoldsInCents }) => {
      if (move.outcome === "MOVE") {
        expect(destination.externalAccountType).not.toBe("LIABILITY");
        expect((destinationHoldsInCents ?? 0) + move.amountInCents).toBeLessThanOrEqual(action.amountInCents);
      }
      expect([null, "ACCOUNT_CLOSED"]).toContain(move.errorCode);
    });
  });

  it("ROUND_DOWN: leaving anything but a multiple unless bounded, or moving a whole multiple", () => {
    never("ROUND_DOWN", ({ move, action, sourceHasInCents }) => {
      expect(move.amountInCents).toBeLessThan(action.amountInCents);
      expect([null, "ACCOUNT_CLOSED"]).toContain(move.errorCode);
      if (move.outcome !== "MOVE" || move.amountInCents < move.wantedInCents) return;
      expect(((sourceHasInCents ?? 0) - move.amountInCents) % action.amountInCents).toBe(0);
    });
  });

  it("REMAINDER: leaving less than it keeps or the floor, and more only under a limit or by less than a transfer", () => {
    never("REMAINDER", ({ move, action, sourceHasInCents, known }) => {
      expect([null, "ACCOUNT_CLOSED"]).toContain(move.errorCode);
      if (move.outcome === "FAILED") return;
      const has = sourceHasInCents ?? 0;
      const floorInCents = known.accounts[move.sourceAccountId]?.floorInCents ?? 0;
      const mustStay = Math.max(action.keepInCents, known.isApprovedByPerson ? 0 : floorInCents);
      if (move.outcome === "SKIPPED") {
        expect(boundBy(move, "LIMIT") || has - mustStay < MINIMUM_TRANSFER_IN_CENTS).toBe(true);
      } else {
        expect(has - move.amountInCents).toBeGreaterThanOrEqual(mustStay);
        expect(has - move.amountInCents === mustStay || boundBy(move, "LIMIT")).toBe(true);
      }
    });
  });

  it("NEXT_PAYMENT_MINIMUM: paying more than the minimum with what was paid of it, or more than the amount owed", () => {
    never("NEXT_PAYMENT_MINIMUM", ({ move, destination, comingInCents, owedInCents }) => {
      if (move.outcome !== "MOVE") return;
      const before = destination.paid?.ofMinimumInCents ?? destination.onItsWayInCents;
      const givenInCents = comingInCents - destination.onItsWayInCents;
      expect(move.amountInCents + before + givenInCents).toBeLessThanOrEqual(
        destination.nextPaymentMinimumInCents ?? 0,
      );
      expect(move.amountInCents).toBeLessThanOrEqual(owedInCents ?? 0);
    });
  });

  it("LAST_STATEMENT_BALANCE: paying more than the statement with what was paid of it, or more than the amount owed", () => {
    never("LAST_STATEMENT_BALANCE", ({ move, destination, comingInCents, owedInCents }) => {
      if (move.outcome !== "MOVE") return;
      const statement = destination.lastStatementBalanceInCents ?? 0;
      const before = destination.paid?.ofStatementInCents ?? destination.onItsWayInCents;
      const givenInCents = comingInCents - destination.onItsWayInCents;
      expect(move.amountInCents + before + givenInCents).toBeLessThanOrEqual(statement);
      expect(move.amountInCents).toBeLessThanOrEqual(owedInCents ?? 0);
    });
  });

  it("TOTAL_AMOUNT_DUE: leaving a debt not fully paid, unless a limit or an empty source held it back; paying more", () => {
    never("TOTAL_AMOUNT_DUE", ({ move, action, owedInCents }) => {
      expect(move.wantedInCents).toBe(owedInCents);
      if (move.outcome !== "MOVE" || move.amountInCents === owedInCents) return;
      expect(move.amountInCents).toBeLessThan(owedInCents ?? 0);
      expect(boundBy(move, "LIMIT") || (action.upTo && isOutOfMoney(move))).toBe(true);
    });
  });

  it("PERCENTAGE_OF_LIABILITY: paying even a cent more than its part of the amount owed", () => {
    never("PERCENTAGE_OF_LIABILITY", ({ move, action, owedInCents }) => {
      const units = BigInt(Math.round(action.percentage * 10_000));
      const part = (BigInt(owedInCents ?? 0) * units) / 1_000_000n;
      expect(BigInt(move.wantedInCents)).toBe(part);
      expect(move.amountInCents).toBeLessThanOrEqual(owedInCents ?? 0);
    });
  });

  it("SNOWBALL: paying a larger debt before a smaller one is paid, a debt twice, more than its budget", () => {
    never("SNOWBALL", (seen) => {
      const debts = debtsOf(seen);
      expectWithinBudget(seen.action.amountInCents, debts);
      expectPaidInOrder(debts, (one, other) => one.owedInCents - other.owedInCents);
    });
  });

  it("AVALANCHE: paying a lower rate before a higher is paid, an unknown rate before a known, more than its budget", () => {
    never("AVALANCHE", (seen) => {
      const debts = debtsOf(seen);
      expectWithinBudget(seen.action.amountInCents, debts);
      expectPaidInOrder(debts, (one, other) => (other.rate ?? -1) - (one.rate ?? -1));
    });
  });

  it.each(ACTION_TYPES.slice(5))("%s: paying more than the amount owed, or anything but a debt", (type) => {
    never(type, ({ move, destination, owedInCents }) => {
      if (move.outcome !== "MOVE") return;
      expect(destination.externalAccountType).toBe("LIABILITY");
      expect(move.amountInCents).toBeLessThanOrEqual(owedInCents ?? 0);
    });
  });
});

/** What a split of an account leaves there if only its money bounds the shares. */
function leftAfterSplit(percentages: readonly number[], known: RuleFacts) {
  const { operating, taxes, profit } = RULE_ACCOUNTS;
  const rule = ruleDefinitionSchema.parse({
    name: "Split",
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: percentages.map((percentage, index) => ({
          type: "PERCENTAGE",
          of: "SOURCE_BALANCE",
          sourceAccountId: operating,
          destinationAccountId: index % 2 === 0 ? taxes : profit,
          group: 0,
          percentage,
        })),
      },
    ],
  });
  const accounts = Object.fromEntries(
    Object.entries(known.accounts).map(([id, account]) => [id, { ...account, isClosed: false }]),
  );
  const { moves } = planOf(rule, { ...known, accounts, isApprovedByPerson: true });
  const sum = (outcome: PlannedMove["outcome"]) =>
    moves.reduce((cents, move) => cents + (move.outcome === outcome ? move.amountInCents : 0), 0);
  const has = Math.max(0, accounts[operating]?.availableInCents ?? 0);
  expect(sum("FAILED")).toBe(0);
  return { inCents: has - sum("MOVE"), skippedInCents: sum("SKIPPED") };
}

interface PaidDebt {
  accountId: string;
  owedInCents: number;
  paidInCents: number;
  rate: number | null;
}

/** The debts of one budget in plan order. */
function debtsOf({ all, move, known }: Pick<Seen<ActionType>, "all" | "move" | "known">): PaidDebt[] {
  return all
    .filter((beside) => beside.move.actionIndex === move.actionIndex)
    .map((beside) => ({
      accountId: beside.move.destinationAccountId,
      owedInCents: beside.owedInCents ?? Number.NaN,
      paidInCents: moved(beside),
      rate: known.accounts[beside.move.destinationAccountId]?.interestRatePercentage ?? null,
    }));
}

function expectWithinBudget(budgetInCents: number, debts: readonly PaidDebt[]): void {
  expect(new Set(debts.map(({ accountId }) => accountId)).size).toBe(debts.length);
  expect(debts.reduce((sum, { paidInCents }) => sum + paidInCents, 0)).toBeLessThanOrEqual(budgetInCents);
}

/** @param before negative if the first comes first */
function expectPaidInOrder(
  debts: readonly PaidDebt[],
  before: (one: PaidDebt, other: PaidDebt) => number,
): void {
  for (const later of debts.filter(({ paidInCents }) => paidInCents > 0)) {
    for (const earlier of debts.filter((debt) => before(debt, later) < 0)) {
      // Amounts below the minimum transfer cannot be paid and block nothing.
      expect(earlier.owedInCents - earlier.paidInCents).toBeLessThan(MINIMUM_TRANSFER_IN_CENTS);
    }
  }
}
