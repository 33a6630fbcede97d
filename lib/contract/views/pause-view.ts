import type { TimeContext } from "@/lib/contract/views/time-context";

/** Where the way back of one transfer stands. */
export type ReversalState = "NOT_PROPOSED" | "WAITING" | "ON_ITS_WAY" | "DONE" | "DENIED" | "FAILED";

/** A settled transfer that split money which was sent back afterwards. */
export interface SplitTransferView {
  id: string;
  fromName: string;
  toName: string;
  amountInCents: number;
  settledAt: string;
  ruleName: string;
  /** The run that made it. */
  runHref: string;
  /** Rules that ran before that one since the money arrived: 0 for those on the account itself. */
  depth: number;
  reversal: { state: ReversalState; href: string | null };
  /** Where its way back is proposed. */
  moveBackHref: string;
}

/** What a return has paused, and what could be moved back. */
export interface PauseView {
  rule: { id: string; name: string; href: string };
  pausedAt: string;
  /** What came back. */
  returned: {
    amountInCents: number;
    fromName: string | null;
    accountName: string;
    arrivedAt: string | null;
    returnedAt: string;
    code: string | null;
  };
  /** What the account holds now; null: not known. */
  balanceInCents: number | null;
  /** The last first: what was moved on must be back before what brought it there. */
  transfers: SplitTransferView[];
  /** More than are listed. */
  hasMore: boolean;
  /** Of those runs, and not settled yet: they cannot be moved back before. */
  onTheirWayCount: number;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What became of proposing all ways back at once. */
export interface ReversalsResult {
  proposedCount: number;
  /** One sentence for each that could not be proposed. */
  refusals: string[];
}
