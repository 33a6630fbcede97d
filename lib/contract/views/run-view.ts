import type { Refused } from "@/lib/contract/refused";
import type { DryRunBase, LiveOutlook, RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, SkipReason, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** A related run. */
export interface RunReference {
  ruleName: string;
  /** Null: the rule no longer exists. */
  href: string | null;
}

/** What started a run, as its page says it. */
export type RunStarterView =
  /** Money that settled on the trigger's account. `setOffBy`: the run of a rule that had moved it. */
  | {
      kind: "TRANSFER";
      /** The payer, or the account it came from. */
      fromName: string | null;
      amountInCents: number;
      isDeposit: boolean;
      sentAt: string;
      settledAt: string | null;
      setOffBy: RunReference | null;
      wasReturned: boolean;
    }
  | {
      kind: "CARD_TRANSACTION";
      description: string;
      cardName: string | null;
      amountInCents: number;
      at: string;
    }
  | { kind: "EXTERNAL_TRANSACTION"; description: string; amountInCents: number; at: string }
  | { kind: "SCHEDULE"; scheduledFor: string | null }
  | { kind: "API_KEY"; name: string | null; href: string | null }
  | { kind: "ASSISTANT"; name: string | null; memberName: string | null; href: string }
  | { kind: "MEMBER"; name: string | null }
  | { kind: "HOOK"; name: string | null }
  /** What started it is unknown, or was never stored. */
  | { kind: "UNKNOWN" };

export interface RunTransferView {
  id: string;
  fromName: string;
  toName: string;
  amountInCents: number;
  status: TransferStatus;
  /** When it ended; else when it began. */
  at: string;
  errorMessage: string | null;
  /** For a transfer with an approval page of its own; null otherwise. */
  href: string | null;
}

interface RunAttemptView {
  at: string;
  problem: string;
}

/** How a person decided about a run that needed it. */
export interface RunDecisionView {
  state: "WAITING" | "APPROVED" | "DENIED" | "EXPIRED" | "REVOKED" | "RULE_CHANGED";
  at: string | null;
  byName: string | null;
  /** Where it is, or was, decided. */
  href: string;
}

/** A run with everything it stored (page of a run). */
export interface RunView {
  id: string;
  rule: { id: string; name: string; href: string; runsHref: string; isDeleted: boolean };
  version: number;
  status: RuleExecutionStatus;
  mode: ExecutionMode;
  createdAt: string;
  plannedAt: string | null;
  endedAt: string | null;
  errorMessage: string | null;
  nextAttemptAt: string | null;
  attempts: RunAttemptView[];
  reasonForApproval: string | null;
  /** The version that ran; null: this version of Sluice cannot read it. */
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits"> | null;
  /** The base of a dry run; null for a live one. */
  base: DryRunBase | null;
  /** How the caller of a dry run could have started it live; null for a live one. */
  live: LiveOutlook | null;
  /** Null: there was none, or it was not stored. */
  facts: RuleFacts | null;
  plan: RulePlan | null;
  accounts: AccountNames;
  /** In the order in which they were made; the first thousand. */
  transfers: RunTransferView[];
  startedBy: RunStarterView;
  /** Rules that ran before it in its chain. */
  chainDepth: number;
  /** Runs started by this one's money; the first fifty. */
  setOff: RunReference[];
  decision: RunDecisionView | null;
  /** Facts, plan and version, for programmers. */
  json: string;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** Answer to *Replay*. */
export type ReplayResult =
  | {
      kind: "SAME";
      /** Amounts that match. */
      count: number;
      at: string;
    }
  | { kind: "DIFFERENT"; differences: ReplayDifference[]; at: string }
  | Refused;

export type ReplayDifference =
  | {
      kind: "AMOUNT";
      /** From 1. */
      place: number;
      storedInCents: number | null;
      recomputedInCents: number | null;
    }
  | { kind: "OTHER"; what: "STEP_MATCHED" | "COMPARISONS" | "ACTIONS_NOT_REACHED" };

/** URL state of the list of runs. */
export interface RunsLook {
  status: RuleExecutionStatus | null;
  mode: ExecutionMode | null;
  page: number;
}

export interface RunRowView {
  id: string;
  href: string;
  at: string;
  status: RuleExecutionStatus;
  mode: ExecutionMode;
  version: number;
  startedBy: "ARRIVAL" | "SCHEDULE" | "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "UNKNOWN";
  startedByName: string | null;
  conditionsNotMet: boolean;
  /** Its transfers that are in progress, complete or returned. */
  movedInCents: number;
  movedCount: number;
  transfersAttempted: number;
  /** Why the first of its transfers was skipped, if all were; else null. */
  skipped: { reason: SkipReason; sourceName: string; destinationName: string } | null;
  nextAttemptAt: string | null;
  /** Why nobody decided; null for every status but `APPROVAL_DENIED` and for a decided run. */
  endedBy: "EXPIRY" | "RULE_CHANGE" | null;
}

/** The live runs of a rule on one day. */
export interface RunDayView {
  /** `YYYY-MM-DD`, in the organization's time zone. */
  date: string;
  runs: number;
  /** Runs that failed, in full or in part. */
  failed: number;
  movedInCents: number;
}

/** The live runs of a rule over time. */
export interface RunDaysView {
  /** Every day of the range, oldest first; the last one is today. */
  days: RunDayView[];
  /** More runs than are counted: earlier ones are left out. */
  isTruncated: boolean;
}

/** The runs of one rule. */
export interface RunsView {
  rule: { id: string; name: string; href: string };
  look: RunsLook;
  hrefs: { all: string; live: string; dry: string };
  /** By status, `ALL` for none. */
  statusHrefs: Record<RuleExecutionStatus | "ALL", string>;
  rows: RunRowView[];
  previousHref: string | null;
  nextHref: string | null;
  /** Whether the rule has any run at all. */
  hasRuns: boolean;
  /** The reader may run it by hand, and it can be run. */
  canRunNow: boolean;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What running a rule by hand would do now. */
type RunNowForecast =
  | { kind: "PLANNED"; facts: RuleFacts; plan: RulePlan }
  /** It would wait until this is known. */
  | { kind: "UNKNOWN"; missing: UnknownFact };

/** The page on which a member runs a rule by hand. */
export interface RunNowView {
  rule: { id: string; name: string; href: string };
  /** `ACTIVE`: it can be run. */
  state: "ACTIVE" | "INACTIVE" | "PAUSED";
  pausedHref: string;
  /** The active version, else the latest. */
  version: number;
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  forecast: RunNowForecast;
  /** The incoming amount entered by the member; null: the account's available balance. */
  incomingAmountInCents: number | null;
  accounts: AccountNames;
  /** Identifies this request: pressed twice, it runs once. */
  requestId: string;
  viewer: { canDecide: boolean; hasPasskey: boolean; freshUntil: string | null };
  time: TimeContext;
}

/** What is confirmed: another version or amount needs another confirmation. */
export interface RunNowSubject {
  ruleId: string;
  version: number;
  incomingAmountInCents: number | null;
  requestId: string;
}
