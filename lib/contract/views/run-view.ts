import type { Refused } from "@/lib/contract/refused";
import type { DryRunBase, RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** Another run that this one hangs together with. */
export interface RunReference {
  ruleName: string;
  /** Null: the rule is not there to look at. */
  href: string | null;
}

/** What set a run off, as its page says it. */
export type RunStarterView =
  /** Money that settled on the trigger's account. `setOffBy`: the run of a rule that had moved it. */
  | {
      kind: "TRANSFER";
      /** Who paid, or the account that it came from. */
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
  /** What set it off is not known any more, or was never stored. */
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
  /** Of a transfer that had a screen of its own; null otherwise. */
  href: string | null;
}

interface RunAttemptView {
  at: string;
  problem: string;
}

/** How a person decided about a run that needed it. */
export interface RunDecisionView {
  state: "WAITING" | "APPROVED" | "DENIED" | "EXPIRED" | "REVOKED";
  at: string | null;
  byName: string | null;
  /** Where it is, or was, decided. */
  href: string;
}

/** A run with everything that it stored (page of a run). */
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
  /** The version that it ran; null: this version of Sluice cannot read it. */
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits"> | null;
  /** What a dry run was worked out from; null of a live one. */
  base: DryRunBase | null;
  /** Null: it came to none, or stored none. */
  facts: RuleFacts | null;
  plan: RulePlan | null;
  accounts: AccountNames;
  /** In the order in which they were made; the first thousand. */
  transfers: RunTransferView[];
  startedBy: RunStarterView;
  /** Rules that ran before it in its chain. */
  chainDepth: number;
  /** Runs that money of this one set off; the first fifty. */
  setOff: RunReference[];
  decision: RunDecisionView | null;
  /** Facts, plan and version, for programmers. */
  json: string;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What pressing *Replay* answers. */
export type ReplayResult =
  | {
      kind: "SAME";
      /** Amounts that agree. */
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

/** How the list of runs is looked at. */
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
  /** Of its transfers that are under way, complete or were returned. */
  movedInCents: number;
  movedCount: number;
  transfersAttempted: number;
  nextAttemptAt: string | null;
  /** Decided by nobody, so it expired; of `APPROVAL_DENIED` only. */
  isExpired: boolean;
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
  /** What the member told it as incoming; null: what the account has available. */
  incomingAmountInCents: number | null;
  accounts: AccountNames;
  /** Names this one request: pressed twice, it runs once. */
  requestId: string;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What exactly is confirmed: another version, or another amount, needs another confirmation. */
export interface RunNowSubject {
  ruleId: string;
  version: number;
  incomingAmountInCents: number | null;
  requestId: string;
}

/** The server actions behind *Run now*. */
export interface RunNowActions {
  beginRun: (subject: RunNowSubject) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  runNow: (
    input: RunNowSubject & { confirmation: Confirmation },
  ) => Promise<{ kind: "STARTED"; href: string } | Refused>;
}
