import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** When a key was last used, or null if never; undefined when the organization has no such key. One row by its key. */
export async function readLastUse(
  services: Pick<Services, "pool">,
  context: Pick<Context, "organizationId">,
  keyId: string,
): Promise<Date | null | undefined> {
  const { rows } = await services.pool.query<{ last_used_at: Date | null }>({
    name: "read_last_use",
    text: "select last_used_at from api_keys where organization_id = $1 and id = $2 and client_id is null",
    values: [context.organizationId, keyId],
  });
  return rows[0]?.last_used_at;
}
