import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

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
