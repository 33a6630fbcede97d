import { ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

export interface MemberChange {
  member: { id: string; name: string; email: string };
  before: MemberRole;
  /** Null: removed, or left. */
  after: MemberRole | null;
}

/** Changes within an hour of which owners are told: one person may change many, and must not fill anybody's mail. */
const TOLD_PER_HOUR = 20;

/**
 * Queues an email to every owner, and to the member themself: who decides about money, or sees it, has changed. In plain
 * text and without a link, because nothing has to be done when it was meant. Call it after the change was written down;
 * wake SEND_MESSAGES after the commit.
 */
export async function tellOfMemberChange(
  client: Queryable,
  { organizationId, actor, now }: Pick<Context<MemberActor>, "organizationId" | "actor" | "now">,
  change: MemberChange,
): Promise<void> {
  const count = await countChanges(client, organizationId, now);
  if (count > TOLD_PER_HOUR) return;
  const { subject, sentences } = wordsOf(actor, change);
  const last = "More changes within this hour are not told by email: look at Settings, Organization.";
  const text = [...sentences, ...(count === TOLD_PER_HOUR ? [last] : []), ""].join("\n\n");
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
      [organizationId, newId(now), id, email, subject, text, now],
    );
  }
}

async function countChanges(client: Queryable, organizationId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from organization_changes
        where organization_id = $1 and kind in ('MEMBER_ROLE', 'MEMBER_REMOVED') and changed_at > $2
        limit ${TOLD_PER_HOUR + 1}) told`,
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
      subject: `${who} is ${ROLE_WORD[after].toLowerCase()} now`,
      sentences: [
        `${by} changed the role of ${whole} from ${ROLE_WORD[before].toLowerCase()} to ${ROLE_WORD[after].toLowerCase()}.`,
        `What it means: ${ROLE_DOES[after]}.`,
        "If that was not meant, an owner can change it back under Members.",
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
      "Their sessions here have ended, and their assistants are disconnected. Keys that they made go on working until somebody revokes them.",
    ],
  };
}
