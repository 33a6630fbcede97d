import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { phoneSchema } from "@/lib/contract/phone";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOwnPhone, type OwnPhone, readOwnPhone } from "@/lib/core/sign-in/own-phone";
import { parseInput } from "@/lib/core/sign-in/person";
import { makePhoneCode, writePhoneCode } from "@/lib/core/sign-in/phone-code";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { tellOfPhone } from "@/lib/core/sign-in/tell-of-phone";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({ phone: phoneSchema });

/**
 * A member adds or changes their own number and is sent a code to it. Until that is entered nothing else goes there, nor
 * to the number before. Who is told of the change: the member by email, and the verified number that was left.
 * @param networkAddress null where the door does not know it
 * @throws NotConfirmed without presence, where a verified number would go: whoever sits down at an open browser must not
 * take over or silence what tells its owner. AppError `INVALID_PARAMETERS` for what is no number or the verified one
 * already, `RATE_LIMIT_EXCEEDED` after too many codes.
 */
export async function setPhone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  input: { phone: string },
  networkAddress: string | null,
): Promise<void> {
  const { phone } = parseInput(inputSchema, input);
  const now = services.clock.now();
  const { actor } = context;
  // Asked before anything is counted or hashed, and again under the lock.
  await requireMayChange(services.pool, actor, await readOwnPhone(services.pool, actor.id), phone, now);
  const code = await makePhoneCode(services, actor.id, phone, networkAddress);
  await inTransaction(services.pool, async (client) => {
    const before = await lockOwnPhone(client, actor.id);
    await requireMayChange(client, actor, before, phone, now);
    await client.query("update users set phone = $2, phone_verified_at = null where id = $1", [
      actor.id,
      phone,
    ]);
    await writePhoneCode(client, context, code, now);
    if (before.verifiedAt) await tellOfPhone(client, context, { kind: "CHANGED", oldPhone: before.phone });
  });
  services.wake(SEND_MESSAGES);
}

async function requireMayChange(
  client: Queryable,
  actor: MemberActor,
  before: OwnPhone,
  phone: string,
  now: Date,
): Promise<void> {
  if (!before.verifiedAt) return;
  if (before.phone === phone)
    throw new AppError("INVALID_PARAMETERS", "This number is verified already. Nothing was changed.");
  await requirePresence(client, actor, now);
}
