import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { ConnectionAccess } from "@/lib/ports/aggregator/aggregator-port";

export interface KeptConnection {
  status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
  access: ConnectionAccess;
}

/** A connection of the organization, as its provider knows it; null: there is none. */
export async function readAccess(
  client: Queryable,
  context: Context,
  connectionId: string,
): Promise<KeptConnection | null> {
  const { rows } = await client.query<{
    status: KeptConnection["status"];
    provider_item_id: string;
    sealed_access_token: Buffer | null;
  }>({
    name: "read_connection_access",
    text: `select status, provider_item_id, sealed_access_token from connections
            where organization_id = $1 and id = $2`,
    values: [context.organizationId, connectionId],
  });
  const row = rows[0];
  return row
    ? {
        status: row.status,
        access: {
          organizationId: context.organizationId,
          connectionId,
          providerItemId: row.provider_item_id,
          sealedAccessToken: row.sealed_access_token,
          businessNow: context.now,
        },
      }
    : null;
}
