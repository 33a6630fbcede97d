import { AppError } from "@/lib/contract/error";
import { phoneCodeSchema } from "@/lib/contract/phone";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOwnPhone } from "@/lib/core/sign-in/own-phone";
import { verifyPassword } from "@/lib/core/sign-in/password";
import { endPhoneCode, PHONE_CODE_TRIES, phoneCodeSecret } from "@/lib/core/sign-in/phone-code";
import { tellOfPhone } from "@/lib/core/sign-in/tell-of-phone";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

interface TriedCode {
  phone: string;
  hash: string;
  triesLeft: number;
}

/**
 * A member enters the code that came to their number: from now on messages go there. A code works once, for ten minutes,
 * and is worth nothing after five wrong tries.
 * @throws AppError `INVALID_PARAMETERS` with a sentence for the member.
 */
export async function verifyPhone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  input: { code: string },
): Promise<void> {
  const code = phoneCodeSchema.safeParse(input.code).data;
  if (code === undefined) throw refused("The code has six digits. Nothing was verified.");
  const now = services.clock.now();
  const userId = context.actor.id;
  const tried = await takeTry(services.pool, userId, now);
  if (!tried) throw ranOut();
  // Slow, and in the same time wherever the digits differ.
  if (!(await verifyPassword(tried.hash, phoneCodeSecret(userId, tried.phone, code)))) throw wrong(tried);
  await inTransaction(services.pool, async (client) => {
    const own = await lockOwnPhone(client, userId);
    if (own.phone !== tried.phone || !(await spendCode(client, userId, tried, now))) throw ranOut();
    await endPhoneCode(client, userId);
    await client.query("update users set phone_verified_at = $2 where id = $1", [userId, now]);
    await tellOfPhone(client, context, { kind: "VERIFIED", phone: tried.phone });
  });
  services.wake(SEND_MESSAGES);
}

/** Counts before it is looked at: of many tries at the same moment no more than five see the code. */
async function takeTry(database: Queryable, userId: string, now: Date): Promise<TriedCode | null> {
  const { rows } = await database.query<{ phone: string; code_hash: string; tries: number }>(
    `update phone_codes set tries = tries + 1 where user_id = $1 and expires_at > $2 and tries < $3
     returning phone, code_hash, tries`,
    [userId, now, PHONE_CODE_TRIES],
  );
  const row = rows[0];
  return row ? { phone: row.phone, hash: row.code_hash, triesLeft: PHONE_CODE_TRIES - row.tries } : null;
}

async function spendCode(
  client: Queryable,
  userId: string,
  { hash }: TriedCode,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "delete from phone_codes where user_id = $1 and code_hash = $2 and expires_at > $3",
    [userId, hash, now],
  );
  return rowCount === 1;
}

const refused = (message: string) => new AppError("INVALID_PARAMETERS", message);

const ranOut = () => refused("There is no code to enter (any more). Have another one sent.");

function wrong({ triesLeft }: TriedCode): AppError {
  if (triesLeft === 0) return refused("That is not the code, for the fifth time. Have another one sent.");
  return refused(`That is not the code. ${triesLeft} ${triesLeft === 1 ? "try is" : "tries are"} left.`);
}
