import type { ApprovalSearch } from "@/lib/contract/list-search";
import type { ApprovalStatus, AskerView, ProposalSubjectView } from "@/lib/contract/views/approval-view";
import type { BoundedCount, MovementOption } from "@/lib/contract/views/movements-view";

import type { TimeContext } from "@/lib/contract/views/time-context";

/** One proposal that waits. */
export interface WaitingProposalView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  askerKind: AskerView["kind"];
  askerName: string;
  reason: string | null;
  createdAt: string;
  expiresAt: string;
}

/** One proposal that no longer waits. */
export interface DecidedProposalView {
  id: string;
  href: string;
  subject: ProposalSubjectView;
  askerKind: AskerView["kind"];
  askerName: string;
  /** When it was decided, or closed with no decision. */
  decidedAt: string;
  status: Exclude<ApprovalStatus, "WAITING">;
  /** Null when nobody decided. */
  decision: { kind: "APPROVED" | "DENIED"; byName: string; byViewer: boolean; note: string | null } | null;
}

/** The inbox: what waits, soonest to close first, and what was decided, newest first. */
export interface InboxView {
  /** Those that close first. */
  waiting: WaitingProposalView[];
  /** How many wait, shown or not. */
  waitingCount: number;
  /** Where all of them are; null: this is that page. */
  allWaitingHref: string | null;
  decided: {
    search: ApprovalSearch;
    rows: DecidedProposalView[];
    /** Of the current filters. */
    count: BoundedCount;
    /** 1-based position of the first row; null: further back than is counted. */
    firstPosition: number | null;
    newerHref: string | null;
    olderHref: string | null;
    /** For the filters. */
    deciders: MovementOption[];
    askers: MovementOption[];
    exportHref: string;
    mayExport: boolean;
  };
  viewer: { canDecide: boolean };
  time: TimeContext;
}
