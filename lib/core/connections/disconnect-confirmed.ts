import { disconnect } from "@/lib/core/connections/disconnect";
import { requireConnector } from "@/lib/core/connections/require-connector";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import type { Services } from "@/lib/platform/services";

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
