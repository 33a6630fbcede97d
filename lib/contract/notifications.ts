import { z } from "zod";

export const messageChannelSchema = z.enum(["EMAIL", "SMS", "PUSH"]);
export type MessageChannel = z.infer<typeof messageChannelSchema>;

/** What a member chooses to receive, each by email, by SMS and on their devices. */
export const notificationTopicSchema = z.enum([
  "APPROVALS",
  "DECISIONS",
  "RULE_PROPOSALS",
  "RETURNS",
  "RULE_RUNS",
  "ENDPOINTS",
  "SECURITY",
  "GATES",
  "PAYEES",
  "RECONCILIATION",
  "WEEK",
  "UNUSUAL_USE",
]);
export type NotificationTopic = z.infer<typeof notificationTopicSchema>;

/** Members cannot change `ALWAYS` and `NEVER`. */
export type ChannelSetting = "ALWAYS" | "NEVER" | "ON" | "OFF";

interface TopicRule {
  /** The setting before a member chooses. */
  email: ChannelSetting;
  sms: ChannelSetting;
  /** On the devices that the member registered. */
  push: Extract<ChannelSetting, "ON" | "OFF">;
  /** Wakes a device that saves power. */
  isUrgent?: true;
}

/**
 * Every topic with its default. Requests for a decision cannot be switched off, nor can what an attacker who took
 * over an account would want to switch off. Push can always be switched off: what must arrive also comes by email.
 */
export const NOTIFICATION_TOPICS: Readonly<Record<NotificationTopic, TopicRule>> = {
  APPROVALS: { email: "ALWAYS", sms: "ALWAYS", push: "ON", isUrgent: true },
  DECISIONS: { email: "ON", sms: "NEVER", push: "OFF" },
  RULE_PROPOSALS: { email: "ON", sms: "OFF", push: "OFF" },
  RETURNS: { email: "ON", sms: "ON", push: "OFF" },
  RULE_RUNS: { email: "ON", sms: "OFF", push: "OFF" },
  ENDPOINTS: { email: "ON", sms: "OFF", push: "OFF" },
  SECURITY: { email: "ALWAYS", sms: "OFF", push: "OFF" },
  GATES: { email: "ALWAYS", sms: "ALWAYS", push: "OFF" },
  // A person who adds a payee, or registers an account, unseen can send money to themselves.
  PAYEES: { email: "ALWAYS", sms: "ALWAYS", push: "OFF" },
  RECONCILIATION: { email: "ON", sms: "OFF", push: "OFF" },
  WEEK: { email: "ON", sms: "OFF", push: "OFF" },
  // Can be switched off: it may be wrong, and people who change networks daily would get it daily. The key's page
  // always shows it.
  UNUSUAL_USE: { email: "ON", sms: "OFF", push: "OFF" },
};

interface NoticeRule {
  /** Its settings decide who gets it, on which channels. */
  topic: NotificationTopic;
  /** What the log of messages calls it. */
  label: string;
  /** About one person's sign-in, who alone gets it; unset: every owner and co-owner does. */
  isPersonal?: true;
}

/** Every notice; lib/core/notifications/kinds holds how it reads and what it says, a file for each topic. */
const NOTICE_RULES = {
  APPROVAL_ASKED: { topic: "APPROVALS", label: "Waiting for approval" },
  APPROVAL_REMINDER: { topic: "APPROVALS", label: "Expires soon" },
  POLICY_SIGNATURE_ASKED: { topic: "APPROVALS", label: "A policy waits for your signature" },
  MANDATE_ASKED: { topic: "APPROVALS", label: "A mandate waits for signatures" },
  APPROVAL_SIGNED: { topic: "APPROVALS", label: "Signed, waits for others" },
  APPROVAL_DECIDED: { topic: "DECISIONS", label: "Decided" },
  RULE_DEACTIVATION_PROPOSED: { topic: "RULE_PROPOSALS", label: "A program proposed to stop a rule" },
  RULE_SIGNATURE_ASKED: { topic: "APPROVALS", label: "A rule waits for your signature" },
  CHANGE_SIGNATURE_ASKED: { topic: "APPROVALS", label: "A change waits for your signature" },
  CHANGE_SIGNATURE_REMINDER: { topic: "APPROVALS", label: "A change expires soon" },
  CHANGE_ENDED: { topic: "DECISIONS", label: "A change was signed or ended" },
  RULE_PROPOSED: { topic: "RULE_PROPOSALS", label: "A rule was proposed" },
  TRANSFER_RETURNED: { topic: "RETURNS", label: "A transfer came back" },
  TRANSFER_REFUSED: { topic: "RETURNS", label: "A transfer failed" },
  ACCOUNT_CORRECTED: { topic: "RETURNS", label: "A bank corrected an account" },
  RULE_RUN_FAILED: { topic: "RULE_RUNS", label: "A rule failed" },
  ENDPOINT_DISABLED: { topic: "ENDPOINTS", label: "A webhook endpoint was switched off" },
  KEY_CREATED: { topic: "SECURITY", label: "A key was created" },
  ASSISTANT_CONNECTED: { topic: "SECURITY", label: "An assistant was connected" },
  NEW_DEVICE: { topic: "SECURITY", label: "Sign-in from a new browser", isPersonal: true },
  MEMBER_JOINED: { topic: "SECURITY", label: "Someone joined" },
  MANDATE_ENDED: { topic: "SECURITY", label: "A mandate ended" },
  FRAUD_REVIEW_DUE: { topic: "SECURITY", label: "A review is due" },
  GATES_CLOSED: { topic: "GATES", label: "All gates were closed" },
  GATES_OPENED: { topic: "GATES", label: "The gates were opened" },
  OUTGOING_CAP_CHANGED: { topic: "GATES", label: "The cap on money out was changed" },
  GUARD_CHANGED: { topic: "GATES", label: "A guard was changed" },
  POLICY_PUBLISHED: { topic: "GATES", label: "Who must approve was changed" },
  MANDATE_SIGNED: { topic: "GATES", label: "A mandate was signed" },
  PAYEE_CHANGED: { topic: "PAYEES", label: "A payee was changed" },
  PAYEES_IMPORTED: { topic: "PAYEES", label: "Payees were imported" },
  ACCOUNT_REGISTERED: { topic: "PAYEES", label: "An account was registered at the bank" },
  BANK_DIFFERENCE: { topic: "RECONCILIATION", label: "Bank and books differ" },
  WEEK: { topic: "WEEK", label: "Your week in five lines" },
  KEY_UNUSUAL: { topic: "UNUSUAL_USE", label: "Unusual use of a key" },
} as const satisfies Record<string, NoticeRule>;

