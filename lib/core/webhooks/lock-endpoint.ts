import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { AskedEventType } from "@/lib/contract/webhooks";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

export interface LockedEndpoint {
  id: string;
  url: string;
  status: "ENABLED" | "DISABLED";
  /** What it gets besides the events of every endpoint. */
  askedEvents: AskedEventType[];
  /** The endpoint that it will replace when it first succeeds. */
  waitsForId: string | null;
  /** The endpoint that will replace it. */
  replacedById: string | null;
}

/**
 * Locks an endpoint until the commit. Attempts are recorded under the same lock, so none comes in between. Taken before
 * any of its deliveries, as when recording attempts.
 * @throws AppError `INVALID_PARAMETERS` if the organization has none with this id, or it was deleted
 */
export async function lockEndpoint(
  client: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  endpointId: string,
): Promise<LockedEndpoint> {
  const { rows } = await client.query<LockedEndpoint>({
    name: "lock_webhook_endpoint",
    text: `
      select e.id, e.url, e.status, e.asked_events as "askedEvents",
          (select old.id from webhook_endpoints old
            where old.organization_id = $1 and old.id = e.replaces_id and old.status <> 'DELETED') as "waitsForId",
          (select new.id from webhook_endpoints new
            where new.organization_id = $1 and new.replaces_id = e.id and new.status <> 'DELETED') as "replacedById"
        from webhook_endpoints e
       where e.organization_id = $1 and e.id = $2 and e.status <> 'DELETED'
         for no key update of e`,
    values: [organizationId, z.uuid().safeParse(endpointId).data ?? null],
  });
  const row = rows[0];
  if (!row) throw new AppError("INVALID_PARAMETERS", "There is no such endpoint in this organization.");
  return row;
}
