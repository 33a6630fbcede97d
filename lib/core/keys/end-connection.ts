import { endApiKey } from "@/lib/core/keys/revoke-api-key";
import { inTransaction } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/**
 * Ends the connection of an assistant: its codes and tokens go, and its waiting proposals are denied, in one transaction.
 * Of several calls at once the first does it, the others wait for it and change nothing.
 * @param because CLIENT: the assistant gave its access back. REUSE: a code or refresh token was used twice.
 */
export async function endConnection(
  services: Pick<Services, "pool" | "clock">,
  connectionId: string,
  because: "CLIENT" | "REUSE",
): Promise<void> {
  const { rows } = await services.pool.query<{ organization_id: string; clock_offset_ms: number }>({
    name: "find_organization_of_connection",
    // By way of the records, which are found by connection: keys are found by organization.
    text: `
      select o.id as organization_id, o.clock_offset_ms from organizations o
       where o.id = (select r.organization_id from oauth_records r where r.grant_id = $1 limit 1)`,
    values: [connectionId],
  });
  const owner = rows[0];
  // Nothing is left of it: it has ended.
  if (!owner) return;
  const now = businessTime(services.clock, owner.clock_offset_ms);
  await inTransaction(services.pool, (client) =>
    endApiKey(client, { organizationId: owner.organization_id, keyId: connectionId, now }, { because }),
  );
}
