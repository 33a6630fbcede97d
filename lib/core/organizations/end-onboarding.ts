import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Ends onboarding: pages no longer link to its next step. Skipped steps remain available.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks.
 */
export async function endOnboarding(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "end the first steps");
    await client.query({
      name: "end_onboarding",
      text: `update identity_checks set onboarded_at = coalesce(onboarded_at, $2)
              where organization_id = $1 and status = 'APPROVED'`,
      values: [context.organizationId, services.clock.now()],
    });
  });
}
