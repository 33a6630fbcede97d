import { type SandboxCardMoney, sandboxCardMoneySchema } from "@/lib/contract/card";
import { parseInput } from "@/lib/core/cards/parse-input";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import { findCardName } from "@/lib/core/sandbox/find-card-name";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { COLLECT_CARD_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

/**
 * Has a merchant give money back to a card (`REFUND`), or somebody pay to it (`PAYOUT`). The worker books it a moment
 * later.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`.
 */
export async function makeCardCredit(
  services: Pick<Services, "pool" | "wake">,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  subtype: "REFUND" | "PAYOUT",
  input: SandboxCardMoney,
): Promise<void> {
  const { cards } = requireDriver(context, sandbox);
  const credit = parseInput(sandboxCardMoneySchema, input);
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
