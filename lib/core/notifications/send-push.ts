import { createHash } from "node:crypto";
import { z } from "zod";
import { isUrgent, pushSubscriptionSchema } from "@/lib/contract/notifications";
import { type LeasedMessage, leaseMessages, sendLeased } from "@/lib/core/notifications/send-messages";
import type { PushSetting } from "@/lib/core/shared/push-setting";
import { MAY_SHOW } from "@/lib/core/sign-in/push-devices";
import { DecryptionFailed } from "@/lib/platform/encryption";
import type { Services } from "@/lib/platform/services";
import { MessageNotSent, SUBSCRIPTION_ENDED } from "@/lib/ports/messages/message-ports";

/** What a push message keeps as its text until it is sent; `public/sw.js` reads it, with the tag. */
export const pushTextSchema = z.object({
  body: z.string(),
  /** Paths of this server, never a whole address: the device opens no other site. */
  path: z.string(),
  denyPath: z.string().nullable(),
  about: z.string().nullable(),
});
export type PushText = z.infer<typeof pushTextSchema>;

/** RFC 8030: push services keep a message no longer than this anyway. */
const MAXIMUM_KEPT_SECONDS = 28 * 86_400;
const TOPIC_LENGTH = 32;

/**
 * Sends queued notifications to devices, as `sendMessages` does, as a kind of work of its own: a push service that never
 * answers delays no email. A crash may repeat one; the device then replaces it, because the tag is the same.
 * @returns how many were leased.
 */
export async function sendPush(
  services: Pick<Services, "pool" | "clock" | "log">,
  setting: PushSetting,
  limit: number,
): Promise<number> {
  const rows = await leaseMessages(services, ["PUSH"], limit);
  await Promise.all(rows.map((row) => sendLeased(services, row, () => sendToDevice(services, setting, row))));
  return rows.length;
}

async function sendToDevice(
  services: Pick<Services, "pool" | "clock">,
  { port, subscriptions }: PushSetting,
  row: LeasedMessage,
): Promise<void> {
  const sealed = await findDevice(services, row);
  if (sealed === null) throw new MessageNotSent("PERMANENT", "NO_DEVICE", "The device was removed.");
  const subscription = readSubscription(subscriptions, sealed, row.deviceId ?? "");
  const { about, ...text } = pushTextSchema.parse(JSON.parse(row.bodyText));
  const tag = about ?? row.id;
  const leftMs = row.goodUntil === null ? 0 : row.goodUntil.getTime() - services.clock.now().getTime();
  try {
    await port.send({
      subscription,
      payload: JSON.stringify({ title: row.subject ?? "", ...text, tag }),
      keepSeconds: Math.min(MAXIMUM_KEPT_SECONDS, Math.max(0, Math.ceil(leftMs / 1_000))),
      isUrgent: isUrgent(row.kind),
      topic: createHash("sha256").update(tag).digest("base64url").slice(0, TOPIC_LENGTH),
    });
  } catch (error) {
    if (error instanceof MessageNotSent && error.code === SUBSCRIPTION_ENDED) await forget(services, row);
    throw error;
  }
  await services.pool.query(
    "update push_devices set last_delivered_at = greatest(last_delivered_at, $2) where id = $1",
    [row.deviceId, services.clock.now()],
  );
}

/** The encrypted subscription, if the device may still show this: since it was queued, its person may have left. */
async function findDevice(services: Pick<Services, "pool">, row: LeasedMessage): Promise<Buffer | null> {
  const { rows } = await services.pool.query<{ subscription: Buffer }>({
    name: "find_push_device",
    text: `
      select d.subscription
        from push_devices d
        join sessions s on s.id = d.session_id
        join memberships m on m.organization_id = $1 and m.user_id = d.user_id
        join organizations o on o.id = m.organization_id
       where d.id = $2 and d.user_id = $3 and ${MAY_SHOW}`,
    values: [row.organizationId, row.deviceId, row.userId],
  });
  return rows[0]?.subscription ?? null;
}

function readSubscription(subscriptions: PushSetting["subscriptions"], sealed: Buffer, deviceId: string) {
  try {
    return pushSubscriptionSchema.parse(JSON.parse(subscriptions.decrypt(sealed, deviceId)));
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    // The operator may have started with the wrong secret; with the right one a retry succeeds.
    throw new MessageNotSent("TEMPORARY", "DECRYPTION", "The device's registration cannot be decrypted.", {
      cause: error,
    });
  }
}

async function forget(services: Pick<Services, "pool">, row: LeasedMessage): Promise<void> {
  await services.pool.query("delete from push_devices where id = $1", [row.deviceId]);
}
