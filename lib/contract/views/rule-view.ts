import type { Refused } from "@/lib/contract/refused";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RequesterView } from "@/lib/contract/views/approval-view";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { RunRowView } from "@/lib/contract/views/run-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** State of a version. `PROPOSED`: it could be activated. `PAST`: it was active, and could be again. */
export type RuleVersionState = "ACTIVE" | "PROPOSED" | "PAST" | "DISCARDED";

export interface RuleVersionView {
  number: number;
  state: RuleVersionState;
  madeBy: { kind: "API_KEY" | "ASSISTANT" | "MEMBER"; name: string };
  madeAt: string;
  /** The author's reason; null without one. */
  reason: string | null;
  href: string;
}

/** A scheduled time that passed without a run. */
interface SkippedTimeView {
  scheduledFor: string;
  reason: "DOWNTIME" | "PAUSED" | "GATES_CLOSED";
  /** More than one: the latest of a long stretch represents all of them. */
  times: number;
}

/** What people, or a bank's return, did to it. */
export interface RuleEventView {
  id: string;
  kind:
    | "ACTIVATED"
    | "DEACTIVATED"
    | "DISCARDED"
    | "DELETED"
    | "PAUSED"
    | "RESUMED"
    | "HOOK_MADE"
    | "HOOK_REMOVED";
  version: number | null;
  /** Null: caused by a returned transfer. */
  byName: string | null;
  at: string;
}

/** A run that waits for a decision. */
export interface WaitingRunView {
  id: string;
  href: string;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  /** What it would move now; null: it can't run now. */
  amountInCents: number | null;
  version: number;
}

/** The waiting runs that an activation or deactivation ends. */
export interface EndingRunsView {
  count: number;
  /** The first few, soonest to expire first. */
  listed: WaitingRunView[];
}

interface RuleFrame {
  id: string;
  name: string;
  viewer: { canDecide: boolean };
  /** Whether this member confirms with a passkey. */
  hasPasskey: boolean;
  /** Until then their recent sign-in confirms, in business time; null: it does not. */
  freshUntil: string | null;
  time: TimeContext;
}

/** A rule in one of its versions. */
export interface RuleView extends RuleFrame {
  kind: "READABLE";
  definition: RuleDefinition;
  shown: RuleVersionView;
  latestVersion: number;
  activeVersion: number | null;
  /** When a return paused it; null while it is not paused. */
  pausedAt: string | null;
  names: AccountNames;
  /** Current balance without incoming funds: the base of a dry run. */
  facts: RuleFacts;
  /** The active version, if another one is shown and it can be read. */
  comparedWith: { version: number; definition: RuleDefinition } | null;
  checks: ActivationCheck[];
  /** Digest of what is shown, for its activation. */
  digest: string;
  /** The median of arrivals at the trigger's account in the last 90 days; null without any. */
  typicalInCents: number | null;
  /** Newest first. */
  versions: RuleVersionView[];
  /** The latest, newest first. */
  runs: RunRowView[];
  skipped: SkippedTimeView[];
  /** For a schedule: its next times, if this version is active, or was activated now. */
  nextRuns: string[];
  /** Ended by activating the shown version, or, if that is the active one, by deactivating it. */
  endingRuns: EndingRunsView;
  events: RuleEventView[];
}

/** A rule whose version this version of Sluice cannot represent, or that was deleted. */
export interface UnreadableRuleView extends RuleFrame {
  kind: "UNREADABLE" | "DELETED";
  activeVersion: number | null;
  latestVersion: number;
  shownVersion: number;
  /** For a deleted one. */
  deletedAt: string | null;
  versions: RuleVersionView[];
}

export type RulePageView = RuleView | UnreadableRuleView;

/** Data of a hook. Its secret is not stored. */
export interface HookFactsView {
  /** The last four characters of its secret. */
  secretLast4: string;
  approvalRequired: boolean;
  madeByName: string;
  madeAt: string;
  lastUsedAt: string | null;
}

/** The page that lets a program start a rule. */
export interface RuleHookView {
  rule: { id: string; name: string; href: string; state: "ACTIVE" | "PAUSED" | "INACTIVE" };
  /** The hook's address; it contains no secret. */
  url: string;
  /** Null: no program may start this rule. */
  hook: HookFactsView | null;
  requestsPerMinute: number;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What an owner or co-owner does with a rule, and confirms: from then on it moves money. */
export type RuleAct = "ACTIVATE" | "RESUME";

/** What is confirmed. */
export interface RuleActSubject {
  act: RuleAct;
  ruleId: string;
  /** The one to activate; otherwise the active one, as shown. */
  version: number;
  /** Digest of what was shown of the version to activate; empty for the other acts. */
  digest: string;
}

/** One attempt. */
export interface RuleActInput extends RuleActSubject {
  confirmation: Confirmation;
}

/** Outcome. Only `DONE` has changed anything. */
export type RuleChangeResult =
  | { kind: "DONE" }
  /** What the member saw has changed; each change is one sentence. */
  | { kind: "CHANGED"; changes: string[] }
  | { kind: "NOT_CONFIRMED"; message: string }
  | Refused;

/** The version to discard or to stop, as shown. */
export interface RuleVersionInput {
  ruleId: string;
  version: number;
}
