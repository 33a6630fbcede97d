import { z } from "zod";
import { permissionsSchema } from "@/lib/contract/permissions";
import { hashKeyText, isKeyText } from "@/lib/core/keys/key-text";
import { rememberRefusals } from "@/lib/core/keys/recent-refusals";
import type { ApiKeyActor, CallerActor } from "@/lib/core/shared/context";
import { groupStatements } from "@/lib/core/shared/group-statements";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

const rowSchema = z.object({
  organizationId: z.string(),
  id: z.string(),
  name: z.string(),
  permissions: permissionsSchema,
  requests: z.number(),
  clockOffsetMs: z.number(),
});

export interface Authentication<A extends CallerActor = CallerActor> {
  organizationId: string;
  actor: A;
  /** Business time of the organization. */
  now: Date;
  /** How many requests this one makes in the current clock minute of real time. */
  requestsThisMinute: number;
}

interface Asked {
  /** In hexadecimal. */
  keyHash: string;
  now: Date;
}

const createLookUp = () =>
  groupStatements<Asked, Record<string, unknown>>({
    name: "authenticate_api_keys",
    text: `
      select organization_id as "organizationId", id, name, permissions, requests, clock_offset_ms as "clockOffsetMs"
        from authenticate_api_keys($1)`,
    compare: (left, right) => (left.keyHash < right.keyHash ? -1 : left.keyHash > right.keyHash ? 1 : 0),
  });
const lookUpFamiliar = createLookUp();
/** In groups of its own, so that a known key never waits for the keys of strangers. */
const lookUpUnfamiliar = createLookUp();

const unlessRefused = rememberRefusals<Authentication<ApiKeyActor>>();

/**
 * Authenticates the caller and counts the call, in one round trip that concurrent requests share, or none for a caller
 * who would be refused anyway.
 * @returns null alike for a text that is not a key, an unknown key and a revoked one.
 */
export async function authenticateApiKey(
  services: Pick<Services, "pool" | "clock">,
  keyText: string,
): Promise<Authentication<ApiKeyActor> | null> {
  // The checksum rejects a mistyped key without the database, and reveals nothing else.
  if (!isKeyText(keyText)) return null;
  return unlessRefused(services, keyText, async (isFamiliar) => {
    const asked = { keyHash: hashKeyText(keyText).toString("hex"), now: services.clock.now() };
    const found = await (isFamiliar ? lookUpFamiliar : lookUpUnfamiliar)(services.pool, asked);
    if (found.id === null) return null;
    const row = rowSchema.parse(found);
    return {
      organizationId: row.organizationId,
      actor: { kind: "API_KEY", id: row.id, name: row.name, permissions: row.permissions },
      now: businessTime(services.clock, row.clockOffsetMs),
      requestsThisMinute: row.requests,
    };
  });
}
