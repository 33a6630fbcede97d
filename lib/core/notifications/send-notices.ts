import { type MemberRole, ROLE_WORD } from "@/lib/contract/members";
import type { NoticeKind } from "@/lib/contract/notifications";

import { RESTORE_NAME } from "@/lib/core/keys/gates";
import {
  claimNotices,
  claimTheirLike,
  type DueNotice,
  deferNotices,
  markHandled,
  putOff,
} from "@/lib/core/notifications/claim-notices";
import { type OutgoingNotice, queueMessages } from "@/lib/core/notifications/queue-messages";
import { assistantConnectedTeller } from "@/lib/core/notifications/tell-assistant-connected";
import { refusedTeller, returnedTeller } from "@/lib/core/notifications/tell-bank-answer";
import { tellDecided, tellProposal, tellProposals } from "@/lib/core/notifications/tell-deciders";
import { keyCreatedTeller } from "@/lib/core/notifications/tell-key-created";
import { keyUnusualTeller } from "@/lib/core/notifications/tell-key-unusual";
import { runFailedTeller } from "@/lib/core/notifications/tell-run-failed";
import { signInTeller } from "@/lib/core/notifications/tell-sign-in";
import { weekTeller } from "@/lib/core/notifications/tell-week";
import { settingOf, subjectsOf, type Teller, type Telling } from "@/lib/core/notifications/telling";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { hasCodeClass } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";
import { MAX_LISTED_LINES, renderToldTogether } from "@/lib/words/messages/digest";
import { MAXIMUM_COUNTED_EVENTS, renderEndpointDisabled } from "@/lib/words/messages/endpoint-disabled";
import { renderGates } from "@/lib/words/messages/key-messages";
import { renderMemberJoined } from "@/lib/words/messages/member-messages";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const KIND = "MEMBER_JOINED";

const MEMBERS_HREF = "/settings/members";

/** People who accepted an invitation; those of an organization together. Whoever is gone again is not told of. */
const memberJoinedTeller: Teller = {
  one: async (telling, notice) => {
    const [row] = await readJoined(telling.client, notice.organizationId, [notice.subjectId]);
    if (!row) return null;
    const rendered = renderMemberJoined(
      {
        name: row.name,
        email: row.email,
        role: row.role,
        invitedBy: row.invited_by,
        membersUrl: `${telling.appUrl}${MEMBERS_HREF}`,
      },
      settingOf(telling, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: row.id, ...rendered };
  },

  together: async (telling, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const rows = await readJoined(telling.client, organizationId, ids);
    if (!first || rows.length === 0) return null;
    const told = {
      count: rows.length,
      subject: `${rows.length} more people joined`,
      sentence: "If one of them should not be there, remove them.",
      lines: rows
        .slice(0, MAX_LISTED_LINES)
        .map(({ name, role }) => `${isolatedName(name)}, ${ROLE_WORD[role].toLowerCase()}`),
      action: { label: "See the members", url: `${telling.appUrl}${MEMBERS_HREF}` },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${rows.length} more people joined your organization. Remove whoever should not be there.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderToldTogether(told, settingOf(telling, first)),
    };
  },
};

const gatesClosedTeller = gatesTeller("GATES_CLOSED");

const gatesOpenedTeller = gatesTeller("GATES_OPENED");

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

interface EndpointRow {
  url: string;
  disabled_because: "FAILING" | "GONE" | "MEMBER";
  waiting_count: number;
}

/**
 * An endpoint that was switched off by itself. Each is told by itself: there are at most twenty, and between two times
 * of one somebody has switched it on again.
 */
async function tellEndpointDisabled(telling: Telling, notice: DueNotice): Promise<OutgoingNotice | null> {
  const row = await readEndpoint(telling.client, notice);
  // Somebody has seen to it meanwhile.
  if (!row || row.disabled_because === "MEMBER") return null;
  const { host, pathname } = new URL(row.url);
  const rendered = renderEndpointDisabled(
    {
      displayUrl: `${host}${pathname}`,
      because: row.disabled_because,
      waitingCount: row.waiting_count,
      endpointUrl: `${telling.appUrl}/settings/webhooks/${notice.subjectId}`,
    },
    settingOf(telling, notice),
  );
  return { kind: "ENDPOINT_DISABLED", proposalIds: [], exceptUserId: null, ...rendered };
}

async function readEndpoint(
  client: Queryable,
  { organizationId, subjectId }: DueNotice,
): Promise<EndpointRow | undefined> {
  const { rows } = await client.query<EndpointRow>({
    name: "read_disabled_endpoint",
    text: `
      select e.url, e.disabled_because, (
          select count(*) from (
            select 1 from webhook_deliveries d
             where d.organization_id = $1 and d.endpoint_id = $2 and d.status = 'PENDING'
             limit ${MAXIMUM_COUNTED_EVENTS}) waiting)::int as waiting_count
        from webhook_endpoints e
       where e.organization_id = $1 and e.id = $2 and e.status = 'DISABLED'`,
    values: [organizationId, subjectId],
  });
  return rows[0];
}

/**
 * Gates that were closed, or opened. Told to whoever did it as well: it may have been their browser, and not they. Never
 * together with others: each changes what everybody can do.
 */
function gatesTeller(kind: "GATES_CLOSED" | "GATES_OPENED"): Teller {
  return {
    one: (telling, notice) => tellOne(telling, notice, kind),
    together: () => Promise.reject(new Error("Closings and openings are not told together")),
  };
}

interface ClosingRow {
  closed_at: Date;
  closed_by: string | null;
  opened_at: Date | null;
  opened_by: string | null;
}

async function tellOne(
  telling: Telling,
  notice: DueNotice,
  kind: "GATES_CLOSED" | "GATES_OPENED",
): Promise<OutgoingNotice | null> {
  const { rows } = await telling.client.query<ClosingRow>({
    name: "read_closing_to_tell",
    text: `
      select g.closed_at, c.name as closed_by, g.opened_at, o.name as opened_by
        from gate_closings g left join users c on c.id = g.closed_by left join users o on o.id = g.opened_by
       where g.organization_id = $1 and g.id = $2`,
    values: [notice.organizationId, notice.subjectId],
  });
  const row = rows[0];
  if (!row) return null;
  const gatesUrl = `${telling.appUrl}/gates`;
  const setting = settingOf(telling, notice);
  const rendered =
    kind === "GATES_CLOSED"
      ? renderGates(
          { act: "CLOSED", by: row.closed_by ?? RESTORE_NAME, at: row.closed_at, gatesUrl },
          setting,
        )
      : row.opened_at &&
        row.opened_by &&
        renderGates({ act: "OPENED", by: row.opened_by, at: row.opened_at, gatesUrl }, setting);
  return rendered ? { kind, proposalIds: [], exceptUserId: null, ...rendered } : null;
}

interface JoinedRow {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  invited_by: string | null;
}

async function readJoined(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<JoinedRow[]> {
  const { rows } = await client.query<JoinedRow>({
    name: "read_joined",
    text: `
      select u.id, u.name, u.email, m.role, i.name as invited_by
        from memberships m join users u on u.id = m.user_id left join users i on i.id = m.invited_by
       where m.organization_id = $1 and m.user_id = any ($2)
       order by m.created_at, u.id`,
    values: [organizationId, ids],
  });
  return rows;
}
