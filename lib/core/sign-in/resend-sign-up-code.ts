import { readPersonSetting } from "@/lib/core/shared/queue-to-person";
import { byAddressMailed, byNetworkMailing, type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { queueSignUpMail, type SignUpServices } from "@/lib/core/sign-in/begin-sign-up";
import {
  findSignUp,
  hashSignUpToken,
  newSignUpCode,
  SIGN_UP_CODE_LIFETIME_MS,
} from "@/lib/core/sign-in/sign-up";
import { inTransaction } from "@/lib/db/transaction";

/**
 * Sends another code; the one before is worth nothing from then on. Five emails an hour go to one address.
 * @returns `OVER` where nothing waits for a code in this browser (any more).
 */
export async function resendSignUpCode(
  services: SignUpServices,
  token: string,
  networkAddress: string | null,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<{ kind: "SENT" } | { kind: "OVER" } | Throttled> {
  const signUp = await findSignUp(services, token);
  if (!signUp || signUp.isVerified) return { kind: "OVER" };
  const { email } = signUp;
  const attempt = await takeAttempt(services, [byNetworkMailing(networkAddress), byAddressMailed(email)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const [{ code, hash }, setting] = await Promise.all([
    newSignUpCode(email),
    readPersonSetting(services, isSandboxBank),
  ]);
  const now = services.clock.now();
  const isSent = await inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query({
      name: "renew_sign_up_code",
      text: `update sign_ups set code_hash = $2, code_until = $3, tries = 0
              where token_hash = $1 and verified_at is null and expires_at > $4`,
      values: [hashSignUpToken(token), hash, new Date(now.getTime() + SIGN_UP_CODE_LIFETIME_MS), now],
    });
    if (rowCount !== 1) return false;
    await queueSignUpMail(client, services, { email, code }, setting, now);
    return true;
  });
  if (!isSent) return { kind: "OVER" };
  services.wake(SEND_MESSAGES);
  return { kind: "SENT" };
}
