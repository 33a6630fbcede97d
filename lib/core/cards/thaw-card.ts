import { AppError } from "@/lib/contract/error";
import { setCardStatus } from "@/lib/core/cards/set-card-status";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requirePresence } from "@/lib/core/sign-in/presence";
import type { Services } from "@/lib/platform/services";

/**
 * Lets a frozen card spend again. Opening takes presence, closing does not.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, else as `setCardStatus`; NotConfirmed.
 */
export async function thawCard(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  cardId: string,
): Promise<void> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may thaw a card.");
  }
  await requirePresence(services.pool, context.actor, services.clock.now());
  await setCardStatus(services, context, cardId, "ACTIVE");
}
