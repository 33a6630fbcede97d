import type { BalancePoint } from "@/lib/contract/views/account-page-view";
import type { ApprovalStatus, AskerView, ProposalSubjectView } from "@/lib/contract/views/approval-view";

import type { TimeContext } from "@/lib/contract/views/time-context";

/** The ranges of the money map. */
export const MAP_DAYS = [30, 90] as const;
export type MapDays = (typeof MAP_DAYS)[number];
/** The range of the chart of the total. */
export const TOTAL_DAYS = 30;

/** An account that is not in Sluice's books: an investment or deposit elsewhere, or a debt. */
export interface OutsideBalanceView {
  id: string;
  href: string;
  name: string;
  /** Null: not known, and never taken for zero. */
  balanceInCents: number | null;
  /** When its bank said so. */
  balanceAt: string | null;
}

/** What Sluice holds in its own books, and what it only knows of. */
export interface TotalView {
  /** Of all income sources and pods, also closed ones that the bank booked something into. */
  totalInCents: number;
  accountCount: number;
  changeInCents: number;
  /** The total over the last days, in steps of a day; the last point is now. */
  points: BalancePoint[];
  outside: OutsideBalanceView[];
  owed: OutsideBalanceView[];
}

/** `SOURCE` and `DESTINATION` are outside Sluice. */
export type MapNodeKind = "SOURCE" | "ACCOUNT" | "DESTINATION";

export interface MapNodeView {
  id: string;
  kind: MapNodeKind;
  name: string;
  /** Null for who is no account of this organization, and for several together. */
  href: string | null;
  /** From the left; sources are in the first, destinations in the last. */
  column: number;
  /** What is drawn as coming in and going on. */
  inInCents: number;
  outInCents: number;
  /** What would leave it once a person approves. */
  waitingInCents: number;
  /** Of an account: by how much it holds more than before, also by moves that are not drawn. */
  keptInCents: number | null;
}

export interface MapLinkView {
  fromId: string;
  toId: string;
  amountInCents: number;
}

/** Where money came from, through which accounts it went, and what left. */
export interface MoneyMapView {
  days: MapDays;
  hrefs: Record<MapDays, string>;
  nodes: MapNodeView[];
  links: MapLinkView[];
  /** Between accounts, but back against the stream: told in the table, not drawn. */
  notDrawn: { fromName: string; toName: string; amountInCents: number }[];
  sums: {
    inInCents: number;
    /** Of it from own accounts outside: moved, not earned. */
    inFromOwnInCents: number;
    outInCents: number;
    outToOwnInCents: number;
    /** In less out. */
    keptInCents: number;
    /** Of all proposals whose amount is known. */
    atGateInCents: number;
  };
}

export interface WaitingView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  askerKind: AskerView["kind"];
  askerName: string;
  expiresAt: string;
}

/** What a rule would do if it ran as things stand now. */
export type NextRunForecast =
  | { kind: "MOVES"; amountInCents: number; fromName: string; toName: string | null; toCount: number }
  | { kind: "NOTHING" }
  /** Not worked out: it runs on a deposit, or something it needs is not known. */
  | { kind: "LINE"; line: string | null };

export interface NextRuleView {
  id: string;
  href: string;
  name: string;
  /** Null: with the next deposit. */
  at: string | null;
  /** A newer version waits to be activated. */
  hasNewVersion: boolean;
  forecast: NextRunForecast;
}

export interface RecentMovementView {
  id: string;
  href: string | null;
  at: string;
  fromName: string;
  toName: string;
  status: ApprovalStatus;
  amountInCents: number;
  /** It came in from outside. */
  isIn: boolean;
}

export type FirstStepId = "POD" | "BANK" | "RULE" | "KEY";

export interface FirstStepView {
  id: FirstStepId;
  href: string;
  isDone: boolean;
}

/** Everything that the overview shows. */
export interface OverviewView {
  total: TotalView;
  map: MoneyMapView;
  /** The ones that close soonest. */
  waiting: WaitingView[];
  waitingCount: number;
  rules: NextRuleView[];
  movements: RecentMovementView[];
  /** Null once money has moved. */
  firstSteps: FirstStepView[] | null;
  viewer: { canDecide: boolean };
  time: TimeContext;
}
