import { type MemberRole, ROLE_WORD } from "@/lib/contract/members";
import type { NoticeKind } from "@/lib/contract/notifications";
import { RESTORE_NAME } from "@/lib/core/keys/gates";
import {
  claimForDigest,
  claimNotices,
  type DueNotice,
  deferNotices,
  markHandled,
  postponeNotices,
} from "@/lib/core/notifications/claim-notices";
import {
  type NoticeContext,
  type NoticeHandler,
  settingOf,
  subjectsOf,
} from "@/lib/core/notifications/notice-handler";
import { accountRegisteredHandler } from "@/lib/core/notifications/notify-account-registered";
import { assistantConnectedHandler } from "@/lib/core/notifications/notify-assistant-connected";
import {
  correctedHandler,
  refusedHandler,
  returnedHandler,
} from "@/lib/core/notifications/notify-bank-answer";
import { bankDifferenceHandler } from "@/lib/core/notifications/notify-bank-difference";
import { composeDecided, composeProposal, composeProposals } from "@/lib/core/notifications/notify-deciders";
import { fraudReviewHandler } from "@/lib/core/notifications/notify-fraud-review";
import { guardChangedHandler } from "@/lib/core/notifications/notify-guard-changed";
import { keyCreatedHandler } from "@/lib/core/notifications/notify-key-created";
import { keyUnusualHandler } from "@/lib/core/notifications/notify-key-unusual";
import { outgoingCapHandler } from "@/lib/core/notifications/notify-outgoing-cap";
import { payeeChangedHandler } from "@/lib/core/notifications/notify-payee-changed";
import { payeesImportedHandler } from "@/lib/core/notifications/notify-payees-imported";
import { ruleProposedHandler } from "@/lib/core/notifications/notify-rule-proposed";
import { runFailedHandler } from "@/lib/core/notifications/notify-run-failed";
import { signInHandler } from "@/lib/core/notifications/notify-sign-in";
import { weekHandler } from "@/lib/core/notifications/notify-week";
import { type OutgoingNotice, queueMessages } from "@/lib/core/notifications/queue-messages";
import { SEND_MESSAGES, SEND_PUSH } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { hasCodeClass } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { MAXIMUM_COUNTED_EVENTS, renderEndpointDisabled } from "@/lib/words/messages/endpoint-disabled";
import { renderGates } from "@/lib/words/messages/key-messages";
import { renderMemberJoined } from "@/lib/words/messages/member-messages";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const KIND = "MEMBER_JOINED";

const MEMBERS_HREF = "/settings/members";

