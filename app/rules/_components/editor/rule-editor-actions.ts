import type { Refused } from "@/lib/contract/refused";
import type { RuleWork } from "@/lib/contract/rules/draft";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

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

export interface RuleEditorActions {
  keepDraft: (input: DraftInput) => Promise<DraftKept | Refused>;
  saveVersion: (input: VersionInput) => Promise<VersionSaved | Refused>;
  discardDraft: (input: {
    draftId: string;
    ruleId: string | null;
  }) => Promise<{ kind: "DISCARDED" } | Refused>;
}
