import type { DeliveryProblem } from "@/lib/contract/webhooks";
import { groupWrites } from "@/lib/core/shared/group-writes";

/** One attempt, as `record_webhook_attempts` takes it. */
export interface AttemptRecord {
  organizationId: string;
  endpointId: string;
  eventId: string;
  /** Real time, ISO. */
  startedAt: string;
  finishedAt: string;
  /** Null: it could not be signed. */
  signatureStart: string | null;
  durationMs: number;
  statusCode: number | null;
  problem: DeliveryProblem | null;
  answer: string | null;
  /** Made in its round before this one, as it was claimed. */
  roundAttempts: number;
  /** Null after the last attempt of the round. */
  retryInMs: number | null;
}

export interface RecordedAttempt {
  status: "PENDING" | "DELIVERED" | "DEAD" | "FORGOTTEN";
}

/** Writes an attempt together with others that end at the same moment: its history, what comes next, the endpoint's health. */
export const recordAttempt = groupWrites<AttemptRecord, RecordedAttempt>({
  name: "record_webhook_attempts",
  text: "select status from record_webhook_attempts($1)",
  compare: (left, right) =>
    left.endpointId === right.endpointId
      ? left.eventId.localeCompare(right.eventId)
      : left.endpointId.localeCompare(right.endpointId),
});
