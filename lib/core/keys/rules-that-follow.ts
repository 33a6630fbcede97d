import { ruleHref } from "@/lib/contract/hrefs";
import type { MostRuleRowView } from "@/lib/contract/keys/key-facts";
import { MAXIMUM_CHAIN_DEPTH } from "@/lib/contract/limits";
import type { PermissionOf } from "@/lib/contract/permissions";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { LiveRule } from "@/lib/core/keys/read-key-rules";
import { covers } from "@/lib/core/shared/permits";

/** An account with what a transfer could take from it. */
export interface MovableAccount {
  id: string;
  name: string;
  isOutside: boolean;
  canBeSource: boolean;
  isClosed: boolean;
  /** Null: unknown. For an external account: less what was pulled since its bank's last report. */
  availableInCents: number | null;
  floorInCents: number | null;
}

/** The rules that a key may run, and those it may trigger. */
export interface FollowingRules {
  runs: PermissionOf<"TRIGGER_RULES"> | null;
  /** The organization's active rules that are not paused. */
  live: readonly LiveRule[];
  /** What one run would move with current balances, by rule id; null or missing where unknown. */
  oneRunInCents: Readonly<Record<string, number | null>>;
}

/** A rule that could move something, with its possible sources and destinations. */
export interface CountedRule {
  rule: LiveRule;
  /** Null: the key runs it. */
  setOffAt: MovableAccount | null;
  /** A person approves what it moves, so floors do not bind it. */
  isApproved: boolean;
  sources: RuleSource[];
}

interface RuleSource {
  source: MovableAccount;
  destinations: MovableAccount[];
  /** What its limits allow in a day; infinite where an action has none. */
  mostInDay: number;
}

interface Arrivals {
  destinations: readonly MovableAccount[];
  /** Per transfer; null: none. */
  limitInCents: number | null;
}

/**
 * The rules that a key runs, and all rules that its transfers and theirs could trigger, assuming that conditions hold.
 * Rules that could move nothing are listed if the key runs them, but not if they are only triggered. Pure.
 * @param routes on which the key itself could move something
 */
export function rulesThatFollow(
  routes: readonly Arrivals[],
  { runs, live }: FollowingRules,
  accounts: readonly MovableAccount[],
): CountedRule[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  /** The largest transfer that could arrive, by account. */
  const arriving = new Map<string, number>();
  const arrive = ({ destinations, limitInCents }: Arrivals) => {
    for (const account of destinations) {
      if (account.isOutside) continue;
      const most = limitInCents ?? Number.POSITIVE_INFINITY;
      arriving.set(account.id, Math.max(most, arriving.get(account.id) ?? 0));
    }
  };
  for (const route of routes) arrive(route);

  const found: CountedRule[] = [];
  const add = (rule: LiveRule, setOffAt: MovableAccount | null, isApproved: boolean) => {
    const sources = sourcesOf(rule, byId);
    found.push({ rule, setOffAt, isApproved, sources });
    for (const { destinations } of sources) arrive({ destinations, limitInCents: null });
  };
  for (const rule of live) {
    if (runs && covers(runs.rules, rule.id)) add(rule, null, runs.approval.required);
  }
  const setOff = new Set<string>();
  // Each round is one rule further down the chain, which is bounded.
  for (let round = 0; round < MAXIMUM_CHAIN_DEPTH; round++) {
    const next = live.filter((rule) => !setOff.has(rule.id) && isSetOff(rule, arriving));
    if (next.length === 0) break;
    for (const rule of next) {
      setOff.add(rule.id);
      // A rule that the key also runs is listed only as that.
      if (found.some((one) => one.rule.id === rule.id)) continue;
      if (sourcesOf(rule, byId).length > 0) {
        add(rule, byId.get(rule.definition.trigger.accountId) ?? null, false);
      }
    }
  }
  return found;
}

function isSetOff({ definition: { trigger } }: LiveRule, arriving: ReadonlyMap<string, number>): boolean {
  if (trigger.type !== "ON_FUNDS_TRANSFERRED") return false;
  const most = arriving.get(trigger.accountId);
  return most !== undefined && most >= (trigger.minimumAmountInCents ?? 0);
}

