import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import type { QueueReview } from "@/lib/views/approvals/read-queue";
import type { ReviewStep } from "@/lib/views/approvals/read-review-steps";

/** `Review 12`; begun, `Go on, 7 of 12`; while nothing can be approved, `Deny only`. */
export function reviewWords({ count, markedCount }: QueueReview, areGatesClosed: boolean): string {
  if (areGatesClosed) return "Deny only";
  return markedCount === 0 ? `Review ${count}` : `Go on, ${markedCount} of ${count}`;
}

/** `Deny the 6 on this route`; of more than one confirmation covers, `Deny the first 50 of 53 on this route`. */
export function denyRouteWords(count: number): string {
  return count > MAXIMUM_DECIDED_TOGETHER
    ? `Deny the first ${MAXIMUM_DECIDED_TOGETHER} of ${count} on this route`
    : `Deny the ${count} on this route`;
}

/** `4 to approve, 1 to deny, 1 skipped` */
export function marksWords(steps: readonly ReviewStep[], droppedCount: number): string {
  const count = (mark: ReviewStep["mark"]) =>
    steps.filter((step) => step.mark === mark && !step.isOver).length;
  return countedWords({
    approveCount: count("APPROVE"),
    denyCount: count("DENY"),
    skippedCount: count("SKIPPED"),
    droppedCount,
  });
}

interface Counts {
  approveCount: number;
  denyCount: number;
  skippedCount: number;
  droppedCount: number;
}

export function countedWords({ approveCount, denyCount, skippedCount, droppedCount }: Counts): string {
  const parts = [
    approveCount > 0 ? `${approveCount} to approve` : null,
    denyCount > 0 ? `${denyCount} to deny` : null,
    skippedCount > 0 ? `${skippedCount} skipped` : null,
    droppedCount > 0 ? `${droppedCount} dropped out` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "Nothing marked yet" : parts.join(", ");
}
