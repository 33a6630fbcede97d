import type { Refused } from "@/lib/contract/refused";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
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
interface SkippedTimeView {
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

/** What is known of a hook. Its secret is nowhere. */
export interface HookFactsView {
  /** The last four characters of its secret. */
  secretLast4: string;
  approvalRequired: boolean;
  madeByName: string;
  madeAt: string;
  lastUsedAt: string | null;
}

/** The page by which a program is let start a rule. */
export interface RuleHookView {
  rule: { id: string; name: string; href: string; state: "ACTIVE" | "PAUSED" | "INACTIVE" };
  /** Where the program asks; it holds no secret. */
  url: string;
  /** Null: no program may start this rule. */
  hook: HookFactsView | null;
  requestsPerMinute: number;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** The only answer that ever holds a secret. */
export type HookSecretResult = { kind: "MADE"; secret: string } | Refused;

/** The server actions behind the page. */
export interface HookActions extends PresenceActions {
  /** Makes the hook, or gives it another secret. */
  makeHookSecret: (input: { ruleId: string }) => Promise<HookSecretResult>;
  removeHook: (input: { ruleId: string }) => Promise<{ kind: "REMOVED" } | Refused>;
  setHookApproval: (input: { ruleId: string; isRequired: boolean }) => Promise<{ kind: "SET" } | Refused>;
}

/** What an owner or co-owner does with a rule, and confirms. */
export type RuleAct = "ACTIVATE" | "DEACTIVATE" | "RESUME";

/** What exactly is confirmed. */
export interface RuleActSubject {
  act: RuleAct;
  ruleId: string;
  /** The one to activate; else the active one, as it was shown. */
  version: number;
  /** Names what was shown of a version that is to be activated; empty for the other acts. */
  digest: string;
}

/** One attempt. */
export interface RuleActInput extends RuleActSubject {
  confirmation: Confirmation;
}

/** What became of it. Only `DONE` has changed anything. */
export type RuleChangeResult =
  | { kind: "DONE" }
  /** What was shown is no longer so; each change is one sentence. */
  | { kind: "CHANGED"; changes: string[] }
  | { kind: "NOT_CONFIRMED"; message: string }
  | Refused;

/** Which version is thrown away, as it was shown. */
export interface DiscardInput {
  ruleId: string;
  version: number;
}

/** The server actions of a rule's page. */
export interface RuleActions {
  beginRuleAct: (
    subject: RuleActSubject,
  ) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  changeRule: (input: RuleActInput) => Promise<RuleChangeResult>;
  /** `DELETED`: it was the only version, so the rule went with it. */
  discardVersion: (input: DiscardInput) => Promise<RuleChangeResult | { kind: "DELETED" }>;
  deleteRule: (input: { ruleId: string }) => Promise<RuleChangeResult>;
}
