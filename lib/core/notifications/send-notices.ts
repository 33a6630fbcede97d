import type { NoticeKind } from "@/lib/contract/notifications";
import {
  claimForDigest,
  claimNotices,
  type DueNotice,
  deferNotices,
  markHandled,
  postponeNotices,
} from "@/lib/core/notifications/claim-notices";
import { approvalNotices, composeProposals } from "@/lib/core/notifications/kinds/approvals";
import { askedChangeNotices } from "@/lib/core/notifications/kinds/asked-changes";
import { endpointNotices } from "@/lib/core/notifications/kinds/endpoints";
import { gateNotices } from "@/lib/core/notifications/kinds/gates";
import { mandateNotices } from "@/lib/core/notifications/kinds/mandates";
import { payeeNotices } from "@/lib/core/notifications/kinds/payees";
import { policyNotices } from "@/lib/core/notifications/kinds/policies";
import { reconciliationNotices } from "@/lib/core/notifications/kinds/reconciliation";
import { returnNotices } from "@/lib/core/notifications/kinds/returns";
import { ruleProposalNotices } from "@/lib/core/notifications/kinds/rule-proposals";
import { ruleRunNotices } from "@/lib/core/notifications/kinds/rule-runs";
import { securityNotices } from "@/lib/core/notifications/kinds/security";
import { unusualUseNotices } from "@/lib/core/notifications/kinds/unusual-use";
import { weekNotices } from "@/lib/core/notifications/kinds/week";
import type { NoticeContext, NoticeHandler } from "@/lib/core/notifications/notice-kind";
import { queueMessages } from "@/lib/core/notifications/queue-messages";
import { SEND_MESSAGES, SEND_PUSH } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import { hasCodeClass } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";

/** A larger flood becomes a second message. */
const MAXIMUM_IN_DIGEST = 1_000;
/** How long a notice that cannot be prepared is retried, in business time. */
const RETRIED_FOR_MS = 24 * 60 * 60_000;

/** Of every kind, by topic. */
const HANDLERS: Record<NoticeKind, NoticeHandler> = {
  ...approvalNotices,
  ...ruleProposalNotices,
  ...returnNotices,
  ...ruleRunNotices,
  ...endpointNotices,
  ...securityNotices,
  ...gateNotices,
  ...policyNotices,
  ...mandateNotices,
  ...askedChangeNotices,
  ...payeeNotices,
  ...reconciliationNotices,
  ...weekNotices,
  ...unusualUseNotices,
};

type SendServices = Pick<Services, "pool" | "clock" | "appUrl" | "log" | "wake">;

/**
 * Turns due notices into messages, one per person and channel or device, in the transaction that marks them handled, so that a
 * crash loses and duplicates none. From the sixth notice of a kind and digest key within an hour, they are combined
 * into a digest every 15 minutes (docs/behavior/approvals.md, "Notifications").
 * @returns how many notices were claimed.
 */
export async function sendNotices(
  services: SendServices,
  setting: { isSandboxBank: boolean },
  limit: number,
): Promise<number> {
  const realNow = services.clock.now();
  const count = await inTransaction(services.pool, async (client) => {
    const notices = await claimNotices(client, realNow, limit);
    const context: NoticeContext = { client, appUrl: services.appUrl, log: services.log, ...setting };
    const deferred = notices.filter(
      (notice) => notice.isTooMany && !notice.wasDeferred && isCombined(notice),
    );
    await deferNotices(client, deferred);
    const due = notices.filter((notice) => !deferred.includes(notice));
    const like = await claimForDigest(client, realNow, due.filter(isCombined), MAXIMUM_IN_DIGEST);
    await handleGroups(services, context, groupsOf([...due, ...like]));
    return notices.length;
  });
  if (count > 0) {
    services.wake(SEND_MESSAGES);
    services.wake(SEND_PUSH);
  }
  return count;
}

/** By kind, not only by its key: the previous version, which may still be serving, gives every notice one. */
function isCombined({ kind, digestKey }: DueNotice): boolean {
  return digestKey !== null && HANDLERS[kind].digest !== null;
}

/** New notices are single groups; deferred ones are grouped by digest. */
function groupsOf(notices: readonly DueNotice[]): DueNotice[][] {
  const groups = new Map<string, DueNotice[]>();
  for (const notice of notices) {
    const isInDigest = notice.wasDeferred && isCombined(notice);
    // All kinds of notices about proposals of one key share a digest: the list of proposals that wait.
    const kind = HANDLERS[notice.kind].digest === composeProposals ? "APPROVALS" : notice.kind;
    const key = isInDigest ? `${notice.organizationId} ${notice.digestKey} ${kind}` : notice.id;
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  return [...groups.values()];
}

/** All together; only if one cannot be prepared, one by one, which shows which. */
async function handleGroups(
  services: SendServices,
  context: NoticeContext,
  groups: readonly DueNotice[][],
): Promise<void> {
  if (groups.length === 0) return;
  const { client } = context;
  await client.query("savepoint before_notices");
  try {
    for (const group of groups) await compose(context, group);
    await markHandled(client, groups.flat());
  } catch (error) {
    // The transaction as a whole retries deadlocks. After a lost connection the rollback below throws.
    if (hasCodeClass(error, "40")) throw error;
    await client.query("rollback to savepoint before_notices");
    for (const group of groups) await handleGroup(services, context, group);
  }
}

/**
 * A notice that cannot be prepared (an internal error, for example over unexpected text) is rolled back and postponed, so
 * that it does not block others.
 */
async function handleGroup(
  services: SendServices,
  context: NoticeContext,
  group: readonly DueNotice[],
): Promise<void> {
  const { client } = context;
  await client.query("savepoint before_notice");
  try {
    await compose(context, group);
    await markHandled(client, group);
  } catch (error) {
    if (hasCodeClass(error, "40")) throw error;
    await client.query("rollback to savepoint before_notice");
    await retryOrDrop(services, context, group, error);
  }
  await client.query("release savepoint before_notice");
}

async function compose(context: NoticeContext, group: readonly DueNotice[]): Promise<void> {
  const [first] = group;
  if (!first) return;
  const handler = HANDLERS[first.kind];
  const outgoing =
    group.length > 1 && handler.digest !== null
      ? await handler.digest(context, group)
      : await handler.one(context, first);
  if (outgoing) await queueMessages(context.client, first, outgoing);
}

async function retryOrDrop(
  services: SendServices,
  { client }: NoticeContext,
  group: readonly DueNotice[],
  error: unknown,
): Promise<void> {
  const isOver = ({ createdAt, now }: DueNotice) => now.getTime() - createdAt.getTime() > RETRIED_FOR_MS;
  const [first] = group;
  services.log.error(
    {
      err: error,
      organizationId: first?.organizationId,
      noticeId: first?.id,
      kind: first?.kind,
      count: group.length,
    },
    "notices could not be prepared",
  );
  await markHandled(client, group.filter(isOver));
  await postponeNotices(
    client,
    group.filter((notice) => !isOver(notice)),
  );
}
