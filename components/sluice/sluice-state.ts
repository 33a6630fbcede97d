import type { ApprovalStatus } from "@/lib/contract/views/approval-view";

/** What a drawing of one movement shows (design, section 5); `sim` is a dry run's, which draws dashes and never water. */
export type SluiceState = "closed" | "queued" | "open" | "through" | "denied" | "expired" | "skipped" | "sim";

const STATE_OF_STATUS: Record<ApprovalStatus, SluiceState> = {
  WAITING: "closed",
  ON_ITS_WAY: "open",
  SETTLED: "through",
  PARTIAL: "through",
  FAILED: "denied",
  RETURNED: "denied",
  DENIED: "denied",
  CANCELLED: "expired",
  EXPIRED: "expired",
  REVOKED: "denied",
};

/** How a proposal is drawn. */
export function sluiceState(status: ApprovalStatus): SluiceState {
  return STATE_OF_STATUS[status];
}
