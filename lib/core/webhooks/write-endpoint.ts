import type { PoolClient } from "pg";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { makeSigningSecret, secretContext, secretHint } from "@/lib/core/webhooks/signing-secret";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export const NO_ROOM = `An organization has at most ${MAXIMUM_ENDPOINTS} endpoints. Delete one that is not needed, and try again.`;

export interface ExistingEndpoint {
  id: string;
  url: string;
  secretHint: string;
}

/**
 * The endpoints that there are, none more until the commit: two members at once never make the twenty-first, nor one
 * address twice. Taken after the membership, before any endpoint's row.
 */
export async function lockEndpoints(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
): Promise<ExistingEndpoint[]> {
  // Bounded by the connection's lock timeout.
  await client.query({
    name: "lock_webhook_endpoints",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', 'webhook endpoints', $1::text), 0))",
    values: [organizationId],
  });
  const { rows } = await client.query<{ id: string; url: string; secret_hint: string }>({
    name: "read_existing_endpoints",
    text: `select id, url, secret_hint from webhook_endpoints where organization_id = $1 and status <> 'DELETED'
            order by id`,
    values: [organizationId],
  });
  return rows.map((row) => ({ id: row.id, url: row.url, secretHint: row.secret_hint }));
}

/** Who makes it, and when (business time). */
type MadeBy = Pick<Context, "organizationId" | "now"> & { actor: Pick<MemberActor, "id"> };

/** Writes an endpoint that has been checked. Its secret is in the answer, and nowhere else but sealed. */
export async function writeEndpoint(
  database: Queryable,
  secrets: WebhookSetting["secrets"],
  { organizationId, actor, now }: MadeBy,
  { url, replacesId }: { url: string; replacesId: string | null },
): Promise<{ id: string; secret: string }> {
  const id = newId(now);
  const secret = makeSigningSecret();
  await database.query({
    name: "write_webhook_endpoint",
    text: `insert into webhook_endpoints
            (organization_id, id, url, sealed_secret, secret_hint, status, created_by, created_at, replaces_id)
           values ($1, $2, $3, $4, $5, 'ENABLED', $6, $7, $8)`,
    values: [
      organizationId,
      id,
      url,
      secrets.seal(secret, secretContext(organizationId, id)),
      secretHint(secret),
      actor.id,
      now,
      replacesId,
    ],
  });
  return { id, secret };
}
