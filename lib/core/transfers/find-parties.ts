import type { Context } from "@/lib/core/shared/context";
import type { Party } from "@/lib/core/transfers/decide-transfer";
import type { Queryable } from "@/lib/db/transaction";

/** The two accounts of a proposed transfer, in one round trip; null for another organization's. */
export async function findParties(
  services: { pool: Queryable },
  context: Context,
  route: { sourceAccountId: string; destinationAccountId: string },
): Promise<{ source: Party | null; destination: Party | null }> {
  const { rows } = await services.pool.query<Party>({
    name: "find_parties",
    text: `select id, name, type, external_account_type as "externalAccountType", deleted_at is not null as "isClosed"
             from accounts where organization_id = $1 and id in ($2, $3)`,
    values: [context.organizationId, route.sourceAccountId, route.destinationAccountId],
  });
  const find = (id: string) => rows.find((party) => party.id === id) ?? null;
  return { source: find(route.sourceAccountId), destination: find(route.destinationAccountId) };
}
