import { createHash } from "node:crypto";
import { AppError } from "@/lib/contract/error";
import { DEVICES_PER_PERSON, type PushSubscriptionFacts } from "@/lib/contract/notifications";
import type { MemberActor } from "@/lib/core/shared/context";
import { findOwnBrowser, hashBrowserIds } from "@/lib/core/shared/known-browsers";
import type { PushSetting } from "@/lib/core/shared/push-setting";
import type { BrowserFacts } from "@/lib/core/shared/session";
import { storableUserAgent } from "@/lib/core/sign-in/start-session";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * SQL: device `d`, whose session is `s`, may show what belongs to organization `o`. It shows what its browser may show:
 * nothing after the session was revoked, nor before a second factor that the organization requires. A session that only
 * expired keeps its device, or people who do not look for a week would no longer be notified.
 */
export const MAY_SHOW = `s.revoked_at is null
  and not (o.requires_second_factor and not s.has_second_factor and s.method = 'PASSWORD')`;

type DeviceBrowser = Pick<BrowserFacts, "userAgent" | "browserIds">;

/**
 * Registers the browser of this session as a device of its person, or renews it. A browser notifies one person: if
 * someone else registered it, it is now this one's. No step-up: the device shows no more than its session may, and ends
 * with it.
 * @throws AppError `INVALID_PARAMETERS` for an unusable subscription, or when the person has DEVICES_PER_PERSON others.
 */
export async function registerDevice(
  services: Pick<Services, "pool" | "clock">,
  setting: PushSetting,
  actor: MemberActor,
  { subscription }: { subscription: PushSubscriptionFacts },
  browser: DeviceBrowser,
): Promise<{ deviceId: string }> {
  await requireUsable(setting, subscription);
  return inTransaction(services.pool, async (client) => {
    await lockDevices(client, actor.id);
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int as count from push_devices where user_id = $1 and endpoint_hash <> $2",
      [actor.id, hashOf(subscription.endpoint)],
    );
    if ((rows[0]?.count ?? 0) >= DEVICES_PER_PERSON) {
      throw new AppError(
        "INVALID_PARAMETERS",
        `You have ${DEVICES_PER_PERSON} devices. Remove one of them first. Nothing was changed.`,
      );
    }
    return {
      deviceId: await writeDevice(client, services.clock.now(), setting, actor, subscription, browser),
    };
  });
}

/**
 * Replaces the subscription of the caller's device: browsers renew theirs at times.
 * @throws AppError `INVALID_PARAMETERS` where the old one is not of a device of theirs: it was removed.
 */
export async function renewDevice(
  services: Pick<Services, "pool" | "clock">,
  setting: PushSetting,
  actor: MemberActor,
  { oldEndpoint, subscription }: { oldEndpoint: string; subscription: PushSubscriptionFacts },
  browser: DeviceBrowser,
): Promise<void> {
  await requireUsable(setting, subscription);
  await inTransaction(services.pool, async (client) => {
    await lockDevices(client, actor.id);
    const { rowCount } = await client.query(
      "delete from push_devices where user_id = $1 and endpoint_hash = $2",
      [actor.id, hashOf(oldEndpoint)],
    );
    if (rowCount !== 1) throw noDevice();
    await writeDevice(client, services.clock.now(), setting, actor, subscription, browser);
  });
}

async function requireUsable(setting: PushSetting, subscription: PushSubscriptionFacts): Promise<void> {
  const problem = await setting.port.check(subscription);
  if (problem === null) return;
  throw new AppError("INVALID_PARAMETERS", `This browser's push service cannot be used. ${problem}`);
}

/** Two tabs that register at once are counted one after the other. Forgets what ended with its session. */
async function lockDevices(client: Queryable, userId: string): Promise<void> {
  await client.query("select 1 from users where id = $1 for no key update", [userId]);
  await client.query({
    name: "forget_own_ended_devices",
    // A session belongs to a person, not to an organization.
    text: `delete from push_devices d using sessions s
            where d.user_id = $1 and s.id = d.session_id and s.revoked_at is not null`,
    values: [userId],
  });
}

async function writeDevice(
  client: Queryable,
  now: Date,
  { subscriptions }: PushSetting,
  actor: MemberActor,
  subscription: PushSubscriptionFacts,
  { userAgent, browserIds }: DeviceBrowser,
): Promise<string> {
  const id = newId(now);
  await client.query({
    name: "write_push_device",
    // Also for a renewed device a new id, which its ciphertext names.
    text: `
      insert into push_devices as d (id, user_id, session_id, endpoint_hash, subscription, browser_hash, user_agent,
          created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (endpoint_hash) do update set id = excluded.id, user_id = excluded.user_id,
          session_id = excluded.session_id, subscription = excluded.subscription, browser_hash = excluded.browser_hash,
          user_agent = excluded.user_agent,
          created_at = case when d.user_id = excluded.user_id then d.created_at else excluded.created_at end,
          last_delivered_at = case when d.user_id = excluded.user_id then d.last_delivered_at end`,
    values: [
      id,
      actor.id,
      actor.sessionId,
      hashOf(subscription.endpoint),
      subscriptions.encrypt(JSON.stringify(subscription), id),
      await findOwnBrowser(client, actor.id, browserIds),
      storableUserAgent(userAgent),
      now,
    ],
  });
  return id;
}

/** @throws AppError `INVALID_PARAMETERS` for a device that is gone, or another person's. */
export async function removeDevice(
  services: Pick<Services, "pool">,
  actor: Pick<MemberActor, "id">,
  deviceId: string,
): Promise<void> {
  const { rowCount } = await services.pool.query("delete from push_devices where id = $1 and user_id = $2", [
    deviceId,
    actor.id,
  ]);
  if (rowCount !== 1) throw noDevice();
}

const noDevice = () => new AppError("INVALID_PARAMETERS", "This device is no longer registered.");

/**
 * At a sign-in: the person's device in this browser follows the new session, so that signing out ends it. Devices that
 * others registered in this browser are removed: the next person who looks at the screen is not them.
 */
export async function followBrowser(
  client: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
  browserIds: readonly string[],
): Promise<void> {
  if (browserIds.length === 0) return;
  const hashes = hashBrowserIds(browserIds);
  await client.query({
    name: "end_devices_of_others",
    text: "delete from push_devices where browser_hash = any ($2) and user_id <> $1",
    values: [userId, hashes],
  });
  await client.query({
    name: "follow_browser",
    text: "update push_devices set session_id = $2 where user_id = $1 and browser_hash = any ($3)",
    values: [userId, sessionId, hashes],
  });
}

function hashOf(endpoint: string): Buffer {
  return createHash("sha256").update(endpoint).digest();
}

/** The first letters of a device's hash, by which a page recognizes its own browser without showing the endpoint. */
export function deviceMark(endpointHash: Buffer): string {
  return endpointHash.toString("hex").slice(0, 16);
}
