import type { Refused } from "@/lib/contract/refused";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleWork } from "@/lib/contract/rules/draft";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { SkipReason } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountKind } from "@/lib/contract/views/accounts-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An account as the editor offers it. */
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

/** What the templates page starts from. */
export interface RuleTemplatesView {
  accounts: EditorAccountView[];
  /** The reader's own, the latest first. */
  drafts: NewDraftView[];
  time: TimeContext;
}

/** The rule whose next version is written. */
export interface EditedRuleView {
  id: string;
  name: string;
  href: string;
  /** The version that this edit began from. */
  baseVersion: number;
  latestVersion: number;
  /** Who wrote the latest; what a program wrote has its key's name. */
  latestByName: string;
  activeVersion: number | null;
  /** The number that saving gives. */
  nextVersion: number;
}

export interface RuleEditorView {
  /** The id that this edit is kept under; there is nothing under it yet where `keptAt` is null. */
  draftId: string;
  /** Null: a new rule. */
  rule: EditedRuleView | null;
  keptAt: string | null;
  work: RuleWork;
  accounts: EditorAccountView[];
  /** Of all open accounts and those that the rule names, so that choosing another needs no server. */
  facts: RuleFacts;
  /** Every other active rule, for what money joins it to. */
  otherActiveRules: JoinedRuleView[];
  time: TimeContext;
}

/** Another rule: what sets it off, and where it sends money. */
export interface JoinedRuleView {
  id: string;
  name: string;
  trigger: Pick<RuleDefinition["trigger"], "type" | "accountId">;
  steps: readonly { actions: readonly RuleAction[] }[];
}

/** An edit as it is sent to be kept. */
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

export interface RuleEditorActions {
  keepDraft: (input: DraftInput) => Promise<DraftKept | Refused>;
  saveVersion: (input: VersionInput) => Promise<VersionSaved | Refused>;
  discardDraft: (input: {
    draftId: string;
    ruleId: string | null;
  }) => Promise<{ kind: "DISCARDED" } | Refused>;
}

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
