import { type SandboxCardMoney, sandboxCardMoneySchema } from "@/lib/contract/card";
import { authorizeCardPurchase } from "@/lib/core/cards/authorize-card-purchase";
import { inSandbox } from "@/lib/core/cards/in-sandbox";
import { parseInput } from "@/lib/core/cards/parse-input";
import type { Context, MemberActor } from "@/lib/core/context";
import type { Services } from "@/lib/platform/services";
import type { PurchaseOutcome, SandboxCardNetwork } from "@/lib/ports/cards/sandbox/sandbox-card-network";

/**
 * Has a merchant of the sandbox charge a card: authorized now, settled later as the cents of the amount say
 * (docs/sandbox-cards.md). The network asks this core as a real one would.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`.
 */
export async function simulatePurchase(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: SandboxCardNetwork,
  context: Context<MemberActor>,
  input: SandboxCardMoney,
): Promise<PurchaseOutcome> {
  const { organizationId, now } = context;
  return await inSandbox(context, () =>
    network.purchase(
      { organizationId, ...parseInput(sandboxCardMoneySchema, input) },
      { businessNow: now, authorize: (request) => authorizeCardPurchase(services, request) },
    ),
  );
}
