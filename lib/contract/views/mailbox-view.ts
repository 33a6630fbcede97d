import type { TimeContext } from "@/lib/contract/views/time-context";

interface CaughtMessage {
  id: string;
  href: string;
  to: string[];
  sentAt: string;
}

/** A message that development mode kept instead of sending it. */
export type MailboxMessageView =
  | (CaughtMessage & { channel: "EMAIL"; from: string; subject: string; html: string | null; text: string })
  | (CaughtMessage & { channel: "SMS"; text: string; segmentCount: number });

/** Everything that the development mailbox shows, newest first. */
export interface MailboxView {
  messages: MailboxMessageView[];
  /** The email that is open; null shows none. */
  selectedEmailId: string | null;
  /** The SMS that the drawn phone shows. */
  selectedSmsId: string | null;
  /** Which face of the email is open. */
  face: "AS_SENT" | "PLAIN_TEXT" | "SOURCE";
  faceHrefs: { AS_SENT: string; PLAIN_TEXT: string; SOURCE: string };
  time: TimeContext;
}
