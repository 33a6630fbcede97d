import { z } from "zod";

/** What a message is about. Kinds from `MEMBER_RESET` to `DEVICE_TEST` are sent without a notice. */
const messageKindSchema = z.enum([
  "APPROVAL_ASKED",
  "APPROVAL_REMINDER",
  "APPROVAL_DECIDED",
  "RULE_RUN_FAILED",
  "TRANSFER_RETURNED",
  "TRANSFER_REFUSED",
  "ACCOUNT_CORRECTED",
  "ACCOUNT_REGISTERED",
  "ENDPOINT_DISABLED",
  "KEY_CREATED",
  "ASSISTANT_CONNECTED",
  "NEW_DEVICE",
  "MEMBER_JOINED",
  "GATES_CLOSED",
  "GATES_OPENED",
  "MEMBER_RESET",
  "PHONE_CHANGED",
  "PHONE_CODE",
  "INVITATION",
  "SIGN_IN_CHANGED",
  "MEMBER_CHANGED",
  "IDENTITY_CHECK",
  "DEVICE_TEST",
  "WEEK",
  "KEY_UNUSUAL",
  "RULE_PROPOSED",
  "PAYEE_CHANGED",
  "BANK_DIFFERENCE",
  "OUTGOING_CAP_CHANGED",
  "FRAUD_REVIEW_DUE",
  "GUARD_CHANGED",
  "PAYEES_IMPORTED",
]);
export type MessageKind = z.infer<typeof messageKindSchema>;

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
  kinds: readonly MessageKind[];
  /** The setting before a member chooses. */
  email: ChannelSetting;
  sms: ChannelSetting;
  /** On the devices that the member registered. */
  push: Extract<ChannelSetting, "ON" | "OFF">;
}

/**
 * Every topic with its default. Requests for a decision cannot be switched off, nor can what an attacker who took
 * over an account would want to switch off. Push can always be switched off: what must arrive also comes by email.
 */
export const NOTIFICATION_TOPICS: Readonly<Record<NotificationTopic, TopicRule>> = {
  APPROVALS: { kinds: ["APPROVAL_ASKED", "APPROVAL_REMINDER"], email: "ALWAYS", sms: "ALWAYS", push: "ON" },
  DECISIONS: { kinds: ["APPROVAL_DECIDED"], email: "ON", sms: "NEVER", push: "OFF" },
  RULE_PROPOSALS: { kinds: ["RULE_PROPOSED"], email: "ON", sms: "OFF", push: "OFF" },
  RETURNS: {
    kinds: ["TRANSFER_RETURNED", "TRANSFER_REFUSED", "ACCOUNT_CORRECTED"],
    email: "ON",
    sms: "ON",
    push: "OFF",
  },
  RULE_RUNS: { kinds: ["RULE_RUN_FAILED"], email: "ON", sms: "OFF", push: "OFF" },
  ENDPOINTS: { kinds: ["ENDPOINT_DISABLED"], email: "ON", sms: "OFF", push: "OFF" },
  SECURITY: {
    kinds: [
      "KEY_CREATED",
      "ASSISTANT_CONNECTED",
      "NEW_DEVICE",
      "MEMBER_JOINED",
      "MEMBER_RESET",
      "PHONE_CHANGED",
      "SIGN_IN_CHANGED",
      "MEMBER_CHANGED",
      "IDENTITY_CHECK",
      "FRAUD_REVIEW_DUE",
    ],
    email: "ALWAYS",
    sms: "OFF",
    push: "OFF",
  },
  GATES: {
    kinds: ["GATES_CLOSED", "GATES_OPENED", "OUTGOING_CAP_CHANGED", "GUARD_CHANGED"],
    email: "ALWAYS",
    sms: "ALWAYS",
    push: "OFF",
  },
  // A person who adds a payee, or registers an account, unseen can send money to themselves.
  PAYEES: {
    kinds: ["PAYEE_CHANGED", "PAYEES_IMPORTED", "ACCOUNT_REGISTERED"],
    email: "ALWAYS",
    sms: "ALWAYS",
    push: "OFF",
  },
  RECONCILIATION: { kinds: ["BANK_DIFFERENCE"], email: "ON", sms: "OFF", push: "OFF" },
  WEEK: { kinds: ["WEEK"], email: "ON", sms: "OFF", push: "OFF" },
  // Can be switched off: it may be wrong, and people who change networks daily would get it daily. The key's page
  // always shows it.
  UNUSUAL_USE: { kinds: ["KEY_UNUSUAL"], email: "ON", sms: "OFF", push: "OFF" },
};

/** How long the log shows a message; its text is kept as long. */
export const MESSAGE_RETENTION_DAYS = 90;
/** How many the log shows at once. */
export const MESSAGES_PER_PAGE = 25;

/** Kinds caused by a notice; the others are written as messages at once. */
export type NoticeKind = Exclude<
  MessageKind,
  | "MEMBER_RESET"
  | "PHONE_CHANGED"
  | "PHONE_CODE"
  | "INVITATION"
  | "SIGN_IN_CHANGED"
  | "MEMBER_CHANGED"
  | "IDENTITY_CHECK"
  | "DEVICE_TEST"
>;

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
