import {
  claimNotices,
  type DueNotice,
  deferNotices,
  markHandled,
} from "@/lib/core/notifications/claim-notices";
import {
  type Telling,
  tellDecided,
  tellProposal,
  tellTogether,
} from "@/lib/core/notifications/tell-deciders";
import { SEND_MESSAGES } from "@/lib/core/work-names";
import { inTransaction } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Turns due notices into messages, one per decider and channel, in the transaction that marks them handled: a crash
 * loses none and writes none twice. From the sixth notice of a key in an hour on, they are told together every 15
 * minutes (decisions page, "Approval").
 * @returns how many notices were looked at.
 */
export async function sendNotices(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "wake">,
  setting: { isSandboxBank: boolean },
  limit: number,
): Promise<number> {
  const count = await inTransaction(services.pool, async (client) => {
    const notices = await claimNotices(client, services.clock.now(), limit);
    const telling: Telling = { client, appUrl: services.appUrl, ...setting };
    const deferred = notices.filter((notice) => notice.isTooMany && !notice.wasDeferred);
    await deferNotices(client, deferred);
    const due = notices.filter((notice) => !deferred.includes(notice));
    for (const notice of due.filter((one) => !one.wasDeferred)) await tellOne(telling, notice);
    for (const group of groupByKey(due.filter((one) => one.wasDeferred))) await tellTogether(telling, group);
    await markHandled(client, due);
    return notices.length;
  });
  if (count > 0) services.wake(SEND_MESSAGES);
  return count;
}

async function tellOne(telling: Telling, notice: DueNotice): Promise<void> {
  if (notice.kind === "APPROVAL_DECIDED") await tellDecided(telling, notice);
  else await tellProposal(telling, notice);
}

function groupByKey(notices: readonly DueNotice[]): DueNotice[][] {
  const groups = new Map<string, DueNotice[]>();
  for (const notice of notices) {
    const key = `${notice.organizationId} ${notice.apiKeyId}`;
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  return [...groups.values()];
}
