import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOwnPhone, readOwnPhone } from "@/lib/core/sign-in/own-phone";
import { makePhoneCode, writePhoneCode } from "@/lib/core/sign-in/phone-code";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Another code to the member's own number that is not verified yet; the one before ends.
 * @param networkAddress null where the door does not know it
 * @throws AppError `INVALID_PARAMETERS` where there is nothing to verify, `RATE_LIMIT_EXCEEDED` after too many codes.
 */
export async function sendPhoneCode(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  networkAddress: string | null,
): Promise<void> {
  const userId = context.actor.id;
  const { phone, verifiedAt } = await readOwnPhone(services.pool, userId);
  if (phone === null || verifiedAt) throw nothingToVerify();
  const code = await makePhoneCode(services, userId, phone, networkAddress);
  await inTransaction(services.pool, async (client) => {
    const current = await lockOwnPhone(client, userId);
    // Changed or verified in another tab meanwhile: this code would be for a number that is gone.
    if (current.phone !== phone || current.verifiedAt) throw nothingToVerify();
    await writePhoneCode(client, context, code, services.clock.now());
  });
  services.wake(SEND_MESSAGES);
}

const nothingToVerify = () =>
  new AppError("INVALID_PARAMETERS", "There is no number to verify (any more). Load this page again.");
