import { z } from "zod";
import {
  type ChannelSetting,
  DEVICES_PER_PERSON,
  MESSAGES_PER_PAGE,
  type MessageChannel,
  type MessageKind,
  NOTIFICATION_TOPICS,
  type NotificationTopic,
  notificationTopicSchema,
} from "@/lib/contract/notifications";
import { maskPhone, maskProblem, maskRecipient } from "@/lib/core/shared/queue-message";
import { PHONE_CODE_TRIES } from "@/lib/core/sign-in/phone-code";
import { deviceMark } from "@/lib/core/sign-in/push-devices";
import { describeBrowser } from "@/lib/core/sign-in/sign-in-browser";
import type { Queryable } from "@/lib/db/transaction";
import type { TimedReading } from "@/lib/views/reading";

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

const HREF = "/settings/notifications";

interface NotificationsInput {
  /** The key that browsers subscribe with. */
  publicKey: string;
  smsWay: "PROVIDER" | "MAILBOX" | "NONE";
  /** Unvalidated, from the URL. */
  before: unknown;
}

/**
 * A member's notification settings, phone number, and sent messages: everyone's in the organization for deciders,
 * otherwise the member's own.
 */
export async function readNotifications(
  { services, context, time }: TimedReading<"pool" | "clock">,
  { publicKey, smsWay, before }: NotificationsInput,
) {
  const { organizationId, actor } = context;
  const isDecider = actor.role === "OWNER" || actor.role === "CO_OWNER";
  const [topics, phone, devices, log] = await Promise.all([
    readPreferences(services.pool, organizationId, actor.id),
    readPhone(services.pool, actor.id, services.clock.now()),
    listDevices(services.pool, actor.id),
    listMessages(services.pool, {
      organizationId,
      userId: isDecider ? null : actor.id,
      before: z.uuid().safeParse(before).data ?? null,
    }),
  ]);
  const last = log.messages.at(-1);
  return {
    // The others get no other notifications, so they have nothing else to choose.
    topics: isDecider ? topics : topics.filter(({ topic }) => topic === "SECURITY"),
    phone,
    devices: { devices /** The server's key, base64url. */, publicKey },
    /** Where text messages go. */
    smsWay,
    email: actor.email,
    /** Decides about money and gets those notifications; others only learn of their own sign-ins. */
    isDecider,
    /** Owners and co-owners see the organization's messages, others their own. Newest first, 25 a page. */
    messages: log.messages,
    showsEverybody: isDecider,
    olderHref: log.hasOlder && last ? `${HREF}?before=${last.id}` : null,
    /** Null on the newest page. */
    newestHref: log.isNewest ? null : HREF,
    time,
  };
}

/** A member's devices, and what a browser needs to become one. */
export type DevicesView = NotificationsView["devices"];

/** The page of a member's notifications. */
export type NotificationsView = Awaited<ReturnType<typeof readNotifications>>;

/** @param now real time, in which codes expire */
async function readPhone(database: Queryable, userId: string, now: Date): Promise<PhoneView> {
  const { rows } = await database.query<{
    phone: string | null;
    phoneVerifiedAt: Date | null;
    expiresAt: Date | null;
  }>({
    name: "read_own_phone",
    text: `select u.phone, u.phone_verified_at as "phoneVerifiedAt", c.expires_at as "expiresAt" from users u
             left join phone_codes c on c.user_id = u.id and c.phone = u.phone and c.expires_at > $2 and c.tries < $3
            where u.id = $1`,
    values: [userId, now, PHONE_CODE_TRIES],
  });
  const own = rows[0];
  if (!own || own.phone === null) return { kind: "NONE" };
  const masked = maskPhone(own.phone);
  if (own.phoneVerifiedAt) return { kind: "VERIFIED", masked, verifiedAt: own.phoneVerifiedAt.toISOString() };
  return { kind: "UNVERIFIED", masked, expiresAt: own.expiresAt?.toISOString() ?? null };
}

interface DeviceRow {
  id: string;
  endpointHash: Buffer;
  userAgent: string;
  createdAt: Date;
  lastDeliveredAt: Date | null;
}

/** A person's own devices, newest first: what they are called, never where they are. */
async function listDevices(database: Queryable, userId: string) {
  const { rows } = await database.query<DeviceRow>({
    name: "list_own_devices",
    text: `
      select d.id, d.endpoint_hash as "endpointHash", d.user_agent as "userAgent", d.created_at as "createdAt",
          d.last_delivered_at as "lastDeliveredAt"
        from push_devices d join sessions s on s.id = d.session_id
       where d.user_id = $1 and s.revoked_at is null
       order by d.created_at desc, d.id desc limit ${DEVICES_PER_PERSON}`,
    values: [userId],
  });
  return rows.map((row) => ({
    id: row.id,
    /** By which a page recognizes its own browser: the first letters of the SHA-256 of its endpoint. */
    mark: deviceMark(row.endpointHash),
    /** `Safari on iPhone` */
    name: describeBrowser(row.userAgent),
    /** Real time. */
    createdAt: row.createdAt.toISOString(),
    deliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
  }));
}

