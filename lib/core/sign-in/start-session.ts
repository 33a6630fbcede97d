import { z } from "zod";
import { shortNetwork } from "@/lib/core/shared/network";
import {
  type BrowserFacts,
  hasSecondFactor,
  SESSION_LIFETIME_MS,
  type SignInProof,
} from "@/lib/core/shared/session";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const MAXIMUM_USER_AGENT_LENGTH = 400;

/**
 * Signs in a person who has just proved their identity, always with a new session id, so that a planted one is useless.
 * The session shows the organization that they viewed last.
 * @param now real time
 * @returns the session's id; null when they belong to no organization.
 */
export async function startSession(
  client: Queryable,
  now: Date,
  input: {
    userId: string;
    proof: SignInProof;
    userAgent: BrowserFacts["userAgent"];
    networkAddress: BrowserFacts["networkAddress"];
  },
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>({
    name: "start_session",
    text: `insert into sessions (id, user_id, organization_id, method, authenticated_at, last_seen_at, expires_at, user_agent,
          started_with, started_at, network, has_second_factor)
      select $1, $2, m.organization_id, $3, $4, $4, $5, $6, $3, $4, $7, $8
        from memberships m where m.user_id = $2
        order by (select max(s.last_seen_at) from sessions s
                   where s.user_id = m.user_id and s.organization_id = m.organization_id) desc nulls last,
          m.created_at, m.organization_id
        limit 1
      returning id`,
    values: [
      newId(now),
      input.userId,
      input.proof.method,
      now,
      new Date(now.getTime() + SESSION_LIFETIME_MS),
      storableUserAgent(input.userAgent),
      shortNetwork(input.networkAddress),
      hasSecondFactor(input.proof),
    ],
  });
  return rows[0]?.id ?? null;
}

/** Browsers may send anything; PostgreSQL stores neither zero bytes nor halves of surrogate pairs. */
export function storableUserAgent(userAgent: string): string {
  const text = userAgent.slice(0, MAXIMUM_USER_AGENT_LENGTH);
  return Buffer.from(text.replaceAll(/\p{Cc}/gu, " ")).toString();
}

/**
 * Switches this browser to another organization of the same member.
 * @returns false, without a change, when they do not belong to it or the session has ended.
 */
export async function switchOrganization(
  services: Pick<Services, "pool">,
  sessionId: string,
  userId: string,
  organizationId: string,
): Promise<boolean> {
  if (!z.uuid().safeParse(organizationId).success) return false;
  const { rowCount } = await services.pool.query(
    `update sessions s set organization_id = m.organization_id
       from memberships m
      where s.id = $1 and s.user_id = $2 and s.revoked_at is null
        and m.user_id = s.user_id and m.organization_id = $3`,
    [sessionId, userId, organizationId],
  );
  return rowCount === 1;
}
