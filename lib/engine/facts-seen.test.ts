import { describe, expect, it } from "vitest";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { evaluate } from "@/lib/engine/evaluate";
import { factsSeen } from "@/lib/engine/facts-seen";
import { newId } from "@/lib/platform/ids";
import { TestClock } from "@/lib/testing/services";

const id = () => newId(new TestClock().now());
const [operating, taxes, payroll, visa, unseen] = [id(), id(), id(), id(), id()];

const account = (over: Partial<AccountFacts> = {}): AccountFacts => ({
  name: "Pod",
  type: "POD",
  externalAccountType: null,
  isClosed: false,
  balanceInCents: 500_000,
  availableInCents: 500_000,
  floorInCents: null,
  onItsWayInCents: 0,
  nextPaymentMinimumInCents: null,
  lastStatementBalanceInCents: null,
  interestRatePercentage: null,
  ...over,
});

const rule = ruleDefinitionSchema.parse({
  name: "Bills",
  trigger: { type: "MANUAL", accountId: operating },
  steps: [
    {
      conditions: {
        any: [
          { fact: "BALANCE", accountId: payroll, operator: "GREATER_THAN", value: 1_000_000 },
          { fact: "DAY_OF_MONTH", operator: "EQUAL", value: 15 },
          { fact: "BALANCE", accountId: unseen, operator: "GREATER_THAN", value: 0 },
        ],
      },
      actions: [
        {
          type: "FIXED",
          sourceAccountId: operating,
          destinationAccountId: taxes,
          group: 0,
          amountInCents: 10_000,
        },
        { type: "NEXT_PAYMENT_MINIMUM", sourceAccountId: operating, destinationAccountId: visa, group: 1 },
      ],
    },
  ],
});

const facts: RuleFacts = {
  at: "2026-01-15T12:00:00.000Z",
  date: "2026-01-15",
  incomingAmountInCents: 500_000,
  isApprovedByPerson: false,
  limitsUsedInCents: {},
  accounts: {
    [operating]: account(),
    [taxes]: account(),
    [payroll]: account(),
    [unseen]: account(),
    [visa]: account({
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
      nextPaymentMinimumInCents: 3_500,
    }),
  },
};

describe("the facts that a plan used", () => {
  it("are those of its comparisons and amounts, without those not needed for the result", () => {
    const evaluation = evaluate(rule, facts);
    if (evaluation.kind !== "PLANNED") throw new Error("Everything is known");
    expect(factsSeen(rule, evaluation.plan)).toEqual({
      incomingAmount: false,
      days: ["DAY_OF_MONTH"],
      accounts: [
        { accountId: payroll, facts: ["BALANCE"] },
        { accountId: operating, facts: ["BALANCE", "AVAILABLE_BALANCE"] },
        { accountId: visa, facts: ["BALANCE", "NEXT_PAYMENT_MINIMUM"] },
      ],
    });
  });

  it("are sufficient: without all others, the plan is the same", () => {
    const evaluation = evaluate(rule, facts);
    if (evaluation.kind !== "PLANNED") throw new Error("Everything is known");
    const seen = new Set(factsSeen(rule, evaluation.plan).accounts.map(({ accountId }) => accountId));
    const blurred = Object.fromEntries(
      Object.entries(facts.accounts).map(([accountId, known]) => [
        accountId,
        seen.has(accountId) ? known : { ...known, balanceInCents: null, availableInCents: null },
      ]),
    );
    expect(evaluate(rule, { ...facts, accounts: blurred })).toEqual(evaluation);
  });
});
