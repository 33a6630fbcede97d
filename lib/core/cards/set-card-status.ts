import type { CardStatus } from "@/lib/contract/card";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { recordChange } from "@/lib/core/shared/record-change";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Sets a card's status; the calling commands check who may. Setting the current status does nothing.
 * @throws AppError `INVALID_PARAMETERS` for an unknown card or one that is closed for good.
 */
export async function setCardStatus(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  cardId: string,
  status: CardStatus,
): Promise<void> {
  const found = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ status: CardStatus | null }>({
      name: "set_card_status",
      text: "select set_card_status($1, $2, $3, $4, $5) as status",
      values: [context.organizationId, cardId, status, context.actor.id, context.now],
    });
    const after = rows[0]?.status ?? null;
    // Only a change: the function leaves a card with this status as it is.
    const { rows: changed } = await client.query<{ name: string }>({
      name: "read_changed_card",
      text: `select name from cards
              where organization_id = $1 and id = $2 and status_changed_by = $3 and status_changed_at = $4`,
      values: [context.organizationId, cardId, context.actor.id, context.now],
    });
    for (const { name } of changed) {
      await recordChange(client, context, { kind: "CARD_STATUS", subject: name, before: null, after });
    }
    return after;
  });
  if (found === status) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    found === null ? "There is no such card." : "This card is closed for good. Issue another one.",
  );
}

/**
 * Freezes a card, for any member: later purchases are declined, authorized ones still settle
 * (docs/behavior/accounts.md).
 * @throws AppError as `setCardStatus`.
 */
export async function freezeCard(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  cardId: string,
): Promise<void> {
  await setCardStatus(services, context, cardId, "FROZEN");
}

/**
 * Lets a frozen card spend again. Requires presence; freezing does not.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, else as `setCardStatus`; NotConfirmed.
 */
export async function thawCard(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  cardId: string,
): Promise<void> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may thaw a card.");
  }
  await requirePresence(services.pool, context.actor, services.clock.now(), `THAW_CARD:${cardId}`);
  await setCardStatus(services, context, cardId, "ACTIVE");
}

/**
 * Closes a card for good. Authorized purchases still settle, and refunds still arrive.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, else as `setCardStatus`.
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
