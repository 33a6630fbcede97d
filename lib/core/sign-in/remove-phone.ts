import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOwnPhone } from "@/lib/core/sign-in/own-phone";
import { endPhoneCode } from "@/lib/core/sign-in/phone-code";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { tellOfPhone } from "@/lib/core/sign-in/tell-of-phone";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * A member removes their own number: no SMS goes there any more. Of a verified one they are told by email, and the
 * number by SMS.
 * @throws NotConfirmed without presence where the number is verified; AppError `INVALID_PARAMETERS` where there is none.
 */
export async function removePhone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
): Promise<void> {
  const now = services.clock.now();
  const { actor } = context;
  await inTransaction(services.pool, async (client) => {
    const before = await lockOwnPhone(client, actor.id);
    if (before.phone === null)
      throw new AppError("INVALID_PARAMETERS", "You have no number (any more). Nothing was changed.");
    if (before.verifiedAt) await requirePresence(client, actor, now);
    await endPhoneCode(client, actor.id);
    await client.query("update users set phone = null, phone_verified_at = null where id = $1", [actor.id]);
    if (before.verifiedAt) await tellOfPhone(client, context, { kind: "REMOVED", oldPhone: before.phone });
  });
  services.wake(SEND_MESSAGES);
}
