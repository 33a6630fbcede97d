import { AppError } from "@/lib/contract/error";
import {
  type MessageChannel,
  NOTIFICATION_TOPICS,
  type NotificationTopic,
} from "@/lib/contract/notifications";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

export interface PreferenceChoice {
  topic: NotificationTopic;
  channel: MessageChannel;
  isOn: boolean;
}

const COLUMNS = { EMAIL: "email", SMS: "sms", PUSH: "push" } as const;

/**
 * Turns a topic on or off for the member, for one channel.
 * @throws AppError `INVALID_PARAMETERS` for a fixed setting: an attacker with a stolen session must not silence the
 * notifications that would reveal them.
 */
export async function savePreference(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { topic, channel, isOn }: PreferenceChoice,
): Promise<void> {
  const rule = NOTIFICATION_TOPICS[topic];
  const column = COLUMNS[channel];
  const setting = rule[column];
  if (setting === "ALWAYS" || setting === "NEVER") {
    const frequency = setting === "ALWAYS" ? "always sent" : "never sent";
    const medium = channel === "EMAIL" ? "by email" : "by SMS";
    throw new AppError("INVALID_PARAMETERS", `This is ${frequency} ${medium}. Nothing was changed.`);
  }
  await services.pool.query(
    `insert into notification_preferences as p (organization_id, user_id, topic, ${column}) values ($1, $2, $3, $4)
     on conflict (organization_id, user_id, topic) do update set ${column} = excluded.${column}`,
    [context.organizationId, context.actor.id, topic, isOn],
  );
}
