import { endApiKey } from "@/lib/core/keys/revoke-api-key";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

interface DueRow {
  organization_id: string;
  id: string;
  clock_offset_ms: number;
}

/**
 * Revokes replaced keys whose grace is over, with all that follows from it. They have authenticated nobody since that
 * moment; what is left are their waiting proposals and unsubmitted transfers. Each key in a transaction of its own:
 * two of them together would lock one key's ledgers before the other key's transfers.
 * @returns how many were due.
 */
export async function endReplacedKeys(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<DueRow>({
    name: "find_keys_to_end",
    text: `
      select k.organization_id, k.id, o.clock_offset_ms
        from api_keys k join organizations o on o.id = k.organization_id
       where k.ends_at is not null and k.revoked_at is null
         and k.ends_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
       order by k.ends_at limit $2`,
    values: [services.clock.now(), limit],
  });
  for (const row of rows) {
    const now = businessTime(services.clock, row.clock_offset_ms);
    await endApiKey(
      services.pool,
      { organizationId: row.organization_id, keyId: row.id, now },
      { because: "REPLACED" },
    );
  }
  return rows.length;
}
