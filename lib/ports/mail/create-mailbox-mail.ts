import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { MailPort } from "@/lib/ports/mail/mail-port";
import { storeMessage } from "@/lib/ports/mailbox/store-message";
import { MessageNotSent } from "@/lib/ports/message-not-sent";

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
