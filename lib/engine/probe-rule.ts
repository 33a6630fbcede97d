import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { Shortfall } from "@/lib/contract/rules/activation-check";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountsOf, conditionAccounts } from "@/lib/engine/accounts-of";
import { atOnce } from "@/lib/engine/at-once";
import { checkConditions } from "@/lib/engine/check-conditions";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { evaluate } from "@/lib/engine/evaluate";
import { type Case, casesOf } from "@/lib/engine/probe-cases";

export interface Probe {
  /** Steps that run in no case; empty if there are too many cases to try all. */
  stepsNeverRun: number[];
  /** Actions of the other steps that move nothing in any case. */
  actionsNeverMove: { stepIndex: number; actionIndex: number }[];
  /** The first one found, or null. */
  shortfall: Shortfall | null;
}

type ProbedAccount = Pick<
  AccountFacts,
  "type" | "externalAccountType" | "floorInCents" | "interestRatePercentage"
>;

/** A missing account counts as a pod. */
interface NamedAccount {
  id: string;
  account: ProbedAccount | undefined;
  isSource: boolean;
}

interface ProbedRule extends Pick<RuleDefinition, "trigger" | "steps" | "limits"> {
  /** Types and floors of the named accounts. */
  accounts: NamedAccount[];
}

/** The number of condition cases tried with money per step. */
const CASES_OF_A_STEP = 24;
/** Balances to try, besides the incoming amount: nothing, something, plenty. */
const BESIDE = [0, 77_777, 50_000_012_345];
const PLAIN = { giving: 100_000, taking: 100_000 };
const ELSEWHERE = [
  PLAIN,
  { giving: 0, taking: 0 },
  { giving: 50_000_000_000, taking: 0 },
  { giving: 50_000_000_000, taking: 50_000_000_000 },
];
const EXAMPLE_AMOUNTS = [100_000, 10_000, MINIMUM_TRANSFER_IN_CENTS, 50_000_000_000];
const MAXIMUM_AMOUNTS = 24;
const MAXIMUM_EVALUATIONS = 1_500;
/**
 * Comparisons, accounts and transfers in all evaluations together: the processor time that a rule may take, counted
 * instead of measured, so that a page and the activation that follows get the same answer.
 */
const MAXIMUM_WORK = 60_000;
const MINIMUM_EVALUATIONS_OF_A_STEP = 4;
/** By their inputs, oldest first. */
const latest = new Map<string, Probe>();
const MAXIMUM_KEPT = 32;

type Subject = Pick<RuleDefinition, "trigger" | "steps" | "limits">;

/**
 * Runs the evaluator on a rule's corner cases: amounts and days around every bound, with empty, small and large balances.
 * Current balances are not used, so that the answer stays true. Pure; caches the latest answers, because a page, its
 * editor and an activation ask the same within seconds.
 * @param accounts types and floors; a missing one counts as a pod
 * @param today earlier days are ignored
 */
export function probeRule(
  subject: Subject,
  accounts: Readonly<Record<string, AccountFacts>>,
  today: string,
): Probe {
  return atOnce(probing(subject, accounts, today));
}

/** As `probeRule`; may be interrupted wherever it yields. Its work is bounded, whatever the rule. */
export function* probing(
  subject: Subject,
  accounts: Readonly<Record<string, AccountFacts>>,
  today: string,
): Generator<void, Probe> {
  const rule = probedRule(subject, accounts);
  const key = keyOf(rule, today);
  const kept = latest.get(key);
  if (kept) return kept;
  const probe = yield* tryCorners(rule, today);
  const [oldest] = latest.keys();
  if (latest.size >= MAXIMUM_KEPT && oldest !== undefined) latest.delete(oldest);
  latest.set(key, probe);
  return probe;
}

/** Identifies everything that a probe depends on. */
export function probeKey(
  subject: Subject,
  accounts: Readonly<Record<string, AccountFacts>>,
  today: string,
): string {
  return keyOf(probedRule(subject, accounts), today);
}

function keyOf(rule: ProbedRule, today: string): string {
  return JSON.stringify([rule, today]);
}

function probedRule(
  { trigger, steps, limits }: Subject,
  accounts: Readonly<Record<string, AccountFacts>>,
): ProbedRule {
  const sources = new Set(steps.flatMap(({ actions }) => actions.map((action) => action.sourceAccountId)));
  const named = accountsOf({ trigger, steps }).map((id) => ({
    id,
    account: kindOf(accounts[id]),
    isSource: sources.has(id),
  }));
  return { trigger, steps, limits, accounts: named };
}

