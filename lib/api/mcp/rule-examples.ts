import type { z } from "zod";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { ruleInWords } from "@/lib/core/rules/rule-in-words";

interface RuleExample {
  title: string;
  definition: z.input<typeof ruleDefinitionSchema>;
}

const income = "00000000-0000-4000-8000-000000000001";
const operating = "00000000-0000-4000-8000-000000000002";
const taxes = "00000000-0000-4000-8000-000000000003";
const reserve = "00000000-0000-4000-8000-000000000004";
const creditCard = "00000000-0000-4000-8000-000000000005";
const carLoan = "00000000-0000-4000-8000-000000000006";

/** Placeholders: an agent replaces them with ids from listAccounts. */
export const EXAMPLE_ACCOUNTS = [
  { id: income, name: "Client payments", isWhat: "the income source that receives payments" },
  { id: operating, name: "Operating", isWhat: "a pod for spending" },
  { id: taxes, name: "Taxes", isWhat: "a pod for taxes" },
  { id: reserve, name: "Reserve", isWhat: "a pod for a reserve" },
  { id: creditCard, name: "Visa", isWhat: "a connected credit card" },
  { id: carLoan, name: "Car loan", isWhat: "a connected loan" },
] as const;

/** Working rules, from the simplest on; a test checks each against the schema and the activation checks. */
export const RULE_EXAMPLES: readonly RuleExample[] = [
  {
    title: "Set a share of each payment aside for taxes",
    definition: {
      name: "Set aside taxes",
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: income, minimumAmountInCents: 100_000 },
      steps: [
        {
          actions: [
            {
              type: "PERCENTAGE",
              sourceAccountId: income,
              destinationAccountId: taxes,
              group: 0,
              percentage: 27,
              of: "INCOMING_AMOUNT",
            },
          ],
        },
      ],
    },
  },
  {
    title: "Split each payment over several pods, with nothing left over",
    definition: {
      name: "Payday",
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: income },
      steps: [
        {
          actions: [
            {
              type: "PERCENTAGE",
              sourceAccountId: income,
              destinationAccountId: taxes,
              group: 0,
              percentage: 30,
              of: "INCOMING_AMOUNT",
            },
            {
              type: "PERCENTAGE",
              sourceAccountId: income,
              destinationAccountId: reserve,
              group: 0,
              percentage: 10,
              of: "INCOMING_AMOUNT",
            },
            {
              type: "PERCENTAGE",
              sourceAccountId: income,
              destinationAccountId: operating,
              group: 0,
              percentage: 60,
              of: "INCOMING_AMOUNT",
            },
          ],
        },
      ],
    },
  },
  {
    title: "Fill one pod first, then send on what is left: a waterfall of groups, with a monthly limit",
    definition: {
      name: "Reserve first",
      description:
        "The reserve holds $5,000.00 at the start of each month, but takes at most $2,000.00 a month.",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "MONTHLY",
          startAt: "2027-01-01T00:00:00-05:00",
          daysOfMonth: [1],
          time: "09:00",
          timeZone: "America/New_York",
          onNonBankingDay: "NEXT_BANKING_DAY",
        },
      },
      steps: [
        {
          actions: [
            {
              type: "TOP_UP",
              sourceAccountId: operating,
              destinationAccountId: reserve,
              group: 0,
              amountInCents: 500_000,
              limitId: "reserve",
            },
            {
              type: "REMAINDER",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 1,
              keepInCents: 1_000_000,
            },
          ],
        },
      ],
      limits: [{ id: "reserve", period: "MONTH", amountInCents: 200_000 }],
    },
  },
  {
    title: "If and else: pay the whole statement when there is enough, else the minimum",
    definition: {
      name: "Pay the card",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "MONTHLY",
          startAt: "2027-01-01T00:00:00-05:00",
          daysOfMonth: [20],
          timeZone: "America/New_York",
          onNonBankingDay: "PREVIOUS_BANKING_DAY",
        },
      },
      steps: [
        {
          conditions: {
            all: [
              { fact: "LAST_STATEMENT_BALANCE", accountId: creditCard, operator: "GREATER_THAN", value: 0 },
              {
                fact: "AVAILABLE_BALANCE",
                accountId: operating,
                operator: "GREATER_THAN_OR_EQUAL",
                valueFact: { fact: "LAST_STATEMENT_BALANCE", accountId: creditCard },
              },
            ],
          },
          actions: [
            {
              type: "LAST_STATEMENT_BALANCE",
              sourceAccountId: operating,
              destinationAccountId: creditCard,
              group: 0,
            },
          ],
        },
        {
          actions: [
            {
              type: "NEXT_PAYMENT_MINIMUM",
              sourceAccountId: operating,
              destinationAccountId: creditCard,
              group: 0,
              upTo: true,
            },
          ],
        },
      ],
    },
  },
  {
    title: "Pay several debts off, the one with the highest interest rate first",
    definition: {
      name: "Pay off debts",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "TWICE_A_MONTH",
          startAt: "2027-01-01T00:00:00-05:00",
          daysOfMonth: [15, -1],
          timeZone: "America/New_York",
        },
      },
      steps: [
        {
          conditions: {
            any: [
              { fact: "BALANCE", accountId: creditCard, operator: "GREATER_THAN", value: 0 },
              { fact: "BALANCE", accountId: carLoan, operator: "GREATER_THAN", value: 0 },
            ],
          },
          actions: [
            {
              type: "AVALANCHE",
              sourceAccountId: operating,
              destinationAccountIds: [creditCard, carLoan],
              group: 0,
              amountInCents: 80_000,
              upTo: true,
            },
          ],
        },
      ],
    },
  },
  {
    title: "Only on demand: move what exceeds a round amount",
    definition: {
      name: "Sweep",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          actions: [
            {
              type: "ROUND_DOWN",
              sourceAccountId: operating,
              destinationAccountId: reserve,
              group: 0,
              amountInCents: 10_000,
              description: "Sweep",
            },
          ],
        },
      ],
    },
  },
  {
    title: "Every night: sweep what is above a round reserve",
    definition: {
      name: "Nightly sweep",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "DAILY",
          startAt: "2027-01-01T00:00:00-05:00",
          time: "23:00",
          timeZone: "America/New_York",
        },
      },
      steps: [
        {
          actions: [
            {
              type: "REMAINDER",
              sourceAccountId: operating,
              destinationAccountId: reserve,
              group: 0,
              keepInCents: 500_000,
            },
          ],
        },
      ],
    },
  },
  {
    title: "On weekdays by cron: hold a balance, but only while the source has enough",
    definition: {
      name: "Hold the payroll pod",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "CRON",
          startAt: "2027-01-01T00:00:00-05:00",
          cron: "30 8 * * MON-FRI",
          timeZone: "America/New_York",
        },
      },
      steps: [
        {
          conditions: {
            all: [
              { fact: "BALANCE", accountId: operating, operator: "GREATER_THAN", value: 1_000_000 },
              {
                any: [
                  { fact: "DAY_OF_MONTH", operator: "GREATER_THAN_OR_EQUAL", value: 20 },
                  { fact: "BALANCE", accountId: taxes, operator: "LESS_THAN", value: 200_000 },
                ],
              },
            ],
          },
          actions: [
            {
              type: "TOP_UP",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              amountInCents: 300_000,
            },
          ],
        },
      ],
    },
  },
  {
    title: "Pay the whole card every week",
    definition: {
      name: "Card to zero",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "WEEKLY",
          startAt: "2027-01-01T00:00:00-05:00",
          dayOfWeek: 5,
          timeZone: "America/New_York",
          onNonBankingDay: "PREVIOUS_BANKING_DAY",
        },
      },
      steps: [
        {
          actions: [
            {
              type: "TOTAL_AMOUNT_DUE",
              sourceAccountId: operating,
              destinationAccountId: creditCard,
              group: 0,
              upTo: true,
            },
          ],
        },
      ],
    },
  },
  {
    title: "Once: a fixed amount on a day",
    definition: {
      name: "Deposit for the lease",
      description: "Sets the deposit aside on the day before it is due.",
      trigger: {
        type: "SCHEDULED",
        accountId: operating,
        schedule: {
          frequency: "ONE_TIME",
          startAt: "2027-03-01T09:00:00-05:00",
          timeZone: "America/New_York",
        },
      },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: operating,
              destinationAccountId: reserve,
              group: 0,
              amountInCents: 250_000,
              description: "LEASE",
            },
          ],
        },
      ],
    },
  },
];

/** Every example in words, and as `createRule` takes it. */
export function ruleExamplesText(): string {
  const accounts = EXAMPLE_ACCOUNTS.map(({ id, name, isWhat }) => `- \`${id}\` is ${name}, ${isWhat}.`);
  return [
    "# Working rules",
    "Replace these with ids from `listAccounts`, ask the person for amounts and shares, and choose a future `startAt`.",
    accounts.join("\n"),
    ...RULE_EXAMPLES.map(exampleText),
    "",
  ].join("\n\n");
}

function exampleText({ title, definition }: RuleExample): string {
  return [
    `## ${title}`,
    ruleInWords(ruleDefinitionSchema.parse(definition), nameOf),
    `\`\`\`json\n${JSON.stringify(definition, null, 2)}\n\`\`\``,
  ].join("\n\n");
}

const nameOf = (accountId: string) => EXAMPLE_ACCOUNTS.find(({ id }) => id === accountId)?.name ?? accountId;
