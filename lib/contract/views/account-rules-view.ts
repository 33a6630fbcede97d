/** A rule as the page of an account speaks of it. */
export interface AccountRuleView {
  id: string;
  href: string;
  name: string;
  /** What it does, in one sentence. */
  line: string;
  /** What it does with the account: takes from it, fills it, only starts there, or only looks at what it holds. */
  part: "IN" | "OUT" | "IN_AND_OUT" | "STARTS" | "LOOKED_AT";
  state: "ACTIVE" | "PAUSED" | "INACTIVE";
  /** Of an active one with a schedule; ISO 8601. */
  nextRunAt: string | null;
}

/** The rules that name an account. */
export interface AccountRulesView {
  /** Active ones first. */
  rules: AccountRuleView[];
  /** More than are listed, where there are many. */
  count: number;
}
