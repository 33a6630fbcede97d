import { mandateHref } from "@/lib/contract/hrefs";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { MAXIMUM_MANDATE_USES, type MandatePeriod, type MandateTerms } from "@/lib/contract/mandates/mandate";
import { keyHref } from "@/lib/core/keys/key-facts";
import type { MovableAccount } from "@/lib/core/keys/rules-that-follow";
import type { Mandate } from "@/lib/core/mandates/read-mandates";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import type { Queryable } from "@/lib/db/transaction";
import { firstDayOf } from "@/lib/engine/mandates/periods";
import { dateOf } from "@/lib/engine/schedule/calendar-day";
import { dayAt } from "@/lib/engine/schedule/wall-clock";
import {
  accountsWords,
  type MandateNames,
  mandateBrief,
  mandateTitle,
} from "@/lib/words/mandates/mandate-sentence";

/** What a mandate does now, beyond its stored state. */
export type MandateStanding =
  | { kind: "WAITING" | "EXPIRED" | "IN_USE" | "OVER" | "ENDED" | "DENIED" }
  | { kind: "NOT_YET"; from: string }
  /** `until`: the day from which it can be used again; null: never, or when its oldest use is thirty days old. */
  | { kind: "USED_UP"; until: string | null; isForGood: boolean }
  | { kind: "STOPPED"; because: "SIGNATURES" | "DESTINATION_CHANGED" | "BALANCE" | "GATES" };

/** What decides whether a mandate can be used now, beside itself. */
export interface MandateSurroundings {
  /** Business time. */
  now: Date;
  areGatesClosed: boolean;
  /** What each source could give, with its floor. */
  accounts: readonly Pick<MovableAccount, "id" | "availableInCents" | "floorInCents">[];
}

type Standing = Pick<Mandate, "state" | "isExpired" | "stoppedBy" | "terms" | "timeZone" | "left">;

export function standingOf(mandate: Standing, around: MandateSurroundings): MandateStanding {
  switch (mandate.state) {
    case "WAITING":
      return { kind: mandate.isExpired ? "EXPIRED" : "WAITING" };
    case "ENDED":
    case "DENIED":
      return { kind: mandate.state };
    case "IN_FORCE":
      return standingInForce(mandate, around);
  }
}

function standingInForce(mandate: Standing, around: MandateSurroundings): MandateStanding {
  const { stoppedBy, terms } = mandate;
  if (stoppedBy === "OVER") return { kind: "OVER" };
  if (stoppedBy === "SIGNATURES" || stoppedBy === "DESTINATION_CHANGED")
    return { kind: "STOPPED", because: stoppedBy };
  if (around.areGatesClosed) return { kind: "STOPPED", because: "GATES" };
  if (stoppedBy === "NOT_YET") return { kind: "NOT_YET", from: terms.from };
  const usedUp = usedUpOf(mandate, around.now);
  if (usedUp) return usedUp;
  return isShort(terms, around.accounts) ? { kind: "STOPPED", because: "BALANCE" } : { kind: "IN_USE" };
}

/** Null: at least the smallest transfer fits into every limit. */
function usedUpOf({ terms, left, timeZone }: Standing, now: Date): MandateStanding | null {
  const least = terms.minimumInCents ?? MINIMUM_TRANSFER_IN_CENTS;
  const isOut = (leftInCents: number | null) => leftInCents !== null && leftInCents < least;
  if (left.uses === 0 || isOut(left.totalInCents)) return { kind: "USED_UP", until: null, isForGood: true };
  const periods: MandatePeriod[] = [];
  if (isOut(left.dayInCents)) periods.push("DAY");
  if (isOut(left.weekInCents)) periods.push("WEEK");
  if (isOut(left.monthInCents)) periods.push("MONTH");
  if (left.usesInPeriod === 0 && terms.recurrence) periods.push(terms.recurrence.period);
  const today = dayAt(now.getTime(), timeZone);
  const last = periods
    .map((period) => nextPeriod(period, today))
    .toSorted()
    .at(-1);
  if (last !== undefined) {
    const isForGood = last > terms.until;
    return { kind: "USED_UP", until: isForGood ? null : last, isForGood };
  }
  return isOut(left.thirtyDaysInCents) ? { kind: "USED_UP", until: null, isForGood: false } : null;
}

