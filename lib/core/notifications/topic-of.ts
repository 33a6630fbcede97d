import {
  NOTIFICATION_TOPICS,
  type NoticeKind,
  type NotificationTopic,
  notificationTopicSchema,
} from "@/lib/contract/notifications";

/** @throws RangeError for a kind without a topic, which nobody could switch off. */
export function topicOf(kind: NoticeKind): NotificationTopic {
  const topic = notificationTopicSchema.options.find((one) => NOTIFICATION_TOPICS[one].kinds.includes(kind));
  if (topic === undefined) throw new RangeError(`There is no topic for ${kind}`);
  return topic;
}
