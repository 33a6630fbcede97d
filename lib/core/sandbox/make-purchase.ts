import type { SandboxCardMoney } from "@/lib/contract/card";
import { AppError } from "@/lib/contract/error";
import { authorizeCardPurchase } from "@/lib/core/cards/authorize-card-purchase";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { COLLECT_CARD_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";
import { CardNotIssued, type PurchaseOutcome } from "@/lib/ports/cards/sandbox/make-purchase";

/**
 * Simulates a purchase with a card: authorized now, settled later as the cents of the amount determine
 * (docs/sandbox-cards.md). The network calls the core as a real one would.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`.
 */
export async function makePurchase(
  services: Pick<Services, "pool" | "clock" | "log">,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  purchase: SandboxCardMoney,
): Promise<PurchaseOutcome> {
  const { cards } = requireDriver(context, sandbox);
  const cardName = await findCardName(services, context, purchase.cardId);
  const { organizationId, now: businessNow } = context;
  const outcome = await cards
    .purchase(
      { organizationId, ...purchase },
      { businessNow, authorize: (request) => authorizeCardPurchase(services, request) },
    )
    .catch((error: unknown) => {
      if (!(error instanceof CardNotIssued)) throw error;
      throw new AppError("INVALID_PARAMETERS", "The network has not issued this card.");
    });
  const { amountInCents, merchant } = purchase;
  const answer = outcome.kind === "DECLINED" ? outcome.reason : outcome.kind;
  await noteAction(services.pool, context, { kind: "BOUGHT", amountInCents, merchant, cardName, answer });
  return outcome;
}

/**
 * Simulates a merchant's refund to a card (`REFUND`) or a payment to it (`PAYOUT`). The worker books it shortly after.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`.
 */
export async function makeCardCredit(
  services: Pick<Services, "pool" | "wake">,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  subtype: "REFUND" | "PAYOUT",
  credit: SandboxCardMoney,
): Promise<void> {
  const { cards } = requireDriver(context, sandbox);
  const cardName = await findCardName(services, context, credit.cardId);
  const { organizationId, now: businessNow } = context;
  const give = subtype === "REFUND" ? cards.refund : cards.payout;
  await give({ organizationId, ...credit }, { businessNow });
  const { amountInCents, merchant } = credit;
  await noteAction(services.pool, context, {
    kind: "PAID_TO_CARD",
    subtype,
    amountInCents,
    merchant,
    cardName,
  });
  services.wake(COLLECT_CARD_NOTICES);
}

/** The name of the card. @throws AppError `INVALID_PARAMETERS` if there is none. */
async function findCardName(
  services: Pick<Services, "pool">,
  context: Context,
  cardId: string,
): Promise<string> {
  const { rows } = await services.pool.query<{ name: string }>({
    name: "find_card_name",
    text: "select name from cards where organization_id = $1 and id = $2",
    values: [context.organizationId, cardId],
  });
  if (!rows[0]) throw new AppError("INVALID_PARAMETERS", "There is no such card.");
  return rows[0].name;
}