/** A day that is certainly in the next month. */
const PAST_A_MONTH = 31;

/** The day on which the next day, week or month begins. */
function nextPeriod(period: MandatePeriod, today: number): string {
  if (period === "DAY") return dateOf(today + 1);
  if (period === "WEEK") return dateOf(firstDayOf("WEEK", today) + 7);
  return dateOf(firstDayOf("MONTH", firstDayOf("MONTH", today) + PAST_A_MONTH));
}

/** Whether no source holds enough for the smallest transfer. An unknown balance may be enough. */
function isShort(
  { sourceAccountIds, minimumInCents, keepsInCents }: Standing["terms"],
  accounts: MandateSurroundings["accounts"],
): boolean {
  const least = minimumInCents ?? MINIMUM_TRANSFER_IN_CENTS;
  const sources = accounts.filter(({ id }) => sourceAccountIds.includes(id));
  return (
    sources.length > 0 &&
    sources.every(
      ({ availableInCents, floorInCents }) =>
        availableInCents !== null &&
        availableInCents - least < Math.max(floorInCents ?? 0, keepsInCents ?? 0),
    )
  );
}

/** Names of the accounts and payees that these mandates name; closed ones keep theirs. */
export async function readMandateNames(
  database: Queryable,
  organizationId: string,
  all: readonly MandateTerms[],
): Promise<MandateNames> {
  const ids = all.flatMap(({ sourceAccountIds, destinationAccountIds }) => [
    ...sourceAccountIds,
    ...destinationAccountIds,
  ]);
  const names = await readAccountNames(database, organizationId, [...new Set(ids)]);
  return Object.fromEntries(Object.entries(names).map(([id, { name }]) => [id, name]));
}

/** For one line of a list: `Redline Print`, `Redline Print and Comcast`, `Redline Print and 3 more`. */
function namesInShort(ids: readonly string[], names: MandateNames): string {
  const [first = "", second, ...others] = ids.map((id) => accountsWords([id], names));
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${others.length + 1} more`;
}

/** `5d20…b7c4` */
function shortMandateId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** What every list and page of a mandate shows of it. */
export function describeMandate(mandate: Mandate, names: MandateNames) {
  const { id, apiKeyId, apiKeyName, terms } = mandate;
  return {
    id,
    shortId: shortMandateId(id),
    href: mandateHref(id),
    key: { id: apiKeyId, name: apiKeyName, href: keyHref(apiKeyId) },
    sourceName: namesInShort(terms.sourceAccountIds, names),
    destinationName: namesInShort(terms.destinationAccountIds, names),
    /** `Redline Print, up to $350.00 at a time` */
    title: mandateTitle(terms, names),
    brief: mandateBrief(terms),
    until: terms.until,
  };
}

/** One limit as a level. Amounts in cents, or uses. */
export interface LevelView {
  part: "DAY" | "WEEK" | "MONTH" | "THIRTY_DAYS" | "TOTAL" | "USES" | "PERIOD_USES";
  left: number;
  of: number;
}

/** What is left of each limit that a mandate has, from the shortest on. */
export function levelsOf({ terms, left }: Pick<Mandate, "terms" | "left">): LevelView[] {
  const level = (
    part: LevelView["part"],
    of: number | null | undefined,
    leftOver: number | null,
  ): LevelView[] =>
    of === null || of === undefined || leftOver === null ? [] : [{ part, left: leftOver, of }];
  return [
    ...level("DAY", terms.dayInCents, left.dayInCents),
    ...level("WEEK", terms.weekInCents, left.weekInCents),
    ...level("MONTH", terms.monthInCents, left.monthInCents),
    ...level("THIRTY_DAYS", terms.thirtyDaysInCents, left.thirtyDaysInCents),
    ...level("TOTAL", terms.totalInCents, left.totalInCents),
    ...level("PERIOD_USES", terms.recurrence?.atMost, left.usesInPeriod),
    ...level("USES", terms.maximumUses ?? MAXIMUM_MANDATE_USES, left.uses),
  ];
}