function* tryCorners(rule: ProbedRule, today: string): Generator<void, Probe> {
  const { cases, isComplete } = yield* casesOf(rule, today);
  const compared = accountsIn(rule, conditionAccountsOf(rule));
  const casesByStep = rule.steps.map((): Case[] => []);
  for (const one of cases) {
    yield;
    const facts = factsOf(rule, compared, one, PLAIN_MONEY);
    casesByStep[matchedStep(rule, facts)]?.push(one);
  }
  const probe: Probe = { stepsNeverRun: [], actionsNeverMove: [], shortfall: null };
  for (const [stepIndex, found] of casesByStep.entries()) {
    if (found.length === 0) {
      if (isComplete) probe.stepsNeverRun.push(stepIndex);
      continue;
    }
    const { moved, shortfall } = yield* probeStep(rule, stepIndex, spread(found));
    for (const actionIndex of rule.steps[stepIndex]?.actions.keys() ?? []) {
      if (!moved.has(actionIndex)) probe.actionsNeverMove.push({ stepIndex, actionIndex });
    }
    if (shortfall && (!probe.shortfall || (shortfall.isAlways && !probe.shortfall.isAlways))) {
      probe.shortfall = shortfall;
    }
  }
  return probe;
}

const PLAIN_MONEY: Money = { incoming: 100_000, beside: 0, elsewhere: PLAIN, isUsed: false };

function conditionAccountsOf({ trigger, steps }: ProbedRule): string[] {
  return [trigger.accountId, ...steps.flatMap(({ conditions }) => conditionAccounts(conditions))];
}

/** Only these: the accounts of other steps would be most of the work on a large rule. */
function accountsIn(rule: ProbedRule, ids: readonly string[]): NamedAccount[] {
  const wanted = new Set(ids);
  return rule.accounts.filter(({ id }) => wanted.has(id));
}

/** @returns -1 for none */
function matchedStep({ steps }: ProbedRule, facts: RuleFacts): number {
  return steps.findIndex((step) => checkConditions(step.conditions, facts, []));
}

/** The account fields that affect the answer. Balances are left out, or every transfer would miss the cache. */
function kindOf(account: AccountFacts | undefined): ProbedAccount | undefined {
  if (!account) return undefined;
  const { type, externalAccountType, floorInCents, interestRatePercentage } = account;
  return { type, externalAccountType, floorInCents, interestRatePercentage };
}

/** An even selection from first to last, so that every part of an `any` is covered. */
function spread(cases: readonly Case[]): Case[] {
  const stride = Math.max(1, cases.length / CASES_OF_A_STEP);
  return Array.from({ length: Math.min(CASES_OF_A_STEP, cases.length) }, (_, index) =>
    Math.floor(index * stride),
  ).flatMap((index) => cases[index] ?? []);
}

function* probeStep(rule: ProbedRule, stepIndex: number, cases: readonly Case[]) {
  const { steps, limits } = rule;
  const step = steps[stepIndex];
  const moved = new Set<number>();
  let shortfall: Shortfall | null = null;
  if (!step) return { moved, shortfall };
  const accounts = accountsIn(rule, [
    ...conditionAccountsOf(rule),
    ...accountsOf({ trigger: rule.trigger, steps: [step] }),
  ]);
  const { wanted, maximum } = evaluationsOf(rule, step, accounts.length);
  const alone = { steps: [{ ...step, conditions: null }], limits };
  let evaluations = 0;
  let endedWell = 0;
  for (const [one, money] of cornersOf(rule, cases)) {
    yield;
    evaluations += 1;
    const isSettled = shortfall && endedWell > 0 && moved.size === step.actions.length;
    if (isSettled || evaluations > maximum) break;
    const facts = factsOf(rule, accounts, one, money);
    if (!isArrivalThere(rule, facts) || matchedStep(rule, facts) !== stepIndex) continue;
    const evaluation = evaluate(alone, facts);
    if (evaluation.kind === "UNKNOWN") continue;
    const { moves } = evaluation.plan;
    for (const move of moves) if (move.outcome === "MOVE") moved.add(move.actionIndex);
    const failed = moves.find(({ outcome }) => outcome === "FAILED");
    if (failed) shortfall ??= shortfallOf(stepIndex, failed, facts);
    else if (moves.some(({ outcome }) => outcome === "MOVE")) endedWell += 1;
  }
  // Too few tries say nothing about all of them.
  const isAlways = endedWell === 0 && (maximum >= wanted || evaluations <= maximum);
  return { moved, shortfall: shortfall && { ...shortfall, isAlways } };
}

/** How often a step is evaluated: as often as wanted, unless the rule is too large for that. */
function evaluationsOf({ steps, limits }: ProbedRule, step: ProbedRule["steps"][number], accounts: number) {
  const wanted = Math.max(200, Math.floor(MAXIMUM_EVALUATIONS / steps.length));
  const comparisons = steps.reduce((sum, { conditions }) => sum + comparisonsOf(conditions).length, 0);
  const transfers = step.actions.reduce((sum, action) => sum + destinationsOf(action).length, 0);
  // A transfer with its bounds takes about as long as four comparisons.
  const work = comparisons + 2 * accounts + limits.length + 4 * transfers;
  const affordable = Math.floor(MAXIMUM_WORK / steps.length / work);
  return { wanted, maximum: Math.min(wanted, Math.max(MINIMUM_EVALUATIONS_OF_A_STEP, affordable)) };
}

