import type { AccountPageKind, MovementView } from "@/lib/contract/views/account-page-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

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

/** The statement of an account over a period: what it held, what moved, what it held then. */
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
  /** It is not over yet: what is booked so far. */
  isUnfinished: boolean;
  /** Null: not in our books; the account's own bank makes its statement. */
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
  /** In the order of booking; the first of a busy period, and no more than one statement holds. */
  rows: StatementRowView[];
  /** What is not among the rows: how many, and what they come to. Null: all of it is there. */
  more: {
    count: number;
    netInCents: number;
    /** All of them, in Movements. */
    href: string;
    /** The same statement with as many rows as it holds; null: this is it. */
    whole: { href: string; rowCount: number } | null;
  } | null;
}
