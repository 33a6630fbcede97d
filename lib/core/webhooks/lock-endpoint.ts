import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

export interface LockedEndpoint {
  id: string;
  url: string;
  status: "ENABLED" | "DISABLED";
  /** The endpoint whose place it takes when it succeeds, while that one is there. */
  waitsForId: string | null;
  /** The endpoint that takes its place when that one succeeds. */
  replacedById: string | null;
}

interface EndpointRow {
  url: string;
  status: LockedEndpoint["status"];
  waits_for: string | null;
  replaced_by: string | null;
}

/**
 * An endpoint that stays as it is until the commit: attempts are recorded under the same lock, so none comes in
 * between. Taken before any of its deliveries, as the record of attempts does.
 * @throws AppError `INVALID_PARAMETERS` when the organization has none with this id, or it was deleted
 */
export async function lockEndpoint(
  client: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  endpointId: string,
): Promise<LockedEndpoint> {
  const { rows } = await client.query<EndpointRow>({
    name: "lock_webhook_endpoint",
    text: `
      select e.url, e.status,
          (select old.id from webhook_endpoints old
            where old.organization_id = $1 and old.id = e.replaces_id and old.status <> 'DELETED') as waits_for,
          (select new.id from webhook_endpoints new
            where new.organization_id = $1 and new.replaces_id = e.id and new.status <> 'DELETED') as replaced_by
        from webhook_endpoints e
       where e.organization_id = $1 and e.id = $2 and e.status <> 'DELETED'
         for no key update of e`,
    values: [organizationId, z.uuid().safeParse(endpointId).data ?? null],
  });
  const row = rows[0];
  if (!row) throw new AppError("INVALID_PARAMETERS", "There is no such endpoint in this organization.");
  return {
    id: endpointId,
    url: row.url,
    status: row.status,
    waitsForId: row.waits_for,
    replacedById: row.replaced_by,
  };
}
