import type { ApprovalSearch } from "@/lib/contract/list-search";
import type { ApprovalStatus, ProposalSubjectView, RequesterView } from "@/lib/contract/views/approval-view";
import type { BoundedCount, ListedSum, MovementOption } from "@/lib/contract/views/movements-view";
import type { ProposedRulesView } from "@/lib/contract/views/rules-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** One proposal that waits. */
export interface WaitingProposalView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  reason: string | null;
  createdAt: string;
  expiresAt: string;
  /** Another transfer of the amount shares an account, or the rule has another run, in the last 24 hours. */
  isPossibleDuplicate: boolean;
}

/** One proposal that no longer waits. */
export interface DecidedProposalView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  /** When it was decided, or closed with no decision. */
  decidedAt: string;
  status: Exclude<ApprovalStatus, "WAITING">;
  /** Null if nobody decided. */
  decision: { kind: "APPROVED" | "DENIED"; byName: string; byViewer: boolean; note: string | null } | null;
}

/** Proposals on one day of the organization's calendar. */
export interface ProposalDayView {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Made on this day. */
  asked: number;
  /** Ended on this day, whenever they were made. */
  approved: number;
  denied: number;
  /** Expired, or withdrawn with their key or assistant. */
  lapsed: number;
}

/** The inbox: waiting proposals, soonest to expire first, and decided ones, newest first. */
export interface InboxView {
  /** The soonest to expire. */
  waiting: WaitingProposalView[];
  /** All waiting proposals, shown or not. */
  waitingCount: number;
  /** What waits for an activation instead of an approval. */
  rules: ProposedRulesView;
  /** The page with all of them; null: this is that page. */
  allWaitingHref: string | null;
  /** The last 30 days, including days without any, oldest first; the last one is today. */
  days: ProposalDayView[];
  decided: {
    search: ApprovalSearch;
    rows: DecidedProposalView[];
    /** For the current filters. */
    count: BoundedCount;
    /** Null: not narrowed, or too many to sum up. */
    sum: ListedSum | null;
    /** 1-based position of the first row; null: beyond the counted range. */
    firstPosition: number | null;
    newerHref: string | null;
    olderHref: string | null;
    /** For the filters. */
    deciders: MovementOption[];
    requesters: MovementOption[];
    exportHref: string;
    mayExport: boolean;
  };
  viewer: { canDecide: boolean };
  time: TimeContext;
}
