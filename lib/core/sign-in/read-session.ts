import { z } from "zod";
import type { MemberActor } from "@/lib/core/shared/context";
import { SESSION_IDLE_MS, type SignInMethod } from "@/lib/core/shared/session";
import type { Services } from "@/lib/platform/services";

export interface CurrentSession {
  actor: MemberActor;
  /** The organization that this browser shows. */
  organization: { id: string; name: string; timeZone: string; clockOffsetMs: number };
  /** That organization's onboarding is not finished. */
  isOnboarding: boolean;
  /** All of this member's, the current one included; by name, at most 100. */
  organizations: { id: string; name: string }[];
  session: { id: string; method: SignInMethod; authenticatedAt: Date; expiresAt: Date };
  /**
   * That organization requires a second factor that this browser has not given: the member may only give one, switch to
   * another organization, or leave.
   */
  lacksSecondFactor: boolean;
}

interface SessionRow {
  userId: string;
  name: string;
  email: string;
  role: MemberActor["role"];
  method: SignInMethod;
  authenticatedAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  organizationId: string;
  organizationName: string;
  timeZone: string;
  clockOffsetMs: number;
  isOnboarding: boolean;
  lacksSecondFactor: boolean;
}

const HOUR_MS = 60 * 60_000;

/**
 * The member at this browser, with current role and organizations; called for every request. If the membership that they
 * viewed is gone, another of theirs is shown.
 * @param proposalId shows the proposal's organization in this request only, if it is one of theirs; the session keeps
 * its own
 * @returns null when the session was ended, has expired (30 days, or 7 without a request), or no membership is left.
 */
export async function readSession(
  services: Pick<Services, "pool" | "clock">,
  sessionId: string,
  proposalId: string | null = null,
): Promise<CurrentSession | null> {
  if (!z.uuid().safeParse(sessionId).success) return null;
  const now = services.clock.now();
  const { rows } = await services.pool.query<SessionRow>({
    name: "read_session",
    text: `select s.user_id as "userId", u.name, u.email, m.role, s.method, s.authenticated_at as "authenticatedAt",
        s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
        o.id as "organizationId", o.name as "organizationName", o.time_zone as "timeZone",
        o.clock_offset_ms as "clockOffsetMs",
        i.organization_id is not null and i.onboarded_at is null as "isOnboarding",
        o.requires_second_factor and not s.has_second_factor and s.method = 'PASSWORD' as "lacksSecondFactor"
      from sessions s
      join users u on u.id = s.user_id
      join memberships m on m.user_id = s.user_id
      join organizations o on o.id = m.organization_id
      left join identity_checks i on i.organization_id = o.id
      where s.id = $1 and s.revoked_at is null and s.expires_at > $2 and s.last_seen_at > $3
      order by (o.id = (
          select own.organization_id from sessions viewed
            join memberships own on own.user_id = viewed.user_id
            cross join lateral (
              select from proposals p where p.organization_id = own.organization_id and p.id = $4
              union all
              select from transfer_batches b where b.organization_id = own.organization_id and b.id = $4) asked
           where viewed.id = $1 limit 1)) desc nulls last, (o.id = s.organization_id) desc, o.name, o.id
      limit 100`,
    values: [sessionId, now, new Date(now.getTime() - SESSION_IDLE_MS), proposalId],
  });
  const current = rows[0];
  if (!current) return null;
  // Hourly is precise enough for days of idleness, and avoids a write per request.
  if (current.lastSeenAt.getTime() < now.getTime() - HOUR_MS) await touch(services, sessionId, now);
  return toCurrentSession(sessionId, current, rows);
}

async function touch(services: Pick<Services, "pool">, sessionId: string, now: Date): Promise<void> {
  await services.pool.query("update sessions set last_seen_at = greatest(last_seen_at, $2) where id = $1", [
    sessionId,
    now,
  ]);
}

function toCurrentSession(sessionId: string, current: SessionRow, rows: SessionRow[]): CurrentSession {
  return {
    actor: {
      kind: "MEMBER",
      id: current.userId,
      name: current.name,
      email: current.email,
      role: current.role,
      sessionId,
      authenticatedAt: current.authenticatedAt,
    },
    organization: {
      id: current.organizationId,
      name: current.organizationName,
      timeZone: current.timeZone,
      clockOffsetMs: current.clockOffsetMs,
    },
    isOnboarding: current.isOnboarding,
    organizations: rows
      .map((row) => ({ id: row.organizationId, name: row.organizationName }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    session: {
      id: sessionId,
      method: current.method,
      authenticatedAt: current.authenticatedAt,
      expiresAt: current.expiresAt,
    },
    lacksSecondFactor: current.lacksSecondFactor,
  };
}