export type NoticeKind = keyof typeof NOTICE_RULES;
/** The kinds of one topic. */
export type NoticeKindOf<Topic extends NotificationTopic> = {
  [Kind in NoticeKind]: (typeof NOTICE_RULES)[Kind]["topic"] extends Topic ? Kind : never;
}[NoticeKind];

export const NOTICES: Readonly<Record<NoticeKind, NoticeRule>> = NOTICE_RULES;

/** Messages written at once, without a notice; they have no topic, so nobody can switch them off. */
const OTHER_MESSAGES = {
  MEMBER_RESET: "A member’s sign-in was reset",
  PHONE_CHANGED: "A number was changed",
  PHONE_CODE: "Code to verify a number",
  INVITATION: "An invitation",
  SIGN_IN_CHANGED: "Your sign-in was changed",
  MEMBER_CHANGED: "A member was changed or removed",
  IDENTITY_CHECK: "Identity check",
  DEVICE_TEST: "Test of a device",
} as const;

/** What a message is about. */
export type MessageKind = NoticeKind | keyof typeof OTHER_MESSAGES;

const isNotice = (kind: MessageKind): kind is NoticeKind => kind in NOTICE_RULES;

/** What the log of messages calls it. */
export function messageLabel(kind: MessageKind): string {
  return isNotice(kind) ? NOTICES[kind].label : OTHER_MESSAGES[kind];
}

/** Whether it wakes a device that saves power. */
export function isUrgent(kind: MessageKind): boolean {
  return isNotice(kind) && NOTIFICATION_TOPICS[NOTICES[kind].topic].isUrgent === true;
}

/** How long the log shows a message; its text is kept as long. */
export const MESSAGE_RETENTION_DAYS = 90;
/** How many the log shows at once. */
export const MESSAGES_PER_PAGE = 25;

/** Devices of one person that show notifications. */
export const DEVICES_PER_PERSON = 20;
/** Endpoints of the known push services have about 200 characters, with room to grow. */
const MAXIMUM_ENDPOINT_LENGTH = 2_000;

/** What a browser's push subscription consists of (`PushSubscription.toJSON()`). */
export const pushSubscriptionSchema = z.object({
  endpoint: z.string().min(1).max(MAXIMUM_ENDPOINT_LENGTH),
  keys: z.object({
    /** A public key on P-256, uncompressed: 65 bytes. */
    p256dh: z.string().regex(/^[A-Za-z0-9_-]{87}=?$/),
    /** 16 bytes. */
    auth: z.string().regex(/^[A-Za-z0-9_-]{22}={0,2}$/),
  }),
});
export type PushSubscriptionFacts = z.infer<typeof pushSubscriptionSchema>;

/** A number in E.164, e.g. `+14155550100`; spaces and dashes are removed. */
export const phoneSchema = z
  .string()
  .max(40, "must be a number like +14155550100")
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\+[1-9][0-9]{6,14}$/, "must be a number like +14155550100"));

/** The six digits from an SMS. */
export const phoneCodeSchema = z
  .string()
  .max(20)
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^[0-9]{6}$/));
