import type { Refused } from "@/lib/contract/refused";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What running a rule by hand would do now. */
export type RunNowForecast =
  | { kind: "PLANNED"; facts: RuleFacts; plan: RulePlan }
  /** It would wait until this is known. */
  | { kind: "UNKNOWN"; missing: UnknownFact };

/** The page on which a member runs a rule by hand. */
export interface RunNowView {
  rule: { id: string; name: string; href: string };
  /** `ACTIVE`: it can be run. */
  state: "ACTIVE" | "INACTIVE" | "PAUSED";
  pausedHref: string;
  /** The active version, else the latest. */
  version: number;
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
  forecast: RunNowForecast;
  /** What the member told it as incoming; null: what the account has available. */
  incomingAmountInCents: number | null;
  accounts: AccountNames;
  /** Names this one request: pressed twice, it runs once. */
  requestId: string;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What exactly is confirmed: another version, or another amount, needs another confirmation. */
export interface RunNowSubject {
  ruleId: string;
  version: number;
  incomingAmountInCents: number | null;
  requestId: string;
}

/** The server actions behind *Run now*. */
export interface RunNowActions {
  beginRun: (subject: RunNowSubject) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  runNow: (
    input: RunNowSubject & { confirmation: Confirmation },
  ) => Promise<{ kind: "STARTED"; href: string } | Refused>;
}
