/** One rule that would be set off, in the order in which they would run. */
export interface KnockOnRunView {
  ruleName: string;
  ruleHref: string;
  /** `SKIPS`: it looks and does nothing. `WAITS`: for a balance that is not known. */
  outcome: "RUNS" | "SKIPS" | "FAILS" | "WAITS";
  /** Why, in one or two sentences. */
  because: string;
  /** It follows once a bank has settled what sets it off. */
  isLater: boolean;
  movedInCents: number;
  /** All that it moves goes to accounts outside. */
  leavesSluice: boolean;
  flows: { fromName: string; toName: string }[];
}

/** What an approval sets off by rule: a forecast, outside of what is approved. */
export interface KnockOnView {
  runs: KnockOnRunView[];
  /** What they would move together. */
  followsInCents: number;
  /** There are more than are shown. */
  isCut: boolean;
}
