import type { CardDeclineReason } from "@/lib/contract/card";
import { merchantText } from "@/lib/core/cards/collect-card-notices";
import { readBusinessTime } from "@/lib/core/shared/read-business-time";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { CardPurchaseAnswer, CardPurchaseRequest } from "@/lib/ports/cards/card-network-port";

/** As long as networks keep an authorization of an ordinary purchase; a hold that nobody ends, ends then. */
const AUTHORIZATION_LIFETIME_MS = 7 * 86_400_000;

/**
 * The card network asks whether a purchase may be made: yes, and its amount is held on the pod, or no, and why. A card
 * spends what is available above the pod's floor, and no more in a calendar month than its limit. Asked again under
 * the same reference, it answers the same.
 */
export async function authorizeCardPurchase(
  services: Pick<Services, "pool" | "clock" | "log">,
  request: CardPurchaseRequest,
): Promise<CardPurchaseAnswer> {
  if (!Number.isSafeInteger(request.amountInCents) || request.amountInCents <= 0) {
    throw new RangeError(`amountInCents must be a positive safe integer, not ${request.amountInCents}`);
  }
  const { organizationId, cardId, authorizationReference } = request;
  const businessNow = await readBusinessTime(services, organizationId);
  const { rows } = await services.pool.query<{ is_approved: boolean; reason: CardDeclineReason | null }>({
    name: "authorize_card_purchase",
    text: "select is_approved, reason from authorize_card_purchase($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    values: [
      organizationId,
      newId(businessNow),
      cardId,
      authorizationReference,
      request.amountInCents,
      merchantText(request.merchant),
      request.category,
      new Date(businessNow.getTime() + AUTHORIZATION_LIFETIME_MS),
      businessNow,
    ],
  });
  const answer = rows[0];
  if (!answer) throw new Error("authorize_card_purchase answered nothing");
  const { reason } = answer;
  services.log.debug({ organizationId, cardId, authorizationReference, reason }, "card purchase answered");
  return reason === null ? { decision: "APPROVED" } : { decision: "DECLINED", reason };
}
