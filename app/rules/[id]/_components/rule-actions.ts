import type {
  Confirmation,
  ConfirmationRequest,
  RuleActInput,
  RuleActSubject,
  RuleChangeResult,
  RuleVersionInput,
  RunNowSubject,
} from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";

/** The only answer that ever contains a secret. */
export type HookSecretResult = { kind: "MADE"; secret: string } | Refused;

/** The server actions behind the page. */
export interface HookActions {
  /** Creates the hook, or replaces its secret. */
  makeHookSecret: (input: { ruleId: string }) => Promise<HookSecretResult>;
  removeHook: (input: { ruleId: string }) => Promise<{ kind: "REMOVED" } | Refused>;
  setHookApproval: (input: { ruleId: string; isRequired: boolean }) => Promise<{ kind: "SET" } | Refused>;
}

/** The server actions of a rule's page. */
export interface RuleActions {
  beginRuleAct: (
    subject: RuleActSubject,
  ) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  changeRule: (input: RuleActInput) => Promise<RuleChangeResult>;
  /** Without a confirmation: stopping moves nothing. */
  deactivateRule: (input: RuleVersionInput) => Promise<RuleChangeResult>;
  /** `DELETED`: it was the only version, so the rule was deleted too. */
  discardVersion: (input: RuleVersionInput) => Promise<RuleChangeResult | { kind: "DELETED" }>;
  deleteRule: (input: { ruleId: string }) => Promise<RuleChangeResult>;
}

/** The server actions behind *Run now*. */
export interface RunNowActions {
  beginRun: (subject: RunNowSubject) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  runNow: (
    input: RunNowSubject & { confirmation: Confirmation },
  ) => Promise<{ kind: "STARTED"; href: string } | Refused>;
}
