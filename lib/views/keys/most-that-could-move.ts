import type { PermissionOf } from "@/lib/contract/permissions";
import {
  type CountedRule,
  countRules,
  type FollowingRules,
  type MovableAccount,
  rulesThatFollow,
} from "@/lib/core/keys/rules-that-follow";

/** Why a route can move this much. */
export type MostReason =
  /** By itself, inside a mandate. */
  | { kind: "MANDATE" }
  /** Everything the source has. */
  | { kind: "ALL" }
  /** Without approval the floor holds. */
  | { kind: "ABOVE_FLOOR"; floorInCents: number }
  /** Counted on an earlier row with this source. */
  | { kind: "SHARED" }
  | { kind: "NOT_KNOWN" }
  /** No transfer between these accounts is possible: which of the two prevents it. */
  | { kind: "IMPOSSIBLE"; side: "SOURCE" | "DESTINATION" | "BOTH_OUTSIDE" };

export interface MostRowView {
  /** Of a mandate, all of them. */
  sourceName: string;
  /** Null: any account. */
  destinationName: string | null;
  /** Per transfer; null: none. */
  limitInCents: number | null;
  reason: MostReason;
  /** Null: unknown, or counted elsewhere. */
  inCents: number | null;
}

/** Further routes count in the totals but are not listed. */
const LISTED_ROWS = 12;

interface Route {
  source: MovableAccount | "ANY";
  destination: MovableAccount | "ANY";
  limitInCents: number | null;
}

/** Where a source's money may go directly. */
interface Step {
  sourceId: string;
  destinations: readonly MovableAccount[];
}

const NO_RULES: FollowingRules = { runs: null, live: [], oneRunInCents: {} };

/** What a key may move without asking, under one mandate in force. */
export interface MovesByItself {
  sourceAccountIds: readonly string[];
  destinationAccountIds: readonly string[];
  /** Of one transfer. */
  maximumInCents: number;
  /** In its worst day. */
  dayInCents: number;
  /** What each source must hold afterwards, if that is more than its floor. */
  keepsInCents: number | null;
}

/**
 * The most that a key could move in a day, including the rules that it runs or triggers. A route's limit applies per
 * transfer, and a key may make a hundred requests a minute, so the day ends when the sources are empty. Approved
 * transfers may go below a floor, others never. Each source's money counts once, whichever routes and rules take it, and
 * not again where it moves on. What mandates let move by itself comes out of the same money, and is shown first.
 *
 * An upper bound from current balances, without what arrives during the day. Assumes that rules' conditions hold. Pure.
 * @param permission null for a key that makes no transfers
 */
export function mostThatCouldMove(
  permission: PermissionOf<"MANUAL_TRANSFER"> | null,
  accounts: readonly MovableAccount[],
  following: FollowingRules = NO_RULES,
  byItself: readonly MovesByItself[] = [],
) {
  const needsApproval = permission?.approval.required ?? false;
  const routes = (permission?.entries ?? []).flatMap((entry) => toRoute(entry, accounts));
  const expanded = routes.flatMap((route) => expand(route, accounts));
  const possible = expanded.filter((route) => obstacleOf(route.source, route.destination, accounts) === null);
  const taken = new Map<string, number>();
  const mandates = byItself.map((mandate) => toMandate(mandate, accounts, taken));
  const rules = rulesThatFollow(
    [
      ...mandates.flatMap(({ routes }) => routes),
      ...possible.map((route) => ({
        ...route,
        destinations: reachable(route.source, route.destination, accounts),
      })),
    ],
    following,
    accounts,
  );
  const belowFloor = new Set([
    ...(needsApproval ? possible.map(({ source }) => source.id) : []),
    ...rules.flatMap((rule) => (rule.isApproved ? rule.sources.map(({ source }) => source.id) : [])),
  ]);
  const counted = new Map<string, number | null>();
  const rows = [
    ...mandates.map(({ row }) => row),
    ...expanded.map((route) => toRow(route, accounts, belowFloor, { counted, taken })),
  ];
  const ruleRows = countRules(
    rules,
    following,
    counted,
    (source) => givesOf(source, belowFloor.has(source.id)).inCents,
  );
  for (const [id, inCents] of taken) {
    const all = counted.get(id);
    if (all !== null) counted.set(id, Math.max(all ?? 0, inCents));
  }
  const steps = [
    ...mandates.flatMap(({ routes }) => routes),
    ...routeSteps(possible, accounts),
    ...ruleSteps(rules),
  ];
  return {
    rows: rows.slice(0, LISTED_ROWS),
    /** Rows not listed, included in the totals. */
    moreRows: Math.max(0, rows.length - LISTED_ROWS),
    rules: ruleRows.slice(0, LISTED_ROWS),
    /** Rules not listed, included in the totals. */
    moreRules: Math.max(0, ruleRows.length - LISTED_ROWS),
    /** The part under mandates. */
    byItselfInCents: mandates.reduce((sum, { row }) => sum + (row.inCents ?? 0), 0),
    /** Null if a balance is unknown. */
    totalInCents: sumKnown([...counted.values()]),
    /** The part that could leave Sluice, over any route. */
    leavesInCents: sumKnown(
      [...leaving(steps, accounts)].flatMap((id) => (counted.has(id) ? [counted.get(id) ?? null] : [])),
    ),
  };
}

