import {
  type MessageChannel,
  type MessageKind,
  NOTICES,
  NOTIFICATION_TOPICS,
  type NoticeKind,
} from "@/lib/contract/notifications";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { PushText } from "@/lib/core/notifications/send-push";
import { MAY_SHOW } from "@/lib/core/sign-in/push-devices";
import { describeBrowser } from "@/lib/core/sign-in/sign-in-browser";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { RenderedEmail } from "@/lib/words/messages/email-layout";
import type { RenderedPush } from "@/lib/words/messages/push";

export interface OutgoingNotice {
  kind: NoticeKind;
  /** Proposals that the message is about: it appears in the history of each. */
  proposalIds: readonly string[];
  /** The member who decided, who needs no message. */
  exceptUserId: string | null;
  /** Of the owners and co-owners only these; unset: all. */
  onlyUserIds?: readonly string[];
  email: RenderedEmail;
  /** Null: no text message. */
  sms: string | null;
  /** Business time after which a device that was offline need not show it; unset: a day later. */
  usefulUntil?: Date;
}

/** `userId` null: every owner and co-owner. */
export type Addressed = Pick<DueNotice, "organizationId" | "userId" | "now">;

interface RecipientRow {
  userId: string;
  channel: MessageChannel;
  recipient: string;
}

/** One row of `messages`. */
interface NewMessage extends RecipientRow {
  id: string;
  subject: string | null;
  text: string;
  html: string | null;
  deviceId: string | null;
  /** Null: no limit. */
  goodForMs: number | null;
}

const DAY_MS = 86_400_000;

/**
 * Queues a notice to every owner and co-owner, or to the one person it concerns, by email and SMS and to their devices
 * according to the topic's settings and the person's preferences; by SMS only to verified numbers.
 */
export async function queueMessages(
  client: Queryable,
  notice: Addressed,
  outgoing: OutgoingNotice,
): Promise<void> {
  const { organizationId, now } = notice;
  const written = (await findRecipients(client, notice, outgoing)).map((row) => ({
    ...row,
    id: newId(now),
    subject: row.channel === "EMAIL" ? outgoing.email.subject : null,
    text: row.channel === "EMAIL" ? outgoing.email.text : (outgoing.sms ?? ""),
    html: row.channel === "EMAIL" ? outgoing.email.html : null,
    deviceId: null,
    goodForMs: null,
  }));
  const goodForMs = outgoing.usefulUntil ? outgoing.usefulUntil.getTime() - now.getTime() : DAY_MS;
  const shown = (await findDevices(client, notice, outgoing)).map((device) =>
    pushMessage(now, device, outgoing.email.push, goodForMs),
  );
  const messages = [...written, ...shown];
  if (messages.length === 0) return;
  await insertMessages(client, { organizationId, now }, outgoing, messages);
}

interface PushToDevice {
  kind: MessageKind;
  push: RenderedPush;
  goodForMs: number;
}

/**
 * Queues a notification to one device of a member, whatever they chose for topics; wake SEND_PUSH after it.
 * @returns 0 if it is not their device, or may not show what belongs to this organization; else 1.
 */
export async function queuePush(
  client: Queryable,
  to: { organizationId: string; userId: string; deviceId: string; now: Date },
  { kind, push, goodForMs }: PushToDevice,
): Promise<number> {
  const { rows } = await client.query<DeviceRow>({
    name: "find_own_device",
    text: `
      select d.id, d.user_id as "userId", d.user_agent as "userAgent" from push_devices d
        join sessions s on s.id = d.session_id
        join memberships m on m.organization_id = $1 and m.user_id = d.user_id
        join organizations o on o.id = m.organization_id
       where d.id = $2 and d.user_id = $3 and ${MAY_SHOW}`,
    values: [to.organizationId, to.deviceId, to.userId],
  });
  const messages = rows.map((device) => pushMessage(to.now, device, push, goodForMs));
  if (messages.length > 0) await insertMessages(client, to, { kind, proposalIds: [] }, messages);
  return messages.length;
}

