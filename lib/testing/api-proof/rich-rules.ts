import type { Ids } from "@/lib/testing/api-proof/organization-with-everything";

type RuleInput = Record<string, unknown>;

/** Between them, every kind of trigger, condition and action. */
export function richRules(ids: Ids): [RuleInput, RuleInput, RuleInput] {
  const from = { sourceAccountId: ids.operating, group: 0 };
  const route = { ...from, destinationAccountId: ids.taxes };
  return [
    {
      name: "Payday",
      description: "Splits what comes in",
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: ids.operating, minimumAmountInCents: 100 },
      steps: [
        {
          conditions: {
            all: [
              { fact: "BALANCE", accountId: ids.operating, operator: "GREATER_THAN", value: 50_000 },
              {
                any: [
                  { fact: "DAY_OF_MONTH", operator: "LESS_THAN_OR_EQUAL", value: 20 },
                  { all: [{ fact: "DATE", operator: "EQUAL", value: "2026-01-31" }] },
                ],
              },
              {
                fact: "AVAILABLE_BALANCE",
                accountId: ids.operating,
                operator: "LESS_THAN",
                valueFact: { fact: "INCOMING_AMOUNT" },
              },
            ],
          },
          actions: [
            {
              ...route,
              type: "PERCENTAGE",
              percentage: 33.3333,
              of: "SOURCE_BALANCE",
              upTo: true,
              limitId: "rent",
              description: "Rent",
            },
            { ...route, type: "FIXED", amountInCents: 5_000 },
          ],
        },
      ],
      limits: [{ id: "rent", period: "MONTH", amountInCents: 100_000 }],
    },
    {
      name: "Every Monday",
      description: null,
      trigger: {
        type: "SCHEDULED",
        accountId: ids.operating,
        schedule: {
          frequency: "WEEKLY",
          startAt: "2026-01-20T09:00:00Z",
          dayOfWeek: 1,
          time: "09:00",
          timeZone: "America/New_York",
          onNonBankingDay: "SAME_DAY",
        },
      },
      steps: [
        { conditions: null, actions: [{ ...route, type: "TOP_UP", amountInCents: 1 }] },
        {
          actions: [
            { ...route, type: "ROUND_DOWN", amountInCents: 100 },
            { ...route, type: "REMAINDER", keepInCents: 0 },
            { ...route, type: "NEXT_PAYMENT_MINIMUM" },
            { ...route, type: "LAST_STATEMENT_BALANCE" },
            { ...route, type: "TOTAL_AMOUNT_DUE" },
            { ...route, type: "PERCENTAGE_OF_LIABILITY", percentage: 50 },
            { ...from, type: "SNOWBALL", destinationAccountIds: [ids.taxes], amountInCents: 100 },
            { ...from, type: "AVALANCHE", destinationAccountIds: [ids.taxes], amountInCents: 100 },
          ],
        },
      ],
    },
    {
      name: "Twice a month",
      trigger: {
        type: "SCHEDULED",
        accountId: ids.operating,
        schedule: {
          frequency: "TWICE_A_MONTH",
          startAt: "2026-01-20T09:00:00Z",
          daysOfMonth: [15, -1],
          timeZone: "UTC",
        },
      },
      steps: [{ actions: [{ ...route, type: "FIXED", amountInCents: 100 }] }],
    },
  ];
}
