import type { MandateConstraint, MandateTerms } from "@/lib/contract/mandates/mandate";
import { findBrokenPart, type MandateFacts } from "@/lib/engine/mandates/find-broken-part";
import { termsLeft } from "@/lib/engine/mandates/terms-left";
import { mostByItself, type WorstCase } from "@/lib/engine/mandates/worst-case";

/**
 * Searches for a sequence of calls by which keys move more without a person than their sentence says. Every sequence up to a
 * length is tried, over a few moments, amounts and accounts: calls of any key on any route, by the clocks of several processes
 * in any order. A transfer that fails later is as one that was never asked for, and so is one that a policy makes wait. Whether a call is inside a mandate is decided as the product does;
 * what moved is summed here, by a calendar of its own.
 */

export interface SearchedMandate {
  terms: MandateTerms;
  timeZone: string;
}

export interface SearchedKey {
  name: string;
  /** In the order in which the product tries them. */
  mandates: readonly SearchedMandate[];
  /** Within 24 hours; null: none. */
  dailyCapInCents: number | null;
}

export interface Call {
  key: number;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  now: Date;
}

/** Which part of a mandate a call breaks; null: it is accepted at once. */
export type Decide = (mandate: SearchedMandate, facts: MandateFacts) => MandateConstraint | null;

export interface SearchSetting {
  keys: readonly SearchedKey[];
  moments: readonly Date[];
  amounts: readonly number[];
  /** The longest sequence. */
  depth: number;
  /** Where the sentence is read. */
  timeZone: string;
  /** A planted fault; the product's own by default. */
  decide?: Decide;
}

export interface Counterexample {
  key: string;
  span: keyof WorstCase;
  saysInCents: number;
  movedInCents: number;
  calls: Accepted[];
}

export interface SearchResult {
  /** How many sets of accepted calls were compared. Each was tried in every order. */
  sequences: number;
  /** Null: none exceeds the sentence. */
  found: Counterexample | null;
}

interface Accepted extends Call {
  /** Its place among those of the key. */
  mandate: number;
}

const nameOf = ({ key, sourceAccountId, destinationAccountId, amountInCents, now, mandate }: Accepted) =>
  [key, mandate, sourceAccountId, destinationAccountId, amountInCents, now.getTime()].join(" ");

export function findExcess(setting: SearchSetting): SearchResult {
  const { keys, timeZone, depth } = setting;
  const says = keys.map(({ mandates, dailyCapInCents }) =>
    mostByItself(mandates, { timeZone, dailyCapInCents }),
  );
  const calls = callsOf(setting);
  const result: SearchResult = { sequences: 0, found: null };
  const seen = new Set<string>();
  const extend = (accepted: readonly Accepted[]): void => {
    // What is decided next depends on which calls were accepted, not on their order.
    const state = accepted.map(nameOf).toSorted().join();
    if (seen.has(state)) return;
    seen.add(state);
    result.sequences += 1;
    result.found = compare(accepted, setting, says) ?? compareLeft(accepted, setting);
    if (result.found !== null || accepted.length === depth) return;
    for (const call of calls) {
      const mandate = mandateFor(call, accepted, setting);
      if (mandate !== null) extend([...accepted, { ...call, mandate }]);
      if (result.found !== null) return;
    }
  };
  extend([]);
  return result;
}

/** Every call at every moment; on each route that a mandate of its key names. */
function callsOf({ keys, moments, amounts }: SearchSetting): Call[] {
  return keys.flatMap(({ mandates }, key) => {
    const routes = new Map<string, Pick<Call, "sourceAccountId" | "destinationAccountId">>();
    for (const { terms } of mandates)
      for (const sourceAccountId of terms.sourceAccountIds)
        for (const destinationAccountId of terms.destinationAccountIds)
          routes.set(`${sourceAccountId} ${destinationAccountId}`, { sourceAccountId, destinationAccountId });
    return [...routes.values()].flatMap((route) =>
      moments.flatMap((now) => amounts.map((amountInCents) => ({ key, ...route, amountInCents, now }))),
    );
  });
}

const DAY_MS = 86_400_000;

/** The place of the mandate that lets a call through; null: it waits for a person. */
function mandateFor(
  call: Call,
  accepted: readonly Accepted[],
  { keys, decide = decideAsProduct }: SearchSetting,
): number | null {
  const key = keys[call.key];
  if (!key) return null;
  const counting = accepted.filter((each) => each.key === call.key);
  const place = key.mandates.findIndex((mandate, at) => {
    const uses = counting
      .filter((each) => each.mandate === at)
      .map(({ now, amountInCents }) => ({ acceptedAt: now, amountInCents }));
    return decide(mandate, factsOf(call, uses, mandate.timeZone)) === null;
  });
  if (place === -1) return null;
  if (key.dailyCapInCents === null) return place;
  const used = counting
    .filter(({ now }) => now.getTime() > call.now.getTime() - DAY_MS)
    .reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  return used + call.amountInCents <= key.dailyCapInCents ? place : null;
}

const decideAsProduct: Decide = ({ terms }, facts) => findBrokenPart(terms, facts);

