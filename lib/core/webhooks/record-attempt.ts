import type { DeliveryProblem } from "@/lib/contract/webhooks";
import { groupStatements } from "@/lib/core/shared/group-statements";

/** An item of `record_webhook_attempts`. */
export interface AttemptRecord {
  organizationId: string;
  endpointId: string;
  eventId: string;
  /** Real time, ISO. */
  startedAt: string;
  finishedAt: string;
  /** Null if it could not be signed. */
  signatureStart: string | null;
  durationMs: number;
  statusCode: number | null;
  problem: DeliveryProblem | null;
  answer: string | null;
  /** Earlier attempts of its round, when it was claimed. */
  roundAttempts: number;
  /** Null after the last attempt of the round. */
  retryInMs: number | null;
}

export interface RecordedAttempt {
  status: "PENDING" | "DELIVERED" | "DEAD" | "FORGOTTEN";
}

/** Records an attempt, grouped with concurrent ones: its history, the next attempt, and the endpoint's health. */
export const recordAttempt = groupStatements<AttemptRecord, RecordedAttempt>({
  name: "record_webhook_attempts",
  text: "select status from record_webhook_attempts($1)",
  compare: (left, right) =>
    left.endpointId === right.endpointId
      ? left.eventId.localeCompare(right.eventId)
      : left.endpointId.localeCompare(right.endpointId),
  // Nobody waits for the locks of deliveries, and each group writes the health of all its endpoints.
  maximumGroup: 128,
});
