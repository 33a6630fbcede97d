import fc from "fast-check";
import { MAXIMUM_TRANSFER_IN_CENTS, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { RuleConditions } from "@/lib/engine/check-conditions";

/** The accounts that arbitrary rules move money between. */
const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
export const RULE_ACCOUNTS = {
  operating: id(1),
  taxes: id(2),
  profit: id(3),
  income: id(4),
  checking: id(5),
  visa: id(6),
  amex: id(7),
  loan: id(8),
} as const;
const ACCOUNT_IDS = Object.values(RULE_ACCOUNTS);
const DEBT_IDS: readonly string[] = [RULE_ACCOUNTS.visa, RULE_ACCOUNTS.amex, RULE_ACCOUNTS.loan];
const account = fc.constantFrom(...ACCOUNT_IDS);

/** Mostly small ones, where minimum, cents and remainders matter; occasionally the maximum. */
export const centsArbitrary = fc.oneof(
  { weight: 5, arbitrary: fc.nat(5_000) },
  { weight: 5, arbitrary: fc.nat(10_000_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 99, 100, 101, MAXIMUM_TRANSFER_IN_CENTS) },
  { weight: 1, arbitrary: fc.nat(MAXIMUM_TRANSFER_IN_CENTS) },
);
const atLeast = (minimum: number) => centsArbitrary.map((cents) => Math.max(minimum, cents));
/** Occasionally overdrawn; for a debt, overpaid. */
const balance = fc.oneof(
  { weight: 9, arbitrary: centsArbitrary },
  { weight: 1, arbitrary: centsArbitrary.map((cents) => 0 - cents) },
);

/** At most four decimals; `withinTheHundred` handles the rest. */
const percentageUnits = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.constantFrom(333_333, 333_334, 500_000, 250_000, 100_000, 1, 1_000_000),
);
const MAXIMUM_UNITS = 1_000_000;

/** Percentages of one split: at most 100 together, in half of the cases exactly. */
export const splitArbitrary: fc.Arbitrary<number[]> = fc
  .record({
    units: fc.array(fc.integer({ min: 1, max: MAXIMUM_UNITS / 2 }), { minLength: 1, maxLength: 20 }),
    isWhole: fc.boolean(),
  })
  .map(({ units, isWhole }) => {
    const within: number[] = [];
    let left = MAXIMUM_UNITS;
    for (const unit of units) {
      if (unit > left) break;
      within.push(unit);
      left -= unit;
    }
    if (isWhole && left > 0) within.push(left);
    return within.map((unit) => unit / 10_000);
  });

