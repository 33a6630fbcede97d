import { createTransport } from "nodemailer";
import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { storeMessage } from "@/lib/ports/messages/mailbox";
import { type MailPort, MessageNotSent, type OutgoingMail } from "@/lib/ports/messages/message-ports";

/** Where email goes: to a mail server, to the mailbox on this machine, or nowhere. */
export function mailWay(config: Pick<Config, "smtpUrl" | "mailbox">): "PROVIDER" | "MAILBOX" | "NONE" {
  if (config.smtpUrl) return "PROVIDER";
  return config.mailbox ? "MAILBOX" : "NONE";
}

/** Email as configured: SMTP, else the mailbox on this machine, else an adapter that reports what is missing. */
export function createMail(
  config: Pick<Config, "smtpUrl" | "mailFrom" | "mailbox">,
  pool: Pool,
  clock: Clock,
): MailPort {
  if (config.smtpUrl) return createSmtpMail({ url: config.smtpUrl, from: config.mailFrom });
  return config.mailbox ? createMailboxMail(pool, clock) : createUnconfiguredMail();
}

/** Every email fails with what to configure: silence would look like sent mail. */
export function createUnconfiguredMail(): MailPort {
  return {
    send: async () => {
      throw new MessageNotSent("PERMANENT", "UNCONFIGURED", "No email is sent: SMTP_URL is not set.");
    },
  };
}

/** Email that ends up in the mailbox at /mailbox: for a trial run on this machine. */
export function createMailboxMail(pool: Pool, clock: Clock): MailPort {
  return {
    async send({ to, subject, text, html }) {
      const message = { channel: "EMAIL", recipient: to, subject, text, html } as const;
      try {
        return { providerId: await storeMessage(pool, message, clock.now()) };
      } catch (error) {
        throw new MessageNotSent("TEMPORARY", "MAILBOX", "The mailbox could not be written", {
          cause: error,
        });
      }
    },
  };
}

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;
/** Bounds the whole delivery, including a server that never stops talking. */
const SEND_TIMEOUT_MS = 30_000;
const MAX_REASON_LENGTH = 300;

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Email over SMTP. One connection per message: approvals are few, and a message must not wait behind a stale
 * connection.
 * @param options.url `smtp://` or `smtps://`, with user and password if the server requires them. A password is sent
 *   only over TLS, except to this machine (an attacker could otherwise strip STARTTLS and read it)
 * @param options.from `Sluice <sluice@example.com>` or a bare address
 * @param options.sendTimeoutMs of the whole delivery
 */
export function createSmtpMail(options: { url: string; from: string; sendTimeoutMs?: number }): MailPort {
  const url = new URL(options.url);
  const transport = createTransport({
    url: options.url,
    requireTLS: url.protocol === "smtp:" && url.username !== "" && !LOOPBACK_HOSTS.has(url.hostname),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Messages hold only text; nothing in them may make this process read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = options.from.match(/@([^\s<>]+)>?\s*$/)?.[1] ?? "localhost";
  const sendTimeoutMs = options.sendTimeoutMs ?? SEND_TIMEOUT_MS;

  return {
    async send(mail) {
      assertOneAddress(mail.to);
      try {
        const sent = await transport.sendMail({
          ...envelopeOf(mail, options.from, domain),
          signal: AbortSignal.timeout(sendTimeoutMs),
        });
        return { providerId: sent.messageId };
      } catch (error) {
        throw asMessageNotSent(error);
      }
    },
  };
}

function envelopeOf(mail: OutgoingMail, from: string, domain: string) {
  if (!/^[A-Za-z0-9._-]+$/.test(mail.messageId)) throw new RangeError("messageId must be [A-Za-z0-9._-]+");
  return {
    from,
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.messageId}@${domain}>`,
    // Keeps vacation replies from answering (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

/** Members enter their own address: `a@x.example, b@y.example` would tell a stranger what waits for approval. */
function assertOneAddress(to: string): void {
  if (/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(to)) return;
  throw new MessageNotSent("PERMANENT", "EENVELOPE", "The recipient is not one email address");
}

/**
 * Only a refusal of this recipient or this message is permanent. 503 is not: the session was in the wrong state. A
 * refused login, certificate or sender (servers also answer `MAIL FROM` by asking for a login) is the operator's to
 * correct, and then the messages leave.
 */
function asMessageNotSent(error: unknown): MessageNotSent {
  const { code, command, responseCode, response } = describeSmtpError(error);
  const isRefusal = code === "EENVELOPE" || code === "EMESSAGE";
  const isOfSender = command === "MAIL FROM";
  const isForGood = responseCode === null || (responseCode >= 500 && responseCode !== 503 && !isOfSender);
  const kind = isRefusal && isForGood ? "PERMANENT" : "TEMPORARY";
  const reason = response ? `: ${response.slice(0, MAX_REASON_LENGTH)}` : "";
  const message = isRefusal
    ? `The mail server refused the message${reason}`
    : `The mail server failed${reason}`;
  return new MessageNotSent(kind, responseCode === null ? code : String(responseCode), message, {
    cause: error,
  });
}

function describeSmtpError(error: unknown): {
  code: string;
  command: string | null;
  responseCode: number | null;
  response: string | null;
} {
  if (!(error instanceof Error))
    return { code: "UNKNOWN", command: null, responseCode: null, response: null };
  const code = "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
  const command = "command" in error && typeof error.command === "string" ? error.command : null;
  const responseCode =
    "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : null;
  const response = "response" in error && typeof error.response === "string" ? error.response : null;
  return { code, command, responseCode, response };
}
