import { z } from "zod";
import { newPodFloorSchema } from "@/lib/contract/organization";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { parseInput } from "@/lib/core/sign-in/person";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({ floorInCents: newPodFloorSchema });

/**
 * Sets the floor that a new pod begins with: where a member opens one it stands in the form, and one that a key opens gets
 * it. Pods that exist keep theirs.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`; NotConfirmed where it is lowered
 * without presence.
 */
export async function setNewPodFloor(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  input: { floorInCents: number | null },
): Promise<void> {
  const { floorInCents } = parseInput(inputSchema, input);
  await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ floor: number | null }>(
      "select new_pod_floor_in_cents as floor from organizations where id = $1 for no key update",
      [context.organizationId],
    );
    // Who may not is told so, and not asked for a proof that would not help.
    await changeOrganization(client, context, "NEW_POD_FLOOR", floorInCents);
    if ((floorInCents ?? 0) < (rows[0]?.floor ?? 0)) {
      await requirePresence(client, context.actor, services.clock.now());
    }
  });
}
