import type { NoticeKind } from "@/lib/contract/notifications";
import {
  claimNotices,
  claimTheirLike,
  type DueNotice,
  deferNotices,
  markHandled,
  putOff,
} from "@/lib/core/notifications/claim-notices";
import { queueMessages } from "@/lib/core/notifications/queue-messages";
import { assistantConnectedTeller } from "@/lib/core/notifications/tell-assistant-connected";
import { refusedTeller, returnedTeller } from "@/lib/core/notifications/tell-bank-answer";
import { tellDecided, tellProposal, tellProposals } from "@/lib/core/notifications/tell-deciders";
import { tellEndpointDisabled } from "@/lib/core/notifications/tell-endpoint-disabled";
import { gatesClosedTeller, gatesOpenedTeller } from "@/lib/core/notifications/tell-gates";
import { keyCreatedTeller } from "@/lib/core/notifications/tell-key-created";
import { keyUnusualTeller } from "@/lib/core/notifications/tell-key-unusual";
import { memberJoinedTeller } from "@/lib/core/notifications/tell-member-joined";
import { runFailedTeller } from "@/lib/core/notifications/tell-run-failed";
import { signInTeller } from "@/lib/core/notifications/tell-sign-in";
import { weekTeller } from "@/lib/core/notifications/tell-week";
import type { Teller, Telling } from "@/lib/core/notifications/telling";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import { hasCodeClass } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";

/** Told together in one message; a flood of more is a second one. */
const MAXIMUM_TOGETHER = 1_000;
/** A notice that cannot be told is tried again for a day of business time. */
const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;

const approvals: Teller = { one: tellProposal, together: tellProposals };

const TELLERS: Record<NoticeKind, Teller> = {
  APPROVAL_ASKED: approvals,
  APPROVAL_REMINDER: approvals,
  APPROVAL_DECIDED: { ...approvals, one: tellDecided },
  RULE_RUN_FAILED: runFailedTeller,
  TRANSFER_RETURNED: returnedTeller,
  TRANSFER_REFUSED: refusedTeller,
  KEY_CREATED: keyCreatedTeller,
  ASSISTANT_CONNECTED: assistantConnectedTeller,
  NEW_DEVICE: signInTeller,
  MEMBER_JOINED: memberJoinedTeller,
  GATES_CLOSED: gatesClosedTeller,
  GATES_OPENED: gatesOpenedTeller,
  WEEK: weekTeller,
  KEY_UNUSUAL: keyUnusualTeller,
  ENDPOINT_DISABLED: {
    one: tellEndpointDisabled,
    together: () => Promise.reject(new Error("Endpoints are not told together")),
  },
};

type SendServices = Pick<Services, "pool" | "clock" | "appUrl" | "log" | "wake">;

/**
 * Turns due notices into messages, one per person and channel, in the transaction that marks them handled: a crash
 * loses none and writes none twice. From the sixth notice of a kind in an hour on, of one key, rule, person or
 * organization, they are told together every 15 minutes (decisions page, "Notifications").
 * @returns how many notices were looked at.
 */
export async function sendNotices(
  services: SendServices,
  setting: { isSandboxBank: boolean },
  limit: number,
): Promise<number> {
  const realNow = services.clock.now();
  const count = await inTransaction(services.pool, async (client) => {
    const notices = await claimNotices(client, realNow, limit);
    const telling: Telling = { client, appUrl: services.appUrl, log: services.log, ...setting };
    const deferred = notices.filter((notice) => notice.isTooMany && !notice.wasDeferred);
    await deferNotices(client, deferred);
    const due = notices.filter((notice) => !deferred.includes(notice));
    const like = await claimTheirLike(client, realNow, due, MAXIMUM_TOGETHER);
    for (const group of groupsOf([...due, ...like])) await tellGroup(services, telling, group);
    return notices.length;
  });
  if (count > 0) services.wake(SEND_MESSAGES);
  return count;
}

/** Alone what is new, together what was put off for that. */
function groupsOf(notices: readonly DueNotice[]): DueNotice[][] {
  const groups = new Map<string, DueNotice[]>();
  for (const notice of notices) {
    const isTogether = notice.wasDeferred && notice.toldTogetherBy !== null;
    // Whatever happened to proposals of one key, together they are one list of those that wait.
    const kind = TELLERS[notice.kind].together === tellProposals ? "APPROVALS" : notice.kind;
    const key = isTogether ? `${notice.organizationId} ${notice.toldTogetherBy} ${kind}` : notice.id;
    groups.set(key, [...(groups.get(key) ?? []), notice]);
  }
  return [...groups.values()];
}

/**
 * What cannot be told (a fault of ours, in words that nobody foresaw) is undone and put off: it must not keep those
 * behind it from anybody.
 */
async function tellGroup(
  services: SendServices,
  telling: Telling,
  group: readonly DueNotice[],
): Promise<void> {
  const { client } = telling;
  await client.query("savepoint before_telling");
  try {
    await tell(telling, group);
    await markHandled(client, group);
  } catch (error) {
    // A deadlock undoes everything and is tried again by the transaction; a lost connection says so in the next line.
    if (hasCodeClass(error, "40")) throw error;
    await client.query("rollback to savepoint before_telling");
    await putOffOrGiveUp(services, telling, group, error);
  }
  await client.query("release savepoint before_telling");
}

async function tell(telling: Telling, group: readonly DueNotice[]): Promise<void> {
  const [first] = group;
  if (!first) return;
  const teller = TELLERS[first.kind];
  const outgoing =
    group.length > 1 ? await teller.together(telling, group) : await teller.one(telling, first);
  if (outgoing) await queueMessages(telling.client, first, outgoing);
}

async function putOffOrGiveUp(
  services: SendServices,
  { client }: Telling,
  group: readonly DueNotice[],
  error: unknown,
): Promise<void> {
  const isOver = ({ createdAt, now }: DueNotice) => now.getTime() - createdAt.getTime() > GIVEN_UP_AFTER_MS;
  const [first] = group;
  services.log.error(
    {
      err: error,
      organizationId: first?.organizationId,
      noticeId: first?.id,
      kind: first?.kind,
      count: group.length,
    },
    "notices could not be told",
  );
  await markHandled(client, group.filter(isOver));
  await putOff(
    client,
    group.filter((notice) => !isOver(notice)),
  );
}
