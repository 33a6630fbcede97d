import type { LookAlike } from "@/lib/contract/plain-text";

/** Another rule, as a check names it. */
export interface CheckedRule {
  id: string;
  name: string;
}

/** A rule and the account whose arrivals join it to the next. */
export interface LinkedRule extends CheckedRule {
  accountId: string;
}

/** One case in which a transfer fails for want of money, as the evaluator worked it out. */
export interface Shortfall {
  stepIndex: number;
  sourceAccountId: string;
  /** What the failing transfer's source held when the run began, and what it could give by then. */
  heldInCents: number;
  leftInCents: number;
  destinationAccountId: string;
  wantedInCents: number;
  /** In every case that was tried and that runs this step. */
  isAlways: boolean;
}

/** What was found. An empty list, or null, where there is nothing to say. */
type Finding =
  /** Groups that share out more than all of an account. */
  | { kind: "SHARES"; over: { stepIndex: number; group: number; accountId: string; percentage: number }[] }
  /** Accounts that the rule names and that are closed, or not there. */
  | { kind: "ACCOUNTS_OPEN"; accountIds: string[] }
  /** Sources that money cannot be drawn from. */
  | { kind: "CAN_GIVE"; accountIds: string[] }
  /** Destinations that money cannot be sent to. */
  | { kind: "CAN_RECEIVE"; accountIds: string[] }
  /** Moves of which neither party is an account of Sluice. */
  | { kind: "BOTH_OUTSIDE"; routes: { sourceAccountId: string; destinationAccountId: string }[] }
  /** Accounts that are paid like a debt and are none. */
  | { kind: "DEBTS"; accountIds: string[] }
  /** Debts that are to be filled up, which would make them grow. */
  | { kind: "TOP_UP_DEBT"; accountIds: string[] }
  /** The active rule that acts on arrivals at the same account already. */
  | { kind: "ONLY_ARRIVAL_RULE"; rival: CheckedRule | null }
  /** The way back to this rule: each entry sends money to the account that the next acts on. Empty: there is none. */
  | { kind: "NO_CYCLE"; chain: LinkedRule[] }
  /** When it runs next; null: never again. */
  | { kind: "SCHEDULE"; nextRunAt: string | null }
  /** Steps that never run: their conditions never hold, or an earlier one takes everything that they would. */
  | { kind: "REACHABLE"; stepIndexes: number[] }
  /** Active rules that act on money which this one sends. */
  | { kind: "SETS_OFF"; rules: LinkedRule[] }
  /** Active rules whose money sets this one off. */
  | { kind: "SET_OFF_BY"; rules: CheckedRule[] }
  /** Destinations outside Sluice. */
  | { kind: "SENDS_OUT"; accountIds: string[] }
  /** Sources outside Sluice. */
  | { kind: "PULLS_IN"; accountIds: string[] }
  /** Sources with a floor, which no rule goes below. */
  | { kind: "FLOORS"; accountIds: string[] }
  /**
   * Whether a transfer can ask for more than its source has. CLEAR: proven that none can while what arrived is there.
   * Null: not proven, and no example was found.
   */
  | { kind: "SUFFICES"; shortfall: Shortfall | null }
  /** Actions that can never move the smallest transfer. */
  | { kind: "MOVES"; actions: { stepIndex: number; destinationAccountIds: string[] }[] }
  /** Runs of a schedule within the day after now, where they are more than one an hour. */
  | { kind: "FREQUENT"; timesADay: number }
  /** Debts that are sent money without a look at what is owed. */
  | { kind: "OVERPAYS"; accountIds: string[] }
  /** Its name, those of its accounts and of their beneficiaries that look like another one. */
  | { kind: "LOOK_ALIKE"; names: LookAlike[] };

/** `BLOCKS`: it cannot be activated so. `LOOK`: it can, and a person should know. */
export type ActivationOutcome = "BLOCKS" | "LOOK" | "CLEAR";

/** One thing that is looked at before a version is activated (decisions page, "Activation"). */
export type ActivationCheck = Finding & { outcome: ActivationOutcome };
