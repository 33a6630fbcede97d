import type { BalancePoint } from "@/lib/contract/views/account-page-view";
import type { InSluiceView } from "@/lib/contract/views/accounts-view";
import type { ApprovalStatus, ProposalSubjectView, RequesterView } from "@/lib/contract/views/approval-view";
import type { ProposedRulesView } from "@/lib/contract/views/rules-view";
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
  /** Null: unknown, which is never taken for zero. */
  balanceInCents: number | null;
  /** When its bank reported it. */
  balanceAt: string | null;
}

/** Money in Sluice's own books, and money it only knows of. */
export interface TotalView extends InSluiceView {
  changeInCents: number;
  /** The total over the last days, in steps of a day; the last point is now. */
  points: BalancePoint[];
  outside: OutsideBalanceView[];
  owed: OutsideBalanceView[];
  /** As on the accounts page. */
  bankNewsLateSince: string | null;
}

/** `SOURCE` and `DESTINATION` are outside Sluice. */
export type MapNodeKind = "SOURCE" | "ACCOUNT" | "DESTINATION";

export interface MapNodeView {
  id: string;
  kind: MapNodeKind;
  name: string;
  /** Null for parties outside this organization, and for several together. */
  href: string | null;
  /** From the left; sources are in the first, destinations in the last. */
  column: number;
  /** Amount drawn as coming in and going on. */
  inInCents: number;
  outInCents: number;
  /** What would leave it once a person approves. */
  waitingInCents: number;
  /** For an account: how much its balance grew, including moves that are not drawn. */
  keptInCents: number | null;
}

export interface MapLinkView {
  fromId: string;
  toId: string;
  amountInCents: number;
}

/** Where money came from, which accounts it passed, and what left. */
export interface MoneyMapView {
  days: MapDays;
  hrefs: Record<MapDays, string>;
  nodes: MapNodeView[];
  links: MapLinkView[];
  /** Between accounts, but against the stream: listed in the table, not drawn. */
  notDrawn: { fromName: string; toName: string; amountInCents: number }[];
  sums: {
    inInCents: number;
    /** Of this, from own accounts outside: moved, not earned. */
    inFromOwnInCents: number;
    outInCents: number;
    outToOwnInCents: number;
    /** In minus out. */
    keptInCents: number;
    /** Sum of all proposals with a known amount. */
    atGateInCents: number;
  };
}

export interface WaitingView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  expiresAt: string;
}

/** What a rule would do if it ran right now. */
export type NextRunForecast =
  | { kind: "MOVES"; amountInCents: number; fromName: string; toName: string | null; toCount: number }
  | { kind: "NOTHING" }
  /** Not computed: it runs on a deposit, or something it needs is unknown. */
  | { kind: "LINE"; line: string | null };

export interface NextRuleView {
  id: string;
  href: string;
  name: string;
  /** Null: with the next deposit. */
  at: string | null;
  /** The schedule's: it runs by this clock, and says so in its sentence. */
  timeZone: string | null;
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

/** Everything that the overview shows. */
export interface OverviewView {
  total: TotalView;
  map: MoneyMapView;
  /** The soonest to expire. */
  waiting: WaitingView[];
  waitingCount: number;
  /** What waits for an activation. */
  proposedRules: ProposedRulesView;
  /** The yearly review of fraud monitoring. */
  isReviewDue: boolean;
  rules: NextRuleView[];
  movements: RecentMovementView[];
  viewer: { canDecide: boolean; canSign: boolean };
  time: TimeContext;
}
