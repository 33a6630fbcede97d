import { emailSchema } from "@/lib/core/shared/email";
import { queueToPerson, readPersonSetting } from "@/lib/core/shared/queue-to-person";
import { byAddressMailed, byNetworkMailing, type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import type { SignUpServices } from "@/lib/core/sign-in/begin-sign-up";
import {
  hashResetToken,
  newResetToken,
  PASSWORD_RESET_LIFETIME_MS,
  resetHref,
} from "@/lib/core/sign-in/password-reset";
import { inTransaction } from "@/lib/db/transaction";
import { renderPasswordReset } from "@/lib/words/messages/password-reset";

/**
 * Somebody forgot their password: a link goes to their address, good once and for half an hour. For an address that
 * nobody has the answer is the same, after a row is written too.
 * @param networkAddress null where the door does not know it
 * @returns `INVALID` for what is no address
 */
export async function requestPasswordReset(
  services: SignUpServices,
  input: { email: string },
  networkAddress: string | null,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<{ kind: "SENT" } | { kind: "INVALID" } | Throttled> {
  const email = emailSchema.safeParse(input.email).data;
  if (email === undefined) return { kind: "INVALID" };
  const attempt = await takeAttempt(services, [byNetworkMailing(networkAddress), byAddressMailed(email)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const setting = await readPersonSetting(services, isSandboxBank);
  const token = newResetToken();
  const now = services.clock.now();
  const goodUntil = new Date(now.getTime() + PASSWORD_RESET_LIFETIME_MS);
  await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ user_id: string | null; email: string | null }>({
      name: "request_password_reset",
      text: `with found as (select id, email from users where lower(email) = $2),
             written as (
               insert into password_resets (token_hash, user_id, expires_at)
               values ($1, (select id from found), $3) returning user_id)
             select w.user_id, f.email from written w left join found f on f.id = w.user_id`,
      values: [hashResetToken(token), email, goodUntil],
    });
    const recipient = rows[0]?.email ?? null;
    const rendered = renderPasswordReset({ resetUrl: `${services.appUrl}${resetHref(token)}` }, setting);
    // To nobody: the same text goes the same way and is not kept, or the time of the answer would tell strangers who
    // has an account.
    await queueToPerson(client, { kind: "PASSWORD_RESET", recipient, email: rendered, goodUntil }, now);
  });
  services.wake(SEND_MESSAGES);
  return { kind: "SENT" };
}
