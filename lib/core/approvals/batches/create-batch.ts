import type { CreateTransferBatchBody, TransferBatch } from "@/lib/contract/approvals/batch";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_WAITING_BATCHES } from "@/lib/contract/limits";
import type { TransferDirection } from "@/lib/contract/transfer";
import { getBatch } from "@/lib/core/approvals/batches/read-batch";
import { gatesClosed } from "@/lib/core/keys/gates";
import { readPaidPayees } from "@/lib/core/payees/read-paid-payees";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import { matchPoliciesOfBatch, type PolicyPart } from "@/lib/core/policies/match-proposal";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { Actor, CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import type { IdempotentCall } from "@/lib/core/shared/idempotency";
import { requirePermission, tooManyWaiting, transferGrant } from "@/lib/core/shared/permits";
import { repeatsDenial } from "@/lib/core/shared/repeated-denial";
import { DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { decideTransfer } from "@/lib/core/transfers/decide-transfer";
import { findParties } from "@/lib/core/transfers/find-parties";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

/** A line whose route and amount were checked. */
export interface CheckedLine {
  direction: TransferDirection;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  description: string | null;
  externalId: string | null;
  metadata: readonly { key: string; value: string }[];
}

interface CreateBatchInput {
  body: CreateTransferBatchBody;
  /** As received, for the approver and the audit log. */
  sent: SentRequest;
  auditAction: null;
  idempotency: IdempotentCall | null;
}

/**
 * Proposes transfers together, all or none (docs/behavior/approvals.md, "Batches"): a person decides them with one
 * confirmation, also where the key may move money alone.
 * @throws AppError as `createTransfer`, with the line in the field: `transfers.3.destinationAccountId`
 */
export async function createTransferBatch(
  services: Services,
  context: Context<CallerActor>,
  { body, ...request }: CreateBatchInput,
): Promise<WriteResult> {
  const lines = await checkLines(services, context, body);
  const result = await writeOnce(
    services,
    context,
    { ...request, status: 202 },
    async (client): Promise<TransferBatch> => {
      const id = newId(context.now);
      const reason = body.reasonForApproval ?? null;
      const outcome = await writeBatch(client, context, { id, reason, request: request.sent, lines });
      if (outcome === "GATES_CLOSED") throw gatesClosed();
      if (outcome === "TOO_MANY_WAITING") throw tooManyBatches(context.actor);
      return getBatch({ pool: client, appUrl: services.appUrl }, context, id);
    },
  );
  for (const work of [SEND_NOTICES, DELIVER_EVENTS]) services.wake(work);
  if (result.kind === "RECORDED") incrementCounter("transfers", "PROPOSED", lines.length);
  return result;
}

function tooManyBatches(actor: CallerActor): AppError {
  const { code, message } = tooManyWaiting(actor);
  return new AppError(code, `${message} At most ${MAXIMUM_WAITING_BATCHES} of them are batches.`);
}

/** @throws AppError for the first line that the key may not request, or that cannot move */
async function checkLines(
  services: Services,
  context: Context<CallerActor>,
  { transfers }: CreateTransferBatchBody,
): Promise<CheckedLine[]> {
  const permission = requirePermission(context.actor, "MANUAL_TRANSFER");
  // Asked at once, they share one round trip.
  const parties = await Promise.all(
    transfers.map((line) => findParties(services, context, { ...line, externalId: line.externalId ?? null })),
  );
  return transfers.map((line, index): CheckedLine => {
    const found = parties[index];
    if (!found) throw new Error("A line of a batch has no parties");
    return naming(index, () => {
      const { direction } = decideTransfer({
        ...found,
        amountInCents: line.amountInCents,
        grant: transferGrant(permission, line.sourceAccountId, line.destinationAccountId),
        approvalRequired: true,
        bankCapabilities: services.bankCapabilities,
      });
      if (found.denied) throw repeatsDenial(found.denied);
      return {
        direction,
        sourceAccountId: line.sourceAccountId,
        destinationAccountId: line.destinationAccountId,
        amountInCents: line.amountInCents,
        description: line.description ?? null,
        externalId: line.externalId ?? null,
        metadata: [],
      };
    });
  });
}

/** Names the line in what is refused. */
function naming<Result>(index: number, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const place = `transfers.${index}`;
    const details = error.details.length > 0 ? error.details : [{ field: "", message: error.message }];
    throw new AppError(
      error.code,
      `${place}: ${error.message} Nothing of the batch was proposed.`,
      details.map(({ field, message }) => ({ field: field === "" ? place : `${place}.${field}`, message })),
    );
  }
}

interface NewBatch {
  id: string;
  reason: string | null;
  /** Null: a member's. */
  request: SentRequest | null;
  lines: readonly CheckedLine[];
}

/** Writes a batch with its lines, which wait, and the notice of it; for a key, which the caller has locked, or a member. */
export async function writeBatch(
  client: Queryable,
  context: Context<Actor>,
  { id, reason, request, lines }: NewBatch,
): Promise<"CREATED" | "ALREADY" | "GATES_CLOSED" | "TOO_MANY_WAITING"> {
  const { organizationId, actor, now } = context;
  const written = lines.map((line) => ({ id: newId(now), ...line }));
  const batch = {
    organizationId,
    id,
    apiKeyId: actor.kind === "MEMBER" ? null : actor.id,
    proposedBy: { id: actor.id, name: actor.name },
    reasonForApproval: reason,
    request,
    now,
    ...deadlinesOf(now, await hoursToDecide(client, context, written)),
    noticeId: newId(now),
    lines: written,
  };
  const { rows } = await client.query<{
    outcome: "CREATED" | "ALREADY" | "GATES_CLOSED" | "TOO_MANY_WAITING";
  }>({
    name: "create_transfer_batch",
    text: "select create_transfer_batch($1) as outcome",
    values: [JSON.stringify(batch)],
  });
  if (!rows[0]) throw new Error("create_transfer_batch answered nothing");
  return rows[0].outcome;
}

/** The shortest time that the policy in force leaves people for the lines together or for one of them; unset: none is. */
async function hoursToDecide(
  client: Queryable,
  { organizationId, actor, now }: Context<Actor>,
  lines: readonly (CheckedLine & { id: string })[],
): Promise<number | undefined> {
  const inForce = await readPolicyInForce(client, organizationId);
  const [head] = lines;
  if (inForce.version === 0 || !head) return undefined;
  const outside = lines.filter(({ direction }) => direction === "MONEY_OUT");
  const paid = await readPaidPayees(
    client,
    organizationId,
    [...new Set(outside.map(({ destinationAccountId }) => destinationAccountId))],
    head.id,
    now,
  );
  const partOf = (some: typeof lines): PolicyPart => {
    const paidIds = new Set(some.map(({ destinationAccountId }) => destinationAccountId));
    return { moves: some, novelties: paid.filter(({ id }) => paidIds.has(id)).map(({ novelty }) => novelty) };
  };
  const asks = await matchPoliciesOfBatch({ database: client, organizationId }, [inForce], {
    id: head.id,
    kind: "TRANSFER",
    createdAt: now,
    requester: { kind: actor.kind, id: actor.id, memberIds: [] },
    ...partOf(lines),
    bornUnder: inForce.version,
    lineIds: lines.map(({ id }) => id),
    parts: [partOf(lines), ...lines.map((line) => partOf([line]))],
  });
  return Math.min(...asks.map(({ requirement }) => requirement.expiresAfterHours));
}
