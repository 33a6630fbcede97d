import type { Pool } from "pg";
import { z } from "zod";
import type { ProposalCheck } from "@/lib/contract/approvals/proposal-check";
import { bankingDayAt } from "@/lib/contract/banking-days";
import { AppError } from "@/lib/contract/error";
import { formatCents } from "@/lib/contract/format-cents";
import type { Labels } from "@/lib/contract/input/labels";
import { type BrokenMandate, brokenMandateSchema } from "@/lib/contract/mandates/mandate";
import type { AccountReference, CreateTransferBody, Transfer } from "@/lib/contract/transfer";
import { gatesClosed } from "@/lib/core/keys/gates";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import { requiredStages } from "@/lib/core/policies/match-proposal";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import {
  type IdempotentCall,
  type IdempotentOutcome,
  idempotencyExpiry,
  OUTCOME_COLUMNS,
  type Replay,
  readReplay,
} from "@/lib/core/shared/idempotency";
import {
  type AboveCap,
  aboveCapSchema,
  requirePermission,
  revokedMeanwhile,
  tooManyWaiting,
  transferGrant,
} from "@/lib/core/shared/permits";
import { repeatsDenial } from "@/lib/core/shared/repeated-denial";
import { BOOK_TRANSFERS, DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { decideTransfer, type Party, type TransferDecision } from "@/lib/core/transfers/decide-transfer";
import { findParties, type Parties } from "@/lib/core/transfers/find-parties";
import { matchInForce } from "@/lib/core/transfers/match-in-force";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import { insideMandate, repeatedExternalId, repeatedTransfer } from "@/lib/words/check-words";

const write = groupStatements<TransferItem, OutcomeRow>({
  name: "create_transfers",
  text: `select ${OUTCOME_COLUMNS} from create_transfers($1)`,
  compare: compareKeys,
});

/** Apart, so that transfers without labels do not look for any. */
const writeLabeled = groupStatements<TransferItem, OutcomeRow>({
  name: "create_labeled_transfers",
  text: `select ${OUTCOME_COLUMNS} from create_labeled_transfers($1)`,
  compare: compareKeys,
});

function compareKeys(left: TransferItem, right: TransferItem): number {
  return keyOf(left) < keyOf(right) ? -1 : keyOf(left) > keyOf(right) ? 1 : 0;
}

const keyOf = ({ organizationId, transfer }: TransferItem) => `${organizationId} ${transfer.sourceAccountId}`;

export interface CreateTransferInput {
  body: CreateTransferBody;
  /** As received, for the approver and the audit log. */
  sent: SentRequest;
  auditAction: string;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
  /** What the approver of a dry run or a proposal would read (`checkDraft` of a higher module). */
  check: (
    services: Services,
    context: Context<CallerActor>,
    transfer: Transfer,
    held: HeldBack,
  ) => Promise<ProposalCheck[]>;
}

/** Why a transfer waits that its key could have moved by itself; null: each for another reason. */
export interface HeldBack {
  aboveCap: AboveCap | null;
  outsideMandate: BrokenMandate | null;
}

const NOT_HELD: HeldBack = { aboveCap: null, outsideMandate: null };

export type CreateTransferResult =
  | { kind: "CREATED"; status: number; body: { data: Transfer; requestId: string } }
  | { kind: "REPLAYED"; replay: Replay };

/**
 * Proposes or accepts a transfer for a key (specification, Part 4, "Transfer creation body"). One round trip reads both
 * parties; a second one, shared with concurrent requests, writes the transfer, its hold or proposal, the notice to the
 * deciders, the idempotency result and the audit entry, or nothing.
 *
 * Above the key's daily cap the second round trip writes nothing, and a third one writes the transfer as a proposal.
 *
 * A simulation takes the same path, is rolled back, and is then recorded as `COMPLETE`; its `errorCode` and
 * `errorMessage` give the outcome of the live transfer as of now, or null if it would complete.
 * @throws AppError as `decideTransfer`; `REPEATS_DENIAL`; `TRANSFER_IN_PROGRESS`, `IDEMPOTENCY_KEY_MISMATCH`, `UNAUTHORIZED` if the key
 * was revoked during the request; live ones also `ACCESS_DENIED` while all gates are closed, and `RATE_LIMIT_EXCEEDED`
 * while too many of its proposals wait.
 */
export async function createTransfer(
  services: Services,
  context: Context<CallerActor>,
  input: CreateTransferInput,
): Promise<CreateTransferResult> {
  const { body } = input;
  const permission = requirePermission(context.actor, "MANUAL_TRANSFER");
  const parties = await findParties(services, context, { ...body, externalId: body.externalId ?? null });
  const decision = decideTransfer({
    ...parties,
    amountInCents: body.amountInCents,
    grant: transferGrant(permission, body.sourceAccountId, body.destinationAccountId),
    approvalRequired: permission.approval.required,
    bankCapabilities: services.bankCapabilities,
  });
  const drafted = { services, context, body, parties, direction: decision.direction };
  const live = draft({ ...drafted, status: decision.status });
  const denied = parties.denied && repeatsDenial(parties.denied);
  const proposal = () => draft({ ...drafted, status: "APPROVAL_PENDING" });
  const attempt = attemptOf(live, parties, () => draft({ ...drafted, status: "PROCESSING" }));
  if (denied && !body.simulation) throw denied;
  if (body.simulation) {
    const { held, ...foreseen } = denied
      ? { errorCode: denied.code, errorMessage: denied.message, held: NOT_HELD }
      : await foresee(services, context, input, { attempt, proposal });
    const checks = await input.check(services, context, live, held ?? NOT_HELD);
    if (held === null && attempt?.isUnderMandate) checks.unshift(insideMandate());
    const simulated = { ...draft({ ...drafted, status: "COMPLETE" }), ...foreseen, checks };
    const item = toItem(context, input, simulated, NOT_HELD);
    return finish(services, context, input, simulated, await writeSimulatedTransfer(services.pool, item));
  }
  let held = NOT_HELD;
  if (attempt) {
    const accepted = { ...attempt.transfer, checks: checksOfAccepted(parties) };
    const item = toItem(context, input, accepted, NOT_HELD);
    const asked = await (attempt.isUnderMandate
      ? writeUnderMandate(services.pool, item)
      : writeTransfer(services.pool, item));
    const why = heldBack(asked);
    if (why === null) {
      return finish(services, context, input, { ...accepted, mandateId: mandateOf(asked) }, asked);
    }
    held = why;
  }
  const waiting = proposal();
  const written = {
    ...waiting,
    checks: await input.check(services, context, waiting, held),
    approvals: await approvalsOf(services, context, parties, waiting),
  };
  const outcome = await writeTransfer(services.pool, toItem(context, input, written, held));
  return finish(services, context, input, written, outcome);
}

/** A transfer that may be accepted without a person. */
interface Attempt {
  transfer: Transfer;
  /** Only inside a mandate of its key; otherwise its permission asks for no approval. */
  isUnderMandate: boolean;
}

/** Null: it waits. */
function attemptOf(live: Transfer, { hasMandate }: Parties, accept: () => Transfer): Attempt | null {
  if (live.status === "PROCESSING") return { transfer: live, isUnderMandate: false };
  return hasMandate ? { transfer: accept(), isUnderMandate: true } : null;
}

/** Why it has to wait; null: its outcome is final. */
function heldBack({ outcome, replayBody }: Pick<OutcomeRow, "outcome" | "replayBody">): HeldBack | null {
  switch (outcome) {
    case "ABOVE_CAP":
      return { aboveCap: aboveCapSchema.parse(replayBody), outsideMandate: null };
    case "OUTSIDE_MANDATE":
      return { aboveCap: null, outsideMandate: brokenMandateSchema.parse(replayBody) };
    case "NO_MANDATE":
      return NOT_HELD;
    default:
      return null;
  }
}

/** The signatures that it needs by the policy in force; null without one, which reads nothing. */
async function approvalsOf(
  { pool }: Pick<Services, "pool">,
  context: Context<CallerActor>,
  { hasPolicy }: Parties,
  { id, source, destination, amountInCents, direction }: Transfer,
): Promise<Transfer["approvals"]> {
  if (!hasPolicy || source.id === null || destination.id === null) return null;
  const move = { id, sourceAccountId: source.id, destinationAccountId: destination.id };
  const asks = await matchInForce(pool, context, context.actor, { ...move, amountInCents, direction });
  if (!asks) return null;
  const { expiresAt } = deadlinesOf(context.now, asks.requirement.expiresAfterHours);
  return { required: requiredStages([asks], () => 0), given: [], expiresAt: expiresAt.toISOString() };
}

/** Read with the parties, as things were just before it was written; no person sees the others. */
function checksOfAccepted({ repeats, repeatsExternalId }: Parties): ProposalCheck[] {
  return [
    ...(repeats ? [repeatedTransfer(repeats.isWaiting)] : []),
    ...(repeatsExternalId ? [repeatedExternalId()] : []),
  ];
}

type Foreseen = Pick<Transfer, "errorCode" | "errorMessage">;

/** The outcome of the live transfer, and what holds it back (null: nothing, where it was attempted), computed by the functions that create live ones, in the same order. */
async function foresee(
  services: Services,
  context: Context<CallerActor>,
  input: CreateTransferInput,
  { attempt, proposal }: { attempt: Attempt | null; proposal: () => Transfer },
): Promise<Foreseen & { held: HeldBack | null }> {
  const ask = (transfer: Transfer, held: HeldBack, isUnderMandate = false) =>
    foreseeTransfer(services.pool, {
      ...toItem(context, input, transfer, held),
      idempotency: null,
      isUnderMandate,
    });
  const asked = attempt && (await ask(attempt.transfer, NOT_HELD, attempt.isUnderMandate));
  const held = asked ? heldBack(asked) : NOT_HELD;
  const foreseen = asked && held === null ? asked : await ask(proposal(), held ?? NOT_HELD);
  return { ...foreseenOf(context.actor, foreseen, held), held };
}

function foreseenOf(actor: CallerActor, row: ForeseenRow, held: HeldBack | null): Foreseen {
  const { outcome, errorCode, errorMessage } = row;
  if (outcome === "GATES_CLOSED") {
    return { errorCode: "GATES_CLOSED", errorMessage: gatesClosed().message };
  }
  if (outcome === "TOO_MANY_WAITING") {
    const { code, message } = tooManyWaiting(actor);
    return { errorCode: code, errorMessage: message };
  }
  requireCreated(actor, { outcome });
  if (errorCode === null && held?.aboveCap) {
    return { errorCode: "ABOVE_DAILY_CAP", errorMessage: aboveCapWords(held.aboveCap, "transfer") };
  }
  return { errorCode, errorMessage };
}

export function aboveCapWords({ capInCents, usedInCents }: AboveCap, what: "transfer" | "run"): string {
  return `This key can move ${formatCents(capInCents)} within 24 hours without approval and has moved ${formatCents(usedInCents)} of it. Live, this ${what} would wait for an owner or co-owner to approve it.`;
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
  const isBooked = bookedSchema.safeParse(outcome.replayBody).success;
  wakeFor(services, transfer, isBooked);
  incrementCounter("transfers", COUNTED_AS[transfer.status] ?? "ACCEPTED");
  if (isBooked) incrementCounter("transfers", "COMPLETE");
  return { kind: "CREATED", ...answerOf(context, transfer) };
}

function answerOf(context: Context<CallerActor>, transfer: Transfer) {
  return {
    status: transfer.executionMode === "SIMULATION" ? 200 : 202,
    body: { data: transfer, requestId: context.requestId },
  };
}

/** A move between own accounts that was booked with its acceptance; its response still says PROCESSING. */
const bookedSchema = z.object({ status: z.literal("COMPLETE") });

/** Only simulations are complete at creation. */
const COUNTED_AS: Partial<Record<Transfer["status"], string>> = {
  APPROVAL_PENDING: "PROPOSED",
  COMPLETE: "SIMULATED",
};

interface Draft {
  services: Services;
  context: Context<CallerActor>;
  body: CreateTransferBody;
  parties: Pick<Parties, "source" | "destination">;
  direction: Transfer["direction"];
  /** `COMPLETE`: simulated. */
  status: TransferDecision["status"] | "COMPLETE";
}

/** The transfer before it is written. */
function draft({ services, context, body, parties, direction, status }: Draft): Transfer {
  const id = newId(context.now);
  const now = context.now.toISOString();
  return {
    id,
    status,
    executionMode: status === "COMPLETE" ? "SIMULATION" : "LIVE",
    direction,
    origin: "API",
    amountInCents: body.amountInCents,
    approvedAmountInCents: null,
    description: body.description ?? null,
    source: reference(parties.source),
    destination: reference(parties.destination),
    ruleId: null,
    ruleExecutionId: null,
    reasonForApproval: body.reasonForApproval ?? null,
    approvalUrl: status === "APPROVAL_PENDING" ? approvalUrl(services.appUrl, id) : null,
    decision: null,
    approvals: null,
    mandateId: null,
    errorCode: null,
    errorMessage: null,
    createdAt: now,
    updatedAt: now,
    completedAt: status === "COMPLETE" ? now : null,
    // Moves between own accounts take milliseconds; over ACH the bank supplies the date when it accepts the order.
    expectedCompletionDate: direction === "INTERNAL" ? bankingDayAt(context.now) : null,
    externalId: body.externalId ?? null,
    metadata: body.metadata ?? [],
    checks: null,
  };
}

function reference(party: Party | null): AccountReference {
  if (!party) throw new Error("A decided transfer has both parties");
  return { id: party.id, name: party.name, type: party.type, isDeleted: party.isClosed };
}

function toItem(
  context: Context<CallerActor>,
  input: CreateTransferInput,
  transfer: Transfer,
  held: HeldBack,
): TransferItem {
  const { source, destination, decision: _decision, approvals, checks: _checks, ...fields } = transfer;
  return {
    organizationId: context.organizationId,
    apiKeyId: context.actor.id,
    // Assistants too: the tables store every caller as a key.
    proposedBy: { kind: "API_KEY", id: context.actor.id, name: context.actor.name },
    now: context.now,
    transfer: { ...fields, sourceAccountId: source.id, destinationAccountId: destination.id },
    ...(transfer.status === "APPROVAL_PENDING" && proposalOf(context, input, approvals, held)),
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
}

function proposalOf(
  { now }: Context<CallerActor>,
  { sent }: CreateTransferInput,
  approvals: Transfer["approvals"],
  held: HeldBack,
) {
  const hours = approvals ? (Date.parse(approvals.expiresAt) - now.getTime()) / HOUR_MS : undefined;
  return { request: sent, noticeId: newId(now), ...deadlinesOf(now, hours), ...held };
}

const HOUR_MS = 3_600_000;

function requireCreated(actor: CallerActor, outcome: Pick<OutcomeRow, "outcome">): void {
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
  // No other outcome may be taken for a written transfer.
  if (outcome.outcome !== "CREATED") throw new Error(`create_transfers returned ${outcome.outcome}`);
}

/** After the commit: wakes the workers that continue with it. */
function wakeFor(services: Services, transfer: Transfer, isBooked: boolean): void {
  services.wake(DELIVER_EVENTS);
  if (transfer.status === "APPROVAL_PENDING") services.wake(SEND_NOTICES);
  if (transfer.status !== "PROCESSING" || isBooked) return;
  // The worker that books also fails what lacks money.
  services.wake(BOOK_TRANSFERS);
}

/** What `create_transfers` returns for one item. */
interface OutcomeRow extends IdempotentOutcome {
  outcome:
    | "CREATED"
    | "REPLAY"
    | "IN_PROGRESS"
    | "KEY_REVOKED"
    | "GATES_CLOSED"
    | "TOO_MANY_WAITING"
    /** Nothing was written: it needs approval. `replay_body` is an `AboveCap`. */
    | "ABOVE_CAP"
    /** Of `use_mandate`, which wrote nothing. `replay_body` is a `BrokenMandate`. */
    | "OUTSIDE_MANDATE"
    | "NO_MANDATE";
}

/** One item of `create_transfers`. Only the fields that determine its locks are typed. */
interface TransferItem {
  organizationId: string;
  transfer: Labels & { sourceAccountId: string | null; [field: string]: unknown };
  [field: string]: unknown;
}

/** Writes one transfer, in one transaction with concurrent ones. */
function writeTransfer(pool: Pick<Pool, "query">, item: TransferItem): Promise<OutcomeRow> {
  const { externalId, metadata } = item.transfer;
  return externalId === null && metadata.length === 0 ? write(pool, item) : writeLabeled(pool, item);
}

/**
 * Accepts one transfer under a mandate of its key, or says why not. Alone in its transaction: it holds the mandate, which
 * others wait for.
 */
async function writeUnderMandate(pool: Pick<Pool, "query">, item: TransferItem): Promise<OutcomeRow> {
  const { rows } = await pool.query<OutcomeRow>({
    name: "use_mandate",
    text: `select ${OUTCOME_COLUMNS} from use_mandate($1)`,
    values: [JSON.stringify(item)],
  });
  if (!rows[0]) throw new Error("use_mandate returned no row");
  return rows[0];
}

const underMandateSchema = z.object({ mandateId: z.uuid() });

/** The mandate that a created transfer used; null: none. */
function mandateOf({ replayBody }: Pick<OutcomeRow, "replayBody">): string | null {
  return underMandateSchema.safeParse(replayBody).data?.mandateId ?? null;
}

/** The outcome of `create_transfers`, and why the accepted transfer would fail; null if it would not. */
interface ForeseenRow extends Pick<OutcomeRow, "outcome" | "replayBody"> {
  errorCode: string | null;
  errorMessage: string | null;
}

/** The outcome of the live transfer if it were requested now. Writes nothing. */
async function foreseeTransfer(pool: Pick<Pool, "query">, item: TransferItem): Promise<ForeseenRow> {
  const { rows } = await pool.query<ForeseenRow>({
    name: "foresee_transfer",
    text: `
      select outcome, replay_body as "replayBody", error_code as "errorCode", error_message as "errorMessage"
        from foresee_transfer($1)`,
    values: [JSON.stringify(item)],
  });
  if (!rows[0]) throw new Error("foresee_transfer returned no row");
  return rows[0];
}

/** Writes a simulated transfer with its outcome. Not grouped: simulations are few and must not delay live transfers. */
async function writeSimulatedTransfer(pool: Pick<Pool, "query">, item: TransferItem): Promise<OutcomeRow> {
  const { rows } = await pool.query<OutcomeRow>({
    name: "write_simulated_transfer",
    text: `select ${OUTCOME_COLUMNS} from write_simulated_transfer($1)`,
    values: [JSON.stringify(item)],
  });
  if (!rows[0]) throw new Error("write_simulated_transfer returned no row");
  return rows[0];
}
