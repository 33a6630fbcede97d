import type { ProposalSubjectView } from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

export type AccountPageKind = "POD" | "INCOME_SOURCE" | "DEPOSITORY" | "INVESTMENT" | "LIABILITY";

/** The ranges of the balance chart. */
export const HISTORY_DAYS = [30, 90] as const;
export type HistoryDays = (typeof HISTORY_DAYS)[number];

export type MovementFilter = "ALL" | "IN" | "OUT";

/** The balance from this moment until the next point. */
export interface BalancePoint {
  at: string;
  balanceInCents: number;
}

/** A balance over time, in steps: the first point is the beginning of the range, the last one is now. */
export interface BalanceHistory {
  days: HistoryDays;
  points: BalancePoint[];
}

export type MovementState = "SETTLED" | "ON_ITS_WAY" | "SENT_BACK" | "RETURN";

export interface MovementView {
  id: string;
  at: string;
  fromName: string;
  toName: string;
  state: MovementState;
  /** Positive: money in. */
  changeInCents: number;
  /** Null: not booked, or not in our books. */
  balanceAfterInCents: number | null;
  /** The other party, or the cause, and its label. */
  about: string;
  /** Its own page; null for a card authorization that has not settled. */
  href: string | null;
}

export interface MovementsView {
  filter: MovementFilter;
  filterHrefs: Record<MovementFilter, string>;
  rows: MovementView[];
  /** Set if more is on its way than the rows show. */
  allOnItsWayHref: string | null;
  page: number;
  previousHref: string | null;
  nextHref: string | null;
}

/** A proposal that would move money into or out of the account. */
export interface WaitingMovementView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  /** Positive: money in. Null: not computed. 0: its rule names the account but moves none of its money. */
  changeInCents: number | null;
  expiresAt: string;
  destinationAccountIds: string[];
}

/** A reason why an account cannot be closed yet. */
export type ClosingBlocker =
  | { kind: "BALANCE"; balanceInCents: number }
  | { kind: "ON_ITS_WAY"; count: number }
  | { kind: "WAITING"; count: number }
  | { kind: "CARDS"; count: number }
  /** The first of them by their names. */
  | { kind: "RULES"; count: number; rules: { href: string; name: string }[] };

