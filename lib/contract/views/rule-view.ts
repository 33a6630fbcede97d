import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { RunRowView } from "@/lib/contract/views/run-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** Where a version stands. `PROPOSED`: it could be activated. `PAST`: it was active, and could be again. */
export type RuleVersionState = "ACTIVE" | "PROPOSED" | "PAST" | "DISCARDED";

export interface RuleVersionView {
  number: number;
  state: RuleVersionState;
  madeBy: { kind: "API_KEY" | "ASSISTANT" | "MEMBER"; name: string };
  madeAt: string;
  /** Why, in the words of whoever made it; null when they gave none. */
  reason: string | null;
  href: string;
}

/** A scheduled time that passed without a run. */
export interface SkippedTimeView {
  scheduledFor: string;
  reason: "DOWNTIME" | "PAUSED" | "GATES_CLOSED";
  /** More than one: the latest of a long stretch stands for all of it. */
  times: number;
}

/** What people, or a bank's return, did with it. */
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
  /** Null: nobody, a return of money did. */
  byName: string | null;
  at: string;
}

interface RuleFrame {
  id: string;
  name: string;
  viewer: { canDecide: boolean };
  /** Whether this member confirms with a passkey. */
  hasPasskey: boolean;
  time: TimeContext;
}

/** A rule in one of its versions. */
export interface RuleView extends RuleFrame {
  kind: "READABLE";
  definition: RuleDefinition;
  shown: RuleVersionView;
  latestVersion: number;
  activeVersion: number | null;
  /** A return of money paused it, at this moment; null while it is not paused. */
  pausedAt: string | null;
  names: AccountNames;
  /** As of now, without an incoming amount: what a dry run starts from. */
  facts: RuleFacts;
  /** The active version, when another one is shown and it can be read. */
  comparedWith: { version: number; definition: RuleDefinition } | null;
  checks: ActivationCheck[];
  /** Names what is shown, for its activation. */
  digest: string;
  /** The median of what arrived at the trigger's account in the last 90 days; null when nothing did. */
  typicalInCents: number | null;
  /** The newest first. */
  versions: RuleVersionView[];
  /** The latest, newest first. */
  runs: RunRowView[];
  skipped: SkippedTimeView[];
  /** Of a schedule: its next times, if this version is the active one, or would be activated now. */
  nextRuns: string[];
  events: RuleEventView[];
}

/** A rule whose version this version of Sluice cannot represent, or that was deleted. */
export interface UnreadableRuleView extends RuleFrame {
  kind: "UNREADABLE" | "DELETED";
  activeVersion: number | null;
  latestVersion: number;
  shownVersion: number;
  /** Of a deleted one. */
  deletedAt: string | null;
  versions: RuleVersionView[];
}

export type RulePageView = RuleView | UnreadableRuleView;
