import type { SkipReason } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What one version would have moved. */
export interface BacktestVersionView {
  version: number;
  triggerType: RuleDefinition["trigger"]["type"];
  /** Times at which it would have run, by what would have set it off. */
  occasions: { arrivals: number; scheduled: number; asked: number };
  movedInCents: number;
  /** Runs that would have ended at a transfer that could not have what it asks for. */
  brokeOff: number;
  /** Runs that would have waited for a value that nobody knows. */
  unknown: number;
  /** Transfers that would have been skipped, by why; reasons without any are left out. */
  skipped: { reason: SkipReason; count: number }[];
  /** Runs in which no step’s conditions would have held. */
  conditionsNotMet: number;
  /** The least that its account would have held; null where the books do not know. */
  lowest: { at: string; balanceInCents: number } | null;
}

export interface BacktestDestinationView {
  accountId: string;
  name: string;
  inCents: number;
  /** By the active version; null where there is no other that is active. */
  activeInCents: number | null;
}

/** A calendar week, which begins on Monday. */
export interface BacktestWeekView {
  /** `YYYY-MM-DD`. */
  startsOn: string;
  /** By the version that is looked at, one a destination in their order. */
  movedInCents: number[];
}

/** What a version of a rule would have moved over the last days, and the active one in its place. */
export interface BacktestView {
  /** Calendar dates, `YYYY-MM-DD`, both included. */
  from: string;
  until: string;
  version: BacktestVersionView;
  /** Null: no version is active, or it is this one. */
  active: BacktestVersionView | null;
  /** Name of the account whose money it starts from. */
  sourceName: string;
  /** Those of the version in the order of its actions, then what only the active one names. */
  destinations: BacktestDestinationView[];
  weeks: BacktestWeekView[];
  /** Names of accounts at other institutions, which are taken as they are today. */
  asToday: string[];
  /** More happened than is simulated: `from` is later than it would be. */
  isCut: boolean;
  /** What others moved on the rule's routes before it was first active. It stays as it was. */
  byOthers: { count: number; inCents: number };
  time: TimeContext;
}