const factsOf = (call: Call, uses: MandateFacts["uses"], timeZone: string): MandateFacts => ({
  sourceAccountId: call.sourceAccountId,
  destinationAccountId: call.destinationAccountId,
  amountInCents: call.amountInCents,
  now: call.now,
  uses,
  timeZone,
  heldAfterInCents: Number.MAX_SAFE_INTEGER,
  needsSignatures: false,
  isDestinationChanged: false,
});

function compare(
  accepted: readonly Accepted[],
  { keys, timeZone }: SearchSetting,
  says: readonly WorstCase[],
): Counterexample | null {
  for (const [place, { name }] of keys.entries()) {
    const moved = sumsOf(
      accepted.filter(({ key }) => key === place),
      timeZone,
    );
    for (const span of SPANS) {
      const saysInCents = says[place]?.[span] ?? 0;
      if (moved[span] > saysInCents)
        return { key: name, span, saysInCents, movedInCents: moved[span], calls: [...accepted] };
    }
  }
  return null;
}

/** What the sentence says once the first of these calls settled, beside what the others moved. */
function compareLeft(accepted: readonly Accepted[], setting: SearchSetting): Counterexample | null {
  for (let settled = 1; settled < accepted.length; settled += 1) {
    const says = setting.keys.map((_, place) => leftOf(place, accepted.slice(0, settled), setting));
    const found = compare(accepted.slice(settled), setting, says);
    if (found) return found;
  }
  return null;
}

const known = new WeakMap<SearchSetting, Map<string, WorstCase>>();

function leftOf(place: number, settled: readonly Accepted[], setting: SearchSetting): WorstCase {
  const { mandates = [], dailyCapInCents = null } = setting.keys[place] ?? {};
  const used = mandates.map((_, mandate) => {
    const uses = settled.filter((call) => call.key === place && call.mandate === mandate);
    return { uses: uses.length, inCents: uses.reduce((sum, { amountInCents }) => sum + amountInCents, 0) };
  });
  const cases = known.get(setting) ?? new Map<string, WorstCase>();
  known.set(setting, cases);
  const key = JSON.stringify([place, used]);
  const before = cases.get(key);
  if (before) return before;
  const left = mandates.map(({ terms, timeZone }, mandate) => ({
    terms: termsLeft(terms, used[mandate] ?? { uses: 0, inCents: 0 }),
    timeZone,
  }));
  const worst = mostByItself(left, { timeZone: setting.timeZone, dailyCapInCents });
  cases.set(key, worst);
  return worst;
}

const SPANS = ["dayInCents", "weekInCents", "monthInCents", "thirtyDaysInCents", "totalInCents"] as const;
const THIRTY_DAYS_MS = 30 * DAY_MS;

/** Apart from the product's calendar, which the search is about. */
function sumsOf(calls: readonly Accepted[], timeZone: string): WorstCase {
  const dated = calls.map(({ now, amountInCents }) => ({
    now: now.getTime(),
    amountInCents,
    date: dateIn(now, timeZone),
  }));
  const most = (of: (date: string) => string) => {
    const sums = new Map<string, number>();
    for (const { date, amountInCents } of dated)
      sums.set(of(date), (sums.get(of(date)) ?? 0) + amountInCents);
    return Math.max(0, ...sums.values());
  };
  const within = dated.map(({ now: from }) =>
    dated
      .filter(({ now }) => now >= from && now < from + THIRTY_DAYS_MS)
      .reduce((sum, { amountInCents }) => sum + amountInCents, 0),
  );
  return {
    dayInCents: most((date) => date),
    weekInCents: most(mondayOf),
    monthInCents: most((date) => date.slice(0, 7)),
    thirtyDaysInCents: Math.max(0, ...within),
    totalInCents: most(() => ""),
  };
}

const dates = new Map<string, string>();
const MAXIMUM_DATES = 10_000;

function dateIn(at: Date, timeZone: string): string {
  const key = `${at.getTime()} ${timeZone}`;
  const known = dates.get(key);
  if (known !== undefined) return known;
  if (dates.size >= MAXIMUM_DATES) dates.clear();
  const date = new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
  dates.set(key, date);
  return date;
}

function mondayOf(date: string): string {
  const noon = Date.parse(`${date}T12:00:00Z`);
  const sinceMonday = (new Date(noon).getUTCDay() + 6) % 7;
  return new Date(noon - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** A counterexample as it is printed: the sentence, what moved instead, and every call with what became of it. */
export function describeCounterexample({
  key,
  span,
  saysInCents,
  movedInCents,
  calls,
}: Counterexample): string {
  const lines = calls.map(
    ({ now, amountInCents, sourceAccountId, destinationAccountId, mandate }) =>
      `  ${now.toISOString()}  ${amountInCents} cents from ${sourceAccountId} to ${destinationAccountId} under mandate ${mandate + 1}`,
  );
  const within = span.replace(/InCents$/, "");
  return [`${key} may move ${saysInCents} cents (${within}), and moved ${movedInCents}:`, ...lines].join(
    "\n",
  );
}
