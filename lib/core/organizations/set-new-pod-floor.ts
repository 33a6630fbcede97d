import { amountIn } from "@/lib/contract/confirmation/step-up";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Sets the floor of new pods: members see it prefilled, pods opened by a key get it. Existing pods keep theirs.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`; NotConfirmed where it is lowered
 * without presence.
 */
export async function setNewPodFloor(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  { floorInCents }: { floorInCents: number | null },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ floor: number | null }>(
      "select new_pod_floor_in_cents as floor from organizations where id = $1 for no key update",
      [context.organizationId],
    );
    // The role is checked first: step-up would not help a member who may not do this.
    await changeOrganization(client, context, "NEW_POD_FLOOR", floorInCents);
    if ((floorInCents ?? 0) < (rows[0]?.floor ?? 0)) {
      const act = `LOWER_NEW_POD_FLOOR:${amountIn(floorInCents)}` as const;
      await requirePresence(client, context.actor, services.clock.now(), act);
    }
  });
}
