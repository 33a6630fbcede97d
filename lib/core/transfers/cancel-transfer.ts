import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import type { Services } from "@/lib/platform/services";

/**
 * Cancels an accepted transfer that was neither booked, nor submitted to the bank, nor leased for it; its hold is
 * released (decisions page, "Transfer").
 * @returns false when it was too late.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks.
 */
export async function cancelTransfer(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  transferId: string,
): Promise<boolean> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may cancel a transfer.");
  }
  const { rows } = await services.pool.query<{ is_cancelled: boolean }>(
    "select cancel_transfer($1, $2, $3, $4) as is_cancelled",
    [context.organizationId, transferId, context.actor.id, context.now],
  );
  return rows[0]?.is_cancelled === true;
}
