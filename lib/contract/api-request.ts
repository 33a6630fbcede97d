/** A request as its caller sent it, without the credential: kept with a proposal and shown to its approver. */
export interface SentRequest {
  method: string;
  path: string;
  idempotencyKey: string | null;
  calledReason: string | null;
  body: unknown;
}
