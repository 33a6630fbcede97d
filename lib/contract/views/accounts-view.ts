import type { AccountSectionName, AccountsSearch } from "@/lib/contract/list-search";
import type { BankAgreementView } from "@/lib/contract/views/reconciliation-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An account whose money Sluice holds. */
export interface ManagedAccountView {
  id: string;
  /** Null without a page. */
  href: string | null;
  name: string;
  description: string | null;
  institutionName: string | null;
  /** Last four digits. */
  numberEnding: string | null;
  balanceInCents: number;
  /** The minimum that the owner wants to keep in it; null without a floor. */
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
  /** Null: unknown. Never shown as zero. */
  balanceInCents: number | null;
  balanceAt: string | null;
  /** The page of its connection; null without one. */
  connectionHref: string | null;
}

/** A pod or an income source that was closed. */
export interface ClosedAccountView {
  id: string;
  href: string;
  name: string;
  /** Not zero if the bank booked something after closing. */
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

/** The money in Sluice's own books. The overview and the accounts page show the same. */
export interface InSluiceView {
  /** All income sources and pods, including closed ones that the bank booked something into. */
  totalInCents: number;
  /** The part in closed accounts. */
  closedInCents: number;
  /** Open income sources and pods. */
  accountCount: number;
}

/** Everything on the accounts page: the beginning of each section, or a page of the selected one. */
export interface AccountsView {
  search: AccountsSearch;
  /** How many accounts each section has, shown or not. */
  counts: Record<AccountSectionName, number>;
  /** 1-based, of the first row of a section. */
  firstPosition: number;
  previousHref: string | null;
  nextHref: string | null;
  inSluice: InSluiceView;
  /** Null before the first reconciliation. */
  bankAgreement: BankAgreementView | null;
  /** Since when deposits and returns may be missing; null: the bank's news is complete. */
  bankNewsLateSince: string | null;
  incomeSources: ManagedAccountView[];
  pods: ManagedAccountView[];
  /** Of all of them, shown or not, like the total of the income sources. */
  podsTotalInCents: number;
  incomeTotalInCents: number;
  /** Null if any balance is unknown: it is never treated as zero. */
  outsideTotalInCents: number | null;
  owedTotalInCents: number | null;
  outside: OutsideAccountView[];
  owed: OwedAccountView[];
  closed: ClosedAccountView[];
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** The kinds of account that a transfer can touch; `EXTERNAL_ENTITY` is a counterparty outside the organization. */
export type AccountKind = "INCOME_SOURCE" | "POD" | "EXTERNAL_ACCOUNT" | "LIABILITY" | "EXTERNAL_ENTITY";

/** One end of a movement, named. */
export interface AccountRefView {
  /** Null for a counterparty outside the organization. */
  id: string | null;
  name: string;
  kind: AccountKind;
}

export interface BeneficiaryRowView {
  id: string;
  name: string;
  beneficiaryType: "INDIVIDUAL" | "BUSINESS";
  /** Owns a new account unless another owner is named. */
  isDefault: boolean;
  addedAt: string;
  accountCount: number;
  /** At most twelve are named. */
  accounts: { name: string; href: string }[];
}

/** The page of legal owners. */
export interface BeneficiariesView {
  beneficiaries: BeneficiaryRowView[];
  viewer: { canChange: boolean };
  time: TimeContext;
}
