import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";

/** More than this need no reminding. */
const MAXIMUM_NAMES = 500;

/** The names of the accounts that are connected already, by the provider's id of their institution. */
export async function readConnectedNames(
  services: Pick<Services, "pool">,
  { provider }: Pick<AggregatorPort, "provider">,
  { organizationId }: Context,
): Promise<Map<string, string[]>> {
  const { rows } = await services.pool.query<{ institution_id: string; name: string }>({
    name: "read_connected_names",
    text: `
      select c.institution_id, a.name
        from connections c
        join accounts a
          on a.organization_id = c.organization_id and a.connection_id = c.id and a.deleted_at is null
       where c.organization_id = $1 and c.provider = $2 and c.status <> 'DISCONNECTED'
       order by c.id, a.id
       limit ${MAXIMUM_NAMES}`,
    values: [organizationId, provider],
  });
  const names = new Map<string, string[]>();
  for (const row of rows) names.set(row.institution_id, [...(names.get(row.institution_id) ?? []), row.name]);
  return names;
}
