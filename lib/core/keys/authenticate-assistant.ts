import { z } from "zod";
import type { Authentication } from "@/lib/core/keys/authenticate-api-key";
import { hashRecordId } from "@/lib/core/keys/oauth-records";
import { rememberRefusals } from "@/lib/core/keys/recent-refusals";
import type { AssistantActor } from "@/lib/core/shared/context";
import { memberRoleSchema, permissionsOfRole } from "@/lib/core/shared/roles";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

const rowSchema = z.object({
  organizationId: z.string(),
  id: z.string(),
  name: z.string(),
  userId: z.string(),
  role: memberRoleSchema,
  requests: z.number(),
  clockOffsetMs: z.number(),
});

const unlessRefused = rememberRefusals<Authentication<AssistantActor>>();

/**
 * Authenticates the assistant, its member and their current role, and counts the call, in one round trip, or none for a
 * caller who would be refused anyway.
 * @param resource the address that the token must have been issued for (RFC 8707)
 * @returns null for a token that is unknown, expired or for another resource, and for a connection that ended.
 */
export async function authenticateAssistant(
  services: Pick<Services, "pool" | "clock">,
  accessToken: string,
  resource: string,
): Promise<Authentication<AssistantActor> | null> {
  return unlessRefused(services, `${resource} ${accessToken}`, () => lookUp(services, accessToken, resource));
}

async function lookUp(
  services: Pick<Services, "pool" | "clock">,
  accessToken: string,
  resource: string,
): Promise<Authentication<AssistantActor> | null> {
  const { rows } = await services.pool.query({
    name: "authenticate_assistant",
    text: `
      select organization_id as "organizationId", id, name, user_id as "userId", role, requests,
          clock_offset_ms as "clockOffsetMs"
        from authenticate_assistant($1, $2, $3)`,
    values: [hashRecordId(accessToken), resource, services.clock.now()],
  });
  if (!rows[0]) return null;
  const row = rowSchema.parse(rows[0]);
  return {
    organizationId: row.organizationId,
    actor: {
      kind: "ASSISTANT",
      id: row.id,
      name: row.name,
      permissions: permissionsOfRole(row.role),
      memberId: row.userId,
      role: row.role,
    },
    now: businessTime(services.clock, row.clockOffsetMs),
    requestsThisMinute: row.requests,
  };
}