/** Accepted invitations, in a digest per organization. Members who have left again are omitted. */
const memberJoinedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const [row] = await readJoined(context.client, notice.organizationId, [notice.subjectId]);
    if (!row) return null;
    const rendered = renderMemberJoined(
      {
        name: row.name,
        email: row.email,
        role: row.role,
        invitedBy: row.invitedBy,
        membersUrl: `${context.appUrl}${MEMBERS_HREF}`,
      },
      settingOf(context, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: row.id, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const rows = await readJoined(context.client, organizationId, ids);
    if (!first || rows.length === 0) return null;
    const digest = {
      count: rows.length,
      subject: `${rows.length} more people joined`,
      sentence: "If you don't recognize someone, remove them.",
      lines: rows
        .slice(0, MAX_LISTED_LINES)
        .map(({ name, role }) => `${isolatedName(name)}, ${ROLE_WORD[role].toLowerCase()}`),
      action: { label: "See the members", url: `${context.appUrl}${MEMBERS_HREF}` },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${rows.length} more people joined your organization. Remove anyone you don't recognize.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

const gatesClosedHandler = gatesHandler("GATES_CLOSED");

const gatesOpenedHandler = gatesHandler("GATES_OPENED");

/** A larger flood becomes a second message. */
const MAXIMUM_IN_DIGEST = 1_000;
/** How long a notice that cannot be prepared is retried, in business time. */
const RETRIED_FOR_MS = 24 * 60 * 60_000;

const approvals: NoticeHandler = { one: composeProposal, digest: composeProposals };

const HANDLERS: Record<NoticeKind, NoticeHandler> = {
  APPROVAL_ASKED: approvals,
  APPROVAL_REMINDER: approvals,
  APPROVAL_DECIDED: { ...approvals, one: composeDecided },
  RULE_RUN_FAILED: runFailedHandler,
  TRANSFER_RETURNED: returnedHandler,
  TRANSFER_REFUSED: refusedHandler,
  ACCOUNT_CORRECTED: correctedHandler,
  ACCOUNT_REGISTERED: accountRegisteredHandler,
  KEY_CREATED: keyCreatedHandler,
  ASSISTANT_CONNECTED: assistantConnectedHandler,
  NEW_DEVICE: signInHandler,
  MEMBER_JOINED: memberJoinedHandler,
  GATES_CLOSED: gatesClosedHandler,
  GATES_OPENED: gatesOpenedHandler,
  WEEK: weekHandler,
  KEY_UNUSUAL: keyUnusualHandler,
  RULE_PROPOSED: ruleProposedHandler,
  PAYEE_CHANGED: payeeChangedHandler,
  BANK_DIFFERENCE: bankDifferenceHandler,
  OUTGOING_CAP_CHANGED: outgoingCapHandler,
  FRAUD_REVIEW_DUE: fraudReviewHandler,
  GUARD_CHANGED: guardChangedHandler,
  PAYEES_IMPORTED: payeesImportedHandler,
  ENDPOINT_DISABLED: { one: composeEndpointDisabled, digest: null },
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

interface EndpointRow {
  url: string;
  disabledBecause: "FAILING" | "GONE" | "MEMBER";
  waitingCount: number;
}

/**
 * An endpoint that was switched off automatically. No digest: there are at most 20 endpoints, and each needs a person
 * to switch it back on before it can fail again.
 */
async function composeEndpointDisabled(
  context: NoticeContext,
  notice: DueNotice,
): Promise<OutgoingNotice | null> {
  const row = await readEndpoint(context.client, notice);
  // A member has dealt with it since.
  if (!row || row.disabledBecause === "MEMBER") return null;
  const { host, pathname } = new URL(row.url);
  const rendered = renderEndpointDisabled(
    {
      displayUrl: `${host}${pathname}`,
      because: row.disabledBecause,
      waitingCount: row.waitingCount,
      endpointUrl: `${context.appUrl}/settings/webhooks/${notice.subjectId}`,
    },
    settingOf(context, notice),
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
      select e.url, e.disabled_because as "disabledBecause", (
          select count(*) from (
            select 1 from webhook_deliveries d
             where d.organization_id = $1 and d.endpoint_id = $2 and d.status = 'PENDING'
             limit ${MAXIMUM_COUNTED_EVENTS}) waiting)::int as "waitingCount"
        from webhook_endpoints e
       where e.organization_id = $1 and e.id = $2 and e.status = 'DISABLED'`,
    values: [organizationId, subjectId],
  });
  return rows[0];
}

/**
 * Gates closed or opened. Also sent to the member who did it: someone else may have used their browser. No digest,
 * because each one changes what everyone can do.
 */
function gatesHandler(kind: "GATES_CLOSED" | "GATES_OPENED"): NoticeHandler {
  return {
    one: (context, notice) => composeGates(context, notice, kind),
    digest: null,
  };
}

interface ClosingRow {
  closedAt: Date;
  closedBy: string | null;
  openedAt: Date | null;
  openedBy: string | null;
}

async function composeGates(
  context: NoticeContext,
  notice: DueNotice,
  kind: "GATES_CLOSED" | "GATES_OPENED",
): Promise<OutgoingNotice | null> {
  const { rows } = await context.client.query<ClosingRow>({
    name: "read_closing_to_notify",
    text: `
      select g.closed_at as "closedAt", c.name as "closedBy", g.opened_at as "openedAt", o.name as "openedBy"
        from gate_closings g left join users c on c.id = g.closed_by left join users o on o.id = g.opened_by
       where g.organization_id = $1 and g.id = $2`,
    values: [notice.organizationId, notice.subjectId],
  });
  const row = rows[0];
  if (!row) return null;
  const gatesUrl = `${context.appUrl}/gates`;
  const setting = settingOf(context, notice);
  const rendered =
    kind === "GATES_CLOSED"
      ? renderGates({ act: "CLOSED", by: row.closedBy ?? RESTORE_NAME, at: row.closedAt, gatesUrl }, setting)
      : row.openedAt &&
        row.openedBy &&
        renderGates({ act: "OPENED", by: row.openedBy, at: row.openedAt, gatesUrl }, setting);
  return rendered ? { kind, proposalIds: [], exceptUserId: null, ...rendered } : null;
}

interface JoinedRow {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  invitedBy: string | null;
}

async function readJoined(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<JoinedRow[]> {
  const { rows } = await client.query<JoinedRow>({
    name: "read_joined",
    text: `
      select u.id, u.name, u.email, m.role, i.name as "invitedBy"
        from memberships m join users u on u.id = m.user_id left join users i on i.id = m.invited_by
       where m.organization_id = $1 and m.user_id = any ($2)
       order by case m.role when 'OWNER' then 0 when 'CO_OWNER' then 1 else 2 end, m.created_at, u.id`,
    values: [organizationId, ids],
  });
  return rows;
}
