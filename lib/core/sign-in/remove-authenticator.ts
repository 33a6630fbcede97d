import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { dropUselessCodes } from "@/lib/core/sign-in/recovery-codes";
import { keepAskedFactor } from "@/lib/core/sign-in/second-factors";
import { tellOfSignInChange } from "@/lib/core/sign-in/tell-of-sign-in-change";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Switches the authenticator app off: the password alone signs in again. Recovery codes go with it where there is no
 * passkey either. The member is told by email.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` where there is none, and where it is their last
 * second factor and an organization asks them for one.
 */
export async function removeAuthenticator(
  services: Pick<Services, "pool" | "clock" | "wake">,
  actor: MemberActor,
): Promise<void> {
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now);
    const { rowCount } = await client.query(
      "delete from authenticators where user_id = $1 and confirmed_at is not null",
      [actor.id],
    );
    if (rowCount !== 1)
      throw new AppError("INVALID_PARAMETERS", "No authenticator app is set up (any more).");
    await keepAskedFactor(client, actor.id);
    await dropUselessCodes(client, actor.id);
    await tellOfSignInChange(client, actor, now, "AUTHENTICATOR_OFF");
  });
  services.wake(SEND_MESSAGES);
}
