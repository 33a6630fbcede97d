import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { DifferenceKind, DifferenceResolution } from "@/lib/contract/reconciliation";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** How the last reconciliation ended: bank − books = expected + open + unexplained. */
export interface BankAgreementView {
  reconciledAt: string;
  bankInCents: number;
  /** All pods and income sources together. */
  booksInCents: number;
  /** What settlement explains. */
  expectedInCents: number;
  openInCents: number;
  /** Not 0 if the statement does not add up to the balance. */
  unexplainedInCents: number;
  openCount: number;
}

export interface DifferenceRowView {
  id: string;
  href: string;
  kind: DifferenceKind;
  state: "EXPECTED" | "OPEN" | "RESOLVED";
  resolution: DifferenceResolution | null;
  /** 0 on the side that lacks it. */
  bankInCents: number;
  booksInCents: number;
  /** `YYYY-MM-DD`: banking day of the line, else of the entry. */
  day: string;
  /** The bank's text, or the other party of the entry. */
  description: string;
  askedBankAt: string | null;
  /** How the line traveled; null: it did not, or the bank does not say. */
  rail: BankRail | null;
}

export interface ReconciledDayView {
  /** `YYYY-MM-DD` */
  day: string;
  bankInCents: number;
  booksInCents: number;
  unexplainedInCents: number;
  lineCount: number;
  matchedCount: number;
  openCount: number;
}

export interface ReconciliationView {
  agreement: BankAgreementView | null;
  /** A member asked, and it has not ended yet. */
  isUnderWay: boolean;
  bankName: string;
  open: DifferenceRowView[];
  expected: DifferenceRowView[];
  expectedCount: number;
  /** Resolved lately, the latest first. */
  resolved: DifferenceRowView[];
  days: ReconciledDayView[];
  /** As on the accounts page. */
  bankNewsLateSince: string | null;
  /** The first day whose seal does not fit; null: all fit. */
  brokenDay: string | null;
  viewer: { canResolve: boolean };
  time: TimeContext;
}

export interface DifferenceEventView {
  key: string;
  kind:
    | "FOUND"
    | "OPENED"
    | "ASKED_BANK"
    | "ARRIVED"
    | "CANCELED_OUT"
    | "MATCHED_BY_HAND"
    | "BOOKED"
    | "ACCEPTED";
  /** Null: the reconciliation itself. */
  byName: string | null;
  at: string;
  note: string | null;
  transferHref: string | null;
  otherHref: string | null;
}

export interface DifferenceView extends DifferenceRowView {
  /** Until this banking day, settlement explains it. */
  differsFrom: string;
  line: { reference: string; kind: string; day: string; description: string } | null;
  entry: { day: string; name: string; href: string | null } | null;
  /** Open differences that cancel it out, to be matched by hand. */
  candidates: DifferenceRowView[];
  /** Accounts to book it from or to; null: it is not of that kind. */
  accounts: { id: string; name: string }[] | null;
  events: DifferenceEventView[];
  viewer: { canResolve: boolean };
  time: TimeContext;
}
