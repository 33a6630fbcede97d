import type { z } from "zod";
import type { issueCardSchema } from "@/lib/contract/card";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";

/** Refusals of `add_card` as problems of form fields. */
const REFUSALS = {
  NO_OPEN_POD: { field: "accountId", message: "must be an open pod of this organization" },
  HOLDER_UNKNOWN: { field: "holderId", message: "must be a member of this organization" },
} as const;

/**
 * Issues a card that spends from a pod, active at once. Requires presence, because a card is a new way out for money. The
 * network issues it first: if our write then fails, purchases on the unknown card are declined.
 * @returns the card's id.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, and where no cards are offered;
 * `INVALID_PARAMETERS`; NotConfirmed without
 * presence; CardNetworkUnavailable.
 */
export async function issueCard(
  services: Pick<Services, "pool" | "clock">,
  network: CardNetworkPort,
  context: Context<MemberActor>,
  card: z.output<typeof issueCardSchema>,
): Promise<string> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may issue a card.");
  }
  if (!network.issuesCards) {
    throw new AppError("ACCESS_DENIED", "No cards are offered here: no card network holds real money.");
  }
  const act = `ISSUE_CARD:${card.accountId}:${amountIn(card.monthlyLimitInCents)}` as const;
  await requirePresence(services.pool, context.actor, services.clock.now(), act);
  const { organizationId, now } = context;
  const cardId = newId(now);
  const { numberLast4 } = await network.issue({ organizationId, cardId }, { businessNow: now });
  const { rows } = await services.pool.query<{ refusal: keyof typeof REFUSALS | null }>({
    name: "add_card",
    text: "select add_card($1) as refusal",
    values: [
      JSON.stringify({
        organizationId,
        id: cardId,
        cardType: card.cardType,
        name: card.name,
        numberLast4,
        accountId: card.accountId,
        holderId: card.holderId,
        monthlyLimitInCents: card.monthlyLimitInCents,
        issuedBy: context.actor.id,
        now,
      }),
    ],
  });
  const refusal = rows[0]?.refusal;
  if (refusal) {
    const problem = REFUSALS[refusal];
    throw new AppError("INVALID_PARAMETERS", `${problem.field} ${problem.message}.`, [problem]);
  }
  return cardId;
}
