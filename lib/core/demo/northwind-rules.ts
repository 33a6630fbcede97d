import type { z } from "zod";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { ruleScheduleSchema } from "@/lib/contract/rules/trigger";
import { ACCOUNTS, type AccountName, ORGANIZATION } from "@/lib/core/demo/northwind";

/** The demo organization's rules. `draft-rules.ts` has when they were written and activated, and what they moved. */
export const RULE_NAMES = [
  "Split client payments",
  "Keep Payroll funded",
  "Send quarterly tax",
  "Friday owner’s pay",
  "Card payoff",
  "Year-end sweep",
] as const;
export type RuleName = (typeof RULE_NAMES)[number];

export type AccountIds = Record<AccountName, string>;
/** A rule version, once its accounts are open. */
export type DefineRule = (accountIds: AccountIds) => RuleDefinition;

type DefinitionInput = z.input<typeof ruleDefinitionSchema>;
type ActionInput = DefinitionInput["steps"][number]["actions"][number];
export type ScheduleInput = z.input<typeof ruleScheduleSchema>;

interface Share {
  to: AccountName;
  percent: number;
}

/** Each pod's share of a payment in the active version: the whole payment, in one group. */
export const SPLIT_SHARES: readonly Share[] = [
  { to: "Taxes", percent: 25 },
  { to: "Payroll", percent: 30 },
  { to: "Profit", percent: 10 },
  { to: "Owner’s pay", percent: 15 },
  { to: "Operating", percent: 20 },
];
/** Smaller payments need approval. */
const SPLIT_MINIMUM_IN_CENTS = 500_000;
export const OWNERS_PAY_IN_CENTS = 62_000;
/** Also Payroll's closing balance: it has just been filled. */
export const PAYROLL_TARGET_IN_CENTS = ACCOUNTS.Payroll.balanceInCents;
const QUARTERLY_TAX_IN_CENTS = 1_200_000;
const PAYROLL_LIMIT = { id: "payroll", period: "MONTH", amountInCents: 600_000 } as const;

const { timeZone } = ORGANIZATION;
export const FRIDAYS = { frequency: "WEEKLY", dayOfWeek: 5, time: "17:00", timeZone } as const;

export const FIRST_SPLIT = splitOf(
  [
    { to: "Taxes", percent: 25 },
    { to: "Operating", percent: 75 },
  ],
  null,
);
export const SECOND_SPLIT = splitOf(
  [
    { to: "Taxes", percent: 25 },
    { to: "Payroll", percent: 30 },
    { to: "Profit", percent: 10 },
    { to: "Operating", percent: 35 },
  ],
  null,
);
export const THIRD_SPLIT = splitOf(SPLIT_SHARES, SPLIT_MINIMUM_IN_CENTS);

/** Waits for activation. */
export const FOURTH_SPLIT: DefineRule = (ids) => {
  const act = actsFrom(ids, "Client payments");
  const atLeast = (value: number) => ({
    all: [{ fact: "INCOMING_AMOUNT" as const, operator: "GREATER_THAN_OR_EQUAL" as const, value }],
  });
  return ruleDefinitionSchema.parse({
    ...splitHead(ids, null),
    limits: [PAYROLL_LIMIT],
    steps: [
      {
        conditions: atLeast(100_000),
        actions: [
          act.share(27, "Taxes"),
          { ...act.share(30, "Payroll"), limitId: PAYROLL_LIMIT.id },
          act.share(10, "Profit"),
          act.fill("Owner’s pay", 200_000, 1),
          act.rest("Operating", 2),
        ],
      },
      { conditions: atLeast(10_000), actions: [act.share(27, "Taxes"), act.rest("Operating", 1)] },
    ],
  } satisfies DefinitionInput);
};

export const KEEP_PAYROLL_FUNDED: DefineRule = (ids) =>
  ruleDefinitionSchema.parse({
    name: "Keep Payroll funded",
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: ids.Operating },
    steps: [{ actions: [actsFrom(ids, "Operating").fill("Payroll", PAYROLL_TARGET_IN_CENTS, 0)] }],
  } satisfies DefinitionInput);

