import { AppError } from "@/lib/contract/error";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import { proposeAsMember } from "@/lib/core/approvals/propose-as-member";
import type { DraftedTransfer } from "@/lib/core/approvals/transfer-subject";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { decideTransfer } from "@/lib/core/transfers/decide-transfer";
import { findParties } from "@/lib/core/transfers/find-parties";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A settled transfer that can be moved back. */
export interface SettledTransfer {
  id: string;
  amountInCents: number;
  sourceAccountId: string;
  sourceName: string;
  destinationAccountId: string;
  destinationName: string;
}

/** The settled transfer with this id between two accounts of the organization; null when there is none to move back. */
export async function findSettledTransfer(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  transferId: string,
): Promise<SettledTransfer | null> {
  const { rows } = await services.pool.query<SettledTransfer & { status: TransferStatus }>({
    name: "find_settled_transfer",
    text: `
      select t.id, t.amount_in_cents as "amountInCents", s.id as "sourceAccountId", s.name as "sourceName",
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
 * Proposes the way back of a settled transfer; it waits for an approval like any (decisions page, "Transfer"). While one
 * waits, is on its way or is done, there is no second: money is moved back once.
 * @returns the id of the proposal, which may have been there before.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `TRANSFER_NOT_FOUND`, `INVALID_PARAMETERS`, and
 * those of `decideTransfer`.
 */
export async function proposeMoveBack(
  services: Pick<Services, "pool" | "wake">,
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
  });
  const { direction } = decideTransfer({
    ...parties,
    amountInCents: settled.amountInCents,
    grant: { maximumAmountInCents: null },
    approvalRequired: true,
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
