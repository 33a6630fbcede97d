import { AppError } from "@/lib/contract/error";
import {
  type MessageChannel,
  NOTIFICATION_TOPICS,
  type NotificationTopic,
} from "@/lib/contract/notifications";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** What a member chooses about one topic and one way. */
export interface PreferenceChoice {
  topic: NotificationTopic;
  channel: MessageChannel;
  isOn: boolean;
}

/**
 * A member chooses for themself whether they are told of a topic by email or by SMS; what they chose about the other
 * way stays.
 * @throws AppError `INVALID_PARAMETERS` for what is always or never sent: somebody who has got hold of a session cannot
 * silence what would give them away.
 */
export async function savePreference(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { topic, channel, isOn }: PreferenceChoice,
): Promise<void> {
  const rule = NOTIFICATION_TOPICS[topic];
  const setting = channel === "EMAIL" ? rule.email : rule.sms;
  if (setting === "ALWAYS" || setting === "NEVER") {
    const isAlways = setting === "ALWAYS" ? "always sent" : "never sent";
    const way = channel === "EMAIL" ? "by email" : "by SMS";
    throw new AppError("INVALID_PARAMETERS", `This is ${isAlways} ${way}. Nothing was changed.`);
  }
  const column = channel === "EMAIL" ? "email" : "sms";
  await services.pool.query(
    `insert into notification_preferences as p (organization_id, user_id, topic, ${column}) values ($1, $2, $3, $4)
     on conflict (organization_id, user_id, topic) do update set ${column} = excluded.${column}`,
    [context.organizationId, context.actor.id, topic, isOn],
  );
}
