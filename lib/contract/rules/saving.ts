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
