import { AppError } from "@/lib/contract/error";
import { decidesMoney, type MemberRole, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { marksToText } from "@/lib/words/messages/isolates";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

type Answer = "OK" | "MAY_NOT" | "MISSING" | "LAST_OWNER";

/**
 * Changes a member's role, effective at their next request and their assistants'. Owners and the member are notified by
 * email.
 * @throws AppError `ACCESS_DENIED` for a role that the actor may not give or take, `INVALID_PARAMETERS` for a non-member
 * and for the last owner. NotConfirmed without presence where either role decides about money.
 */
export async function changeMemberRole(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  change: { userId: string; role: MemberRole },
): Promise<void> {
  const { organizationId, actor } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const before = await readRole(client, organizationId, change.userId);
    if (decidesMoney(change.role) || (before !== null && decidesMoney(before))) {
      await requirePresence(
        client,
        actor,
        services.clock.now(),
        `CHANGE_ROLE:${change.userId}:${change.role}`,
      );
    }
    const { rows } = await client.query<{ answer: Answer }>({
      name: "change_member_role",
      text: "select change_member_role($1, $2, $3, $4) as answer",
      values: [organizationId, actor.id, change.userId, change.role],
    });
    requireDone(rows[0]?.answer, "Nothing was changed.");
    if (before !== null && before !== change.role) {
      await noteMemberChange(client, context, { userId: change.userId, before, after: change.role });
    }
  });
  services.wake(SEND_MESSAGES);
}

/** Stable until the commit after `lockOrganization`. Null: they are not a member. */
async function readRole(
  client: Queryable,
  organizationId: string,
  userId: string,
): Promise<MemberRole | null> {
  const { rows } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2",
    [organizationId, userId],
  );
  return rows[0]?.role ?? null;
}

/** @throws AppError unless the database did it. */
export function requireDone(answer: Answer | undefined, consequence: string): void {
  if (answer === "OK") return;
  if (answer === "LAST_OWNER") {
    throw new AppError(
      "INVALID_PARAMETERS",
      `This is the only owner, and an organization needs one. ${consequence} Make someone else an owner first.`,
    );
  }
  if (answer === "MISSING") {
    throw new AppError("INVALID_PARAMETERS", `They are not a member of this organization. ${consequence}`);
  }
  throw new AppError(
    "ACCESS_DENIED",
    `Owners can change every member; co-owners can change accountants and viewers. ${consequence}`,
  );
}

/**
 * Removes a member, or lets the actor leave. In one transaction their sessions here end, and the assistants that they
 * connected, with waiting proposals and unsent transfers; keys that they created stay (docs/behavior/organizations.md).
 * Owners and the member are notified by email.
 * @throws AppError `ACCESS_DENIED` for a member whom the actor may not remove, `INVALID_PARAMETERS` for a non-member and
 * for the last owner. NotConfirmed without presence when removing another member who decides about money.
 */
export async function removeMember(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  userId: string,
): Promise<void> {
  const { organizationId, actor, now } = context;
  const realNow = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const role = await readRole(client, organizationId, userId);
    if (userId !== actor.id && role !== null && decidesMoney(role)) {
      await requirePresence(client, actor, realNow, `REMOVE_MEMBER:${userId}`);
    }
    const { rows } = await client.query<{ answer: Parameters<typeof requireDone>[0] }>({
      name: "remove_member",
      text: "select remove_member($1, $2, $3, $4, $5) as answer",
      values: [organizationId, actor.id, userId, now, realNow],
    });
    requireDone(rows[0]?.answer, "No one was removed.");
    if (role !== null) await noteMemberChange(client, context, { userId, before: role, after: null });
  });
  services.wake(SEND_MESSAGES);
}

