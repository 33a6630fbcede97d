import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { inviteAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import {
  INVITATION_LIFETIME_MS,
  MAXIMUM_INVITATIONS,
  MAXIMUM_MEMBERS,
  type MemberRole,
  managedRoles,
  ROLE_WORD,
} from "@/lib/contract/members";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import { takeInvitation } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOrganization, mayNotInvite, requireMayInvite } from "@/lib/core/sign-in/lock-organization";
import { emailSchema } from "@/lib/core/sign-in/person";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { renderInvitation } from "@/lib/words/messages/member-messages";

export const newInvitationSchema = z.object({ email: emailSchema, role: memberRoleSchema });

type InviteServices = Pick<Services, "pool" | "clock" | "wake" | "appUrl">;

/**
 * Invites an address with a role: an emailed link, valid for a few days and one use. The inviter cannot see whether the
 * address has an account here.
 * @throws AppError `ACCESS_DENIED` for a role that the member may not give; `INVALID_PARAMETERS` for an invalid address, a
 * member, and an address already invited; `RATE_LIMIT_EXCEEDED` after too many invitations. NotConfirmed without presence
 * where the role decides about money.
 */
export async function inviteMember(
  services: InviteServices,
  context: Context<MemberActor>,
  { email, role }: z.output<typeof newInvitationSchema>,
  setting: { isSandboxBank: boolean },
): Promise<void> {
  if (!managedRoles(context.actor.role).includes(role)) throw mayNotInvite(role);
  await takeInvitation(services, context.organizationId, { email, noun: "invitations" });
  const realNow = services.clock.now();
  const { token, tokenHash } = makeToken();
  const expiresAt = new Date(realNow.getTime() + INVITATION_LIFETIME_MS);
  await inTransaction(services.pool, async (client) => {
    const organizationName = await lockOrganization(client, context.organizationId);
    await requireMayInvite(client, context, role, realNow, inviteAct({ email, role }));
    await requireRoom(client, context.organizationId, email, realNow);
    await client.query(
      `insert into invitations (organization_id, id, email, role, token_hash, invited_by, invited_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (organization_id, email) do update set role = excluded.role, token_hash = excluded.token_hash,
         invited_by = excluded.invited_by, invited_at = excluded.invited_at, expires_at = excluded.expires_at`,
      [context.organizationId, newId(realNow), email, role, tokenHash, context.actor.id, realNow, expiresAt],
    );
    const invitation = { organizationName, email, role, token, expiresAt };
    await queueInvitation(client, services, context, invitation, setting);
    await recordInvitation(client, context, "MEMBER_INVITED", { email, role });
  });
  services.wake(SEND_MESSAGES);
}

async function recordInvitation(
  client: Queryable,
  context: Context<MemberActor>,
  kind: "MEMBER_INVITED" | "INVITATION_WITHDRAWN",
  { email, role }: { email: string; role: MemberRole },
): Promise<void> {
  await recordChange(client, context, { kind, subject: email, before: null, after: ROLE_WORD[role] });
}

function makeToken(): { token: string; tokenHash: Buffer } {
  const token = newInvitationToken();
  const tokenHash = hashInvitationToken(token);
  if (!tokenHash) throw new Error("A new token has no hash.");
  return { token, tokenHash };
}

async function requireRoom(
  client: Queryable,
  organizationId: string,
  email: string,
  realNow: Date,
): Promise<void> {
  const { rows } = await client.query<{
    isMember: boolean;
    isInvited: boolean;
    waiting: number;
    members: number;
  }>(
    `select
        exists (select from memberships m join users u on u.id = m.user_id
          where m.organization_id = $1 and lower(u.email) = $2) as "isMember",
        exists (select from invitations v
          where v.organization_id = $1 and v.email = $2 and v.expires_at > $3) as "isInvited",
        (select count(*)::int from invitations v where v.organization_id = $1 and v.email <> $2) as waiting,
        (select count(*)::int from memberships m where m.organization_id = $1) as members`,
    [organizationId, email, realNow],
  );
  const found = rows[0];
  if (!found) throw new Error("Counting members returned no row.");
  if (found.isMember) throw refused("is already a member");
  if (found.isInvited) throw refused("is already invited. Resend that invitation, or withdraw it first");
  if (found.waiting >= MAXIMUM_INVITATIONS || found.members + found.waiting >= MAXIMUM_MEMBERS) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `The limit is reached (${MAXIMUM_INVITATIONS} invitations at a time, ${MAXIMUM_MEMBERS} members). Withdraw an invitation first.`,
    );
  }
}

function refused(problem: string): AppError {
  const message = `This address ${problem}.`;
  return new AppError("INVALID_PARAMETERS", message, [{ field: "email", message }]);
}

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, as in the address in the email. */
function newInvitationToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash of a token; null for a malformed one. */
export function hashInvitationToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash("sha256").update(token).digest() : null;
}

