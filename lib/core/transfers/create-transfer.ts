import type { SentRequest } from "@/lib/contract/api-request";
import { bankingDateOf } from "@/lib/contract/banking-days";
import { AppError } from "@/lib/contract/error";
import { APPROVAL_EXPIRY_MS, REMINDER_BEFORE_EXPIRY_MS } from "@/lib/contract/limits";
import type { AccountReference, CreateTransferBody, Transfer } from "@/lib/contract/transfer";
import { auditEntry } from "@/lib/core/audit/audit-entry";
import type { CallerActor, Context } from "@/lib/core/context";
import { gatesClosed } from "@/lib/core/gates/gates-closed";
import { type IdempotentCall, idempotencyExpiry, type Replay, readReplay } from "@/lib/core/idempotency";
import { type AboveCap, aboveCapSchema } from "@/lib/core/keys/above-cap";
import { requirePermission, revokedMeanwhile, transferGrant } from "@/lib/core/keys/permits";
import { tooManyWaiting } from "@/lib/core/keys/too-many-waiting";
import { decideTransfer, type Party, type TransferDecision } from "@/lib/core/transfers/decide-transfer";
import { findParties } from "@/lib/core/transfers/find-parties";
import { approvalUrl } from "@/lib/core/transfers/transfer-row";
import { type OutcomeRow, writeTransfer } from "@/lib/core/transfers/write-transfers";
import { BOOK_TRANSFERS, DELIVER_EVENTS, SEND_NOTICES, SUBMIT_TO_BANK } from "@/lib/core/work-names";
import { newId } from "@/lib/platform/ids";
import { tally } from "@/lib/platform/observe/tally";
import type { Services } from "@/lib/platform/services";

export interface CreateTransferInput {
  body: CreateTransferBody;
  /** As it came in, for the approver and the audit log. */
  sent: SentRequest;
  auditAction: string;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
}

export type CreateTransferResult =
  | { kind: "CREATED"; status: number; body: { data: Transfer; requestId: string } }
  | { kind: "REPLAYED"; replay: Replay };

/**
 * Proposes or accepts a transfer that a key asks for (specification, Part 4, "Transfer creation body"). One round trip
 * reads both parties; a second, shared with whoever asks at the same moment, writes the transfer, its hold or its
 * proposal, the notice to the deciders, the idempotent result and the audit entry, together or not at all.
 *
 * Above the key's daily cap nothing is written at first; a third round trip writes it as a proposal.
 *
 * Simulated: the same path, recorded as `COMPLETE`; nothing is held or booked, and nobody is asked.
 * @throws AppError as `decideTransfer`; `TRANSFER_IN_PROGRESS`, `IDEMPOTENCY_KEY_MISMATCH`, `UNAUTHORIZED` when the key
 * was revoked meanwhile; `ACCESS_DENIED` while all gates are closed; `RATE_LIMIT_EXCEEDED` while too many of its
 * proposals wait.
 */
export async function createTransfer(
  services: Services,
  context: Context<CallerActor>,
  input: CreateTransferInput,
): Promise<CreateTransferResult> {
  const { body } = input;
  const permission = requirePermission(context.actor, "MANUAL_TRANSFER");
  const parties = await findParties(services, context, body);
  const decision = decideTransfer({
    ...parties,
    amountInCents: body.amountInCents,
    simulation: body.simulation === true,
    grant: transferGrant(permission, body.sourceAccountId, body.destinationAccountId),
    approvalRequired: permission.approval.required,
  });
  const transfer = draft(services, context, body, decision, parties.source, parties.destination);
  const asked = await write(services, context, input, transfer, null);
  if (asked.outcome !== "ABOVE_CAP") return finish(services, context, input, transfer, asked);
  const proposal = draft(
    services,
    context,
    body,
    { ...decision, status: "APPROVAL_PENDING" },
    parties.source,
    parties.destination,
  );
  const held = await write(services, context, input, proposal, aboveCapSchema.parse(asked.replay_body));
  return finish(services, context, input, proposal, held);
}

function finish(
  services: Services,
  context: Context<CallerActor>,
  input: CreateTransferInput,
  transfer: Transfer,
  outcome: OutcomeRow,
): CreateTransferResult {
  if (outcome.outcome === "REPLAY" && input.idempotency) {
    return { kind: "REPLAYED", replay: readReplay(input.idempotency, outcome) };
  }
  requireCreated(context.actor, outcome);
  wakeFor(services, transfer);
  tally("transfers", TALLIED[transfer.status] ?? "ACCEPTED");
  return { kind: "CREATED", ...answerOf(context, transfer) };
}

