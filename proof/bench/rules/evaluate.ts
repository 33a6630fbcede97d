import { Engine, type TopLevelCondition } from "json-rules-engine";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";
import { evaluate } from "@/lib/engine/evaluate";

export interface EvaluationRates {
  /** Conditions, amounts and trace of the five actions. */
  sluicePerSecond: number;
  /** The same conditions alone. */
  jsonRulesEnginePerSecond: number;
  ratio: number;
  /** One a round, in the order of the rounds. */
  rounds: { sluicePerSecond: number; jsonRulesEnginePerSecond: number }[];
}

const FACTS = 1_000;
const WARM_UP_SECONDS = 0.5;

/**
 * Evaluations per second of a rule of five actions, beside `json-rules-engine` on the same conditions and facts,
 * alternating in one process. Both are built once and only evaluate; each result is the median of its rounds.
 * @throws Error if the two disagree on whether the conditions hold
 */
export async function measureEvaluations(options: {
  seconds: number;
  rounds: number;
}): Promise<EvaluationRates> {
  const rule = paydayRule();
  const conditions = rule.steps[0]?.conditions;
  if (!conditions) throw new Error("The example has no conditions");
  const facts = manyFacts(FACTS);
  const engine = otherEngine(conditions);
  const flat = facts.map(otherFacts);

  const sluice = (index: number) => isRunBy(evaluate(rule, at(facts, index)));
  const other = async (index: number) => (await engine.run(at(flat, index))).events.length > 0;
  await expectAgreement(sluice, other);

  const rounds: EvaluationRates["rounds"] = [];
  repeat(sluice, WARM_UP_SECONDS);
  await repeatInTurn(other, WARM_UP_SECONDS);
  for (let round = 0; round < options.rounds; round++) {
    // Interleaved, so that anything that slows the machine down affects both.
    rounds.push({
      sluicePerSecond: repeat(sluice, options.seconds),
      jsonRulesEnginePerSecond: await repeatInTurn(other, options.seconds),
    });
  }
  const sluicePerSecond = median(rounds.map((round) => round.sluicePerSecond));
  const jsonRulesEnginePerSecond = median(rounds.map((round) => round.jsonRulesEnginePerSecond));
  return {
    sluicePerSecond,
    jsonRulesEnginePerSecond,
    ratio: sluicePerSecond / jsonRulesEnginePerSecond,
    rounds,
  };
}

function isRunBy(evaluation: ReturnType<typeof evaluate>): boolean {
  return evaluation.kind === "PLANNED" && evaluation.plan.stepIndexMatched !== null;
}

/** The two must answer the same question, and the answers must vary, or the comparison says little. */
async function expectAgreement(
  sluice: (index: number) => boolean,
  other: (index: number) => Promise<boolean>,
): Promise<void> {
  let held = 0;
  for (let index = 0; index < FACTS; index++) {
    const holds = sluice(index);
    if (holds !== (await other(index))) throw new Error(`The engines do not agree on facts ${index}`);
    if (holds) held += 1;
  }
  if (held < FACTS / 5 || held > (FACTS * 4) / 5)
    throw new Error(`The conditions held ${held} times of ${FACTS}`);
}

/** Evaluations between two reads of the clock. */
const BATCH = 100;

/** @returns evaluations per second */
function repeat(run: (index: number) => boolean, seconds: number): number {
  const startedAt = performance.now();
  let count = 0;
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1_000) {
    for (let index = 0; index < BATCH; index++) run(count + index);
    count += BATCH;
    elapsedMs = performance.now() - startedAt;
  }
  return (count / elapsedMs) * 1_000;
}

/** The same for an asynchronous one. @returns evaluations per second */
async function repeatInTurn(run: (index: number) => Promise<boolean>, seconds: number): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1_000) {
    for (let index = 0; index < BATCH; index++) await run(count + index);
    count += BATCH;
    elapsedMs = performance.now() - startedAt;
  }
  return (count / elapsedMs) * 1_000;
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("There is nothing to evaluate");
  return item;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const OPERATING = id(1);
const RENT = id(2);
const TAXES = id(3);
const PROFIT = id(4);
const OWNERS = id(5);
const SAVINGS = id(6);

/** Payday: five actions, and conditions of six comparisons in three levels, as a person would write them. */
function paydayRule(): RuleDefinition {
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

/** Facts of many different days, so that neither side is measured on facts it has seen before. */
function manyFacts(count: number): RuleFacts[] {
  return Array.from({ length: count }, (_, index) => factsOf(index));
}

const DAY_MS = 86_400_000;

/** Amounts from a fixed sequence: every run of the benchmark measures the same. */
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

type OtherComparison = { fact: string; operator: string; value: unknown };
type OtherNode = { all: OtherNode[] } | { any: OtherNode[] } | OtherComparison;
type Node = RuleConditions | Extract<RuleConditions, { all: unknown }>["all"][number];

/** `json-rules-engine` with one rule of these conditions, made once, as its documentation advises. */
function otherEngine(conditions: RuleConditions): Engine {
  return new Engine([{ conditions: toOtherGroup(conditions), event: { type: "holds" } }]);
}

function toOtherGroup(conditions: RuleConditions): TopLevelCondition {
  return "all" in conditions
    ? { all: conditions.all.map((member) => toOther(member)) }
    : { any: conditions.any.map((member) => toOther(member)) };
}

function toOther(node: Node): OtherNode {
  if ("all" in node) return { all: node.all.map((member: Node) => toOther(member)) };
  if ("any" in node) return { any: node.any.map((member: Node) => toOther(member)) };
  const value = "value" in node ? node.value : { fact: nameOf(node.valueFact) };
  return { fact: nameOf(node), operator: OPERATORS[node.operator], value };
}

const OPERATORS: Record<RuleComparison["operator"], string> = {
  EQUAL: "equal",
  NOT_EQUAL: "notEqual",
  GREATER_THAN: "greaterThan",
  GREATER_THAN_OR_EQUAL: "greaterThanInclusive",
  LESS_THAN: "lessThan",
  LESS_THAN_OR_EQUAL: "lessThanInclusive",
};

function nameOf(reference: { fact: string; accountId?: string }): string {
  return reference.accountId === undefined ? reference.fact : `${reference.fact} ${reference.accountId}`;
}

/** The same facts in the form that it reads fastest: flat and constant, with the day of week and month precomputed. */
function otherFacts(facts: RuleFacts): Record<string, number | null> {
  const flat: Record<string, number | null> = {
    INCOMING_AMOUNT: facts.incomingAmountInCents,
    DAY_OF_MONTH: Number(facts.date.slice(8)),
    DAY_OF_WEEK: new Date(facts.date).getUTCDay() || 7,
  };
  for (const [accountId, account] of Object.entries(facts.accounts)) {
    flat[`BALANCE ${accountId}`] = account.balanceInCents;
    flat[`AVAILABLE_BALANCE ${accountId}`] = account.availableInCents;
  }
  return flat;
}
