import type { AccountFacts } from "@/lib/contract/rules/facts";

/** What moved on an account, in truth, other than by the rule itself; or arrived on one at another institution. */
export interface HistoryEvent {
  at: string;
  accountId: string;
  /** Of its balance. 0 of accounts at other institutions: nobody knows what they held. */
  changeInCents: number;
  /** What came in, where that fires rules; null otherwise. */
  arrivedInCents: number | null;
}

/** A live run that somebody asked for. */
export interface AskedRun {
  at: string;
  /** As it was told; null: what the account held. */
  incomingAmountInCents: number | null;
}

/** What a version of a rule would have found, had it run: everything but the rule's own doing. */
export interface RuleHistory {
  /** Instants, ISO 8601. */
  from: string;
  until: string;
  timeZone: string;
  /** As they were at `from`: balances of managed accounts from the books, all else as it is today. */
  accounts: Readonly<Record<string, AccountFacts>>;
  /** In order. */
  events: readonly HistoryEvent[];
  /** In order. */
  asked: readonly AskedRun[];
  /** What each limit had used before `from` of the period that `from` lies in, by its id. */
  limitsUsedInCents: Readonly<Record<string, number>>;
}

/** Whether the books know what it held: of every other account there is only what its institution says today. */
export function isManaged(account: AccountFacts): boolean {
  return account.type !== "EXTERNAL_ACCOUNT";
}