/** The arrived money is already in its account when the run starts. */
function isArrivalThere({ trigger }: ProbedRule, facts: RuleFacts): boolean {
  return (facts.accounts[trigger.accountId]?.availableInCents ?? 0) >= (facts.incomingAmountInCents ?? 0);
}

function shortfallOf(stepIndex: number, failed: PlannedMove, facts: RuleFacts): Shortfall {
  return {
    stepIndex,
    sourceAccountId: failed.sourceAccountId,
    heldInCents: facts.accounts[failed.sourceAccountId]?.availableInCents ?? 0,
    leftInCents: failed.caps.find(({ kind }) => kind === "AVAILABLE" || kind === "FLOOR")?.atInCents ?? 0,
    destinationAccountId: failed.destinationAccountId,
    wantedInCents: failed.amountInCents,
    isAlways: false,
  };
}

interface Money {
  incoming: number;
  /** The other money in the trigger's account. */
  beside: number;
  /** Balances or debts of the other accounts: the sources, and the rest. */
  elsewhere: (typeof ELSEWHERE)[number];
  /** Whether the limits of the period are used up. */
  isUsed: boolean;
}

function* cornersOf(rule: ProbedRule, cases: readonly Case[]): Generator<[Case, Money]> {
  const amounts = amountsOf(rule);
  // Simple cases first, because the first failing case is shown to people.
  for (const isUsed of [false, true]) {
    for (const beside of BESIDE) {
      for (const elsewhere of ELSEWHERE) {
        for (const incoming of amounts) {
          for (const one of cases) yield [one, { incoming, beside, elsewhere, isUsed }];
        }
      }
    }
  }
}

/** Amounts at which behavior may change: those in the rule, their sum, and the trigger's minimum. */
function amountsOf({ trigger, steps }: ProbedRule): number[] {
  const minimum = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 0) : 0;
  const named = steps.flatMap(({ actions }) => {
    const own = actions.flatMap((action) => ("amountInCents" in action ? [action.amountInCents] : []));
    // The largest excess above a multiple.
    const above = actions.flatMap((action) =>
      action.type === "ROUND_DOWN" ? [2 * action.amountInCents - 1] : [],
    );
    return [...own, own.reduce((sum, cents) => sum + cents, 0), ...above];
  });
  const around = [minimum, ...named].flatMap((cents) => [cents, cents - 1, cents + 1]);
  const wanted = [...EXAMPLE_AMOUNTS, ...around].filter((cents) => cents >= Math.max(1, minimum));
  return [...new Set(wanted)].slice(0, MAXIMUM_AMOUNTS);
}

function factsOf(
  { trigger, limits }: ProbedRule,
  accounts: readonly NamedAccount[],
  { date, values }: Case,
  money: Money,
): RuleFacts {
  const asked = values.get("INCOMING_AMOUNT");
  // The arrived money is in its account, so it cannot exceed the balance given by conditions.
  const most =
    values.get(`AVAILABLE_BALANCE ${trigger.accountId}`) ?? values.get(`BALANCE ${trigger.accountId}`);
  const incoming = asked ?? Math.max(0, Math.min(money.incoming, most ?? money.incoming));
  const known = Object.fromEntries(
    accounts.map(({ id, account, isSource }) => {
      const elsewhere = isSource ? money.elsewhere.giving : money.elsewhere.taking;
      const holds = id === trigger.accountId ? Math.max(0, incoming) + money.beside : elsewhere;
      return [id, accountOfCase(account, id, holds, values)];
    }),
  );
  return {
    at: `${date}T12:00:00.000Z`,
    date,
    incomingAmountInCents: incoming,
    isApprovedByPerson: false,
    accounts: known,
    limitsUsedInCents: Object.fromEntries(
      limits.map(({ id, amountInCents }) => [id, money.isUsed ? amountInCents : 0]),
    ),
  };
}

function accountOfCase(
  account: ProbedAccount | undefined,
  id: string,
  holds: number,
  values: ReadonlyMap<string, number>,
): AccountFacts {
  const balance = values.get(`BALANCE ${id}`);
  const available = values.get(`AVAILABLE_BALANCE ${id}`);
  return {
    name: "",
    type: account?.type ?? "POD",
    externalAccountType: account?.externalAccountType ?? null,
    isClosed: false,
    balanceInCents: balance ?? available ?? holds,
    availableInCents: available ?? balance ?? holds,
    floorInCents: account?.floorInCents ?? null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: values.get(`NEXT_PAYMENT_MINIMUM ${id}`) ?? holds,
    lastStatementBalanceInCents: values.get(`LAST_STATEMENT_BALANCE ${id}`) ?? holds,
    interestRatePercentage: account?.interestRatePercentage ?? null,
  };
}
