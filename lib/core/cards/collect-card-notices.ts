import { applyCardNotice } from "@/lib/core/cards/apply-card-notice";
import { readBusinessTime } from "@/lib/core/cards/read-business-time";
import type { Services } from "@/lib/platform/services";
import type { CardNetworkPort, CardNotice } from "@/lib/ports/cards/card-network-port";

/** Notices of one organization in one round; the rest follows in the next. */
const NOTICES_PER_ROUND = 100;

/**
 * Reads the card network's notices and applies each once. A notice is acknowledged after its commit, so that a crash
 * in between makes it come again and count nothing.
 * @returns how many organizations were looked at, or `limit` where one of them has more to come.
 */
export async function collectCardNotices(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
  limit: number,
): Promise<number> {
  const organizationIds = await network.organizationsWithNotices({ realNow: services.clock.now(), limit });
  let hasMore = false;
  for (const organizationId of organizationIds) {
    try {
      const count = await collectForOrganization(services, network, organizationId);
      hasMore ||= count === NOTICES_PER_ROUND;
    } catch (error) {
      // One organization's trouble must not keep the others' money waiting; its notices come again.
      services.log.error({ err: error, organizationId }, "card notices could not be applied");
    }
  }
  return hasMore ? limit : organizationIds.length;
}

/** @returns how many notices were applied. */
async function collectForOrganization(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
  organizationId: string,
): Promise<number> {
  const businessNow = await readBusinessTime(services, organizationId);
  const notices = await network.notices({ organizationId, businessNow, limit: NOTICES_PER_ROUND });
  const applied: string[] = [];
  // One that fails is logged and comes again. Their order does not matter: each is right whatever came before it.
  for (const notice of notices) {
    if (await tryApply(services, notice, businessNow)) applied.push(notice.noticeReference);
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
