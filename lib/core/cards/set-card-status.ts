import type { CardStatus } from "@/lib/contract/card";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * Sets a card's status, for the verbs that decide who may. Setting the status that it has does nothing.
 * @throws AppError `INVALID_PARAMETERS` for a card that the organization does not have, or that is closed for good.
 */
export async function setCardStatus(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  cardId: string,
  status: CardStatus,
): Promise<void> {
  const { rows } = await services.pool.query<{ status: CardStatus | null }>({
    name: "set_card_status",
    text: "select set_card_status($1, $2, $3, $4, $5) as status",
    values: [context.organizationId, cardId, status, context.actor.id, context.now],
  });
  const found = rows[0]?.status ?? null;
  if (found === status) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    found === null ? "There is no such card." : "This card is closed for good. Issue another one.",
  );
}
