import type { Services } from "@/lib/platform/services";
import { listMailbox, type MailboxMessage } from "@/lib/ports/messages/mailbox";
import { smsSegmentCount } from "@/lib/words/messages/compose-sms";

interface CaughtMessage {
  id: string;
  href: string;
  to: string[];
  sentAt: string;
}

/** A message kept by development mode instead of being sent. */
export type MailboxMessageView =
  | (CaughtMessage & { channel: "EMAIL"; from: string; subject: string; html: string | null; text: string })
  | (CaughtMessage & { channel: "SMS"; text: string; segmentCount: number });

const LISTED = 50;

/** The open messages, as in the URL. */
export interface MailboxSearch {
  email?: string | undefined;
  sms?: string | undefined;
  face: "AS_SENT" | "PLAIN_TEXT" | "SOURCE";
}

/** The newest messages without a provider, with one email and one SMS open. */
export async function readMailbox(services: Pick<Services, "pool" | "clock">, search: MailboxSearch) {
  const messages = await listMailbox(services.pool, LISTED);
  const newest = (channel: MailboxMessage["channel"]) =>
    messages.find((message) => message.channel === channel)?.id;
  const open = {
    face: search.face,
    email: search.email ?? newest("EMAIL"),
    sms: search.sms ?? newest("SMS"),
  };
  return {
    messages: messages.map((message) => toView(message, open)),
    /** The email that is open; null shows none. */
    selectedEmailId: open.email ?? null,
    /** The SMS that the drawn phone shows. */
    selectedSmsId: open.sms ?? null,
    /** Which face of the email is open. */
    face: open.face,
    faceHrefs: {
      AS_SENT: mailboxHref({ ...open, face: "AS_SENT" }),
      PLAIN_TEXT: mailboxHref({ ...open, face: "PLAIN_TEXT" }),
      SOURCE: mailboxHref({ ...open, face: "SOURCE" }),
    },
    time: { nowAt: services.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" },
  };
}

/** Everything in the development mailbox, newest first. */
export type MailboxView = Awaited<ReturnType<typeof readMailbox>>;

function toView(message: MailboxMessage, open: MailboxSearch): MailboxMessageView {
  const common = {
    id: message.id,
    to: [message.recipient],
    sentAt: message.createdAt.toISOString(),
    text: message.text,
  };
  if (message.channel === "SMS") {
    const segmentCount = smsSegmentCount(message.text);
    return { ...common, channel: "SMS", href: mailboxHref({ ...open, sms: message.id }), segmentCount };
  }
  return {
    ...common,
    channel: "EMAIL",
    href: mailboxHref({ ...open, email: message.id }),
    from: "Sluice",
    subject: message.subject ?? "",
    html: message.html,
  };
}

function mailboxHref({ email, sms, face }: MailboxSearch): string {
  const query = new URLSearchParams({ face, ...(email && { email }), ...(sms && { sms }) });
  return `/mailbox?${query}`;
}
