import { requireConnector } from "@/lib/core/connections/require-connector";
import { markBalancesUnknown } from "@/lib/core/connections/write-balances";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { REMOVE_CONNECTIONS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** The error code of balances whose connection was ended here. */
const DISCONNECTED = "DISCONNECTED";

/**
 * Ends a connection for a member who has just proved that it is they: it cannot be taken up again, and what counts on
 * its balances stops.
 * @returns false where there is no such connection, or it has ended already.
 * @throws AppError `ACCESS_DENIED`; NotConfirmed without the proof.
 */
export async function disconnectConfirmed(
  services: Pick<Services, "pool" | "wake" | "clock">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<boolean> {
  requireConnector(context);
  await requirePresence(services.pool, context.actor, services.clock.now());
  return await disconnect(services, context, connectionId);
}

/**
 * Ends a connection. It counts at once; the provider is told by due work, until it has heard. The accounts and what was
 * seen of them stay: with an unknown balance they can no longer be drawn on, and may still be paid.
 * @returns false where there is no such connection, or it has ended already.
 * @throws AppError `ACCESS_DENIED`.
 */
export async function disconnect(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<boolean> {
  requireConnector(context);
  const isEnded = await inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query({
      name: "disconnect",
      text: `
        update connections set status = 'DISCONNECTED', refresh_due_at = null, leased_until = null, error_code = null
         where organization_id = $1 and id = $2 and status <> 'DISCONNECTED'`,
      values: [context.organizationId, connectionId],
    });
    if (rowCount === 0) return false;
    await markBalancesUnknown(client, context.organizationId, connectionId, DISCONNECTED);
    return true;
  });
  if (isEnded) services.wake(REMOVE_CONNECTIONS);
  return isEnded;
}