/** Everything on the page of one account. */
export interface AccountPageView {
  id: string;
  name: string;
  description: string | null;
  kind: AccountPageKind;
  ownerName: string | null;
  institutionName: string | null;
  routingEnding: string | null;
  numberEnding: string | null;
  /** The bank has not assigned the numbers yet. */
  isGettingNumbers: boolean;
  /** Why the bank has given none yet, with its own words; null: it has not said. */
  numberProblem: string | null;
  /** Null: unknown. For a debt, the amount owed. */
  balanceInCents: number | null;
  availableInCents: number | null;
  onItsWayOutInCents: number;
  /** As on the accounts page; null for an account outside of Sluice. */
  bankNewsLateSince: string | null;
  balanceAt: string | null;
  floorInCents: number | null;
  goalInCents: number | null;
  /** Of a debt. */
  owed: {
    statementInCents: number | null;
    minimumInCents: number | null;
    dueOn: string | null;
    interestRatePercentage: number | null;
    originalLoanInCents: number | null;
  } | null;
  linked: {
    id: string;
    href: string;
    name: string;
    owedInCents: number | null;
    /** What is due on `dueOn`, unlike the amount owed, which grows with every purchase. */
    statementInCents: number | null;
    minimumInCents: number | null;
    dueOn: string | null;
  } | null;
  paidFrom: { href: string; name: string }[];
  /** Null: its balance is not in our books. */
  history: BalanceHistory | null;
  historyHrefs: Record<HistoryDays, string>;
  movements: MovementsView;
  waiting: WaitingMovementView[];
  rules: AccountRulesView;
  openedAt: string;
  closedAt: string | null;
  editHref: string | null;
  closeHref: string | null;
  /** Where a member moves money out of it, or into it if nothing can be drawn from it. */
  moveHref: string | null;
  /** Of an account outside, at a bank that carries money only for accounts it knows. Null: it needs none. */
  registration: AccountRegistrationView | null;
  /** Of a pod, where the bank offers accounts of their own. */
  ownBankAccount: OwnBankAccountView | null;
  canReopen: boolean;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

export type AccountRegistrationView =
  | {
      kind: "REGISTERED";
      at: string;
      byName: string;
      /** Of the account as the bank knows it; some institutions share another number than they list. */
      numberEnding: string;
      /** Until then, payments to it that together exceed the amount wait; null: none waits. */
      coolsOffUntil: string | null;
      coolOffAboveInCents: number;
    }
  /** `href`: where an owner or co-owner registers it; null for others. */
  | { kind: "MISSING"; href: string | null }
  /** A debt, an investment, or an account that nothing is connected to: it is paid as a payee. */
  | { kind: "IMPOSSIBLE" };

/** Where a pod's money is at the bank. */
export interface OwnBankAccountView {
  isOwn: boolean;
  /** Null: it never had an account of its own there. */
  there: {
    atBankInCents: number;
    askedAt: string;
    /** What the bank has still to move into it; negative: out of it. */
    toMoveInCents: number;
    /** The bank refused the last attempt; it is repeated. */
    isRefused: boolean;
  } | null;
}

/** Initial values of an account's forms. */
export interface AccountFormView {
  accountId: string;
  seenUpdatedAt: string;
  kind: AccountPageKind;
  name: string;
  description: string | null;
  floorInCents: number | null;
  savingsTargetInCents: number | null;
  linkedAccountId: string | null;
  /** Whether a pod has its own account at the bank. Null: it cannot. */
  hasOwnBankAccount: boolean | null;
  /** Debts that a pod may be linked to. */
  liabilities: { id: string; name: string }[];
}

/** A rule, as shown on an account's page. */
export interface AccountRuleView {
  id: string;
  href: string;
  name: string;
  /** What it does, in one sentence. */
  line: string;
  /** What it does with the account: takes from it, fills it, starts there, or reads its balance. */
  part: "IN" | "OUT" | "IN_AND_OUT" | "STARTS" | "LOOKED_AT";
  state: "ACTIVE" | "PAUSED" | "INACTIVE";
  /** For an active rule with a schedule; ISO 8601. */
  nextRunAt: string | null;
  /** The schedule's, like in the rule's sentence. */
  nextRunTimeZone: string | null;
}

/** The rules that name an account. */
export interface AccountRulesView {
  /** Active ones first. */
  rules: AccountRuleView[];
  /** There are more than are listed. */
  count: number;
}

/** One booked movement with the balance after it. */
export type StatementRowView = Pick<
  MovementView,
  "id" | "at" | "fromName" | "toName" | "about" | "changeInCents"
> & { balanceAfterInCents: number };

/** Calendar dates in the organization's zone, both inclusive. */
export interface StatementPeriod {
  from: string;
  to: string;
}

/** An account's statement for a period: opening balance, movements, closing balance. */
export interface StatementView {
  account: {
    id: string;
    name: string;
    kind: AccountPageKind;
    href: string;
    ownerName: string | null;
    institutionName: string | null;
    numberEnding: string | null;
  };
  organizationName: string;
  isSandbox: boolean;
  period: StatementPeriod;
  /** The period is not over: bookings so far. */
  isUnfinished: boolean;
  /** Null: not in our books; the account's own bank issues its statement. */
  books: StatementBooks | null;
  months: { label: string; href: string; isCurrent: boolean }[];
  time: TimeContext;
}

export interface StatementBooks {
  openingInCents: number;
  closingInCents: number;
  inInCents: number;
  outInCents: number;
  count: number;
  /** In booking order; for a busy period the first ones, up to the maximum of a statement. */
  rows: StatementRowView[];
  /** Rows left out: how many, and their sum. Null: none. */
  more: {
    count: number;
    netInCents: number;
    /** All of them, in Movements. */
    href: string;
    /** The same statement with the maximum number of rows; null: this is it. */
    whole: { href: string; rowCount: number } | null;
  } | null;
}
