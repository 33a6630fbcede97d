import type { TimeContext } from "@/lib/contract/time-context";

/** State of the reversal of one transfer. */
export type ReversalState = "NOT_PROPOSED" | "WAITING" | "ON_ITS_WAY" | "DONE" | "DENIED" | "FAILED";

/** A settled transfer that split money which was returned afterwards. */
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
  /** Where its reversal is proposed. */
  moveBackHref: string;
}

/** What a return has paused, and what could be moved back. */
export interface PauseView {
  rule: { id: string; name: string; href: string };
  pausedAt: string;
  /** The returned transfer. */
  returned: {
    amountInCents: number;
    fromName: string | null;
    accountName: string;
    arrivedAt: string | null;
    returnedAt: string;
    code: string | null;
  };
  /** Current balance of the account; null: unknown. */
  balanceInCents: number | null;
  /** Latest first: money moved on must be back before what brought it there. */
  transfers: SplitTransferView[];
  /** More than are listed. */
  hasMore: boolean;
  /** Of those runs, but not settled: they cannot be reversed before they settle. */
  onTheirWayCount: number;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** Outcome of proposing all reversals at once. */
export interface ReversalsResult {
  proposedCount: number;
  /** One sentence for each that could not be proposed. */
  refusals: string[];
}
