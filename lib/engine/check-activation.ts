import { canBeDestination, canBeSource } from "@/lib/contract/rules/account-sides";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { ActivationCheck, ActivationOutcome, LinkedRule } from "@/lib/contract/rules/activation-check";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { percentagesOf } from "@/lib/contract/rules/percentages-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { type Probe, probeRule } from "@/lib/engine/probe-rule";
import { occurrencesBetween } from "@/lib/engine/schedule/occurrences";
import { neverMoving, suffices, unreachableSteps } from "@/lib/engine/suffices";

interface ActivationSubject {
  ruleId: string;
  definition: RuleDefinition;
  /** Every other active rule of the organization. */
  otherActiveRules: readonly JoinedRule[];
  /** The accounts that the definition names; a missing one counts as closed. */
  accounts: Readonly<Record<string, AccountFacts>>;
  /** Business time, ISO 8601 in UTC. */
  nowAt: string;
  /** The next scheduled run, ISO 8601 in UTC; null without a schedule or if it has ended. */
  nextRunAt: string | null;
}

const HOUR_MS = 3_600_000;

/** The effect of each kind of action on a debt. */
const DEBT_ROLE = {
  NEXT_PAYMENT_MINIMUM: "PAYS",
  LAST_STATEMENT_BALANCE: "PAYS",
  TOTAL_AMOUNT_DUE: "PAYS",
  PERCENTAGE_OF_LIABILITY: "PAYS",
  SNOWBALL: "PAYS",
  AVALANCHE: "PAYS",
  // Raises a balance to an amount; a debt's balance is the amount owed.
  TOP_UP: "FILLS",
  FIXED: "IGNORES",
  PERCENTAGE: "IGNORES",
  ROUND_DOWN: "IGNORES",
  REMAINDER: "IGNORES",
} as const satisfies Record<RuleAction["type"], string>;

/**
 * All checks before a version is activated, with their findings (docs/behavior/rules.md). Pure: the page and the
 * transaction that activates get the same answer from the same facts.
 * @param probe the rule tried in its corners as of `probeDate`, if it is known already
 * @returns the checks of every rule, and of the others only those that concern this one
 */
export function checkActivation(subject: ActivationSubject, probe?: Probe): ActivationCheck[] {
  return [
    ...checkShares(subject),
    ...checkCases(subject, probe ?? probeOf(subject)),
    ...checkAccounts(subject),
    ...checkDebts(subject),
    ...checkTrigger(subject),
    ...checkJoins(subject),
    ...checkBorders(subject),
  ];
}

/** The first date that a probe considers: the earliest current date in any time zone. */
export function probeDate(nowAt: string): string {
  return new Date(Date.parse(nowAt) - 12 * HOUR_MS).toISOString().slice(0, 10);
}

function probeOf({ definition, accounts, nowAt }: ActivationSubject): Probe {
  return probeRule(definition, accounts, probeDate(nowAt));
}

/** `flagged` if there are findings. */
function outcome(isFlagged: boolean, flagged: Exclude<ActivationOutcome, "CLEAR">): ActivationOutcome {
  return isFlagged ? flagged : "CLEAR";
}

function checkShares({ definition }: ActivationSubject): ActivationCheck[] {
  const shares = definition.steps.flatMap((step, stepIndex) =>
    [...percentagesOf(step.actions)].map((share) => ({ ...share, stepIndex })),
  );
  if (shares.length === 0) return [];
  const over = shares
    .filter((share) => share.total > 100)
    .map(({ stepIndex, group, sourceAccountId, total }) => ({
      stepIndex,
      group,
      accountId: sourceAccountId,
      percentage: total,
    }));
  return [{ kind: "SHARES", outcome: outcome(over.length > 0, "BLOCKS"), over }];
}

/**
 * Findings from trying the rule in its corner cases. Claims about all cases are made only if they are proven too, because
 * corner cases can miss one.
 */
function checkCases(
  { definition, accounts }: ActivationSubject,
  { shortfall, actionsNeverMove, stepsNeverRun }: Probe,
): ActivationCheck[] {
  const hasFloor = (id: string) => (accounts[id]?.floorInCents ?? 0) > 0;
  const isProven = definition.steps.every((step) => suffices(step, definition, hasFloor));
  const checks: ActivationCheck[] = [
    {
      kind: "SUFFICES",
      outcome: outcome(!isProven || shortfall !== null, "LOOK"),
      shortfall,
      isOnArrivals: actsOnArrivals(definition),
    },
  ];
  const actions = actionsNeverMove.flatMap(({ stepIndex, actionIndex }) => {
    const step = definition.steps[stepIndex];
    const action = step?.actions[actionIndex];
    if (!action || !neverMoving(step, definition.limits).includes(actionIndex)) return [];
    return { stepIndex, destinationAccountIds: [...destinationsOf(action)] };
  });
  if (actions.length > 0) checks.push({ kind: "MOVES", outcome: "LOOK", actions });
  const stepIndexes = [...new Set([...unreachableSteps(definition), ...stepsNeverRun])].sort(
    (one, other) => one - other,
  );
  if (stepIndexes.length > 0) checks.push({ kind: "REACHABLE", outcome: "LOOK", stepIndexes });
  return checks;
}