function pushMessage(
  now: Date,
  device: DeviceRow,
  { title, body, url, denyUrl, about }: RenderedPush,
  goodForMs: number,
): NewMessage {
  const text: PushText = {
    body,
    path: pathOf(url),
    denyPath: denyUrl === null ? null : pathOf(denyUrl),
    about,
  };
  return {
    id: newId(now),
    userId: device.userId,
    channel: "PUSH",
    recipient: describeBrowser(device.userAgent),
    subject: title,
    text: JSON.stringify(text),
    html: null,
    deviceId: device.id,
    goodForMs: Math.max(0, goodForMs),
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

async function insertMessages(
  client: Queryable,
  { organizationId, now }: Pick<Addressed, "organizationId" | "now">,
  { kind, proposalIds }: { kind: MessageKind; proposalIds: readonly string[] },
  messages: readonly NewMessage[],
): Promise<void> {
  await client.query({
    name: "queue_messages",
    // `good_until` is real time, `$3` business time.
    text: `
      with queued as (insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
          created_at, due_at, device_id, good_until)
        select o.id, m.id, $2, m.channel, m."userId", m.recipient, m.subject, m.text, m.html, 'QUEUED', $3, '-infinity',
            m."deviceId",
            $3::timestamptz + (m."goodForMs" - o.clock_offset_ms) * interval '1 millisecond'
          from jsonb_to_recordset($4) as m (id uuid, channel text, "userId" uuid, recipient text, subject text, text text,
              html text, "deviceId" uuid, "goodForMs" bigint)
          join organizations o on o.id = $1
        returning id)
      insert into message_proposals (organization_id, proposal_id, message_id)
        select $1, p, queued.id from queued cross join unnest($5::uuid[]) p`,
    values: [organizationId, kind, now, JSON.stringify(messages), proposalIds],
  });
}

interface DeviceRow {
  id: string;
  userId: string;
  userAgent: string;
}

/** Bounds one notice: far more devices than the owners and co-owners of an organization have. */
const MAXIMUM_DEVICES = 500;

/** The devices of everyone who wants the topic on them. */
async function findDevices(
  client: Queryable,
  notice: Addressed,
  outgoing: OutgoingNotice,
): Promise<DeviceRow[]> {
  const topic = NOTICES[outgoing.kind].topic;
  const { rows } = await client.query<DeviceRow>({
    name: "find_devices_to_notify",
    text: `
      select d.id, d.user_id as "userId", d.user_agent as "userAgent"
        from memberships m
        join organizations o on o.id = m.organization_id
        join push_devices d on d.user_id = m.user_id
        join sessions s on s.id = d.session_id
        left join notification_preferences p
          on p.organization_id = m.organization_id and p.user_id = m.user_id and p.topic = $4
       where m.organization_id = $1 and m.user_id is distinct from $2
         and case when $3::uuid is null then m.role in ('OWNER', 'CO_OWNER') else m.user_id = $3 end
         and ($6::uuid[] is null or m.user_id = any ($6)) and coalesce(p.push, $5) and ${MAY_SHOW}
       order by d.id limit ${MAXIMUM_DEVICES}`,
    values: [
      notice.organizationId,
      outgoing.exceptUserId,
      notice.userId,
      topic,
      NOTIFICATION_TOPICS[topic].push === "ON",
      outgoing.onlyUserIds ?? null,
    ],
  });
  return rows;
}

/** Settings that are always or never sent override stored preferences, however those came into the table. */
async function findRecipients(
  client: Queryable,
  notice: Addressed,
  outgoing: OutgoingNotice,
): Promise<RecipientRow[]> {
  const topic = NOTICES[outgoing.kind].topic;
  const { email, sms } = NOTIFICATION_TOPICS[topic];
  const { rows } = await client.query<RecipientRow>({
    name: "find_recipients",
    text: `
      select u.id as "userId", way.channel, way.recipient
        from memberships m
        join users u on u.id = m.user_id
        left join notification_preferences p
          on p.organization_id = m.organization_id and p.user_id = m.user_id and p.topic = $4
        cross join lateral (values
          ('EMAIL', u.email, $5, p.email),
          ('SMS', case when u.phone_verified_at is not null then u.phone end, $6, p.sms)
        ) as way (channel, recipient, setting, choice)
       where m.organization_id = $1 and u.id is distinct from $2
         and case when $3::uuid is null then m.role in ('OWNER', 'CO_OWNER') else u.id = $3 end
         and ($7::uuid[] is null or u.id = any ($7)) and way.recipient is not null
         and case way.setting when 'ALWAYS' then true when 'NEVER' then false
               else coalesce(way.choice, way.setting = 'ON') end
       order by u.id, way.channel limit 100`,
    values: [
      notice.organizationId,
      outgoing.exceptUserId,
      notice.userId,
      topic,
      email,
      outgoing.sms === null ? "NEVER" : sms,
      outgoing.onlyUserIds ?? null,
    ],
  });
  return rows;
}