/** The token is in the path, and in no other address. */
export function invitationHref(token: string): string {
  return `/invitations/${encodeURIComponent(token)}`;
}

interface QueuedInvitation {
  organizationName: string;
  email: string;
  role: MemberRole;
  /** In clear text: only in this message, until it is sent. */
  token: string;
  /** Real time. */
  expiresAt: Date;
}

/** Queues the email with the link, in the transaction of the invitation; wake SEND_MESSAGES after it. */
async function queueInvitation(
  client: Queryable,
  { appUrl }: Pick<Services, "appUrl">,
  { organizationId, actor, now }: Context<MemberActor>,
  { organizationName, email, role, token, expiresAt }: QueuedInvitation,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<void> {
  const { rows } = await client.query<{ timeZone: string }>(
    `select time_zone as "timeZone" from organizations where id = $1`,
    [organizationId],
  );
  const rendered = renderInvitation(
    { invitedBy: actor.name, role, expiresAt, invitationUrl: `${appUrl}${invitationHref(token)}` },
    { organizationName, timeZone: rows[0]?.timeZone ?? "UTC", isSandboxBank },
  );
  await client.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
        created_at, due_at, good_until)
     values ($1, $2, 'INVITATION', 'EMAIL', null, $3, $4, $5, $6, 'QUEUED', $7, '-infinity', $8)`,
    [organizationId, newId(now), email, rendered.subject, rendered.text, rendered.html, now, expiresAt],
  );
}

/**
 * Resends an invitation with a new link and another 7 days, replacing the old link. The sender becomes the inviter.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` when it is no longer pending, `RATE_LIMIT_EXCEEDED`;
 * NotConfirmed without presence where the role decides about money.
 */
export async function resendInvitation(
  services: InviteServices,
  context: Context<MemberActor>,
  invitationId: string,
  setting: { isSandboxBank: boolean },
): Promise<void> {
  const { email } = await findWaiting(services.pool, context.organizationId, invitationId);
  await takeInvitation(services, context.organizationId, { email, noun: "invitations" });
  const realNow = services.clock.now();
  const { token, tokenHash } = makeToken();
  const expiresAt = new Date(realNow.getTime() + INVITATION_LIFETIME_MS);
  await inTransaction(services.pool, async (client) => {
    const organizationName = await lockOrganization(client, context.organizationId);
    const { role } = await findWaiting(client, context.organizationId, invitationId);
    await requireMayInvite(client, context, role, realNow, `RESEND_INVITATION:${invitationId}`);
    const { rowCount } = await client.query(
      `update invitations set token_hash = $3, invited_by = $4, invited_at = $5, expires_at = $6
        where organization_id = $1 and id = $2`,
      [context.organizationId, invitationId, tokenHash, context.actor.id, realNow, expiresAt],
    );
    if (rowCount !== 1) throw waitsNoLonger();
    const invitation = { organizationName, email, role, token, expiresAt };
    await queueInvitation(client, services, context, invitation, setting);
    await recordInvitation(client, context, "MEMBER_INVITED", { email, role });
  });
  services.wake(SEND_MESSAGES);
}

/** @throws AppError `INVALID_PARAMETERS` for one that was accepted or withdrawn, or is another organization's. */
async function findWaiting(
  database: Queryable,
  organizationId: string,
  invitationId: string,
): Promise<{ email: string; role: MemberRole }> {
  const { rows } = await database.query<{ email: string; role: MemberRole }>(
    "select email, role from invitations where organization_id = $1 and id = $2",
    [organizationId, invitationId],
  );
  if (!rows[0]) throw waitsNoLonger();
  return rows[0];
}

function waitsNoLonger(): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    "This invitation is no longer pending: it was accepted or withdrawn. Reload the page.",
  );
}

/**
 * Withdraws an invitation and revokes its link. No step-up: it only removes access.
 * @throws AppError `ACCESS_DENIED` for a member who could not have sent it, `INVALID_PARAMETERS` when it is no longer
 * pending.
 */
export async function withdrawInvitation(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  invitationId: string,
): Promise<void> {
  const { organizationId, actor } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const invitation = await findWaiting(client, organizationId, invitationId);
    const { role } = invitation;
    const { rows } = await client.query<{ role: MemberRole }>(
      "select role from memberships where organization_id = $1 and user_id = $2 for share",
      [organizationId, actor.id],
    );
    const own = rows[0]?.role;
    if (own === undefined || !managedRoles(own).includes(role)) throw mayNotInvite(role);
    await client.query("delete from invitations where organization_id = $1 and id = $2", [
      organizationId,
      invitationId,
    ]);
    await recordInvitation(client, context, "INVITATION_WITHDRAWN", invitation);
  });
}