/** The most a key could move in a day with the rules that follow, counting the same money once. */
export type MostView = ReturnType<typeof mostThatCouldMove>;

function routeSteps(routes: readonly SourceRoute[], accounts: readonly MovableAccount[]): Step[] {
  return routes
    .filter(({ source }) => !source.isOutside)
    .map(({ source, destination }) => ({
      sourceId: source.id,
      destinations: reachable(source, destination, accounts),
    }));
}

function ruleSteps(rules: readonly CountedRule[]): Step[] {
  return rules.flatMap(({ sources }) =>
    sources.flatMap(({ source, destinations }) =>
      source.isOutside ? [] : [{ sourceId: source.id, destinations }],
    ),
  );
}

function toRoute(
  { source, target, max_amount }: PermissionOf<"MANUAL_TRANSFER">["entries"][number],
  accounts: readonly MovableAccount[],
): Route[] {
  const find = (id: string) => (id === "ANY" ? id : accounts.find((account) => account.id === id));
  const from = find(source);
  const to = find(target);
  // An account that no longer belongs to this organization moves nothing.
  return from && to ? [{ source: from, destination: to, limitInCents: max_amount ?? null }] : [];
}

type SourceRoute = Route & { source: MovableAccount };

/** "From any account" is one row per account that can send money. */
function expand({ source, ...route }: Route, accounts: readonly MovableAccount[]): SourceRoute[] {
  if (source !== "ANY") return [{ ...route, source }];
  return accounts
    .filter((account) => account !== route.destination && canGive(account))
    .filter((account) => reachable(account, route.destination, accounts).length > 0)
    .map((account) => ({ ...route, source: account }));
}

function canGive(account: MovableAccount): boolean {
  return account.canBeSource && !account.isClosed;
}

/** The destinations of one route from one source: different, open, and not both external. */
function reachable(
  source: MovableAccount,
  destination: MovableAccount | "ANY",
  accounts: readonly MovableAccount[],
): MovableAccount[] {
  return (destination === "ANY" ? accounts : [destination]).filter(
    (account) => account !== source && !account.isClosed && !(account.isOutside && source.isOutside),
  );
}

