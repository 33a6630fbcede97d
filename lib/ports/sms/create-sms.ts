import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { createMailboxSms } from "@/lib/ports/sms/create-mailbox-sms";
import { createTwilioSms } from "@/lib/ports/sms/create-twilio-sms";
import { createUnconfiguredSms } from "@/lib/ports/sms/create-unconfigured-sms";
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
