import type { MailPort } from "@/lib/ports/mail/mail-port";
import { MessageNotSent } from "@/lib/ports/message-not-sent";

/** Says at every email what the operator has to set: silence would look like mail that was sent. */
export function createUnconfiguredMail(): MailPort {
  return {
    send: async () => {
      throw new MessageNotSent("PERMANENT", "UNCONFIGURED", "No email is sent: SMTP_URL is not set.");
    },
  };
}
