import { z } from "zod";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import { refundAttempt, takeGuess } from "@/lib/core/shared/throttle";
import { noteSignIn } from "@/lib/core/sign-in/note-sign-in";
import { givenPasswordSchema } from "@/lib/core/sign-in/password";
import { emailSchema } from "@/lib/core/sign-in/person";
import { hashReadableSecret } from "@/lib/core/sign-in/recovery-codes";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { findByPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({
  email: emailSchema,
  password: givenPasswordSchema,
  code: z.string().min(1).max(100),
});

/**
 * Signs in with email, password and a recovery code, for a member who lost their passkey: for five minutes this counts as
 * the passkey when changing sign-in methods. The code is consumed only with the correct password.
 */
export async function signInWithRecoveryCode(
  services: Pick<Services, "pool" | "clock" | "log">,
  input: { email: string; password: string; code: string },
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  return noteSignIn(services, "RECOVERY_CODE", await attempt(services, input, browser), browser);
}

async function attempt(
  services: Pick<Services, "pool" | "clock">,
  input: { email: string; password: string; code: string },
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  const given = inputSchema.safeParse(input).data;
  if (!given) return { kind: "FAILED" };
  const taken = await takeGuess(services, given.email, browser);
  if (taken.kind === "THROTTLED") return taken;
  const userId = await findByPassword(services, given);
  if (userId === null) return { kind: "FAILED" };
  const signedIn = await spendCodeAndStart(services, userId, given.code, browser);
  if (!signedIn) return { kind: "FAILED" };
  await refundAttempt(services, taken);
  return signedIn;
}

function spendCodeAndStart(
  services: Pick<Services, "pool" | "clock">,
  userId: string,
  code: string,
  browser: BrowserFacts,
): ReturnType<typeof signInBrowser> {
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query(
      "update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null",
      [userId, hashReadableSecret(code), now],
    );
    if (rowCount !== 1) return null;
    return signInBrowser(client, now, { userId, proof: { method: "RECOVERY_CODE" } }, browser);
  });
}
