import type { CardDeclineReason } from "@/lib/contract/card";
import { merchantText } from "@/lib/core/cards/collect-card-notices";
import { readBusinessTime } from "@/lib/core/shared/read-business-time";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { CardPurchaseAnswer, CardPurchaseRequest } from "@/lib/ports/cards/card-network-port";

/** How long networks keep the authorization of an ordinary purchase. A hold that is neither settled nor released ends then. */
const AUTHORIZATION_LIFETIME_MS = 7 * 86_400_000;

/**
 * Approves a purchase and holds its amount on the pod, or declines it with a reason. A card spends what is available
 * above the pod's floor, up to its limit per calendar month. The same reference gets the same answer.
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
  const { rows } = await services.pool.query<{ isApproved: boolean; reason: CardDeclineReason | null }>({
    name: "decide_card_purchase",
    text: `select is_approved as "isApproved", reason from decide_card_purchase($1)`,
    values: [
      JSON.stringify({
        organizationId,
        id: newId(businessNow),
        cardId,
        networkReference: authorizationReference,
        amountInCents: request.amountInCents,
        merchant: merchantText(request.merchant),
        category: request.category,
        expiresAt: new Date(businessNow.getTime() + AUTHORIZATION_LIFETIME_MS),
        now: businessNow,
      }),
    ],
  });
  const answer = rows[0];
  if (!answer) throw new Error("decide_card_purchase returned no row");
  const { reason } = answer;
  services.log.debug({ organizationId, cardId, authorizationReference, reason }, "card purchase answered");
  return reason === null ? { decision: "APPROVED" } : { decision: "DECLINED", reason };
}
