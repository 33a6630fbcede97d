import type { RuleAction } from "@/lib/contract/rules/action";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";

/** Accounts and rules for tests of words and drawings. */
const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

export const ACCOUNT = {
  client: id(1),
  taxes: id(2),
  payroll: id(3),
  profit: id(4),
  owner: id(5),
  operating: id(6),
  visa: id(7),
  loan: id(8),
  gone: id(9),
} as const;

const pod = (name: string) => ({ name, kind: "POD" as const, isClosed: false });

export const NAMES: AccountNames = {
  [ACCOUNT.client]: { name: "Client payments", kind: "INCOME_SOURCE", isClosed: false },
  [ACCOUNT.taxes]: pod("Taxes"),
  [ACCOUNT.payroll]: pod("Payroll"),
  [ACCOUNT.profit]: pod("Profit"),
  [ACCOUNT.owner]: pod("Owner’s pay"),
  [ACCOUNT.operating]: pod("Operating"),
  [ACCOUNT.visa]: { name: "Summit Visa", kind: "LIABILITY", isClosed: false },
  [ACCOUNT.loan]: { name: "Car loan", kind: "LIABILITY", isClosed: false },
};

type ActionInput = Partial<Record<"upTo" | "limitId" | "group", unknown>> & {
  type: RuleAction["type"];
} & Record<string, unknown>;

/** An action from the client's account unless another is named, in the first group. */
export function act(input: ActionInput): unknown {
  return { sourceAccountId: ACCOUNT.client, group: 0, ...input };
}

const ARRIVAL = { type: "ON_FUNDS_TRANSFERRED", accountId: ACCOUNT.client };

/** A rule as a caller would write it, parsed by the schema. */
export function ruleOf(input: { trigger?: unknown; steps: unknown[]; limits?: unknown[] }): RuleDefinition {
  return ruleDefinitionSchema.parse({ name: "Example", trigger: ARRIVAL, ...input });
}

export function scheduled(schedule: Record<string, unknown>): unknown {
  return {
    type: "SCHEDULED",
    accountId: ACCOUNT.operating,
    schedule: { startAt: "2026-08-03T12:00:00Z", timeZone: "America/New_York", ...schedule },
  };
}

/** The rule of the designed page: shares, a limit, a top-up, the remainder; another step for small deposits. */
export const SPLIT_RULE = ruleOf({
  limits: [{ id: "payroll", period: "MONTH", amountInCents: 600_000 }],
  steps: [
    {
      conditions: {
        all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 100_000 }],
      },
      actions: [
        share(27, ACCOUNT.taxes),
        act({ ...shareInput(30, ACCOUNT.payroll), limitId: "payroll" }),
        share(10, ACCOUNT.profit),
        act({ type: "TOP_UP", destinationAccountId: ACCOUNT.owner, amountInCents: 200_000, group: 1 }),
        act({ type: "REMAINDER", destinationAccountId: ACCOUNT.operating, group: 2 }),
      ],
    },
    {
      conditions: {
        all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 10_000 }],
      },
      actions: [
        share(27, ACCOUNT.taxes),
        act({ type: "REMAINDER", destinationAccountId: ACCOUNT.operating, group: 1 }),
      ],
    },
  ],
});

export function shareInput(percentage: number, destinationAccountId: string) {
  return { type: "PERCENTAGE" as const, of: "INCOMING_AMOUNT", percentage, destinationAccountId };
}

export function share(percentage: number, destinationAccountId: string): unknown {
  return act(shareInput(percentage, destinationAccountId));
}
