import type { LeasedConnection } from "@/lib/core/connections/lease-connections";
import { noteRefresh } from "@/lib/core/connections/note-refresh";
import { FAILURES_UNTIL_UNKNOWN, retryAt } from "@/lib/core/connections/refresh-times";
import { markBalancesUnknown } from "@/lib/core/connections/write-balances";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface RefreshFailure {
  /** Trying again would change nothing. */
  needsSignIn: boolean;
  code: string;
}

/**
 * A connection that did not answer is asked again, later and later; from the fourth failure in a row on its balances
 * count as unknown. One that wants its customer stops, and its balances are unknown at once. A worker whose lease was
 * taken over says nothing any more.
 */
export async function recordFailedRefresh(
  services: Pick<Services, "pool">,
  { organizationId, id, attempts, leasedUntil }: LeasedConnection,
  businessNow: Date,
  { needsSignIn, code }: RefreshFailure,
): Promise<void> {
  const failures = attempts + 1;
  await inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query({
      name: "record_failed_refresh",
      text: `
        update connections set status = $4, error_code = $5, attempts = $6, refresh_due_at = $7, leased_until = null,
            failing_since = coalesce(failing_since, $8)
         where organization_id = $1 and id = $2 and leased_until = $3 and status = 'ACTIVE'`,
      values: [
        organizationId,
        id,
        leasedUntil,
        needsSignIn ? "NEEDS_SIGN_IN" : "ACTIVE",
        code,
        failures,
        needsSignIn ? null : retryAt(failures, businessNow),
        businessNow,
      ],
    });
    if (rowCount === 0) return;
    await noteRefresh(client, { organizationId, id }, businessNow, false);
    if (needsSignIn || failures >= FAILURES_UNTIL_UNKNOWN) {
      await markBalancesUnknown(client, organizationId, id, code);
    }
  });
}
