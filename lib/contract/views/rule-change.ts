import type { Refused } from "@/lib/contract/refused";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";

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
