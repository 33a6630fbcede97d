import type { RulesSearch } from "@/lib/contract/list-search";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** When a rule runs next. */
export type NextRun =
  /** In the schedule's zone, like the rule's sentence. */
  | { kind: "AT"; at: string; timeZone: string | null }
  | { kind: "EACH_DEPOSIT" }
  | { kind: "WHEN_RUN" }
  /** It is inactive, paused, or its schedule has ended. */
  | { kind: "NONE" };

/** `PAUSED`: a return paused it; it keeps its active version and does not run until a person has reviewed it. */
export type RuleState = "ACTIVE" | "PAUSED" | "INACTIVE";

/** One run of the last 30 days. */
export interface RunBarView {
  /** Sum of its completed transfers. */
  movedInCents: number;
  hasFailed: boolean;
}

/** One rule in the list. Runs and sums cover live runs of the last 30 days. */
export interface RuleRowView {
  id: string;
  href: string;
  name: string;
  /** What it does, in one sentence; null if this version of Sluice cannot read it. */
  line: string | null;
  state: RuleState;
  next: NextRun;
  lastRunAt: string | null;
  /** The latest ones, oldest first. */
  latestRuns: RunBarView[];
  runCount: number;
  movedInCents: number;
  /** There were more runs than are counted: both figures are minimums. */
  isAtLeast: boolean;
}

/** A version that a person has yet to activate. */
export interface WaitingVersionView {
  href: string;
  name: string;
  version: number;
  /** The version that runs until then. */
  activeVersion: number | null;
  proposedBy: { kind: "API_KEY" | "ASSISTANT" | "MEMBER"; name: string };
  proposedAt: string;
}

/** Versions that wait for their activation, latest first. */
export interface ProposedRulesView {
  listed: WaitingVersionView[];
  count: number;
}

export interface PausedRuleView {
  href: string;
  name: string;
  pausedAt: string;
}

/** Everything that the rules page shows. */
export interface RulesView {
  search: RulesSearch;
  /** One page of those that match the search. */
  rules: RuleRowView[];
  /** 1-based, of the first row. */
  firstPosition: number;
  matchCount: number;
  previousHref: string | null;
  nextHref: string | null;
  /** There are more rules than one page holds, so filtering makes sense. */
  isLong: boolean;
  /** Of all rules, regardless of the search. */
  counts: Record<RuleState, number>;
  /** The first few that wait, and how many do. */
  waiting: WaitingVersionView[];
  waitingCount: number;
  /** The first few that are paused; `counts.PAUSED` of them are. */
  paused: PausedRuleView[];
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** State of the reversal of one transfer. */
export type ReversalState = "NOT_PROPOSED" | "WAITING" | "ON_ITS_WAY" | "DONE" | "DENIED" | "FAILED";

/** A settled transfer that split money which was returned afterwards. */
export interface SplitTransferView {
  id: string;
  fromName: string;
  toName: string;
  amountInCents: number;
  settledAt: string;
  ruleName: string;
  /** The run that made it. */
  runHref: string;
  /** Rules that ran before that one since the money arrived: 0 for those on the account itself. */
  depth: number;
  reversal: { state: ReversalState; href: string | null };
  /** Where its reversal is proposed. */
  moveBackHref: string;
}

/** What a return has paused, and what could be moved back. */
export interface PauseView {
  rule: { id: string; name: string; href: string };
  pausedAt: string;
  /** The returned transfer. */
  returned: {
    amountInCents: number;
    fromName: string | null;
    accountName: string;
    arrivedAt: string | null;
    returnedAt: string;
    code: string | null;
  };
  /** Current balance of the account; null: unknown. */
  balanceInCents: number | null;
  /** Latest first: money moved on must be back before what brought it there. */
  transfers: SplitTransferView[];
  /** More than are listed. */
  hasMore: boolean;
  /** Of those runs, but not settled: they cannot be reversed before they settle. */
  onTheirWayCount: number;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** Outcome of proposing all reversals at once. */
export interface ReversalsResult {
  proposedCount: number;
  /** One sentence for each that could not be proposed. */
  refusals: string[];
}
