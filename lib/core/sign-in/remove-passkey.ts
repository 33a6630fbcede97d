import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { dropUselessCodes } from "@/lib/core/sign-in/recovery-codes";
import { keepAskedFactor } from "@/lib/core/sign-in/second-factors";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Removes one of the member's own passkeys. With the last one go the recovery codes, unless there is an authenticator
 * app: there is nothing left that they could stand in for, and the next first passkey brings new ones.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` when the member has no such passkey, and when it is
 * their last second factor and an organization asks them for one.
 */
export async function removePasskey(
  services: Pick<Services, "pool" | "clock">,
  actor: MemberActor,
  passkeyId: string,
): Promise<void> {
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now);
    const { rowCount } = await client.query(
      "delete from passkeys where credential_id = $1 and user_id = $2",
      [passkeyId, actor.id],
    );
    if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "You have no such passkey (any more).");
    await keepAskedFactor(client, actor.id);
    await dropUselessCodes(client, actor.id);
  });
}
