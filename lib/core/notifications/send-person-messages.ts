import { maskProblem } from "@/lib/core/shared/queue-message";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import { type MailPort, MessageNotSent } from "@/lib/ports/messages/message-ports";

/** Longer than any provider's timeout, so that two workers never send one message at the same time. */
const LEASE_MS = 120_000;
/** Real time between attempts. Short, because these codes and links expire soon. */
const RETRY_MS = [10_000, 60_000, 300_000];

interface LeasedRow {
  id: string;
  recipient: string;
  subject: string;
  bodyText: string;
  bodyHtml: string | null;
  attempts: number;
  goodUntil: Date;
}

/**
 * Sends queued email to people as `sendMessages` does. The text is erased once the message is sent or failed, because it
 * contains codes and links.
 * @returns how many were leased.
 */
export async function sendPersonMessages(
  services: Pick<Services, "pool" | "clock" | "log">,
  mail: MailPort,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_person_messages",
    text: `
      with due as (
        select id from person_messages
         where status = 'QUEUED' and due_at <= $1 and (leased_until is null or leased_until < $1)
         order by due_at, id limit $2
         for update skip locked)
      update person_messages m set leased_until = $1::timestamptz + $3 * interval '1 millisecond',
          attempts = m.attempts + 1
        from due where m.id = due.id
      returning m.id, m.recipient, m.subject, m.body_text as "bodyText", m.body_html as "bodyHtml", m.attempts,
          m.good_until as "goodUntil"`,
    values: [now, limit, LEASE_MS],
  });
  await Promise.all(rows.map((row) => sendOne(services, mail, row)));
  return rows.length;
}

async function sendOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  mail: MailPort,
  row: LeasedRow,
): Promise<void> {
  if (row.goodUntil <= services.clock.now()) {
    return await record(services, row, { status: "FAILED", problem: "It was too late to send it." });
  }
  try {
    await mail.send({
      to: row.recipient,
      subject: row.subject,
      text: row.bodyText,
      html: row.bodyHtml ?? "",
      messageId: row.id,
    });
    await record(services, row, { status: "SENT", problem: null });
  } catch (error) {
    const isPermanent = error instanceof MessageNotSent && error.kind === "PERMANENT";
    const retryMs = isPermanent ? undefined : RETRY_MS[row.attempts - 1];
    const problem = error instanceof Error ? error.message.slice(0, 500) : "unknown error";
    services.log.warn(
      { messageId: row.id, problem: maskProblem(problem, "EMAIL", row.recipient), retryMs: retryMs ?? null },
      "message not sent",
    );
    if (retryMs === undefined) return await record(services, row, { status: "FAILED", problem });
    await record(services, row, { status: "QUEUED", problem, retryMs });
  }
}

async function record(
  services: Pick<Services, "pool" | "clock">,
  row: LeasedRow,
  result:
    | { status: "SENT" | "FAILED"; problem: string | null }
    | { status: "QUEUED"; problem: string; retryMs: number },
): Promise<void> {
  incrementCounter("messages", result.status);
  const now = services.clock.now();
  await services.pool.query({
    name: "record_person_message",
    text: `update person_messages set status = $2, due_at = $3, leased_until = null, last_error = $4,
              sent_at = case when $2 = 'SENT' then $5::timestamptz end,
              body_text = case when $2 = 'QUEUED' then body_text else '' end,
              body_html = case when $2 = 'QUEUED' then body_html end
            where id = $1 and attempts = $6 and (status = 'QUEUED' or $2 = 'SENT')`,
    values: [
      row.id,
      result.status,
      result.status === "QUEUED" ? new Date(now.getTime() + result.retryMs) : null,
      result.problem,
      now,
      // Ignores the late result of an attempt whose lease another process took over.
      row.attempts,
    ],
  });
}
