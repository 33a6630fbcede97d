import { z } from "zod";
import type { Queryable } from "@/lib/db/transaction";

/** A client that the operator registered. */
export interface OperatorsClient {
  clientId: string;
  name: string;
  redirectUris: string[];
  /** How many connections live by it, in all organizations. */
  connections: number;
}

const LISTED = 200;

const rowSchema = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  connections: z.number(),
});

/** The clients that the operator registered, the newest first. */
export async function listOperatorsClients(database: Queryable): Promise<OperatorsClient[]> {
  const { rows } = await database.query(
    `select r.payload->>'client_id' as client_id, r.payload->>'client_name' as name,
        r.payload->'redirect_uris' as redirect_uris,
        (select count(*)::int from api_keys k
          where k.client_id = r.payload->>'client_id' and k.revoked_at is null) as connections
       from oauth_records r
      where r.model = 'Client' and r.expires_at is null
      order by r.created_at desc limit ${LISTED}`,
  );
  return rows.map((row) => {
    const { client_id: clientId, name, redirect_uris: redirectUris, connections } = rowSchema.parse(row);
    return { clientId, name, redirectUris, connections };
  });
}

/**
 * Removes a client that the operator registered. Its connections get no new tokens, and end by themselves when the last
 * one has run out.
 * @returns false when there is no such client.
 */
export async function removeOperatorsClient(database: Queryable, clientId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "delete from oauth_records where model = 'Client' and expires_at is null and payload->>'client_id' = $1",
    [clientId],
  );
  return rowCount === 1;
}
