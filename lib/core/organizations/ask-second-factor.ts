import { AppError } from "@/lib/contract/error";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { hasEnrolledFactor } from "@/lib/core/sign-in/second-factors";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

/** Changes within an hour of which members are told: who switches to and fro must not fill anybody's mail. */
const TOLD_PER_HOUR = 4;

/** As many as the operator may add to an organization and the page lists (list-members.ts). */
const MAXIMUM_TOLD = 500;

/**
 * Asks a second factor of every member of the organization, or of nobody any more: a passkey, or the code of an app with
 * the password. It counts at the next request of every session, the open ones included: where none was given, nothing of
 * the organization is shown until it is. Keys and assistants are not people, and go on. Every member is told by email.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` where they have none themself:
 * the rule would lock out whoever made it. NotConfirmed without presence.
 */
export async function askSecondFactor(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { isAsked }: { isAsked: boolean },
): Promise<void> {
  const { actor } = context;
  await inTransaction(services.pool, async (client) => {
    // As where a factor is removed: of the two at the same moment, the second one finds what the first one did.
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    const isNew = await changeOrganization(client, context, "SECOND_FACTOR", isAsked);
    await requirePresence(client, actor, services.clock.now());
    if (isAsked && !(await hasEnrolledFactor(client, actor.id))) throw needsOwnFactor();
    if (isNew) await tellOfSecondFactor(client, context, isAsked);
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
 * Queues an email to every member, whoever changed it too: how they sign in is another one from now on. In plain text and
 * without a link: a mail that says "add a passkey here" is what a thief would send. Call it after the change was written
 * down; wake SEND_MESSAGES after the commit.
 */
async function tellOfSecondFactor(
  client: Queryable,
  { organizationId, actor, now }: Pick<Context<MemberActor>, "organizationId" | "actor" | "now">,
  isAsked: boolean,
): Promise<void> {
  if ((await countChanges(client, organizationId, now)) > TOLD_PER_HOUR) return;
  const { rows } = await client.query<{ id: string; email: string; organization_name: string }>(
    `select u.id, u.email, o.name as organization_name
       from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
      where m.organization_id = $1 order by m.created_at, u.id limit ${MAXIMUM_TOLD}`,
    [organizationId],
  );
  for (const { id, email, organization_name: name } of rows) {
    const { subject, sentences } = wordsOf(isolatedName(actor.name), isolatedName(name), isAsked);
    await client.query(
      `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, status,
          created_at, due_at)
       values ($1, $2, 'SIGN_IN_CHANGED', 'EMAIL', $3, $4, $5, $6, 'QUEUED', $7, '-infinity')`,
      [organizationId, newId(now), id, email, subject, [...sentences, ""].join("\n\n"), now],
    );
  }
}

async function countChanges(client: Queryable, organizationId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from organization_changes
        where organization_id = $1 and kind = 'SECOND_FACTOR' and changed_at > $2
        limit ${TOLD_PER_HOUR + 1}) told`,
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
      subject: `${organization} asks for a second factor no longer`,
      sentences: [
        `${by} changed how members sign in to ${organization}: a password alone is enough again, for whoever has neither a passkey nor an authenticator app.`,
        "If that was not meant, an owner or co-owner can change it back under Members.",
      ],
    };
  }
  return {
    subject: `${organization} asks for a second factor`,
    sentences: [
      `${by} changed how members sign in to ${organization}: a password alone is not enough any more.`,
      "If you sign in with a passkey, or with your password and an authenticator app, nothing changes. If not, you are asked to add one of them the next time that you open Sluice; until then it shows you nothing of the organization.",
    ],
  };
}
