import { MAXIMUM_INVITATIONS, MEMBER_ROLES, type MemberRole, managedRoles } from "@/lib/contract/members";
import { keyHref } from "@/lib/core/keys/key-facts";
import { requireDone } from "@/lib/core/organizations/change-member";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { SESSION_IDLE_MS } from "@/lib/core/shared/session";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Services } from "@/lib/platform/services";
import type { Reading, TimedReading } from "@/lib/views/reading";

/** Above MAXIMUM_MEMBERS: the operator can add more than can be invited. */
const MAXIMUM_LISTED = 500;

/**
 * The members of an organization, for any member; only deciders see how each signs in.
 * @param setting with real time: joining and signing in do not follow the sandbox's clock
 */
export async function listMembers(
  { services, context, time }: TimedReading<"pool" | "clock">,
  { organizationName }: { organizationName: string },
) {
  const now = services.clock.now();
  const [members, invitations, viewerHasPasskey, asksSecondFactor] = await Promise.all([
    readMembers(services, context),
    readInvitations(services, context, now),
    hasPasskey(services.pool, context.actor.id),
    readDemand(services, context),
  ]);
  return {
    organizationName,
    time,
    /** Owners first, then in order of joining. */
    members,
    invitations,
    viewer: { roles: managedRoles(context.actor.role), hasPasskey: viewerHasPasskey },
    /** Whether every member must have a second factor. */
    asksSecondFactor,
  };
}

/** The page of an organization's members. */
export type MembersView = Awaited<ReturnType<typeof listMembers>>;

async function readDemand(
  services: Pick<Services, "pool">,
  { organizationId }: Context<MemberActor>,
): Promise<boolean> {
  const { rows } = await services.pool.query<{ asks: boolean }>({
    name: "asks_second_factor",
    text: "select requires_second_factor as asks from organizations where id = $1",
    values: [organizationId],
  });
  return rows[0]?.asks === true;
}

interface MemberRow {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  joinedAt: Date;
  invitedByName: string | null;
  passkeys: number;
  hasAuthenticator: boolean;
  lastSeenAt: Date | null;
}

async function readMembers(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
) {
  const { rows } = await services.pool.query<MemberRow>({
    name: "list_members",
    // Memberships elsewhere, and activity there, are not disclosed to this organization.
    text: `
      select u.id, u.name, u.email, m.role, m.created_at as "joinedAt", i.name as "invitedByName",
          (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
          exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null) as "hasAuthenticator",
          (select max(s.last_seen_at) from sessions s
            where s.user_id = u.id and s.organization_id = m.organization_id) as "lastSeenAt"
        from memberships m join users u on u.id = m.user_id left join users i on i.id = m.invited_by
       where m.organization_id = $1
       order by array_position($2::text[], m.role), m.created_at, u.id limit ${MAXIMUM_LISTED}`,
    values: [organizationId, MEMBER_ROLES],
  });
  const given = managedRoles(actor.role);
  const isOnlyOwner = (row: MemberRow) =>
    row.role === "OWNER" && !rows.some((other) => other.role === "OWNER" && other.id !== row.id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    isYou: row.id === actor.id,
    joinedAt: row.joinedAt.toISOString(),
    /** Null: they set Sluice up, or its operator added them. */
    invitedByName: row.invitedByName,
    /** How they sign in, for readers who decide; null for others. */
    security: mayDecide(actor)
      ? {
          passkeyCount: row.passkeys,
          hasAuthenticator: row.hasAuthenticator,
          lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
        }
      : null,
    /** Roles the reader may give them; empty if the reader may not change it. */
    roles: given.includes(row.role) && !isOnlyOwner(row) ? given : [],
    canRemove: (given.includes(row.role) || row.id === actor.id) && !isOnlyOwner(row),
  }));
}

export type MemberRowView = Awaited<ReturnType<typeof readMembers>>[number];

interface InvitationRow {
  id: string;
  email: string;
  role: MemberRole;
  invitedBy: string;
  invitedByName: string;
  invitedAt: Date;
  expiresAt: Date;
  isGood: boolean;
}

/** For members who may invite; to others it would only expose people who have not accepted. */
async function readInvitations(
  services: Pick<Services, "pool">,
  { organizationId, actor }: Context<MemberActor>,
  now: Date,
) {
  const given = managedRoles(actor.role);
  if (given.length === 0) return [];
  const { rows } = await services.pool.query<InvitationRow>({
    name: "list_invitations",
    text: `
      select v.id, v.email, v.role, v.invited_by as "invitedBy", u.name as "invitedByName",
          v.invited_at as "invitedAt", v.expires_at as "expiresAt",
          coalesce(may_manage_role(m.role, v.role), false) as "isGood"
        from invitations v join users u on u.id = v.invited_by
        left join memberships m on m.organization_id = v.organization_id and m.user_id = v.invited_by
       where v.organization_id = $1
       order by v.invited_at desc, v.id desc limit ${MAXIMUM_INVITATIONS + 1}`,
    values: [organizationId],
  });
  return rows.map(({ invitedBy, isGood, ...row }) => ({
    ...row,
    isByYou: invitedBy === actor.id,
    invitedAt: row.invitedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    /** Its week is over, or its sender may no longer invite: the link no longer works. */
    isOver: !isGood || row.expiresAt <= now,
    canChange: given.includes(row.role),
  }));
}

export type InvitationRowView = Awaited<ReturnType<typeof readInvitations>>[number];

const MAXIMUM_NAMED = 10;

interface PreviewRow {
  sessions: number;
  keys: { id: string; name: string; isAssistant: boolean }[] | null;
}

/**
 * What ends when this member leaves, and what stays.
 * @throws AppError `ACCESS_DENIED` unless requested by an owner or co-owner, or the member themself.
 */
export async function previewRemoval(
  { services, context: { organizationId, actor, now } }: Reading<"pool" | "clock">,
  userId: string,
) {
  if (userId !== actor.id && !mayDecide(actor)) requireDone("MAY_NOT", "No one was removed.");
  const realNow = services.clock.now();
  const { rows } = await services.pool.query<PreviewRow>({
    name: "preview_removal",
    text: `
      select
        (select count(*)::int from sessions s where s.user_id = $2 and s.organization_id = $1 and s.revoked_at is null
           and s.expires_at > $3 and s.last_seen_at > $4) as sessions,
        (select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'isAssistant', k.client_id is not null)
             order by k.id)
           from api_keys k where k.organization_id = $1 and k.created_by = $2 and k.revoked_at is null
             and (k.ends_at is null or k.ends_at > $5)) as keys`,
    values: [organizationId, userId, realNow, new Date(realNow.getTime() - SESSION_IDLE_MS), now],
  });
  const made = rows[0]?.keys ?? [];
  const assistants = made.filter(({ isAssistant }) => isAssistant);
  const keys = made.filter(({ isAssistant }) => !isAssistant);
  return {
    sessionCount: rows[0]?.sessions ?? 0,
    /** Assistants that they connected; at most ten are named. */
    assistantNames: assistants.slice(0, MAXIMUM_NAMED).map(({ name }) => name),
    assistantCount: assistants.length,
    /** Active keys they created; at most ten are named. */
    keys: keys.slice(0, MAXIMUM_NAMED).map(({ id, name }) => ({ name, href: keyHref(id) })),
    keyCount: keys.length,
  };
}

/** What ends and what stays when a member is removed. */
export type RemovalView = Awaited<ReturnType<typeof previewRemoval>>;
