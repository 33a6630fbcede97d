import { amountIn } from "@/lib/contract/confirmation/step-up";
import type { CarriedOut, WantedLimit } from "@/lib/contract/policies/asked-change";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import { askForSignatures, endOutdatedChange } from "@/lib/core/policies/asked-changes";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Sets the floor of new pods: members see it prefilled, pods opened by a key get it. Existing pods keep theirs. A lower one
 * waits where the policy in force asks for the signatures of others.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`; NotConfirmed where it is lowered
 * without presence.
 */
export async function setNewPodFloor(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { floorInCents: after }: { floorInCents: number | null },
): Promise<CarriedOut> {
  const result = await inTransaction(services.pool, async (client): Promise<CarriedOut> => {
    const before = await lockFloor(client, context.organizationId);
    // The role is checked first: step-up would not help a member who may not do this.
    await requireDecider(client, context, "change the organization's settings");
    if ((after ?? 0) < (before ?? 0)) {
      const act = `LOWER_NEW_POD_FLOOR:${amountIn(after)}` as const;
      const method = await requirePresence(client, context.actor, services.clock.now(), act);
      const wanted = { what: "NEW_POD_FLOOR", before, after } as const;
      const href = await askForSignatures(client, context, { wanted, subject: null }, method);
      if (href !== null) return { kind: "ASKED", href };
    }
    await changeFloor(client, context, after);
    return { kind: "DONE" };
  });
  services.wake(SEND_NOTICES);
  return result;
}

/**
 * Carries out a floor that was asked for, with its last signature.
 * @returns false if it was changed meanwhile
 */
export async function applyNewPodFloor(
  client: Queryable,
  context: Context<MemberActor>,
  { before, after }: Extract<WantedLimit, { what: "NEW_POD_FLOOR" }>,
): Promise<boolean> {
  if ((await lockFloor(client, context.organizationId)) !== before) return false;
  await changeFloor(client, context, after);
  return true;
}

async function changeFloor(
  client: Queryable,
  context: Context<MemberActor>,
  after: number | null,
): Promise<void> {
  const changeId = await changeOrganization(client, context, "NEW_POD_FLOOR", after);
  if (changeId !== null) await endOutdatedChange(client, context, "NEW_POD_FLOOR");
}

async function lockFloor(client: Queryable, organizationId: string): Promise<number | null> {
  const { rows } = await client.query<{ floor: number | null }>(
    "select new_pod_floor_in_cents as floor from organizations where id = $1 for no key update",
    [organizationId],
  );
  return rows[0]?.floor ?? null;
}
