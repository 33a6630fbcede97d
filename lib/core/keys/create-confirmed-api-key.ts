import { AppError } from "@/lib/contract/error";
import type { PermissionInput } from "@/lib/contract/permissions";
import { createApiKey, type NewKey } from "@/lib/core/keys/create-api-key";
import { noteNewKey } from "@/lib/core/keys/note-new-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Makes a key for a member at a browser: a key outlives their session, so it takes the same proof as changing the ways
 * to sign in.
 * @throws NotConfirmed without presence; AppError as `createApiKey`, and `INVALID_PARAMETERS` for a key that may do
 * nothing.
 */
export async function createConfirmedApiKey(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  input: { name: string; permissions: PermissionInput[]; dailyCapInCents?: number | null },
): Promise<NewKey> {
  if (input.permissions.length === 0) {
    throw new AppError("INVALID_PARAMETERS", "permissions: pick at least one thing that the key may do");
  }
  return inTransaction(services.pool, async (client) => {
    await requirePresence(client, context.actor, services.clock.now());
    const key = await createApiKey({ pool: client }, context, input);
    await noteNewKey(client, context, key);
    return key;
  });
}
