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
  user_id: string;
  name: string;
  email: string;
  role: MemberActor["role"];
  method: SignInMethod;
  authenticated_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  organization_id: string;
  organization_name: string;
  time_zone: string;
  clock_offset_ms: number;
  is_onboarding: boolean;
  lacks_second_factor: boolean;
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
    text: `select s.user_id, u.name, u.email, m.role, s.method, s.authenticated_at, s.last_seen_at, s.expires_at,
        o.id as organization_id, o.name as organization_name, o.time_zone, o.clock_offset_ms,
        i.organization_id is not null and i.onboarded_at is null as is_onboarding,
        o.requires_second_factor and not s.has_second_factor and s.method = 'PASSWORD' as lacks_second_factor
      from sessions s
      join users u on u.id = s.user_id
      join memberships m on m.user_id = s.user_id
      join organizations o on o.id = m.organization_id
      left join identity_checks i on i.organization_id = o.id
      where s.id = $1 and s.revoked_at is null and s.expires_at > $2 and s.last_seen_at > $3
      order by (o.id = (
          select p.organization_id from sessions viewed
            join memberships own on own.user_id = viewed.user_id
            join proposals p on p.organization_id = own.organization_id and p.id = $4
           where viewed.id = $1 limit 1)) desc nulls last, (o.id = s.organization_id) desc, o.name, o.id
      limit 100`,
    values: [sessionId, now, new Date(now.getTime() - SESSION_IDLE_MS), proposalId],
  });
  const current = rows[0];
  if (!current) return null;
  // Hourly is precise enough for days of idleness, and avoids a write per request.
  if (current.last_seen_at.getTime() < now.getTime() - HOUR_MS) await touch(services, sessionId, now);
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
      id: current.user_id,
      name: current.name,
      email: current.email,
      role: current.role,
      sessionId,
      authenticatedAt: current.authenticated_at,
    },
    organization: {
      id: current.organization_id,
      name: current.organization_name,
      timeZone: current.time_zone,
      clockOffsetMs: current.clock_offset_ms,
    },
    isOnboarding: current.is_onboarding,
    organizations: rows
      .map((row) => ({ id: row.organization_id, name: row.organization_name }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    session: {
      id: sessionId,
      method: current.method,
      authenticatedAt: current.authenticated_at,
      expiresAt: current.expires_at,
    },
    lacksSecondFactor: current.lacks_second_factor,
  };
}
