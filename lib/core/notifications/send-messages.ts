import type { MessageChannel, MessageKind } from "@/lib/contract/notifications";
import { sendPersonMessages } from "@/lib/core/notifications/send-person-messages";
import { maskProblem } from "@/lib/core/shared/queue-message";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import { type MailPort, MessageNotSent, type SmsPort } from "@/lib/ports/messages/message-ports";

/** Longer than any provider's timeout, so that two workers never send one message at the same time. */
const LEASE_MS = 120_000;
/** Real time between attempts; after the last one the message has failed. */
const RETRY_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

export interface LeasedMessage {
  organizationId: string;
  id: string;
  kind: MessageKind;
  channel: MessageChannel;
  userId: string | null;
  /** Of a push message. */
  deviceId: string | null;
  recipient: string;
  subject: string | null;
  bodyText: string;
  bodyHtml: string | null;
  attempts: number;
  /** Real time after which sending it is useless. */
  goodUntil: Date | null;
}

export interface MessagePorts {
  mail: MailPort;
  sms: SmsPort;
}

/**
 * Sends queued messages, at least once each: leased, sent outside any transaction, recorded. If the process crashes after
 * the provider accepted a message, it is sent again under the same message id. Messages to people (codes, links), who
 * may belong to no organization, go first because someone is waiting for them.
 * @returns how many were leased.
 */
export async function sendMessages(
  services: Pick<Services, "pool" | "clock" | "log">,
  ports: MessagePorts,
  limit: number,
): Promise<number> {
  const sentToPeople = await sendPersonMessages(services, ports.mail, limit);
  const rows = await leaseMessages(services, ["EMAIL", "SMS"], limit);
  await Promise.all(rows.map((row) => sendLeased(services, row, () => hand(ports, row))));
  return Math.max(rows.length, sentToPeople);
}

/** Leases due messages of these channels for this process, oldest first. */
export async function leaseMessages(
  services: Pick<Services, "pool" | "clock">,
  channels: readonly MessageChannel[],
  limit: number,
): Promise<LeasedMessage[]> {
  const { rows } = await services.pool.query<LeasedMessage>({
    name: "lease_messages",
    text: `
      with due as (
        select organization_id, id from messages
         where status = 'QUEUED' and due_at <= $1 and (leased_until is null or leased_until < $1)
           and channel = any ($4)
         order by due_at, id limit $2
         for update skip locked)
      update messages m set leased_until = $1::timestamptz + $3 * interval '1 millisecond', attempts = m.attempts + 1
        from due where m.organization_id = due.organization_id and m.id = due.id
      returning m.organization_id as "organizationId", m.id, m.kind, m.channel, m.user_id as "userId",
          m.device_id as "deviceId", m.recipient, m.subject, m.body_text as "bodyText", m.body_html as "bodyHtml",
          m.attempts, m.good_until as "goodUntil"`,
    values: [services.clock.now(), limit, LEASE_MS, channels],
  });
  return rows;
}

/** Sends a leased message once, and records the outcome: sent, failed, or when to try again. */
export async function sendLeased(
  services: Pick<Services, "pool" | "clock" | "log">,
  row: LeasedMessage,
  send: () => Promise<void>,
): Promise<void> {
  if (row.goodUntil && row.goodUntil <= services.clock.now()) {
    await record(services, row, { status: "FAILED", retryMs: null, problem: "It was too late to send it." });
    return;
  }
  try {
    await send();
    await record(services, row, { status: "SENT", retryMs: null, problem: null });
  } catch (error) {
    const isPermanent = error instanceof MessageNotSent && error.kind === "PERMANENT";
    const retryMs = isPermanent ? null : (RETRY_MS[row.attempts - 1] ?? null);
    const problem = error instanceof Error ? error.message.slice(0, 500) : "unknown error";
    // Recipient and text are members' data and stay out of the log; providers often repeat the recipient.
    const masked = maskProblem(problem, row.channel, row.recipient);
    services.log.warn(
      { organizationId: row.organizationId, messageId: row.id, problem: masked, retryMs },
      "message not sent",
    );
    await record(services, row, { status: retryMs === null ? "FAILED" : "QUEUED", retryMs, problem });
  }
}

async function hand(ports: MessagePorts, row: LeasedMessage): Promise<void> {
  if (row.channel === "SMS") {
    await ports.sms.send({ to: row.recipient, text: row.bodyText });
    return;
  }
  await ports.mail.send({
    to: row.recipient,
    subject: row.subject ?? "",
    text: row.bodyText,
    html: row.bodyHtml ?? "",
    messageId: row.id,
  });
}

async function record(
  services: Pick<Services, "pool" | "clock">,
  row: LeasedMessage,
  result: { status: "SENT" | "QUEUED" | "FAILED"; retryMs: number | null; problem: string | null },
): Promise<void> {
  incrementCounter("messages", result.status);
  const now = services.clock.now();
  await services.pool.query({
    name: "record_message",
    // Codes and invitation links leave the table once their message is sent or failed. A message that failed in the meantime stays failed.
    text: `update messages set status = $3, due_at = $4, leased_until = null, last_error = $5,
              sent_at = case when $3 = 'SENT' then $6::timestamptz end,
              body_text = case when good_until is not null and $3 <> 'QUEUED' then '' else body_text end,
              body_html = case when good_until is not null and $3 <> 'QUEUED' then null else body_html end
            where organization_id = $1 and id = $2 and attempts = $7 and (status = 'QUEUED' or $3 = 'SENT')`,
    values: [
      row.organizationId,
      row.id,
      result.status,
      result.retryMs === null ? null : new Date(now.getTime() + result.retryMs),
      result.problem,
      now,
      // Ignores the late result of an attempt whose lease another process took over.
      row.attempts,
    ],
  });
}
