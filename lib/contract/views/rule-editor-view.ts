import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleWork } from "@/lib/contract/rules/draft";
import type { RuleFacts, UsageByPeriod } from "@/lib/contract/rules/facts";
import type { SkipReason } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountKind } from "@/lib/contract/views/accounts-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An account to choose in the editor. */
export interface EditorAccountView {
  id: string;
  name: string;
  kind: AccountKind;
  canBeSource: boolean;
  isClosed: boolean;
}

/** A draft of a rule that does not exist yet. */
export interface NewDraftView {
  id: string;
  /** Null while it has none. */
  name: string | null;
  keptAt: string;
  href: string;
}

/** Data for the templates page. */
export interface RuleTemplatesView {
  accounts: EditorAccountView[];
  /** The reader's own, latest first. */
  drafts: NewDraftView[];
  time: TimeContext;
}

/** The rule whose next version is being written. */
export interface EditedRuleView {
  id: string;
  name: string;
  href: string;
  /** The version this edit started from. */
  baseVersion: number;
  latestVersion: number;
  /** The author of the latest version; for a program, its key's name. */
  latestByName: string;
  activeVersion: number | null;
  /** The version number after saving. */
  nextVersion: number;
}

export interface RuleEditorView {
  /** The id under which this edit is saved; nothing is saved yet if `keptAt` is null. */
  draftId: string;
  /** Null: a new rule. */
  rule: EditedRuleView | null;
  keptAt: string | null;
  work: RuleWork;
  accounts: EditorAccountView[];
  /** All open accounts and those named by the rule, so that choosing another needs no server; without limits. */
  facts: RuleFacts;
  /** Of every limit that any version of the rule had, so that changing a limit needs no server. */
  limitsUsed: UsageByPeriod;
  /** Every other active rule, to show how money connects them. */
  otherActiveRules: JoinedRuleView[];
  time: TimeContext;
}

/** Another rule: its trigger, and where it sends money. */
export interface JoinedRuleView {
  id: string;
  name: string;
  trigger: Pick<RuleDefinition["trigger"], "type" | "accountId">;
  steps: readonly { actions: readonly RuleAction[] }[];
}

/** An edit as sent for saving. */
export interface DraftInput {
  draftId: string;
  ruleId: string | null;
  baseVersion: number | null;
  work: RuleWork;
}

export interface VersionInput {
  draftId: string;
  ruleId: string | null;
  expectedVersion: number | null;
  definition: RuleDefinition;
  reason: string;
}

export type DraftKept = { kind: "KEPT"; draftId: string; keptAt: string };
export type VersionSaved = { kind: "SAVED"; href: string };

/** What one version would have moved. */
export interface BacktestVersionView {
  version: number;
  triggerType: RuleDefinition["trigger"]["type"];
  /** Times at which it would have run, by trigger. */
  occasions: { arrivals: number; scheduled: number; asked: number };
  movedInCents: number;
  /** Runs that would have ended at a transfer without enough money. */
  brokeOff: number;
  /** Runs that would have waited for an unknown value. */
  unknown: number;
  /** Transfers that would have been skipped, by reason; reasons without any are left out. */
  skipped: { reason: SkipReason; count: number }[];
  /** Runs in which no step would have matched. */
  conditionsNotMet: number;
  /** The lowest balance of its account; null if the books do not know. */
  lowest: { at: string; balanceInCents: number } | null;
}

export interface BacktestDestinationView {
  accountId: string;
  name: string;
  inCents: number;
  /** By the active version; null without another active one. */
  activeInCents: number | null;
}

/** A calendar week, which begins on Monday. */
export interface BacktestWeekView {
  /** `YYYY-MM-DD`. */
  startsOn: string;
  /** By the version shown, one entry per destination, in order. */
  movedInCents: number[];
}

/** What the version would move in the coming weeks, if everything else moves as in the last ones. */
export interface BacktestAheadView {
  /** Calendar date of the last day. */
  until: string;
  /** From the present week on, like the past ones. */
  weeks: BacktestWeekView[];
  version: BacktestVersionView;
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
  /** Destinations of the version in the order of its actions, then those only the active one has. */
  destinations: BacktestDestinationView[];
  weeks: BacktestWeekView[];
  /** Null: it would not run, or too much happened to repeat it. */
  ahead: BacktestAheadView | null;
  /** Accounts at other institutions, which are assumed to be as they are today. */
  asToday: string[];
  /** Too much happened to simulate all: `from` is later than requested. */
  isCut: boolean;
  /** What others moved on the rule's routes before it was first active. Unchanged by the simulation. */
  byOthers: { count: number; inCents: number };
  time: TimeContext;
}
