import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/** `UNANSWERED`: it was sent to the bank, which has not confirmed it yet. */
export type Cancellation = "CANCELLED" | "AT_THE_BANK" | "UNANSWERED" | "OVER";

/**
 * Cancels an accepted transfer that is neither booked nor leased for the bank, and releases its hold
 * (docs/behavior/transfers.md).
 * @returns `CANCELLED`, or why it was too late.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner.
 */
export async function cancelTransfer(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  transferId: string,
): Promise<Cancellation> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may cancel a transfer.");
  }
  const { rows } = await services.pool.query<{ isCancelled: boolean }>(
    `select cancel_transfer($1, $2, $3, $4) as "isCancelled"`,
    [context.organizationId, transferId, context.actor.id, context.now],
  );
  return rows[0]?.isCancelled === true ? "CANCELLED" : whyNot(services, context, transferId);
}

async function whyNot(
  services: Pick<Services, "pool">,
  { organizationId }: Context,
  transferId: string,
): Promise<Cancellation> {
  const { rows } = await services.pool.query<{ nextStep: string | null }>({
    name: "read_next_step",
    text: `select next_step as "nextStep" from transfers where organization_id = $1 and id = $2`,
    values: [organizationId, transferId],
  });
  const step = rows[0]?.nextStep;
  if (step === "ASK") return "UNANSWERED";
  return step === "AWAIT" ? "AT_THE_BANK" : "OVER";
}
