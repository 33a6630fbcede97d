import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { createMailboxMail } from "@/lib/ports/mail/create-mailbox-mail";
import { createSmtpMail } from "@/lib/ports/mail/create-smtp-mail";
import { createUnconfiguredMail } from "@/lib/ports/mail/create-unconfigured-mail";
import type { MailPort } from "@/lib/ports/mail/mail-port";

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
