import type { ApprovalStatus, AskerView } from "@/lib/contract/views/approval-view";
import type { ProposalSubjectView } from "@/lib/contract/views/proposal-subject-view";
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

export type DecidedFilter = "ALL" | "APPROVED" | "DENIED" | "EXPIRED";

/** The inbox: what waits, soonest to close first, and what was decided, newest first. */
export interface InboxView {
  waiting: WaitingProposalView[];
  decided: {
    filter: DecidedFilter;
    /** Address of each filter. */
    filterHrefs: { [filter in DecidedFilter]: string };
    rows: DecidedProposalView[];
    /** Of the current filter. */
    totalCount: number;
    /** 1-based position of the first row; 0 when there is none. */
    firstPosition: number;
    previousHref: string | null;
    nextHref: string | null;
  };
  viewer: { canDecide: boolean };
  time: TimeContext;
}
