import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { hasAuthenticator } from "@/lib/core/sign-in/authenticator";
import { hasPasskey } from "@/lib/core/sign-in/has-passkey";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { writeRecoveryCodes } from "@/lib/core/sign-in/recovery-codes";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Makes ten new recovery codes; the old ones stop counting.
 * @returns the codes, shown once.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` without a passkey or app that they could stand in for.
 */
export function makeRecoveryCodes(
  services: Pick<Services, "pool" | "clock">,
  actor: MemberActor,
): Promise<string[]> {
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now);
    if (!(await hasPasskey(client, actor.id)) && !(await hasAuthenticator(client, actor.id)))
      throw new AppError(
        "INVALID_PARAMETERS",
        "Add a passkey or an authenticator app first: recovery codes stand in for a lost one.",
      );
    return writeRecoveryCodes(client, actor.id, now);
  });
}
