import { hkdfSync } from "node:crypto";
import { encode } from "next-auth/jwt";
import type { MemberRole } from "@/lib/contract/members";
import type { PermissionInput } from "@/lib/contract/permissions";
import { newKeyText } from "@/lib/core/keys/key-text";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { ALL_PERMISSIONS, ALL_WITHOUT_APPROVAL } from "@/lib/testing/api-proof/key-ring";
import type { OrganizationWithEverything } from "@/lib/testing/api-proof/organization-with-everything";
import { permissionOf } from "@/lib/testing/api-proof/permission-matrix";
import { connectAssistantWithToken } from "@/lib/testing/assistants";
import type { TestDatabase } from "@/lib/testing/database";

/** Values of the header `Authorization`, by what they allow. */
export interface Keys {
  /** Every permission, half of them without approval; enough keys that a minute's requests mostly fit. */
  full: string[];
  /** One permission each, in each of its reaches. */
  single: string[];
  /** Assistants' access tokens: only for the MCP server. */
  tokens: string[];
  /** Allow nothing. */
  wrong: string[];
}

/** Together 20,000 requests a clock minute. A key with a single permission exercises the rate limit. */
const FULL_KEYS = 200;
const ASSISTANTS = 30;

export async function makeKeys(
  database: TestDatabase,
  services: Services,
  own: OrganizationWithEverything,
  stranger: OrganizationWithEverything,
  appUrl: string,
): Promise<Keys> {
  const full: string[] = [];
  for (let made = 0; made < FULL_KEYS; made++) {
    const permissions = made % 2 === 0 ? ALL_PERMISSIONS : ALL_WITHOUT_APPROVAL;
    full.push((await own.addKey(permissions, `full ${made}`)).text);
  }
  const single: string[] = [];
  for (const permission of singlePermissions(own)) {
    single.push((await own.addKey([permission], permission.type)).text);
  }
  const revoked = await own.addKey(ALL_PERMISSIONS, "revoked");
  await revokeApiKey(services, { ...own.owner, now: systemClock.now() }, revoked.id);
  return {
    full,
    single,
    tokens: await connectAssistants(database, own, appUrl),
    wrong: [revoked.text, newKeyText(), stranger.key.text.slice(0, -1), "sluice_", "x".repeat(200), "\xff"],
  };
}

function singlePermissions(own: OrganizationWithEverything): PermissionInput[] {
  // Not in the full keys: nearly every request would find another time.
  return [...ALL_PERMISSIONS, { type: "CONTROL_SANDBOX" } as const].flatMap(({ type }) =>
    (["all", "listed", "unlisted"] as const).flatMap((reach) => permissionOf(type, reach, own.ids) ?? []),
  );
}

/** Of the owner: an assistant has its member's permissions. */
async function connectAssistants(
  database: TestDatabase,
  { organizationId, owner }: OrganizationWithEverything,
  appUrl: string,
): Promise<string[]> {
  const of = { organizationId, userId: owner.actor.id, resource: `${appUrl}/mcp`, now: systemClock.now() };
  const tokens: string[] = [];
  for (let made = 0; made < ASSISTANTS; made++) {
    tokens.push(
      (await connectAssistantWithToken(database, { ...of, name: `Assistant ${made}` })).accessToken,
    );
  }
  return tokens;
}

/** A signed-in browser. */
export interface Session {
  organizationId: string;
  userId: string;
  role: MemberRole;
  sessionId: string;
  cookie: string;
}

const DAY_MS = 86_400_000;

/**
 * A new session of each member of the organizations, as signing in leaves it: the fuzz signs members out, locks them
 * out and removes their roles, and must not run out of sessions.
 * @param productSecret from the data folder
 */
export async function startSessions(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  organizationIds: readonly string[],
  productSecret: string,
): Promise<Session[]> {
  const { rows } = await ownerPool.query<{ organizationId: string; userId: string; role: MemberRole }>(
    `select distinct on (organization_id, role) organization_id as "organizationId", user_id as "userId",
        role from memberships
      where organization_id = any($1) order by organization_id, role, created_at, user_id`,
    [organizationIds],
  );
  const now = systemClock.now();
  const secret = sessionSecret(productSecret);
  return Promise.all(
    rows.map(async ({ organizationId, userId, role }) => {
      const sessionId = newId(now);
      await ownerPool.query(
        `insert into sessions (id, user_id, organization_id, method, authenticated_at, last_seen_at, expires_at, user_agent)
         values ($1, $2, $3, 'PASSWORD', $4, $4, $5, 'fuzz')`,
        [sessionId, userId, organizationId, now, new Date(now.getTime() + DAY_MS)],
      );
      const token = await encode({ token: { sub: userId, sessionId }, secret, maxAge: DAY_MS / 1_000 });
      return {
        organizationId: organizationId,
        userId: userId,
        role,
        sessionId,
        cookie: `next-auth.session-token=${token}`,
      };
    }),
  );
}

/** As server.ts derives it. */
function sessionSecret(productSecret: string): string {
  return Buffer.from(hkdfSync("sha256", productSecret, "", "sluice sessions", 32)).toString("base64url");
}