function answerOf(context: Context<CallerActor>, transfer: Transfer) {
  return {
    status: transfer.executionMode === "SIMULATION" ? 200 : 202,
    body: { data: transfer, requestId: context.requestId },
  };
}

/** What is complete at once is simulated. */
const TALLIED: Partial<Record<Transfer["status"], string>> = {
  APPROVAL_PENDING: "PROPOSED",
  COMPLETE: "SIMULATED",
};

/** The transfer as it is about to be written. */
function draft(
  services: Services,
  context: Context<CallerActor>,
  body: CreateTransferBody,
  decision: TransferDecision,
  source: Party | null,
  destination: Party | null,
): Transfer {
  const id = newId(context.now);
  const now = context.now.toISOString();
  return {
    id,
    status: decision.status,
    executionMode: body.simulation ? "SIMULATION" : "LIVE",
    direction: decision.direction,
    origin: "API",
    amountInCents: body.amountInCents,
    description: body.description ?? null,
    source: reference(source),
    destination: reference(destination),
    ruleId: null,
    ruleExecutionId: null,
    reasonForApproval: body.reasonForApproval ?? null,
    approvalUrl: decision.status === "APPROVAL_PENDING" ? approvalUrl(services.appUrl, id) : null,
    errorCode: null,
    errorMessage: null,
    createdAt: now,
    updatedAt: now,
    completedAt: decision.status === "COMPLETE" ? now : null,
    // Between pods it is a matter of milliseconds; over ACH the bank says when it has accepted the order.
    expectedCompletionDate: decision.direction === "INTERNAL" ? bankingDateOf(context.now) : null,
  };
}

function reference(party: Party | null): AccountReference {
  if (!party) throw new Error("A decided transfer has both parties");
  return { id: party.id, name: party.name, type: party.type, isDeleted: party.isClosed };
}

async function write(
  services: Services,
  context: Context<CallerActor>,
  input: CreateTransferInput,
  transfer: Transfer,
  aboveCap: AboveCap | null,
): Promise<OutcomeRow> {
  const expiresAt = new Date(context.now.getTime() + APPROVAL_EXPIRY_MS);
  const item = {
    organizationId: context.organizationId,
    apiKeyId: context.actor.id,
    // Of assistants too: the tables know callers (migration 0036).
    proposedBy: { kind: "API_KEY", id: context.actor.id, name: context.actor.name },
    now: context.now,
    transfer: {
      ...transfer,
      sourceAccountId: transfer.source.id,
      destinationAccountId: transfer.destination.id,
    },
    request: input.sent,
    noticeId: newId(context.now),
    expiresAt,
    remindAt: new Date(expiresAt.getTime() - REMINDER_BEFORE_EXPIRY_MS),
    aboveCap,
    idempotency: input.idempotency && {
      ...input.idempotency,
      ...answerOf(context, transfer),
      expiresAt: idempotencyExpiry(context.now),
    },
    audit: auditEntry(
      context,
      { method: input.sent.method, path: input.sent.path, action: input.auditAction },
      null,
    ),
  };
  return await writeTransfer(services.pool, item);
}

function requireCreated(actor: CallerActor, outcome: OutcomeRow): void {
  if (outcome.outcome === "IN_PROGRESS") {
    throw new AppError(
      "TRANSFER_IN_PROGRESS",
      "The original request with this idempotency-key is still in flight. Retry in a moment with the same key.",
    );
  }
  if (outcome.outcome === "KEY_REVOKED") {
    throw revokedMeanwhile(actor, "Nothing moved.");
  }
  if (outcome.outcome === "GATES_CLOSED") throw gatesClosed();
  if (outcome.outcome === "TOO_MANY_WAITING") throw tooManyWaiting(actor);
  // Nothing else may pass for a transfer that was written.
  if (outcome.outcome !== "CREATED") throw new Error(`create_transfers answered ${outcome.outcome}`);
}

/** After the commit: somebody now has something to do. */
function wakeFor(services: Services, transfer: Transfer): void {
  services.wake(DELIVER_EVENTS);
  if (transfer.status === "APPROVAL_PENDING") services.wake(SEND_NOTICES);
  if (transfer.status !== "PROCESSING") return;
  // What fails for want of money is ended by the same worker that books.
  services.wake(BOOK_TRANSFERS);
  if (transfer.direction !== "INTERNAL") services.wake(SUBMIT_TO_BANK);
}
