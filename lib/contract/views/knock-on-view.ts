import type { PlannedMove, UnknownFact } from "@/lib/contract/rules/plan";
import type { SkipReason } from "@/lib/contract/views/approval-view";
import type { Phrase } from "@/lib/contract/views/rule-parts";

/** One rule that would be set off, in the order in which they would run. */
export interface KnockOnRunView {
  ruleName: string;
  ruleHref: string;
  /** Where the money arrives, and how much. */
  accountName: string;
  arrivesInCents: number;
  /** It follows once a bank has settled what sets it off. */
  isLater: boolean;
  movedInCents: number;
  /** All that it moves goes to accounts outside. */
  leavesSluice: boolean;
  flows: { fromName: string; toName: string }[];
  outcome: KnockOnOutcome;
}

/** What the rule would do, with what its sentence needs. */
export type KnockOnOutcome =
  | { kind: "RUNS"; holdsInCents: number | null; isBrokenOff: boolean }
  | { kind: "BELOW_MINIMUM"; minimumInCents: number }
  /** What does not hold, in words; null where nothing more can be said. */
  | { kind: "CONDITIONS_NOT_MET"; because: Phrase[] | null }
  | { kind: "NOTHING_TO_MOVE"; because: SkipReason | null }
  | { kind: "FAILS"; code: PlannedMove["errorCode"]; fromName: string; toName: string; amountInCents: number }
  | { kind: "UNKNOWN"; fact: UnknownFact["fact"]; accountName: string | null }
  | { kind: "CHAIN_ENDS" };

/** What an approval sets off by rule: a forecast, outside of what is approved. */
export interface KnockOnView {
  runs: KnockOnRunView[];
  /** What they would move together. */
  followsInCents: number;
  /** There are more than are shown. */
  isCut: boolean;
}