export const SEND_QUARTERLY_TAX: DefineRule = (ids) =>
  ruleDefinitionSchema.parse({
    name: "Send quarterly tax",
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: ids.Taxes },
    steps: [
      {
        conditions: {
          all: [
            {
              fact: "BALANCE",
              accountId: ids.Taxes,
              operator: "GREATER_THAN_OR_EQUAL",
              value: QUARTERLY_TAX_IN_CENTS,
            },
          ],
        },
        actions: [
          {
            type: "FIXED",
            sourceAccountId: ids.Taxes,
            destinationAccountId: ids["First Harbor Checking"],
            amountInCents: QUARTERLY_TAX_IN_CENTS,
            group: 0,
            description: "EST TAX",
          },
        ],
      },
    ],
  } satisfies DefinitionInput);

/** @param startAt from when Fridays count */
export function fridayOwnersPay(startAt: Date): DefineRule {
  return scheduled(
    "Friday owner’s pay",
    { ...FRIDAYS, startAt: startAt.toISOString() },
    "Owner’s pay",
    (route) => ({ ...route, type: "FIXED", amountInCents: OWNERS_PAY_IN_CENTS }),
  );
}

/** @param startAt the first statement paid is due on or after this day */
export function cardPayoff(startAt: Date): DefineRule {
  const schedule: ScheduleInput = {
    frequency: "MONTHLY",
    daysOfMonth: [25],
    timeZone,
    startAt: startAt.toISOString(),
  };
  return scheduled("Card payoff", schedule, "Summit Visa", (route) => ({
    ...route,
    type: "LAST_STATEMENT_BALANCE",
  }));
}

/** @param startAt in the morning of 31 December */
export function yearEndSweep(startAt: Date): DefineRule {
  const keepInCents = ACCOUNTS.Operating.floorInCents;
  return scheduled(
    "Year-end sweep",
    { frequency: "ONE_TIME", time: "17:00", timeZone, startAt: startAt.toISOString() },
    "Profit",
    (route) => ({ ...route, type: "REMAINDER", keepInCents }),
  );
}

type Route = Pick<ActionInput, "sourceAccountId" | "group"> & { destinationAccountId: string };

/** A scheduled rule with one action from Operating. */
function scheduled(
  name: RuleName,
  schedule: ScheduleInput,
  to: AccountName,
  act: (route: Route) => ActionInput,
): DefineRule {
  return (ids) =>
    ruleDefinitionSchema.parse({
      name,
      trigger: { type: "SCHEDULED", accountId: ids.Operating, schedule },
      steps: [
        { actions: [act({ sourceAccountId: ids.Operating, destinationAccountId: ids[to], group: 0 })] },
      ],
    } satisfies DefinitionInput);
}

function splitOf(shares: readonly Share[], minimumAmountInCents: number | null): DefineRule {
  return (ids) => {
    const act = actsFrom(ids, "Client payments");
    return ruleDefinitionSchema.parse({
      ...splitHead(ids, minimumAmountInCents),
      steps: [{ actions: shares.map(({ to, percent }) => act.share(percent, to)) }],
    } satisfies DefinitionInput);
  };
}

function splitHead(ids: AccountIds, minimumAmountInCents: number | null) {
  return {
    name: "Split client payments" satisfies RuleName,
    trigger: {
      type: "ON_FUNDS_TRANSFERRED" as const,
      accountId: ids["Client payments"],
      minimumAmountInCents,
    },
  };
}

/** Actions from one account. */
function actsFrom(ids: AccountIds, from: AccountName) {
  const sourceAccountId = ids[from];
  return {
    share: (percentage: number, to: AccountName) => ({
      type: "PERCENTAGE" as const,
      of: "INCOMING_AMOUNT" as const,
      percentage,
      sourceAccountId,
      destinationAccountId: ids[to],
      group: 0,
    }),
    fill: (to: AccountName, amountInCents: number, group: number) => ({
      type: "TOP_UP" as const,
      amountInCents,
      sourceAccountId,
      destinationAccountId: ids[to],
      group,
    }),
    rest: (to: AccountName, group: number) => ({
      type: "REMAINDER" as const,
      sourceAccountId,
      destinationAccountId: ids[to],
      group,
    }),
  };
}
