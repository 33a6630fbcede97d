import { randomBytes } from "node:crypto";
import { hashRecordId } from "@/lib/core/keys/oauth-records";
import type { AssistantActor, Context, MemberActor } from "@/lib/core/shared/context";
import { permissionsOfRole } from "@/lib/core/shared/roles";
import { systemClock } from "@/lib/platform/clock";
import { newId, newRequestId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

/** A connected assistant with an access token, as the authorization server stores them. */
export async function connectAssistantWithToken(
  database: Pick<TestDatabase, "ownerPool">,
  of: { organizationId: string; userId: string; resource: string; name?: string; now: Date },
): Promise<{ id: string; accessToken: string }> {
  const id = newId(systemClock.now());
  const accessToken = randomBytes(32).toString("base64url");
  await database.ownerPool.query(
    `insert into api_keys (organization_id, id, name, permissions, created_by, created_at, client_id, client_host)
       values ($1, $2, $3, '[]', $4, $5, 'test-client', 'claude.example')`,
    [of.organizationId, id, of.name ?? "Claude", of.userId, of.now],
  );
  await database.ownerPool.query(
    `insert into oauth_records (model, id_hash, organization_id, grant_id, audience, payload, created_at, expires_at)
       values ('AccessToken', $1, $2, $3, $4, '{}', $5, $5::timestamptz + interval '30 minutes')`,
    [hashRecordId(accessToken), of.organizationId, id, of.resource, of.now],
  );
  return { id, accessToken };
}

/** Another record of a connection: by default a valid access token. */
export async function addTestRecord(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  of: { organizationId: string; connectionId: string; resource: string; now: Date },
  { model = "AccessToken", livesMs = 30 * 60_000, isConsumed = false } = {},
): Promise<string> {
  const id = randomBytes(32).toString("base64url");
  await ownerPool.query(
    `insert into oauth_records (model, id_hash, organization_id, grant_id, audience, payload, created_at, consumed_at,
       expires_at) values ($1, $2, $3, $4, $5, '{}', $6, $7, $8)`,
    [
      model,
      hashRecordId(id),
      of.organizationId,
      of.connectionId,
      of.resource,
      of.now,
      isConsumed ? of.now : null,
      new Date(of.now.getTime() + livesMs),
    ],
  );
  return id;
}

/**
 * An assistant that this member connected, without the authorization server, and the context of its requests.
 * @param member `now`: when it was connected
 */
export async function connectTestAssistant(
  { pool }: Pick<TestDatabase, "pool">,
  member: Context<MemberActor>,
  { name = "Claude", clientId = "https://claude.ai/oauth/client" } = {},
): Promise<{ id: string; context: Context<AssistantActor> }> {
  const { organizationId, actor, now } = member;
  const id = newId(now);
  await pool.query(
    `insert into api_keys (organization_id, id, name, client_id, client_host, permissions, created_by, created_at)
      values ($1, $2, $3, $4, 'claude.ai', '[]', $5, $6)`,
    [organizationId, id, name, clientId, actor.id, now],
  );
  return {
    id,
    context: {
      organizationId,
      actor: {
        kind: "ASSISTANT",
        id,
        name,
        permissions: permissionsOfRole(actor.role),
        memberId: actor.id,
        role: actor.role,
      },
      now,
      requestId: newRequestId(),
      calledReason: null,
    },
  };
}
