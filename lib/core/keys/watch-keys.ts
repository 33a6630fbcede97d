import { PROBING_REFUSALS } from "@/lib/contract/key-alert";
import { judgeKeyUse, type KeyUse } from "@/lib/core/keys/judge-key-use";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

interface WatchRow {
  organization_id: string;
  id: string;
  business_now: Date;
  silent_since: Date | null;
  refusals: number;
  commonest_refusal: string | null;
  waiting: number;
  largest_in_cents: number;
  day_in_cents: number;
  usual_largest_in_cents: number;
  usual_day_in_cents: number;
  usual_transfers: number;
  usual_days: number;
}

/**
 * Looks at how keys and assistants are used, ten seconds after they were and as long as they are, and tells their owners
 * what is unusual: each kind at most once a day of a key. It rests on what is recorded anyway, so no request pays for it.
 * @returns how many were looked at.
 */
export async function watchKeys(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const { looked, told } = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<WatchRow>({
      name: "claim_key_watches",
      text: "select * from claim_key_watches($1, $2, $3)",
      values: [services.clock.now(), PROBING_REFUSALS, limit],
    });
    let count = 0;
    for (const row of rows) count += await noteAlerts(client, row);
    return { looked: rows.length, told: count };
  });
  if (told > 0) services.wake(SEND_NOTICES);
  return looked;
}

async function noteAlerts(client: Queryable, row: WatchRow): Promise<number> {
  const alerts = judgeKeyUse(toUse(row));
  for (const { kind, ...facts } of alerts) {
    await client.query({
      name: "note_key_alert",
      text: "select note_key_alert($1, $2, $3, $4, $5)",
      values: [row.organization_id, row.id, kind, JSON.stringify(facts), row.business_now],
    });
  }
  return alerts.length;
}

function toUse(row: WatchRow): KeyUse {
  return {
    now: row.business_now,
    silentSince: row.silent_since,
    refusals: row.refusals,
    commonestRefusal: row.commonest_refusal,
    waiting: row.waiting,
    largestInCents: row.largest_in_cents,
    dayInCents: row.day_in_cents,
    usualLargestInCents: row.usual_largest_in_cents,
    usualDayInCents: row.usual_day_in_cents,
    usualTransfers: row.usual_transfers,
    usualDays: row.usual_days,
  };
}
