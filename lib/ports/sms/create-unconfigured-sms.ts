import { MessageNotSent } from "@/lib/ports/message-not-sent";
import type { SmsPort } from "@/lib/ports/sms/sms-port";

/** Says at every text message what the operator has to set: silence would look like a message that was sent. */
export function createUnconfiguredSms(): SmsPort {
  return {
    send: async () => {
      throw new MessageNotSent(
        "PERMANENT",
        "UNCONFIGURED",
        "No SMS is sent: TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM are not set.",
      );
    },
  };
}
