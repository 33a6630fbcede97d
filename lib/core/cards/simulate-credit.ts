import { type SandboxCardMoney, sandboxCardMoneySchema } from "@/lib/contract/card";
import { inSandbox } from "@/lib/core/cards/in-sandbox";
import { parseInput } from "@/lib/core/cards/parse-input";
import type { Context, MemberActor } from "@/lib/core/context";
import { COLLECT_CARD_NOTICES } from "@/lib/core/work-names";
import type { Services } from "@/lib/platform/services";
import type { SandboxCardNetwork } from "@/lib/ports/cards/sandbox/sandbox-card-network";

/**
 * Has a merchant of the sandbox give money back to a card (`REFUND`), or somebody pay to it (`PAYOUT`). The worker
 * books it a moment later.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`.
 */
export async function simulateCredit(
  services: Pick<Services, "wake">,
  network: SandboxCardNetwork,
  context: Context<MemberActor>,
  kind: "REFUND" | "PAYOUT",
  input: SandboxCardMoney,
): Promise<void> {
  const { organizationId, now: businessNow } = context;
  await inSandbox(context, async () => {
    const money = { organizationId, ...parseInput(sandboxCardMoneySchema, input) };
    if (kind === "REFUND") await network.refund(money, { businessNow });
    else await network.payout(money, { businessNow });
  });
  services.wake(COLLECT_CARD_NOTICES);
}
