import { applyCardNotice } from "@/lib/core/cards/apply-card-notice";
import { NoticeRounds } from "@/lib/core/transfers/notice-rounds";
import type { Rests } from "@/lib/platform/rests";
import type { Services } from "@/lib/platform/services";
import {
  type CardNetworkPort,
  CardNetworkUnavailable,
  type CardNotice,
} from "@/lib/ports/cards/card-network-port";

/** Notices of one organization in one round; the rest follows in the next. */
const NOTICES_PER_ROUND = 100;

/**
 * Reads the card network's notices and applies each once. A notice is acknowledged after its commit, so that a crash
 * in between makes it come again and count nothing.
 * @param rounds remembers from round to round what failed, and rests
 * @returns how many organizations were done, or `limit` where one of them has more to come.
 */
export async function collectCardNotices(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
  limit: number,
  rounds = createCardRounds(services, network),
): Promise<number> {
  return rounds.run(limit, async (organizationId, businessNow) => {
    const count = await collectForOrganization(services, network, rounds.faults, {
      organizationId,
      businessNow,
    });
    return count === NOTICES_PER_ROUND;
  });
}

export function createCardRounds(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
): NoticeRounds {
  const isUnavailable = (error: unknown) => error instanceof CardNetworkUnavailable;
  return new NoticeRounds(services, network, "the card network", isUnavailable);
}

/** @returns how many notices were applied. */
async function collectForOrganization(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
  faults: Rests,
  { organizationId, businessNow }: { organizationId: string; businessNow: Date },
): Promise<number> {
  const notices = await network.notices({ organizationId, businessNow, limit: NOTICES_PER_ROUND });
  const applied: string[] = [];
  // One that fails is logged, rests and comes again. Their order does not matter: each is right whatever came before it.
  for (const notice of notices) {
    const { noticeReference } = notice;
    if (faults.isResting(noticeReference, businessNow)) continue;
    if (await tryApply(services, notice, businessNow)) {
      applied.push(noticeReference);
      faults.succeeded(noticeReference);
    } else {
      faults.failed(noticeReference, businessNow);
    }
  }
  if (applied.length > 0) {
    await network.acknowledge({ organizationId, noticeReferences: applied, businessNow });
  }
  return applied.length;
}

/** @returns whether it is booked. */
async function tryApply(
  services: Pick<Services, "pool" | "log">,
  notice: CardNotice,
  businessNow: Date,
): Promise<boolean> {
  const { organizationId, cardId, noticeReference, kind } = notice;
  try {
    const recorded = await applyCardNotice(services.pool, notice, businessNow);
    services.log.debug({ organizationId, cardId, kind, recorded: recorded?.id }, "card notice applied");
    return true;
  } catch (error) {
    services.log.error(
      { err: error, organizationId, cardId, noticeReference },
      "a card notice could not be applied",
    );
    return false;
  }
}