/** What a rule's actions could take from, without closed accounts and impossible routes. */
function sourcesOf({ definition }: LiveRule, byId: ReadonlyMap<string, MovableAccount>): RuleSource[] {
  const actions = definition.steps.flatMap((step) => step.actions);
  const ids = [...new Set(actions.map((action) => action.sourceAccountId))];
  return ids.flatMap((id) => {
    const source = byId.get(id);
    if (!source?.canBeSource || source.isClosed) return [];
    const taking = actions.filter((action) => action.sourceAccountId === id);
    const destinations = [...new Set(taking.flatMap(destinationsOf))].flatMap((destinationId) => {
      const account = byId.get(destinationId);
      const isPossible = account && !account.isClosed && !(account.isOutside && source.isOutside);
      return account && isPossible ? [account] : [];
    });
    const mostInDay = limitInDay(
      taking.map((action) => action.limitId),
      definition.limits,
    );
    return destinations.length === 0 ? [] : [{ source, destinations, mostInDay }];
  });
}

function limitInDay(limitIds: readonly (string | null)[], limits: LiveRule["definition"]["limits"]): number {
  let most = 0;
  for (const id of new Set(limitIds)) {
    const limit = limits.find((candidate) => candidate.id === id);
    // A limit per transfer bounds nothing: there may be any number of runs.
    if (!limit || limit.period === "TRANSFER") return Number.POSITIVE_INFINITY;
    most += limit.amountInCents;
  }
  return most;
}

/**
 * Adds up what rules could take from each source that is not counted yet, in the order of the rules.
 * @param counted what sources give, in cents by their id; null: unknown. Filled in.
 * @param holds the most that could be taken from a source; null: unknown
 */
export function countRules(
  rules: readonly CountedRule[],
  { oneRunInCents }: Pick<FollowingRules, "oneRunInCents">,
  counted: Map<string, number | null>,
  holds: (source: MovableAccount) => number | null,
): MostRuleRowView[] {
  const limits = new Map<string, number>();
  for (const { source, mostInDay } of rules.flatMap((rule) => rule.sources)) {
    limits.set(source.id, (limits.get(source.id) ?? 0) + mostInDay);
  }
  return rules.map(({ rule, setOffAt, sources }) => {
    const row = {
      id: rule.id,
      href: ruleHref(rule.id),
      name: rule.name,
      setOffAtName: setOffAt?.name ?? null,
      oneRunInCents: setOffAt ? null : (oneRunInCents[rule.id] ?? null),
    };
    if (sources.length === 0) return { ...row, reason: { kind: "IMPOSSIBLE" }, inCents: null };
    const fresh = sources.filter(({ source }) => !counted.has(source.id));
    if (fresh.length === 0) return { ...row, reason: { kind: "SHARED" }, inCents: null };
    return { ...row, ...countFresh(fresh, limits, counted, holds) };
  });
}

function countFresh(
  fresh: readonly RuleSource[],
  limits: ReadonlyMap<string, number>,
  counted: Map<string, number | null>,
  holds: (source: MovableAccount) => number | null,
): Pick<MostRuleRowView, "reason" | "inCents"> {
  let sum = 0;
  let isLimited = false;
  let isKnown = true;
  for (const { source } of fresh) {
    const held = holds(source);
    const limit = limits.get(source.id) ?? Number.POSITIVE_INFINITY;
    const gives = held === null ? null : Math.min(held, limit);
    counted.set(source.id, gives);
    if (gives === null) isKnown = false;
    else sum += gives;
    isLimited ||= held !== null && limit < held;
  }
  if (!isKnown) return { reason: { kind: "NOT_KNOWN" }, inCents: null };
  if (isLimited) return { reason: { kind: "LIMITED", limitInCents: sum }, inCents: sum };
  return { reason: { kind: "ALL", sourceNames: fresh.map(({ source }) => source.name) }, inCents: sum };
}