const dateArbitrary = fc
  .integer({ min: 10_957, max: 47_481 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

const LIMIT_IDS = ["rent", "taxes-2027", "constructor", "toString"] as const;
const limitsArbitrary: fc.Arbitrary<RuleDefinition["limits"]> = fc.subarray([...LIMIT_IDS]).chain((ids) =>
  fc.tuple(
    ...ids.map((limitId) =>
      fc.record({
        id: fc.constant<string>(limitId),
        period: fc.constantFrom("TRANSFER", "DAY", "WEEK", "MONTH", "YEAR"),
        amountInCents: atLeast(1),
      }),
    ),
  ),
);

export type ActionType = RuleAction["type"];
export const ACTION_TYPES = [
  "FIXED",
  "PERCENTAGE",
  "TOP_UP",
  "ROUND_DOWN",
  "REMAINDER",
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
  "TOTAL_AMOUNT_DUE",
  "PERCENTAGE_OF_LIABILITY",
  "SNOWBALL",
  "AVALANCHE",
] as const satisfies readonly ActionType[];
const DEBT_TYPES: ReadonlySet<ActionType> = new Set([
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
  "TOTAL_AMOUNT_DUE",
  "PERCENTAGE_OF_LIABILITY",
  "SNOWBALL",
  "AVALANCHE",
]);

/** Everything that an action of any type could need; `toAction` picks what its type has. */
interface Ingredients {
  type: ActionType;
  source: string;
  destinations: string[];
  group: number;
  upTo: boolean;
  limit: number;
  cents: number;
  units: number;
  of: "INCOMING_AMOUNT" | "SOURCE_BALANCE";
}

function ingredients(types: readonly ActionType[]): fc.Arbitrary<Ingredients> {
  return fc
    .record({
      type: fc.constantFrom(...types),
      // Few sources, so that the actions of a rule compete for the same money.
      source: fc.oneof(
        { weight: 3, arbitrary: fc.constant<string>(RULE_ACCOUNTS.operating) },
        { weight: 1, arbitrary: account },
      ),
      // With repetitions: a person may name a debt twice.
      destinations: fc.array(account, { minLength: 1, maxLength: 5 }),
      debts: fc.array(fc.constantFrom(...DEBT_IDS), { minLength: 1, maxLength: 5 }),
      namesDebts: fc.integer({ min: 0, max: 9 }),
      group: fc.nat(3),
      upTo: fc.boolean(),
      limit: fc.nat(7),
      cents: centsArbitrary,
      units: percentageUnits,
      of: fc.constantFrom("INCOMING_AMOUNT", "SOURCE_BALANCE"),
    })
    .map(({ debts, namesDebts, ...rest }) => ({
      ...rest,
      // One in ten does not fit its type: a debt payment to a pod, a top-up of a debt.
      destinations: DEBT_TYPES.has(rest.type) === namesDebts > 0 ? debts : rest.destinations,
    }));
}

function toAction(from: Ingredients, limitIds: readonly string[]): RuleAction {
  const others = from.destinations.filter((destination) => destination !== from.source);
  const spare = from.source === RULE_ACCOUNTS.profit ? RULE_ACCOUNTS.taxes : RULE_ACCOUNTS.profit;
  const shared = {
    sourceAccountId: from.source,
    group: from.group,
    upTo: from.upTo,
    limitId: limitIds[from.limit] ?? null,
    description: null,
  };
  const one = { ...shared, destinationAccountId: others[0] ?? spare };
  const debts = {
    ...shared,
    destinationAccountIds: others.length > 0 ? others : [spare],
    amountInCents: Math.max(MINIMUM_TRANSFER_IN_CENTS, from.cents),
  };
  switch (from.type) {
    case "FIXED":
      return { type: from.type, ...one, amountInCents: Math.max(MINIMUM_TRANSFER_IN_CENTS, from.cents) };
    case "PERCENTAGE":
      return { type: from.type, ...one, percentage: from.units / 10_000, of: from.of };
    case "PERCENTAGE_OF_LIABILITY":
      return { type: from.type, ...one, percentage: from.units / 10_000 };
    case "TOP_UP":
    case "ROUND_DOWN":
      return { type: from.type, ...one, amountInCents: Math.max(1, from.cents) };
    case "REMAINDER":
      return { type: from.type, ...one, keepInCents: from.cents };
    case "SNOWBALL":
    case "AVALANCHE":
      return { type: from.type, ...debts };
    default:
      return { type: from.type, ...one };
  }
}

/** Lets no base be split beyond 100 %, which the contract refuses: a share gets at most what is left. */
function withinTheHundred(actions: readonly RuleAction[]): RuleAction[] {
  const used = new Map<string, number>();
  return actions.flatMap((action): RuleAction[] => {
    if (action.type !== "PERCENTAGE") return [action];
    const key = `${action.group} ${action.sourceAccountId} ${action.of}`;
    const before = used.get(key) ?? 0;
    const units = Math.min(Math.round(action.percentage * 10_000), MAXIMUM_UNITS - before);
    used.set(key, before + units);
    return units === 0 ? [] : [{ ...action, percentage: units / 10_000 }];
  });
}

const operator = fc.constantFrom(
  "EQUAL",
  "NOT_EQUAL",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL",
);
const accountFact = fc.record({
  fact: fc.constantFrom("BALANCE", "AVAILABLE_BALANCE", "NEXT_PAYMENT_MINIMUM", "LAST_STATEMENT_BALANCE"),
  accountId: account,
});
const runFact = fc.record({ fact: fc.constantFrom("INCOMING_AMOUNT", "DAY_OF_MONTH", "DAY_OF_WEEK") });
const numericFact = fc.oneof(accountFact, runFact);
const comparison = fc.oneof(
  fc
    .tuple(numericFact, operator, fc.oneof(balance, fc.integer({ min: 1, max: 31 })))
    .map(([fact, by, value]) => ({ ...fact, operator: by, value })),
  fc
    .tuple(numericFact, operator, numericFact)
    .map(([fact, by, valueFact]) => ({ ...fact, operator: by, valueFact })),
  fc.tuple(operator, dateArbitrary).map(([by, value]) => ({ fact: "DATE" as const, operator: by, value })),
);

function groupOf<Member>(member: fc.Arbitrary<Member>) {
  const members = fc.array(member, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    members.map((all) => ({ all })),
    members.map((any) => ({ any })),
  );
}

export const conditionsArbitrary: fc.Arbitrary<RuleConditions> = groupOf(
  fc.oneof(comparison, groupOf(fc.oneof(comparison, groupOf(comparison)))),
);

interface RuleShape {
  /** Types that every step contains, whatever else it does. */
  holding?: readonly ActionType[];
  /** Types that it may contain additionally. */
  among?: readonly ActionType[];
  /** Of one step, besides those held. */
  maximumActions?: number;
  steps?: { minimum: number; maximum: number };
  /** False: the first step runs for any facts. */
  hasConditions?: boolean;
  hasLimits?: boolean;
}

/** Rules as the contract accepts them: each has passed its schema. */
export function ruleArbitrary({
  holding = [],
  among = ACTION_TYPES,
  maximumActions = 6,
  steps = { minimum: 1, maximum: 1 },
  hasConditions = false,
  hasLimits = true,
}: RuleShape = {}): fc.Arbitrary<RuleDefinition> {
  const held = fc.tuple(...holding.map((type) => ingredients([type])));
  const others = fc.array(ingredients(among), {
    minLength: holding.length > 0 ? 0 : 1,
    maxLength: maximumActions,
  });
  const step = fc.record({
    conditions: hasConditions ? fc.option(conditionsArbitrary, { freq: 4 }) : fc.constant(null),
    held,
    others,
    /** The positions of the required actions among the others. */
    heldAt: fc.nat(maximumActions),
  });
  return fc
    .record({
      accountId: account,
      limits: hasLimits ? limitsArbitrary : fc.constant<RuleDefinition["limits"]>([]),
      steps: fc.array(step, { minLength: steps.minimum, maxLength: steps.maximum }),
    })
    .map((parts) => {
      const limitIds = parts.limits.map((limit) => limit.id);
      return ruleDefinitionSchema.parse({
        name: "Arbitrary",
        trigger: { type: "MANUAL", accountId: parts.accountId },
        limits: parts.limits,
        steps: parts.steps.map(({ conditions, heldAt, ...made }) => {
          const all = made.others.toSpliced(Math.min(heldAt, made.others.length), 0, ...made.held);
          return { conditions, actions: withinTheHundred(all.map((from) => toAction(from, limitIds))) };
        }),
      });
    });
}

/** Absent in facts stored before payments were counted. */
const paidArbitrary = fc.record({
  ofStatementInCents: centsArbitrary,
  ofMinimumInCents: centsArbitrary,
  lastStatementDate: fc.option(dateArbitrary),
  nextPaymentDueDate: fc.option(dateArbitrary),
});

function accountFactsArbitrary(accountId: string, unknownOneIn: number | null): fc.Arbitrary<AccountFacts> {
  const isDebt = DEBT_IDS.includes(accountId);
  const isOutside = isDebt || accountId === RULE_ACCOUNTS.checking;
  const isIncome = accountId === RULE_ACCOUNTS.income;
  const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
    unknownOneIn === null ? value : fc.option(value, { freq: unknownOneIn });
  return fc.record({
    name: fc.constant("An account"),
    type: fc.constant(isOutside ? "EXTERNAL_ACCOUNT" : isIncome ? "INCOME_SOURCE" : "POD"),
    externalAccountType: fc.constant(isDebt ? "LIABILITY" : isOutside ? "DEPOSITORY" : null),
    isClosed: fc.nat(40).map((chance) => chance === 1),
    balanceInCents: maybe(balance),
    availableInCents: maybe(balance),
    floorInCents: fc.option(centsArbitrary, { freq: 3 }),
    onItsWayInCents: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, centsArbitrary),
    nextPaymentMinimumInCents: maybe(balance),
    lastStatementBalanceInCents: maybe(balance),
    interestRatePercentage: fc.option(fc.constantFrom(0, 4.9, 19.99, 24.99, 29.5), { freq: 4 }),
    paid: isDebt ? fc.option(paidArbitrary, { freq: 3, nil: undefined }) : fc.constant(undefined),
  });
}

export interface FactsShape {
  /** One in this many values is unknown; null: everything is known except interest rates. */
  unknownOneIn?: number | null;
}

/** Facts of every account that an arbitrary rule may name, and of every limit. */
export function factsArbitrary({ unknownOneIn = null }: FactsShape = {}): fc.Arbitrary<RuleFacts> {
  return fc.record({
    at: fc.constant("2027-03-14T12:00:00.000Z"),
    date: dateArbitrary,
    incomingAmountInCents: unknownOneIn === null ? balance : fc.option(balance, { freq: unknownOneIn }),
    isApprovedByPerson: fc.boolean(),
    accounts: fc
      .tuple(
        ...ACCOUNT_IDS.map((accountId) =>
          accountFactsArbitrary(accountId, unknownOneIn).map((facts) => ({ accountId, facts })),
        ),
      )
      .map((all) => Object.fromEntries(all.map(({ accountId, facts }) => [accountId, facts]))),
    limitsUsedInCents: fc
      .tuple(...LIMIT_IDS.map(() => fc.oneof(fc.constant(0), centsArbitrary)))
      .map((used) => Object.fromEntries(LIMIT_IDS.map((limitId, index) => [limitId, used[index] ?? 0]))),
  });
}
