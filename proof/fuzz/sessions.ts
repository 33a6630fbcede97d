import { hkdfSync } from "node:crypto";
import { encode } from "next-auth/jwt";
import type { MemberRole } from "@/lib/contract/views/people";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

/** Who is signed in at a browser. */
export interface Session {
  organizationId: string;
  role: MemberRole;
  sessionId: string;
  cookie: string;
}

const DAY_MS = 86_400_000;

/**
 * A new session of each member of the organizations, as signing in leaves it behind: the fuzz signs members out, locks
 * them out and takes their roles away, and must not run out of them.
 * @param productSecret from the data folder
 */
export async function startSessions(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationIds: readonly string[],
  productSecret: string,
): Promise<Session[]> {
  const { rows } = await ownerPool.query<{ organization_id: string; user_id: string; role: MemberRole }>(
    `select distinct on (organization_id, role) organization_id, user_id, role from memberships
      where organization_id = any($1) order by organization_id, role, created_at, user_id`,
    [organizationIds],
  );
  const now = systemClock.now();
  const secret = sessionSecret(productSecret);
  return Promise.all(
    rows.map(async ({ organization_id, user_id, role }) => {
      const sessionId = newId(now);
      await ownerPool.query(
        `insert into sessions (id, user_id, organization_id, method, authenticated_at, last_seen_at, expires_at, user_agent)
         values ($1, $2, $3, 'PASSWORD', $4, $4, $5, 'fuzz')`,
        [sessionId, user_id, organization_id, now, new Date(now.getTime() + DAY_MS)],
      );
      const token = await encode({ token: { sub: user_id, sessionId }, secret, maxAge: DAY_MS / 1_000 });
      return { organizationId: organization_id, role, sessionId, cookie: `next-auth.session-token=${token}` };
    }),
  );
}

/** As server.ts derives it. */
function sessionSecret(productSecret: string): string {
  return Buffer.from(hkdfSync("sha256", productSecret, "", "sluice sessions", 32)).toString("base64url");
}
