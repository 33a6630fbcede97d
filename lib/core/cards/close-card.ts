import { AppError } from "@/lib/contract/error";
import { setCardStatus } from "@/lib/core/cards/set-card-status";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * Closes a card for good. What was authorized before still settles, and refunds still arrive.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, else as `setCardStatus`.
 */
export async function closeCard(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  cardId: string,
): Promise<void> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may close a card.");
  }
  await setCardStatus(services, context, cardId, "CLOSED");
}
