import type { Queryable } from "@/lib/db/transaction";

/** Counts a refresh among those of its day, in the transaction of its outcome. */
export async function noteRefresh(
  client: Queryable,
  { organizationId, id }: { organizationId: string; id: string },
  businessNow: Date,
  hasSucceeded: boolean,
): Promise<void> {
  await client.query({
    name: "note_refresh",
    text: `
      insert into connection_days as kept (organization_id, connection_id, day, succeeded, failed)
      select o.id, $2, ($3::timestamptz at time zone o.time_zone)::date, $4::boolean::int, 1 - $4::boolean::int
        from organizations o where o.id = $1
      on conflict (organization_id, connection_id, day) do update set
          succeeded = kept.succeeded + excluded.succeeded, failed = kept.failed + excluded.failed`,
    values: [organizationId, id, businessNow, hasSucceeded],
  });
}
