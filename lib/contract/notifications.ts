import { z } from "zod";

/** What a message is about. Kinds from `MEMBER_RESET` to `IDENTITY_CHECK` are sent without a notice. */
const messageKindSchema = z.enum([
  "APPROVAL_ASKED",
  "APPROVAL_REMINDER",
  "APPROVAL_DECIDED",
  "RULE_RUN_FAILED",
  "TRANSFER_RETURNED",
  "TRANSFER_REFUSED",
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
  "WEEK",
  "KEY_UNUSUAL",
  "RULE_PROPOSED",
]);
export type MessageKind = z.infer<typeof messageKindSchema>;

export type MessageChannel = "EMAIL" | "SMS";

/** What a member chooses to receive, each by email and by SMS. */
export const notificationTopicSchema = z.enum([
  "APPROVALS",
  "DECISIONS",
  "RULE_PROPOSALS",
  "RETURNS",
  "RULE_RUNS",
  "ENDPOINTS",
  "SECURITY",
  "GATES",
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
}

/**
 * Every topic with its default. Requests for a decision cannot be switched off, nor can what an attacker who took
 * over an account would want to switch off.
 */
export const NOTIFICATION_TOPICS: Readonly<Record<NotificationTopic, TopicRule>> = {
  APPROVALS: { kinds: ["APPROVAL_ASKED", "APPROVAL_REMINDER"], email: "ALWAYS", sms: "ALWAYS" },
  DECISIONS: { kinds: ["APPROVAL_DECIDED"], email: "ON", sms: "NEVER" },
  RULE_PROPOSALS: { kinds: ["RULE_PROPOSED"], email: "ON", sms: "OFF" },
  RETURNS: { kinds: ["TRANSFER_RETURNED", "TRANSFER_REFUSED"], email: "ON", sms: "ON" },
  RULE_RUNS: { kinds: ["RULE_RUN_FAILED"], email: "ON", sms: "OFF" },
  ENDPOINTS: { kinds: ["ENDPOINT_DISABLED"], email: "ON", sms: "OFF" },
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
    ],
    email: "ALWAYS",
    sms: "OFF",
  },
  GATES: { kinds: ["GATES_CLOSED", "GATES_OPENED"], email: "ALWAYS", sms: "ALWAYS" },
  WEEK: { kinds: ["WEEK"], email: "ON", sms: "OFF" },
  // Can be switched off: it may be wrong, and people who change networks daily would get it daily. The key's page
  // always shows it.
  UNUSUAL_USE: { kinds: ["KEY_UNUSUAL"], email: "ON", sms: "OFF" },
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
>;

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
