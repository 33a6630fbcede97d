import { z } from "zod";
import { newPodFloorSchema } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/context";
import { parseInput } from "@/lib/core/members/person";
import { changeOrganization } from "@/lib/core/organization/change-organization";
import { inTransaction } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({ floorInCents: newPodFloorSchema });

/**
 * Sets the floor that a new pod begins with: where a member opens one it stands in the form, and one that a key opens gets
 * it. Pods that exist keep theirs.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`.
 */
export async function setNewPodFloor(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  input: { floorInCents: number | null },
): Promise<void> {
  const { floorInCents } = parseInput(inputSchema, input);
  await inTransaction(services.pool, (client) =>
    changeOrganization(client, context, "NEW_POD_FLOOR", floorInCents),
  );
}
