import {
  type ChannelSetting,
  NOTIFICATION_TOPICS,
  type NotificationTopic,
  notificationTopicSchema,
} from "@/lib/contract/notifications";
import type { TopicView } from "@/lib/contract/views/notifications-view";
import type { Queryable } from "@/lib/db/transaction";

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
