import type { AccountSectionName, AccountsSearch } from "@/lib/contract/accounts-search";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An account whose money Sluice holds. */
export interface ManagedAccountView {
  id: string;
  /** Null while there is no page for it. */
  href: string | null;
  name: string;
  description: string | null;
  institutionName: string | null;
  /** Last four digits. */
  numberEnding: string | null;
  balanceInCents: number;
  /** What the owner wants to keep in it; null when there is no floor. */
  floorInCents: number | null;
  /** Savings target, pods only. */
  goalInCents: number | null;
  /** Proposals that would take money out of it. */
  waitingOut: { count: number; amountInCents: number } | null;
}

/** An account seen through a bank connection: its balance is the provider's, and has an age. */
export interface OutsideAccountView {
  id: string;
  href: string | null;
  name: string;
  institutionName: string | null;
  numberEnding: string | null;
  /** Null: not known. Never shown as zero. */
  balanceInCents: number | null;
  balanceAt: string | null;
  /** The page of its connection; null where it was not connected. */
  connectionHref: string | null;
}

/** A pod or an income source that was closed. */
export interface ClosedAccountView {
  id: string;
  href: string;
  name: string;
  /** Not zero where the bank booked something after the closing. */
  balanceInCents: number;
  closedAt: string;
}

/** A debt. */
export interface OwedAccountView extends OutsideAccountView {
  paidFromName: string | null;
  statementInCents: number | null;
  minimumInCents: number | null;
  /** `YYYY-MM-DD` */
  dueOn: string | null;
}

/** Everything that the accounts page shows: the beginning of each section, or a page of the one that is searched. */
export interface AccountsView {
  search: AccountsSearch;
  /** How many accounts each section has, shown or not. */
  counts: Record<AccountSectionName, number>;
  /** 1-based, of the first row of a section. */
  firstPosition: number;
  previousHref: string | null;
  nextHref: string | null;
  /** Managed money and outside money together; debts are not subtracted. Null when one balance is not known. */
  totalInCents: number | null;
  accountCount: number;
  incomeSources: ManagedAccountView[];
  pods: ManagedAccountView[];
  /** Of all of them, shown or not, as the total of the income sources is. */
  podsTotalInCents: number;
  incomeTotalInCents: number;
  outside: OutsideAccountView[];
  owed: OwedAccountView[];
  closed: ClosedAccountView[];
  viewer: { canDecide: boolean };
  time: TimeContext;
}
