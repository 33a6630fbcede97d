import { setCardStatus } from "@/lib/core/cards/set-card-status";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * Freezes a card at once, by any member: every purchase from now on is declined. What was authorized before still
 * settles (decisions page, "Approval").
 * @throws AppError as `setCardStatus`.
 */
export async function freezeCard(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  cardId: string,
): Promise<void> {
  await setCardStatus(services, context, cardId, "FROZEN");
}
