import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const OPERATING = id(1);
const RENT = id(2);
const TAXES = id(3);
const PROFIT = id(4);
const OWNERS = id(5);
const SAVINGS = id(6);

/** Payday: five actions, and conditions of six comparisons in three levels, as a person would write them. */
export function paydayRule(): RuleDefinition {
  const share = (destinationAccountId: string, percentage: number) => ({
    type: "PERCENTAGE",
    of: "SOURCE_BALANCE",
    sourceAccountId: OPERATING,
    destinationAccountId,
    percentage,
    group: 1,
  });
  return ruleDefinitionSchema.parse({
    name: "Payday",
    trigger: { type: "MANUAL", accountId: OPERATING },
    limits: [{ id: "rent", period: "MONTH", amountInCents: 300_000 }],
    steps: [
      {
        conditions: {
          all: [
            { fact: "BALANCE", accountId: OPERATING, operator: "GREATER_THAN", value: 50_000 },
            { fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 10_000 },
            {
              any: [
                { fact: "DAY_OF_MONTH", operator: "LESS_THAN_OR_EQUAL", value: 20 },
                {
                  all: [
                    { fact: "DAY_OF_WEEK", operator: "EQUAL", value: 5 },
                    {
                      fact: "AVAILABLE_BALANCE",
                      accountId: OPERATING,
                      operator: "GREATER_THAN",
                      valueFact: { fact: "BALANCE", accountId: RENT },
                    },
                  ],
                },
              ],
            },
            { fact: "BALANCE", accountId: RENT, operator: "LESS_THAN", value: 400_000 },
          ],
        },
        actions: [
          {
            type: "TOP_UP",
            sourceAccountId: OPERATING,
            destinationAccountId: RENT,
            amountInCents: 250_000,
            group: 0,
            limitId: "rent",
          },
          share(TAXES, 27.5),
          share(PROFIT, 12.5),
          share(OWNERS, 33.3333),
          {
            type: "REMAINDER",
            sourceAccountId: OPERATING,
            destinationAccountId: SAVINGS,
            keepInCents: 100_000,
            group: 2,
          },
        ],
      },
    ],
  });
}

/** Facts of many different days, so that neither side is measured on one that it has seen before. */
export function manyFacts(count: number): RuleFacts[] {
  return Array.from({ length: count }, (_, index) => factsOf(index));
}

const DAY_MS = 86_400_000;

/** Amounts by a fixed walk: every run of the benchmark measures the same. */
function factsOf(index: number): RuleFacts {
  const operating = (index * 7_919_333) % 2_000_000;
  const rent = (index * 104_729) % 500_000;
  const at = new Date(Date.parse("2027-01-01T12:00:00Z") + index * DAY_MS).toISOString();
  return {
    at,
    date: at.slice(0, 10),
    incomingAmountInCents: (index * 15_485_863) % 900_000,
    isApprovedByPerson: false,
    accounts: {
      [OPERATING]: { ...account("Operating", operating), floorInCents: 50_000 },
      [RENT]: account("Rent", rent),
      [TAXES]: account("Taxes", 120_000),
      [PROFIT]: account("Profit", 80_000),
      [OWNERS]: account("Owner's pay", 0),
      [SAVINGS]: account("Savings", 1_000_000),
    },
    limitsUsedInCents: { rent: (index * 31_337) % 350_000 },
  };
}

function account(name: string, cents: number): AccountFacts {
  return {
    name,
    type: "POD",
    externalAccountType: null,
    isClosed: false,
    balanceInCents: cents,
    availableInCents: cents,
    floorInCents: null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: null,
    lastStatementBalanceInCents: null,
    interestRatePercentage: null,
  };
}