function checkAccounts({ definition, accounts }: ActivationSubject): ActivationCheck[] {
  const blocking = (kind: "ACCOUNTS_OPEN" | "CAN_GIVE" | "CAN_RECEIVE", accountIds: string[]) => ({
    kind,
    outcome: outcome(accountIds.length > 0, "BLOCKS"),
    accountIds,
  });
  const closed = accountsOf(definition).filter((id) => accounts[id]?.isClosed !== false);
  const mute = sources(definition).filter((id) => {
    const account = accounts[id];
    return account && !canBeSource(account.type, account.externalAccountType);
  });
  const deaf = destinations(definition).filter((id) => {
    const account = accounts[id];
    return account && !canBeDestination(account.type);
  });
  const routes = routesOf(definition).filter(
    (route) => isOutside(accounts[route.sourceAccountId]) && isOutside(accounts[route.destinationAccountId]),
  );
  return [
    blocking("ACCOUNTS_OPEN", closed),
    blocking("CAN_GIVE", mute),
    blocking("CAN_RECEIVE", deaf),
    ...(routes.length > 0 ? [{ kind: "BOTH_OUTSIDE" as const, outcome: "BLOCKS" as const, routes }] : []),
  ];
}

function checkDebts({ definition, accounts }: ActivationSubject): ActivationCheck[] {
  const actions = definition.steps.flatMap((step) => step.actions);
  const towards = (role: (typeof DEBT_ROLE)[RuleAction["type"]]) => [
    ...new Set(actions.filter((action) => DEBT_ROLE[action.type] === role).flatMap(destinationsOf)),
  ];
  const isDebt = (id: string) => accounts[id]?.externalAccountType === "LIABILITY";
  const paid = towards("PAYS");
  const notOwed = paid.filter((id) => !isDebt(id));
  const filled = towards("FILLS").filter(isDebt);
  const ignored = towards("IGNORES").filter(isDebt);
  const checks: ActivationCheck[] = [];
  if (paid.length > 0) {
    checks.push({ kind: "DEBTS", outcome: outcome(notOwed.length > 0, "BLOCKS"), accountIds: notOwed });
  }
  if (filled.length > 0) checks.push({ kind: "TOP_UP_DEBT", outcome: "BLOCKS", accountIds: filled });
  if (ignored.length > 0) checks.push({ kind: "OVERPAYS", outcome: "LOOK", accountIds: ignored });
  return checks;
}

function checkTrigger({ definition, otherActiveRules, nextRunAt }: ActivationSubject): ActivationCheck[] {
  const { trigger } = definition;
  if (trigger.type === "SCHEDULED") {
    const schedule: ActivationCheck = {
      kind: "SCHEDULE",
      outcome: outcome(nextRunAt === null, "BLOCKS"),
      nextRunAt,
    };
    if (nextRunAt === null) return [schedule];
    const first = new Date(nextRunAt);
    const dayLater = new Date(first.getTime() + 24 * HOUR_MS - 1);
    const timesADay = 1 + occurrencesBetween(trigger.schedule, first, dayLater, 24 * 60).length;
    return timesADay > 24 ? [schedule, { kind: "FREQUENT", outcome: "LOOK", timesADay }] : [schedule];
  }
  if (!actsOnArrivals(definition)) return [];
  const rival = otherActiveRules.find(
    (other) => actsOnArrivals(other) && other.trigger.accountId === trigger.accountId,
  );
  return [
    {
      kind: "ONLY_ARRIVAL_RULE",
      outcome: outcome(rival !== undefined, "BLOCKS"),
      rival: rival ? { id: rival.id, name: rival.name } : null,
    },
  ];
}

/** Connections by money: to itself in a cycle, to rules that it triggers, to rules that trigger it. */
function checkJoins({ ruleId, definition, otherActiveRules }: ActivationSubject): ActivationCheck[] {
  const rule: JoinedRule = { ...definition, id: ruleId };
  const chain = findCycle(rule, otherActiveRules);
  const next = setsOff(rule, otherActiveRules).map(({ id, name, trigger }) => ({
    id,
    name,
    accountId: trigger.accountId,
  }));
  const before = actsOnArrivals(rule)
    ? otherActiveRules.filter((other) => destinations(other).includes(rule.trigger.accountId))
    : [];
  const checks: ActivationCheck[] = [];
  if (actsOnArrivals(rule)) {
    checks.push({ kind: "NO_CYCLE", outcome: outcome(chain.length > 0, "BLOCKS"), chain });
  }
  checks.push({ kind: "SETS_OFF", outcome: outcome(next.length > 0, "LOOK"), rules: next });
  if (before.length > 0) {
    const rules = before.map(({ id, name }) => ({ id, name }));
    checks.push({ kind: "SET_OFF_BY", outcome: "LOOK", rules });
  }
  return checks;
}

