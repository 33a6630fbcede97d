import type { LookAlike } from "@/lib/contract/input/look-alike";

/** Another rule, as a check names it. */
export interface CheckedRule {
  id: string;
  name: string;
}

/** A rule and the account whose arrivals connect it to the next. */
export interface LinkedRule extends CheckedRule {
  accountId: string;
}

/** One case in which a transfer fails for lack of money, as the evaluator computed it. */
export interface Shortfall {
  stepIndex: number;
  sourceAccountId: string;
  /** What the failing transfer's source held when the run began, and what was left by then. */
  heldInCents: number;
  leftInCents: number;
  destinationAccountId: string;
  wantedInCents: number;
  /** In every case tried that runs this step. */
  isAlways: boolean;
}

/** A source with a floor. */
export interface FlooredSource {
  accountId: string;
  floorInCents: number;
  /** The largest amount that an action leaves there and that the floor makes void, being higher; null: none. */
  voidKeepInCents: number | null;
}

/** The findings. An empty list or null means nothing to report. */
type Finding =
  /** Groups that share out more than all of an account. */
  | { kind: "SHARES"; over: { stepIndex: number; group: number; accountId: string; percentage: number }[] }
  /** Accounts named by the rule that are closed or do not exist. */
  | { kind: "ACCOUNTS_OPEN"; accountIds: string[] }
  /** Sources that money cannot be drawn from. */
  | { kind: "CAN_GIVE"; accountIds: string[] }
  /** Destinations that money cannot be sent to. */
  | { kind: "CAN_RECEIVE"; accountIds: string[] }
  /** Moves between two accounts outside Sluice. */
  | { kind: "BOTH_OUTSIDE"; routes: { sourceAccountId: string; destinationAccountId: string }[] }
  /** Accounts paid like a debt that are not debts. */
  | { kind: "DEBTS"; accountIds: string[] }
  /** Debts to be topped up, which would make them grow. */
  | { kind: "TOP_UP_DEBT"; accountIds: string[] }
  /** The active rule that already acts on arrivals at this account. */
  | { kind: "ONLY_ARRIVAL_RULE"; rival: CheckedRule | null }
  /** The way back to this rule: each entry sends money to the account that the next acts on. Empty without a cycle. */
  | { kind: "NO_CYCLE"; chain: LinkedRule[] }
  /** When it runs next; null: never again. */
  | { kind: "SCHEDULE"; nextRunAt: string | null }
  /** Steps that never run: their conditions cannot be met, or an earlier step takes every case. */
  | { kind: "REACHABLE"; stepIndexes: number[] }
  /** Active rules started by the money this one sends. */
  | { kind: "SETS_OFF"; rules: LinkedRule[] }
  /** Active rules whose money starts this one. */
  | { kind: "SET_OFF_BY"; rules: CheckedRule[] }
  /** Destinations outside Sluice. */
  | { kind: "SENDS_OUT"; accountIds: string[] }
  /** Sources outside Sluice. */
  | { kind: "PULLS_IN"; accountIds: string[] }
  /** Sources with a floor, which no rule crosses. */
  | { kind: "FLOORS"; floors: FlooredSource[] }
  /**
   * Whether a transfer can ask for more than its source has. CLEAR: proven impossible while the arrived money is
   * there. Null: not proven, and no example was found.
   */
  | { kind: "SUFFICES"; shortfall: Shortfall | null; isOnArrivals: boolean }
  /** Actions that can never move the smallest transfer. */
  | { kind: "MOVES"; actions: { stepIndex: number; destinationAccountIds: string[] }[] }
  /** Runs of a schedule in the next 24 hours, if more than one an hour. */
  | { kind: "FREQUENT"; timesADay: number }
  /** Debts that receive money regardless of what is owed. */
  | { kind: "OVERPAYS"; accountIds: string[] }
  /** Its name, those of its accounts and of their beneficiaries that look like another one. */
  | { kind: "LOOK_ALIKE"; names: LookAlike[] };

/** `BLOCKS`: it cannot be activated like this. `LOOK`: it can, and a person should know. */
export type ActivationOutcome = "BLOCKS" | "LOOK" | "CLEAR";

/** One check before a version is activated (docs/behavior/rules.md). */
export type ActivationCheck = Finding & { outcome: ActivationOutcome };
