import { endApiKey } from "@/lib/core/keys/revoke-api-key";
import { inTransaction } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/** Longer than a request may wait for its decision and a code for its redemption. */
const BEGINNING_MS = 60 * 60_000;

interface LapsedRow {
  organization_id: string;
  grant_id: string;
  clock_offset_ms: number;
}

/**
 * Ends connections that cannot be used any more: their last token ran out, or their code was never redeemed. A list of
 * connected assistants names nobody who is none. Where a proposal still waits or a transfer has not left, the connection
 * stays until that is over: a token that runs out takes nothing back.
 * @returns how many were due.
 */
export async function endLapsedConnections(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const { rows } = await services.pool.query<LapsedRow>({
    name: "find_lapsed_connections",
    text: `
      select r.organization_id, r.grant_id, o.clock_offset_ms
        from oauth_records r join organizations o on o.id = r.organization_id
       where r.model = 'Grant' and r.created_at < $2
         and not exists (select 1 from oauth_records t
           where t.grant_id = r.grant_id and t.model in ('AuthorizationCode', 'AccessToken', 'RefreshToken')
             and t.expires_at > $1)
         and not exists (select 1 from proposals p
           where p.organization_id = r.organization_id and p.api_key_id = r.grant_id and p.state = 'WAITING')
         and not exists (select 1 from stoppable_transfers(r.organization_id, r.grant_id))
       limit $3`,
    values: [now, new Date(now.getTime() - BEGINNING_MS), limit],
  });
  for (const row of rows) {
    const key = {
      organizationId: row.organization_id,
      keyId: row.grant_id,
      now: businessTime(services.clock, row.clock_offset_ms),
    };
    // Each in a transaction of its own, as keys whose grace is over.
    await inTransaction(services.pool, (client) => endApiKey(client, key, { because: "EXPIRED" }));
  }
  return rows.length;
}
