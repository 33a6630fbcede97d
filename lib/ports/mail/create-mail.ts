import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { createSmtpMail } from "@/lib/ports/mail/create-smtp-mail";
import type { MailPort } from "@/lib/ports/mail/mail-port";
import { storeMessage } from "@/lib/ports/mailbox/store-message";
import { MessageNotSent } from "@/lib/ports/message-not-sent";

/** Where email goes: to a mail server, to the mailbox on this machine, or nowhere. */
export function mailWay(config: Pick<Config, "smtpUrl" | "mailbox">): "PROVIDER" | "MAILBOX" | "NONE" {
  if (config.smtpUrl) return "PROVIDER";
  return config.mailbox ? "MAILBOX" : "NONE";
}

/** Email as the operator configured it: SMTP, else the mailbox on this machine, else an adapter that says what is missing. */
export function createMail(
  config: Pick<Config, "smtpUrl" | "mailFrom" | "mailbox">,
  pool: Pool,
  clock: Clock,
): MailPort {
  if (config.smtpUrl) return createSmtpMail({ url: config.smtpUrl, from: config.mailFrom });
  return config.mailbox ? createMailboxMail(pool, clock) : createUnconfiguredMail();
}

/** Says at every email what the operator has to set: silence would look like mail that was sent. */
export function createUnconfiguredMail(): MailPort {
  return {
    send: async () => {
      throw new MessageNotSent("PERMANENT", "UNCONFIGURED", "No email is sent: SMTP_URL is not set.");
    },
  };
}

/** Email that stops in the mailbox at /mailbox: for a trial run on one's own machine. */
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
