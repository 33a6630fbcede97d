import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { storeMessage } from "@/lib/ports/mailbox/store-message";
import { MessageNotSent } from "@/lib/ports/message-not-sent";
import { createTwilioSms } from "@/lib/ports/sms/create-twilio-sms";
import type { SmsPort } from "@/lib/ports/sms/sms-port";

/** Where text messages go: to a provider, to the mailbox on this machine, or nowhere. */
export function smsWay(config: Pick<Config, "twilio" | "mailbox">): "PROVIDER" | "MAILBOX" | "NONE" {
  if (config.twilio) return "PROVIDER";
  return config.mailbox ? "MAILBOX" : "NONE";
}

/** SMS as the operator configured it: Twilio, else the mailbox on this machine, else an adapter that says what is missing. */
export function createSms(config: Pick<Config, "twilio" | "mailbox">, pool: Pool, clock: Clock): SmsPort {
  if (config.twilio) return createTwilioSms(config.twilio);
  return config.mailbox ? createMailboxSms(pool, clock) : createUnconfiguredSms();
}

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
