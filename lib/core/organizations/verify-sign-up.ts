import { byNetwork, refundAttempt, type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import { verifyPassword } from "@/lib/core/sign-in/password";
import { hashSignUpToken, SIGN_UP_CODE_TRIES, signUpCodeSecret } from "@/lib/core/sign-in/sign-up";
import type { Services } from "@/lib/platform/services";

export type VerifySignUpOutcome =
  | { kind: "VERIFIED" }
  | { kind: "WRONG"; triesLeft: number }
  /** Too late, too often, or nothing was begun here: only another code helps. */
  | { kind: "OVER" }
  | Throttled;

/**
 * Takes the code that came by email: whoever has it reads the mail of this address. It is good for a quarter of an hour,
 * and worth nothing after five wrong tries.
 */
export async function verifySignUp(
  services: Pick<Services, "pool" | "clock">,
  token: string,
  code: string,
  networkAddress: string | null,
): Promise<VerifySignUpOutcome> {
  const tokenHash = hashSignUpToken(token);
  const digits = code.replaceAll(/\s/g, "");
  if (!tokenHash) return { kind: "OVER" };
  const attempt = await takeAttempt(services, [byNetwork(networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const now = services.clock.now();
  // Counted before it is looked at: of many tries at the same moment no more than five see the code.
  const { rows } = await services.pool.query<{ email: string; code_hash: string; tries: number }>({
    name: "try_sign_up_code",
    text: `update sign_ups set tries = tries + 1
            where token_hash = $1 and verified_at is null and code_until > $2 and tries < $3
            returning email, code_hash, tries`,
    values: [tokenHash, now, SIGN_UP_CODE_TRIES],
  });
  const tried = rows[0];
  if (!tried) return { kind: "OVER" };
  if (!(await verifyPassword(tried.code_hash, signUpCodeSecret(tried.email, digits)))) {
    return { kind: "WRONG", triesLeft: SIGN_UP_CODE_TRIES - tried.tries };
  }
  // Only the very code that was tried: another one may have been sent meanwhile.
  const { rowCount } = await services.pool.query({
    name: "verify_sign_up",
    text: "update sign_ups set verified_at = $3 where token_hash = $1 and code_hash = $2 and verified_at is null",
    values: [tokenHash, tried.code_hash, now],
  });
  if (rowCount !== 1) return { kind: "OVER" };
  await refundAttempt(services, attempt);
  return { kind: "VERIFIED" };
}
