import { movesAlone } from "@/lib/contract/api-key";
import type { KeyCapView, KeyFactsView } from "@/lib/contract/views/keys-view";
import type { Queryable } from "@/lib/db/transaction";

/**
 * A key's cap and what it has set moving of it in the organization's day.
 * @param now business time
 */
export async function readKeyCap(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  key: Pick<KeyFactsView, "id" | "permissions" | "dailyCapInCents">,
): Promise<KeyCapView> {
  const { rows } = await database.query<{ used_in_cents: number }>({
    name: "read_key_day",
    text: `
      select d.used_in_cents from key_days d join organizations o on o.id = d.organization_id
       where d.organization_id = $1 and d.api_key_id = $2 and d.day = ($3::timestamptz at time zone o.time_zone)::date`,
    values: [organizationId, key.id, now],
  });
  return {
    isOf: movesAlone(key.permissions) ? "WHAT_IT_MOVES" : "NOTHING",
    capInCents: key.dailyCapInCents,
    usedInCents: rows[0]?.used_in_cents ?? 0,
  };
}
