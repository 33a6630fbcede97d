import { z } from "zod";
import { permissionsSchema } from "@/lib/contract/permissions";
import { hashKeyText, isKeyText } from "@/lib/core/keys/key-text";
import { rememberRefusals } from "@/lib/core/keys/recent-refusals";
import type { ApiKeyActor, CallerActor } from "@/lib/core/shared/context";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

const rowSchema = z.object({
  organization_id: z.string(),
  id: z.string(),
  name: z.string(),
  permissions: permissionsSchema,
  requests: z.number(),
  clock_offset_ms: z.number(),
});

export interface Authentication<A extends CallerActor = CallerActor> {
  organizationId: string;
  actor: A;
  /** Business time of the organization. */
  now: Date;
  /** How many requests this one makes in the current clock minute of real time. */
  requestsThisMinute: number;
}

const unlessRefused = rememberRefusals<Authentication<ApiKeyActor>>();

/**
 * Finds out who calls and counts the call, in one round trip, or in none for whoever is refused anyway.
 * @returns null for a text that is no key, an unknown key and a revoked one alike.
 */
export async function authenticateApiKey(
  services: Pick<Services, "pool" | "clock">,
  keyText: string,
): Promise<Authentication<ApiKeyActor> | null> {
  // A mistyped key is told apart without the database; all that it reveals is that its checksum is wrong.
  if (!isKeyText(keyText)) return null;
  return unlessRefused(services, keyText, () => lookUp(services, keyText));
}

async function lookUp(
  services: Pick<Services, "pool" | "clock">,
  keyText: string,
): Promise<Authentication<ApiKeyActor> | null> {
  const { rows } = await services.pool.query({
    name: "authenticate_api_key",
    text: "select * from authenticate_api_key($1, $2)",
    values: [hashKeyText(keyText), services.clock.now()],
  });
  if (!rows[0]) return null;
  const row = rowSchema.parse(rows[0]);
  return {
    organizationId: row.organization_id,
    actor: { kind: "API_KEY", id: row.id, name: row.name, permissions: row.permissions },
    now: businessTime(services.clock, row.clock_offset_ms),
    requestsThisMinute: row.requests,
  };
}