/** Where money enters or leaves Sluice, and where a floor limits it. */
function checkBorders({ definition, accounts }: ActivationSubject): ActivationCheck[] {
  const out = destinations(definition).filter((id) => isOutside(accounts[id]));
  const pulled = sources(definition).filter((id) => isOutside(accounts[id]));
  const floors = sources(definition).flatMap((accountId) => {
    const floorInCents = accounts[accountId]?.floorInCents ?? 0;
    return floorInCents > 0
      ? [{ accountId, floorInCents, voidKeepInCents: voidKeep(definition, accountId, floorInCents) }]
      : [];
  });
  const checks: ActivationCheck[] = [];
  if (out.length > 0) checks.push({ kind: "SENDS_OUT", outcome: "LOOK", accountIds: out });
  if (pulled.length > 0) checks.push({ kind: "PULLS_IN", outcome: "LOOK", accountIds: pulled });
  if (floors.length > 0) checks.push({ kind: "FLOORS", outcome: "LOOK", floors });
  return checks;
}

/** What the rule says to leave in an account, where its floor leaves more anyway. */
function voidKeep({ steps }: RuleDefinition, accountId: string, floorInCents: number): number | null {
  const kept = steps
    .flatMap(({ actions }) => actions)
    .flatMap((action) =>
      action.type === "REMAINDER" && action.sourceAccountId === accountId ? [action.keepInCents] : [],
    )
    .filter((cents) => cents > 0 && cents < floorInCents);
  return kept.length === 0 ? null : Math.max(...kept);
}

function isOutside(account: AccountFacts | undefined): boolean {
  return account?.type === "EXTERNAL_ACCOUNT";
}

function sources({ steps }: Pick<RuleDefinition, "steps">): string[] {
  return [...new Set(steps.flatMap((step) => step.actions.map((action) => action.sourceAccountId)))];
}

/** Every pair of accounts that money moves between, once each. */
function routesOf({ steps }: Pick<RuleDefinition, "steps">) {
  const routes = new Map<string, { sourceAccountId: string; destinationAccountId: string }>();
  for (const action of steps.flatMap((step) => step.actions)) {
    const { sourceAccountId } = action;
    for (const destinationAccountId of destinationsOf(action)) {
      routes.set(`${sourceAccountId} ${destinationAccountId}`, { sourceAccountId, destinationAccountId });
    }
  }
  return [...routes.values()];
}

/** An active rule's connections by money. A rule that this version cannot represent moves nothing and has no steps. */
export interface JoinedRule {
  id: string;
  name: string;
  trigger: { type: RuleDefinition["trigger"]["type"]; accountId: string };
  steps: readonly { actions: readonly RuleAction[] }[];
}

/** The accounts that any step of a rule may send money to, once each. */
function destinations(rule: Pick<JoinedRule, "steps">): string[] {
  return [...new Set(rule.steps.flatMap((step) => step.actions.flatMap(destinationsOf)))];
}

/** The rules of `others` that act on money which `rule` sends. */
function setsOff(rule: JoinedRule, others: readonly JoinedRule[]): JoinedRule[] {
  const reached = new Set(destinations(rule));
  return others.filter((other) => actsOnArrivals(other) && reached.has(other.trigger.accountId));
}

function actsOnArrivals(rule: Pick<JoinedRule, "trigger">): boolean {
  return rule.trigger.type === "ON_FUNDS_TRANSFERRED";
}

/**
 * The shortest path on which money that triggers `rule` returns to trigger it again, through any of `others`. Ignores
 * conditions and minimums: they cannot be decided for all times, and a loop that a balance happens to break is still a loop.
 * @returns starting with `rule`, each with the account whose deposits trigger the next; empty if there is none
 */
export function findCycle(rule: JoinedRule, others: readonly JoinedRule[]): LinkedRule[] {
  if (!actsOnArrivals(rule)) return [];
  const byAccount = new Map<string, JoinedRule[]>();
  for (const joined of [rule, ...others].filter(actsOnArrivals)) {
    const { accountId } = joined.trigger;
    const known = byAccount.get(accountId);
    if (known) known.push(joined);
    else byAccount.set(accountId, [joined]);
  }
  const cameFrom = new Map<JoinedRule, JoinedRule>();
  // Visits each rule once.
  const waiting: JoinedRule[] = [rule];
  for (const next of waiting) {
    for (const reached of destinations(next).flatMap((accountId) => byAccount.get(accountId) ?? [])) {
      if (reached === rule) return wayTo(next, cameFrom, rule);
      if (cameFrom.has(reached)) continue;
      cameFrom.set(reached, next);
      waiting.push(reached);
    }
  }
  return [];
}

function wayTo(last: JoinedRule, cameFrom: ReadonlyMap<JoinedRule, JoinedRule>, rule: JoinedRule) {
  const way: LinkedRule[] = [];
  let after = rule;
  for (let at: JoinedRule | undefined = last; at; at = cameFrom.get(at)) {
    way.unshift({ id: at.id, name: at.name, accountId: after.trigger.accountId });
    after = at;
  }
  return way;
}
