import type { AssistantActor, Context, MemberActor } from "@/lib/core/shared/context";
import { permissionsOfRole } from "@/lib/core/shared/roles";
import { newId, newRequestId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

/**
 * An assistant that this member connected, without the authorization server, and a context as a request of it has.
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
