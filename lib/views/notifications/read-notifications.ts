import { z } from "zod";
import {
  type ChannelSetting,
  NOTIFICATION_TOPICS,
  type NotificationTopic,
  notificationTopicSchema,
} from "@/lib/contract/notifications";
import type { NotificationsView, PhoneView, TopicView } from "@/lib/contract/views/notifications-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { maskPhone } from "@/lib/core/shared/mask-recipient";
import { PHONE_CODE_TRIES } from "@/lib/core/sign-in/phone-code";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { listMessages } from "@/lib/views/notifications/list-messages";

const HREF = "/settings/notifications";

interface NotificationsInput {
  smsWay: NotificationsView["smsWay"];
  /** From the address, so anything. */
  before: unknown;
  time: TimeContext;
}

/**
 * What a member is told of and how, their own number, and what was sent: to everybody of the organization where they
 * decide in it, else to themself.
 */
export async function readNotifications(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  { smsWay, before, time }: NotificationsInput,
): Promise<NotificationsView> {
  const { organizationId, actor } = context;
  const isDecider = actor.role === "OWNER" || actor.role === "CO_OWNER";
  const [topics, phone, log] = await Promise.all([
    readPreferences(services.pool, organizationId, actor.id),
    readPhone(services.pool, actor.id, services.clock.now()),
    listMessages(services.pool, {
      organizationId,
      userId: isDecider ? null : actor.id,
      before: z.uuid().safeParse(before).data ?? null,
    }),
  ]);
  const last = log.messages.at(-1);
  return {
    // The others are told of nothing else, so there is nothing else to choose.
    topics: isDecider ? topics : topics.filter(({ topic }) => topic === "SECURITY"),
    phone,
    smsWay,
    email: actor.email,
    isDecider,
    messages: log.messages,
    showsEverybody: isDecider,
    olderHref: log.hasOlder && last ? `${HREF}?before=${last.id}` : null,
    newestHref: log.isNewest ? null : HREF,
    time,
  };
}

/** @param now real time, as codes run out in it */
async function readPhone(database: Queryable, userId: string, now: Date): Promise<PhoneView> {
  const { rows } = await database.query<{
    phone: string | null;
    phone_verified_at: Date | null;
    expires_at: Date | null;
  }>({
    name: "read_own_phone",
    text: `select u.phone, u.phone_verified_at, c.expires_at from users u
             left join phone_codes c on c.user_id = u.id and c.phone = u.phone and c.expires_at > $2 and c.tries < $3
            where u.id = $1`,
    values: [userId, now, PHONE_CODE_TRIES],
  });
  const own = rows[0];
  if (!own || own.phone === null) return { kind: "NONE" };
  const masked = maskPhone(own.phone);
  if (own.phone_verified_at)
    return { kind: "VERIFIED", masked, verifiedAt: own.phone_verified_at.toISOString() };
  return { kind: "UNVERIFIED", masked, expiresAt: own.expires_at?.toISOString() ?? null };
}

interface PreferenceRow {
  topic: NotificationTopic;
  email: boolean | null;
  sms: boolean | null;
}

/** How a member is told of each topic, in the topics' order: what they chose, else the default. */
export async function readPreferences(
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<TopicView[]> {
  const { rows } = await database.query<PreferenceRow>({
    name: "read_preferences",
    text: "select topic, email, sms from notification_preferences where organization_id = $1 and user_id = $2",
    values: [organizationId, userId],
  });
  const chosen = new Map(rows.map((row) => [row.topic, row]));
  return notificationTopicSchema.options.map((topic) => {
    const { email, sms } = NOTIFICATION_TOPICS[topic];
    const choice = chosen.get(topic);
    return { topic, email: apply(email, choice?.email), sms: apply(sms, choice?.sms) };
  });
}

/** As queueMessages does it. A choice about what is not theirs to choose counts for nothing. */
function apply(setting: ChannelSetting, choice: boolean | null | undefined): ChannelSetting {
  if (setting === "ALWAYS" || setting === "NEVER" || choice === null || choice === undefined) return setting;
  return choice ? "ON" : "OFF";
}