/** Records who changed or removed a member, and queues the emails to the owners and the member, in the same transaction. */
async function noteMemberChange(
  client: Queryable,
  context: Context<MemberActor>,
  { userId, before, after }: { userId: string; before: MemberRole; after: MemberRole | null },
): Promise<void> {
  const { rows } = await client.query<{ id: string; name: string; email: string }>(
    "select id, name, email from users where id = $1",
    [userId],
  );
  const member = rows[0];
  if (!member) throw new Error("The changed member was not found.");
  await recordChange(client, context, {
    kind: after === null ? "MEMBER_REMOVED" : "MEMBER_ROLE",
    subject: member.name,
    before: ROLE_WORD[before],
    after: after === null ? null : ROLE_WORD[after],
  });
  await emailMemberChange(client, context, { member, before, after });
}

interface MemberChange {
  member: { id: string; name: string; email: string };
  before: MemberRole;
  /** Null: removed, or left. */
  after: MemberRole | null;
}

/** Changes within an hour of which owners are notified: one person may change many, and must not flood mailboxes. */
const NOTIFIED_PER_HOUR = 20;

/**
 * Queues an email to every owner and to the member: who decides about money, or sees it, has changed. Plain text without
 * a link, since an intended change needs no action. Call it after recording the change; wake SEND_MESSAGES after the
 * commit.
 */
async function emailMemberChange(
  client: Queryable,
  { organizationId, actor, now }: Pick<Context<MemberActor>, "organizationId" | "actor" | "now">,
  change: MemberChange,
): Promise<void> {
  const count = await countChanges(client, organizationId, now);
  if (count > NOTIFIED_PER_HOUR) return;
  const { subject, sentences } = wordsOf(actor, change);
  const last = "Further changes within this hour are not sent by email. See Settings, Organization.";
  const paragraphs = [...sentences, ...(count === NOTIFIED_PER_HOUR ? [last] : []), ""];
  const { rows } = await client.query<{ id: string; email: string }>(
    `select u.id, u.email from memberships m join users u on u.id = m.user_id
      where m.organization_id = $1 and m.role = 'OWNER' and u.id <> $2
      order by m.created_at, u.id limit 100`,
    [organizationId, change.member.id],
  );
  for (const { id, email } of [...rows, change.member]) {
    await client.query(
      `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, status,
          created_at, due_at)
       values ($1, $2, 'MEMBER_CHANGED', 'EMAIL', $3, $4, $5, $6, 'QUEUED', $7, '-infinity')`,
      [
        organizationId,
        newId(now),
        id,
        email,
        marksToText(subject),
        marksToText(paragraphs.join("\n\n")),
        now,
      ],
    );
  }
}

async function countChanges(client: Queryable, organizationId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from organization_changes
        where organization_id = $1 and kind in ('MEMBER_ROLE', 'MEMBER_REMOVED') and changed_at > $2
        limit ${NOTIFIED_PER_HOUR + 1}) recent`,
    [organizationId, new Date(now.getTime() - 60 * 60_000)],
  );
  return rows[0]?.count ?? 0;
}

function wordsOf(
  actor: Pick<MemberActor, "id" | "name">,
  { member, before, after }: MemberChange,
): { subject: string; sentences: string[] } {
  const who = isolatedName(member.name);
  const whole = `${who} (${nameText(member.email)})`;
  const by = isolatedName(actor.name);
  if (after !== null) {
    return {
      subject: `${who} is now ${ROLE_WORD[after].toLowerCase()}`,
      sentences: [
        `${by} changed the role of ${whole} from ${ROLE_WORD[before].toLowerCase()} to ${ROLE_WORD[after].toLowerCase()}.`,
        `What it means: ${ROLE_DOES[after]}.`,
        "If this was not intended, an owner can change it back under Members.",
      ],
    };
  }
  const hasLeft = actor.id === member.id;
  return {
    subject: hasLeft ? `${who} left` : `${who} was removed`,
    sentences: [
      hasLeft
        ? `${whole}, ${ROLE_WORD[before].toLowerCase()}, left the organization.`
        : `${by} removed ${whole}, ${ROLE_WORD[before].toLowerCase()}, from the organization.`,
      "Their sessions here have ended, and their assistants are disconnected. Keys that they created keep working until someone revokes them.",
    ],
  };
}
