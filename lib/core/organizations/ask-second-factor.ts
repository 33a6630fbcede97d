import { AppError } from "@/lib/contract/error";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { hasEnrolledFactor } from "@/lib/core/sign-in/second-factors";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { marksToText } from "@/lib/words/messages/isolates";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

/** Changes within an hour of which members are notified: repeated switching must not flood mailboxes. */
const NOTIFIED_PER_HOUR = 4;

/** As many as the operator may add to an organization and the page lists (list-members.ts). */
const MAXIMUM_NOTIFIED = 500;

/**
 * Requires a second factor of every member, or stops requiring it: a passkey, or an app's code with the password. Applies
 * at the next request of every session: until one is given, the organization is not shown. Keys and assistants are not
 * affected. Every member is notified by email.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` where they have none
 * themselves: they would lock themselves out. NotConfirmed without presence.
 */
export async function askSecondFactor(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { isAsked }: { isAsked: boolean },
): Promise<void> {
  const { actor } = context;
  await inTransaction(services.pool, async (client) => {
    // Locked as in the removal of a factor: of two at once, the second one finds what the first one did.
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    const isNew = await changeOrganization(client, context, "SECOND_FACTOR", isAsked);
    await requirePresence(client, actor, services.clock.now(), `REQUIRE_SECOND_FACTOR:${isAsked}`);
    if (isAsked && !(await hasEnrolledFactor(client, actor.id))) throw needsOwnFactor();
    if (isNew) await noteSecondFactor(client, context, isAsked);
  });
  services.wake(SEND_MESSAGES);
}

function needsOwnFactor(): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    "You have no second factor yourself. Nothing was changed. Add a passkey or an authenticator app under Settings, Security first.",
  );
}

/**
 * Queues an email to every member, the author included, because their sign-in changes. Plain text without a link: a mail
 * with "add a passkey here" is what a phisher would send. Call it after recording the change; wake SEND_MESSAGES after
 * the commit.
 */
async function noteSecondFactor(
  client: Queryable,
  { organizationId, actor, now }: Pick<Context<MemberActor>, "organizationId" | "actor" | "now">,
  isAsked: boolean,
): Promise<void> {
  if ((await countChanges(client, organizationId, now)) > NOTIFIED_PER_HOUR) return;
  const { rows } = await client.query<{ id: string; email: string; organizationName: string }>(
    `select u.id, u.email, o.name as "organizationName"
       from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = $1 order by m.created_at, u.id limit ${MAXIMUM_NOTIFIED}`,
    [organizationId],
  );
  for (const { id, email, organizationName: name } of rows) {
    const { subject, sentences } = wordsOf(isolatedName(actor.name), isolatedName(name), isAsked);
    await client.query(
      `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, status,
          created_at, due_at)
       values ($1, $2, 'SIGN_IN_CHANGED', 'EMAIL', $3, $4, $5, $6, 'QUEUED', $7, '-infinity')`,
      [
        organizationId,
        newId(now),
        id,
        email,
        marksToText(subject),
        marksToText([...sentences, ""].join("\n\n")),
        now,
      ],
    );
  }
}

async function countChanges(client: Queryable, organizationId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from organization_changes
        where organization_id = $1 and kind = 'SECOND_FACTOR' and changed_at > $2
        limit ${NOTIFIED_PER_HOUR + 1}) recent`,
    [organizationId, new Date(now.getTime() - 60 * 60_000)],
  );
  return rows[0]?.count ?? 0;
}

function wordsOf(
  by: string,
  organization: string,
  isAsked: boolean,
): { subject: string; sentences: string[] } {
  if (!isAsked) {
    return {
      subject: `${organization} no longer requires a second factor`,
      sentences: [
        `${by} changed how members sign in to ${organization}: members without a passkey or authenticator app can sign in with a password alone again.`,
        "If this was not intended, an owner or co-owner can change it back under Members.",
      ],
    };
  }
  return {
    subject: `${organization} requires a second factor`,
    sentences: [
      `${by} changed how members sign in to ${organization}: a password alone is no longer enough.`,
      "If you sign in with a passkey, or with your password and an authenticator app, nothing changes. Otherwise, Sluice asks you to add one the next time you open it, and does not show the organization until you do.",
    ],
  };
}
