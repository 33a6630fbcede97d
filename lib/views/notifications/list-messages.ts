import { MESSAGES_PER_PAGE, type MessageChannel, type MessageKind } from "@/lib/contract/notifications";
import type { MessageRowView, MessageStateView } from "@/lib/contract/views/notifications-view";
import { maskProblem, maskRecipient } from "@/lib/core/shared/mask-recipient";
import type { Queryable } from "@/lib/db/transaction";

interface MessageRow {
  id: string;
  kind: MessageKind;
  channel: MessageChannel;
  /** Null: somebody who was invited. */
  recipient_name: string | null;
  recipient: string;
  subject: string | null;
  created_at: Date;
  status: "QUEUED" | "SENT" | "FAILED";
  next_attempt_at: Date | null;
  attempts: number;
  last_error: string | null;
}

/** Whose messages, and from where on. */
export interface MessagesSearch {
  organizationId: string;
  /** Null: everybody's of the organization. */
  userId: string | null;
  /** The id of the last message of the page before; null, or one that is not (any more) in this log: from the newest. */
  before: string | null;
}

/**
 * A page of the log, newest first; read by index in its order, so that it costs the same in a log of a million. Never
 * a text, never a whole address.
 * @returns at most MESSAGES_PER_PAGE, and whether there are older ones.
 */
export async function listMessages(
  database: Queryable,
  { organizationId, userId, before }: MessagesSearch,
): Promise<{ messages: MessageRowView[]; hasOlder: boolean; isNewest: boolean }> {
  const start = before === null ? null : await findStart(database, organizationId, before);
  const { rows } = await database.query<MessageRow>({
    name: `list_messages${userId === null ? "" : "_of_member"}${start === null ? "" : "_before"}`,
    // Attempts are in real time; the page, and so its next attempt, in the organization's.
    text: `
      select m.id, m.kind, m.channel, u.name as recipient_name, m.recipient, m.subject, m.created_at, m.status, m.attempts,
          m.last_error, case when isfinite(m.due_at) then m.due_at + o.clock_offset_ms * interval '1 millisecond' end
            as next_attempt_at
        from messages m left join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
       where m.organization_id = $1 and not m.is_forgotten
         ${userId === null ? "and $2::uuid is null" : "and m.user_id = $2"}
         ${start === null ? "and $3::timestamptz is null and $4::uuid is null" : "and (m.created_at, m.id) < ($3, $4::uuid)"}
       order by m.created_at desc, m.id desc limit ${MESSAGES_PER_PAGE + 1}`,
    values: [organizationId, userId, start?.created_at ?? null, start?.id ?? null],
  });
  return {
    messages: rows.slice(0, MESSAGES_PER_PAGE).map(toView),
    hasOlder: rows.length > MESSAGES_PER_PAGE,
    isNewest: start === null,
  };
}

async function findStart(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<{ id: string; created_at: string } | null> {
  // As text: a `Date` would lose the microseconds that the order needs.
  const { rows } = await database.query<{ id: string; created_at: string }>(
    "select id, created_at::text from messages where organization_id = $1 and id = $2 and not is_forgotten",
    [organizationId, id],
  );
  return rows[0] ?? null;
}

function toView(row: MessageRow): MessageRowView {
  return {
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    recipientName: row.recipient_name ?? "Somebody invited",
    maskedRecipient: maskRecipient(row.channel, row.recipient),
    subject: row.subject,
    createdAt: row.created_at.toISOString(),
    state: toState(row),
    attempts: row.attempts,
    problem: row.last_error === null ? null : maskProblem(row.last_error, row.channel, row.recipient),
  };
}

function toState({ status, next_attempt_at }: MessageRow): MessageStateView {
  if (status === "QUEUED") return { kind: "WAITING", nextAttemptAt: next_attempt_at?.toISOString() ?? null };
  return { kind: status };
}
