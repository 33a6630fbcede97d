import type {
  ChannelSetting,
  MessageChannel,
  MessageKind,
  NotificationTopic,
} from "@/lib/contract/notifications";
import type { TimeContext } from "@/lib/contract/views/time-context";

export interface TopicView {
  topic: NotificationTopic;
  email: ChannelSetting;
  sms: ChannelSetting;
  push: ChannelSetting;
}

/** A browser or installed app that shows this person's notifications. */
export interface DeviceView {
  id: string;
  /** By which a page recognizes its own browser: the first letters of the SHA-256 of its endpoint. */
  mark: string;
  /** `Safari on iPhone` */
  name: string;
  /** Real time. */
  addedAt: string;
  deliveredAt: string | null;
}

/** A member's devices, and what a browser needs to become one. */
export interface DevicesView {
  devices: DeviceView[];
  /** The server's key, base64url. */
  publicKey: string;
}

/** A member's own number. Messages go only to a verified one. */
export type PhoneView =
  | { kind: "NONE" }
  /** A code was sent to it, valid until `expiresAt` (real time). */
  | { kind: "UNVERIFIED"; masked: string; expiresAt: string | null }
  | { kind: "VERIFIED"; masked: string; verifiedAt: string };

export type MessageStateView =
  | { kind: "SENT" }
  | { kind: "WAITING"; nextAttemptAt: string | null }
  | { kind: "FAILED" };

/** One message in the log: never its text. */
export interface MessageRowView {
  id: string;
  kind: MessageKind;
  channel: MessageChannel;
  recipientName: string;
  /** `m•••@northwind.example`, `+1 ••• ••• 0131`, `Safari on iPhone`. */
  maskedRecipient: string;
  /** The first line of a notification on a device. Null for an SMS. */
  subject: string | null;
  createdAt: string;
  state: MessageStateView;
  attempts: number;
  /** The provider's message for the last failed attempt. */
  problem: string | null;
}

/** The page of a member's notifications. */
export interface NotificationsView {
  topics: TopicView[];
  phone: PhoneView;
  devices: DevicesView;
  /** Where text messages go. */
  smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  email: string;
  /** Decides about money and gets those notifications; others only learn of their own sign-ins. */
  isDecider: boolean;
  /** Owners and co-owners see the organization's messages, others their own. Newest first, 25 a page. */
  messages: MessageRowView[];
  showsEverybody: boolean;
  olderHref: string | null;
  /** Null on the newest page. */
  newestHref: string | null;
  time: TimeContext;
}

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

/** Everything in the development mailbox, newest first. */
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
