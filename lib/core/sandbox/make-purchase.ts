import { type SandboxCardMoney, sandboxCardMoneySchema } from "@/lib/contract/card";
import { authorizeCardPurchase } from "@/lib/core/cards/authorize-card-purchase";
import { parseInput } from "@/lib/core/cards/parse-input";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import { findCardName } from "@/lib/core/sandbox/find-card-name";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type { PurchaseOutcome } from "@/lib/ports/cards/sandbox/make-purchase";

/**
 * Has a merchant charge a card: authorized now, settled later as the cents of the amount say (docs/sandbox-cards.md).
 * The network asks this core as a real one would.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`.
 */
export async function makePurchase(
  services: Pick<Services, "pool" | "clock" | "log">,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  input: SandboxCardMoney,
): Promise<PurchaseOutcome> {
  const { cards } = requireDriver(context, sandbox);
  const purchase = parseInput(sandboxCardMoneySchema, input);
  const cardName = await findCardName(services, context, purchase.cardId);
  const { organizationId, now: businessNow } = context;
  const outcome = await cards.purchase(
    { organizationId, ...purchase },
    { businessNow, authorize: (request) => authorizeCardPurchase(services, request) },
  );
  const { amountInCents, merchant } = purchase;
  const answer = outcome.kind === "DECLINED" ? outcome.reason : outcome.kind;
  await noteAction(services.pool, context, { kind: "BOUGHT", amountInCents, merchant, cardName, answer });
  return outcome;
}
