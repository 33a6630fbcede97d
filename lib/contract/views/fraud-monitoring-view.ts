import type { AlertGroup, ProcessDocument } from "@/lib/contract/fraud-monitoring";
import type { TimeContext } from "@/lib/contract/views/time-context";

export interface FraudReviewRowView {
  id: string;
  href: string;
  signedAt: string;
  signedByName: string;
  note: string | null;
}

/** The written process, the alerts of the year, and the reviews. */
export interface FraudMonitoringView {
  document: ProcessDocument;
  /** SHA-256 of its text, in hex. */
  digest: string;
  alerts: (AlertGroup & { href: string })[];
  /** `DUE` only for businesses that had ACH orders in the last twelve months. */
  review: { kind: "DUE" | "NOT_NEEDED" } | { kind: "SIGNED"; nextAt: string };
  /** Sentences that changed since the last review; null without one. */
  changes: { removed: string[]; added: string[] } | null;
  /** Newest first; the earlier ones of more are not listed. */
  reviews: FraudReviewRowView[];
  /** Null: the reader may not export. */
  exportHref: string | null;
  viewer: { canSign: boolean };
  time: TimeContext;
}

/** A review as it was signed. */
export interface FraudReviewView extends FraudReviewRowView {
  document: ProcessDocument;
  /** SHA-256 of the signed text, in hex. */
  digest: string;
  exportHref: string | null;
  time: TimeContext;
}