/** A browser or installed app that shows this person's notifications. */
export type DeviceView = Awaited<ReturnType<typeof listDevices>>[number];

interface PreferenceRow {
  topic: NotificationTopic;
  email: boolean | null;
  sms: boolean | null;
  push: boolean | null;
}

/** A member's channels for each topic, in order: their choice, else the default. */
export async function readPreferences(database: Queryable, organizationId: string, userId: string) {
  const { rows } = await database.query<PreferenceRow>({
    name: "read_preferences",
    text: "select topic, email, sms, push from notification_preferences where organization_id = $1 and user_id = $2",
    values: [organizationId, userId],
  });
  const chosen = new Map(rows.map((row) => [row.topic, row]));
  return notificationTopicSchema.options.map((topic) => {
    const { email, sms, push } = NOTIFICATION_TOPICS[topic];
    const choice = chosen.get(topic);
    return {
      topic,
      email: apply(email, choice?.email),
      sms: apply(sms, choice?.sms),
      push: apply(push, choice?.push),
    };
  });
}

export type TopicView = Awaited<ReturnType<typeof readPreferences>>[number];

/** Mirrors queueMessages: choices that are not theirs to make are ignored. */
function apply(setting: ChannelSetting, choice: boolean | null | undefined): ChannelSetting {
  if (setting === "ALWAYS" || setting === "NEVER" || choice === null || choice === undefined) return setting;
  return choice ? "ON" : "OFF";
}

interface MessageRow {
  id: string;
  kind: MessageKind;
  channel: MessageChannel;
  /** Null: an invited person. */
  recipientName: string | null;
  recipient: string;
  subject: string | null;
  createdAt: Date;
  status: "QUEUED" | "SENT" | "FAILED";
  nextAttemptAt: Date | null;
  attempts: number;
  lastError: string | null;
}

/** Whose messages, and from where on. */
interface MessagesSearch {
  organizationId: string;
  /** Null: everyone's in the organization. */
  userId: string | null;
  /** The ID of the previous page's last message; null, or an ID that is not in this log: start with the newest. */
  before: string | null;
}

/**
 * A page of the log, newest first, read in index order, so that it costs the same in a log of a million. Never contains
 * a text or a full address.
 * @returns at most MESSAGES_PER_PAGE, and whether there are older ones.
 */
export async function listMessages(database: Queryable, { organizationId, userId, before }: MessagesSearch) {
  const start = before === null ? null : await findStart(database, organizationId, before);
  const { rows } = await database.query<MessageRow>({
    name: `list_messages${userId === null ? "" : "_of_member"}${start === null ? "" : "_before"}`,
    // Attempts are in real time; the page shows the organization's time, so it converts the next attempt.
    text: `
      select m.id, m.kind, m.channel, u.name as "recipientName", m.recipient, m.subject, m.created_at as "createdAt",
          m.status, m.attempts,
          m.last_error as "lastError",
          case when isfinite(m.due_at) then m.due_at + o.clock_offset_ms * interval '1 millisecond' end
            as "nextAttemptAt"
        from messages m left join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
       where m.organization_id = $1 and not m.is_forgotten
         ${userId === null ? "and $2::uuid is null" : "and m.user_id = $2"}
         ${start === null ? "and $3::timestamptz is null and $4::uuid is null" : "and (m.created_at, m.id) < ($3, $4::uuid)"}
       order by m.created_at desc, m.id desc limit ${MESSAGES_PER_PAGE + 1}`,
    values: [organizationId, userId, start?.createdAt ?? null, start?.id ?? null],
  });
  return {
    messages: rows.slice(0, MESSAGES_PER_PAGE).map(toView),
    hasOlder: rows.length > MESSAGES_PER_PAGE,
    isNewest: start === null,
  };
}

async function findStart(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<{ id: string; createdAt: string } | null> {
  // As text: a `Date` would lose the microseconds that the order needs.
  const { rows } = await database.query<{ id: string; createdAt: string }>(
    `select id, created_at::text as "createdAt" from messages where organization_id = $1 and id = $2 and not is_forgotten`,
    [organizationId, id],
  );
  return rows[0] ?? null;
}

function toView(row: MessageRow) {
  return {
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    recipientName: row.recipientName ?? "Invited person",
    /** `m•••@northwind.example`, `+1 ••• ••• 0131`, `Safari on iPhone`. */
    maskedRecipient: maskRecipient(row.channel, row.recipient),
    /** The first line of a notification on a device. Null for an SMS. */
    subject: row.subject,
    createdAt: row.createdAt.toISOString(),
    state: toState(row),
    attempts: row.attempts,
    /** The provider's message for the last failed attempt. */
    problem: row.lastError === null ? null : maskProblem(row.lastError, row.channel, row.recipient),
  };
}

/** One message in the log: never its text. */
export type MessageRowView = ReturnType<typeof toView>;

function toState({ status, nextAttemptAt }: MessageRow): MessageStateView {
  if (status === "QUEUED") return { kind: "WAITING", nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
  return { kind: status };
}
