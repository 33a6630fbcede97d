import { passkeyAssertionSchema } from "@/lib/contract/confirmation";
import type { PasskeyAssertion } from "@/lib/contract/views/passkey";
import { SIGN_IN_SCOPE } from "@/lib/core/members/challenge";
import { NotConfirmed } from "@/lib/core/members/not-confirmed";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/members/session";
import { signInBrowser } from "@/lib/core/members/sign-in-browser";
import { spendAssertion } from "@/lib/core/members/spend-assertion";
import { byNetwork, refundAttempt, takeAttempt } from "@/lib/core/members/throttle";
import { type VerifiedAssertion, verifyAssertion } from "@/lib/core/members/verify-assertion";
import { inTransaction } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Signs in with a passkey alone: the device has verified its user. Not throttled by person, so that who guesses at a
 * password keeps nobody with a passkey out.
 */
export async function signInWithPasskey(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log">,
  response: PasskeyAssertion,
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  const answer = passkeyAssertionSchema.safeParse(response).data;
  if (!answer) return { kind: "FAILED" };
  const attempt = await takeAttempt(services, [byNetwork(browser.networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  try {
    const assertion = await verifyAssertion(services, SIGN_IN_SCOPE, answer);
    const signedIn = await spendAndStart(services, assertion, browser);
    if (!signedIn) return { kind: "FAILED" };
    await refundAttempt(services, attempt);
    return signedIn;
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "FAILED" };
    throw error;
  }
}

function spendAndStart(
  services: Pick<Services, "pool" | "clock">,
  assertion: VerifiedAssertion,
  browser: BrowserFacts,
): ReturnType<typeof signInBrowser> {
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    await spendAssertion(client, assertion, now);
    return signInBrowser(client, now, { userId: assertion.userId, method: "PASSKEY" }, browser);
  });
}
