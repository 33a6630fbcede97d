import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import { storeMessage } from "@/lib/ports/mailbox/store-message";
import { MessageNotSent } from "@/lib/ports/message-not-sent";
import type { SmsPort } from "@/lib/ports/sms/sms-port";

/** Text messages that stop in the mailbox at /mailbox: for a trial run on one's own machine. */
export function createMailboxSms(pool: Pool, clock: Clock): SmsPort {
  return {
    async send({ to, text }) {
      const message = { channel: "SMS", recipient: to, subject: null, text, html: null } as const;
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