/** A mandate in the table, and its routes. What it could take in a day is added to `taken`, by source. */
function toMandate(
  { sourceAccountIds, destinationAccountIds, maximumInCents, dayInCents, keepsInCents }: MovesByItself,
  accounts: readonly MovableAccount[],
  taken: Map<string, number>,
): { row: MostRowView; routes: (Step & { limitInCents: number })[] } {
  const named = (ids: readonly string[]) => accounts.filter(({ id }) => ids.includes(id));
  const sources = named(sourceAccountIds).filter(canGive);
  const routes = sources.flatMap((source) => {
    const destinations = named(destinationAccountIds).flatMap((account) =>
      reachable(source, account, accounts),
    );
    return destinations.length === 0
      ? []
      : [{ source, sourceId: source.id, destinations, limitInCents: maximumInCents }];
  });
  let leftInCents = dayInCents;
  for (const { source } of routes) {
    const before = taken.get(source.id) ?? 0;
    const { availableInCents, floorInCents } = source;
    const keeps = Math.max(floorInCents ?? 0, keepsInCents ?? 0);
    // An unknown balance may hold all that the mandate allows.
    const gives = availableInCents === null ? leftInCents : Math.max(0, availableInCents - keeps - before);
    const takes = Math.min(gives, leftInCents);
    taken.set(source.id, before + takes);
    leftInCents -= takes;
  }
  const row = {
    sourceName: namesOf(named(sourceAccountIds)),
    destinationName: namesOf(named(destinationAccountIds)),
    limitInCents: maximumInCents,
  };
  if (routes.length > 0)
    return { row: { ...row, reason: { kind: "MANDATE" }, inCents: dayInCents - leftInCents }, routes };
  const side = sources.length === 0 ? "SOURCE" : "DESTINATION";
  return { row: { ...row, reason: { kind: "IMPOSSIBLE", side }, inCents: null }, routes };
}

/** `Redline Print`, `Redline Print and 3 more`. */
function namesOf(accounts: readonly MovableAccount[]): string {
  const [first, second, ...others] = accounts.map(({ name }) => name);
  if (first === undefined) return "a closed account";
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${others.length + 1} more`;
}

/** What was counted so far, in cents by source. */
interface Counted {
  counted: Map<string, number | null>;
  /** By mandates, whose rows come first. */
  taken: ReadonlyMap<string, number>;
}

function toRow(
  { source, destination, limitInCents }: SourceRoute,
  accounts: readonly MovableAccount[],
  belowFloor: ReadonlySet<string>,
  { counted, taken }: Counted,
): MostRowView {
  const row = {
    sourceName: source.name,
    destinationName: destination === "ANY" ? null : destination.name,
    limitInCents,
  };
  const obstacle = obstacleOf(source, destination, accounts);
  if (obstacle) return { ...row, reason: { kind: "IMPOSSIBLE", side: obstacle }, inCents: null };
  if (counted.has(source.id)) return { ...row, reason: { kind: "SHARED" }, inCents: null };
  const gives = givesOf(source, belowFloor.has(source.id));
  counted.set(source.id, gives.inCents);
  if (gives.inCents === null) return { ...row, ...gives };
  return { ...row, ...gives, inCents: Math.max(0, gives.inCents - (taken.get(source.id) ?? 0)) };
}

function obstacleOf(
  source: MovableAccount,
  destination: MovableAccount | "ANY",
  accounts: readonly MovableAccount[],
) {
  if (!canGive(source)) return "SOURCE";
  if (reachable(source, destination, accounts).length > 0) return null;
  const bothOutside = destination !== "ANY" && destination !== source && !destination.isClosed;
  return bothOutside ? "BOTH_OUTSIDE" : "DESTINATION";
}

function givesOf(
  source: MovableAccount,
  mayGoBelowFloor: boolean,
): { reason: MostReason; inCents: number | null } {
  const { availableInCents, floorInCents } = source;
  if (availableInCents === null) return { reason: { kind: "NOT_KNOWN" }, inCents: null };
  if (mayGoBelowFloor || !floorInCents)
    return { reason: { kind: "ALL" }, inCents: Math.max(0, availableInCents) };
  return {
    reason: { kind: "ABOVE_FLOOR", floorInCents },
    inCents: Math.max(0, availableInCents - floorInCents),
  };
}

/**
 * The sources whose money could leave, including through other managed accounts. Money from outside takes banking days
 * to arrive, so it does not leave again within the day.
 */
function leaving(steps: readonly Step[], accounts: readonly MovableAccount[]): Set<string> {
  const found = new Set<string>();
  // Each round finds at least one more account, or is the last.
  for (let round = 0; round <= accounts.length; round++) {
    const before = found.size;
    for (const { sourceId, destinations } of steps) {
      if (destinations.some((account) => account.isOutside || found.has(account.id))) found.add(sourceId);
    }
    if (found.size === before) break;
  }
  return found;
}

/** One unknown balance makes the sum unknown; it never counts as zero. */
function sumKnown(amounts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === null) return null;
    sum += amount;
  }
  return sum;
}
