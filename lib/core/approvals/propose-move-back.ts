import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import type { TransferDirection } from "@/lib/contract/transfer";
import { type ReversalState, readPause } from "@/lib/core/approvals/read-pause";
import type { DraftedTransfer } from "@/lib/core/approvals/transfer-subject";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { decideTransfer } from "@/lib/core/transfers/decide-transfer";
import { findParties } from "@/lib/core/transfers/find-parties";
import { matchInForce } from "@/lib/core/transfers/match-in-force";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A settled transfer that can be moved back. */
interface SettledTransfer {
  id: string;
  amountInCents: number;
  settledAt: Date;
  sourceAccountId: string;
  sourceName: string;
  destinationAccountId: string;
  destinationName: string;
}

/** Outcome of proposing all reversals at once. */
interface ReversalsResult {
  proposedCount: number;
  /** One sentence for each that could not be proposed. */
  refusals: string[];
}

/** The settled transfer with this id between two accounts of the organization; null if there is none to move back. */
export async function findSettledTransfer(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  transferId: string,
): Promise<SettledTransfer | null> {
  const { rows } = await services.pool.query<SettledTransfer>({
    name: "find_settled_transfer",
    text: `
      select t.id, t.amount_in_cents as "amountInCents", coalesce(t.completed_at, t.created_at) as "settledAt", s.id as "sourceAccountId", s.name as "sourceName",
          d.id as "destinationAccountId", d.name as "destinationName"
        from transfers t
        join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
       where t.organization_id = $1 and t.id = $2 and t.status = 'COMPLETE' and t.execution_mode = 'LIVE'`,
    values: [context.organizationId, transferId],
  });
  return rows[0] ?? null;
}

const reasonSchema = plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH);

/**
 * Proposes the reversal of a settled transfer, which waits for approval like any proposal (docs/behavior/approvals.md).
 * Returns the existing reversal if one waits, is in progress or is complete: money is moved back once.
 * @returns the proposal's id.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, `TRANSFER_NOT_FOUND`, `INVALID_PARAMETERS`,
 * and those of `decideTransfer`.
 */
export async function proposeMoveBack(
  services: Pick<Services, "pool" | "wake" | "bankCapabilities">,
  context: Context<MemberActor>,
  input: { transferId: string; reason: string },
): Promise<string> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may move money back.");
  }
  const reason = reasonSchema.safeParse(input.reason.trim());
  if (!reason.success) {
    const message = reason.error.issues[0]?.message ?? "is not valid";
    throw new AppError("INVALID_PARAMETERS", `The reason ${message}.`, [{ field: "reason", message }]);
  }
  const settled = await findSettledTransfer(services, context, input.transferId);
  if (!settled) throw new AppError("TRANSFER_NOT_FOUND", "There is no settled transfer to move back.");
  const parties = await findParties(services, context, {
    sourceAccountId: settled.destinationAccountId,
    destinationAccountId: settled.sourceAccountId,
    amountInCents: settled.amountInCents,
  });
  const { direction } = decideTransfer({
    ...parties,
    amountInCents: settled.amountInCents,
    grant: { maximumAmountInCents: null },
    approvalRequired: true,
    bankCapabilities: services.bankCapabilities,
  });
  const proposal = await inTransaction(services.pool, async (client) => {
    const before = await findOpenReversal(client, context.organizationId, settled.id);
    if (before !== null) return { id: before, isNew: false };
    const id = newId(context.now);
    await proposeAsMember(client, context, id, wayBack(settled, direction), reason.data || null);
    await client.query({
      name: "insert_reversal",
      text: "insert into transfer_reversals (organization_id, transfer_id, reversal_id) values ($1, $2, $3)",
      values: [context.organizationId, settled.id, id],
    });
    return { id, isNew: true };
  });
  if (proposal.isNew) services.wake(SEND_NOTICES);
  return proposal.id;
}

async function findOpenReversal(
  client: Queryable,
  organizationId: string,
  transferId: string,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>({
    name: "open_reversal",
    text: "select open_reversal($1, $2) as id",
    values: [organizationId, transferId],
  });
  return rows[0]?.id ?? null;
}

function wayBack(settled: SettledTransfer, direction: TransferDirection): DraftedTransfer {
  return {
    direction,
    amountInCents: settled.amountInCents,
    description: null,
    sourceAccountId: settled.destinationAccountId,
    destinationAccountId: settled.sourceAccountId,
  };
}

/**
 * Writes a member's transfer with its proposal. It always needs a confirmed approval, which may follow in the same
 * transaction.
 */
export async function proposeAsMember(
  client: Queryable,
  context: Context<MemberActor>,
  id: string,
  transfer: DraftedTransfer,
  reason: string | null,
): Promise<void> {
  const requester = { kind: "MEMBER" as const, id: context.actor.id };
  const asks = await matchInForce(client, context, requester, { id, ...transfer });
  const item = {
    organizationId: context.organizationId,
    apiKeyId: null,
    proposedBy: { kind: "MEMBER", id: context.actor.id, name: context.actor.name },
    now: context.now,
    transfer: {
      ...transfer,
      id,
      status: "APPROVAL_PENDING",
      executionMode: "LIVE",
      origin: "USER",
      reasonForApproval: reason,
      expectedCompletionDate: null,
    },
    request: null,
    noticeId: newId(context.now),
    ...deadlinesOf(context.now, asks?.requirement.expiresAfterHours),
    idempotency: null,
  };
  await client.query("select * from create_transfers($1)", [JSON.stringify([item])]);
}

/** Denied reversals are not proposed again in bulk, only one by one. */
const TO_PROPOSE: ReadonlySet<ReversalState> = new Set(["NOT_PROPOSED", "FAILED"]);

/**
 * Proposes the reversal of everything that rules did with returned money; each is decided like any proposal. Existing and
 * completed reversals are unchanged, so pressing the button twice proposes nothing twice.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, `RULE_NOT_FOUND` if it is not paused.
 */
export async function proposeReversals(
  services: Pick<Services, "pool" | "wake" | "bankCapabilities">,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<ReversalsResult> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may move money back.");
  }
  const pause = await readPause(services, context, ruleId);
  if (!pause) throw new AppError("RULE_NOT_FOUND", "This rule is not paused. Nothing was proposed.");
  const reason = `The bank returned ${writeCents(pause.returned.amountInCents)} that rules had already split.`;
  const result: ReversalsResult = { proposedCount: 0, refusals: [] };
  for (const transfer of pause.transfers) {
    if (!TO_PROPOSE.has(transfer.reversal.state)) continue;
    try {
      await proposeMoveBack(services, context, { transferId: transfer.id, reason });
      result.proposedCount += 1;
    } catch (error) {
      // One closed account must not prevent the other proposals.
      if (!(error instanceof AppError)) throw error;
      result.refusals.push(`${transfer.toName} to ${transfer.fromName}: ${error.message}`);
    }
  }
  return result;
}
