import { type PasskeyAssertion, passkeyAssertionSchema } from "@/lib/contract/confirmation/decision";
import type { PasskeyRequestOptions } from "@/lib/contract/confirmation/passkeys";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import {
  byNetwork,
  byNetworkAsking,
  refundAttempt,
  type Throttled,
  takeAttempt,
} from "@/lib/core/shared/throttle";
import { SIGN_IN_SCOPE } from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { noteSignIn } from "@/lib/core/sign-in/note-sign-in";
import {
  requestPasskey,
  spendAssertion,
  type VerifiedAssertion,
  verifyAssertion,
} from "@/lib/core/sign-in/passkey-assertion";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** What a browser needs to request any passkey that it has for this host, so that no one has to type who they are. */
export async function beginPasskeySignIn(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  networkAddress: string | null,
): Promise<{ kind: "BEGUN"; options: PasskeyRequestOptions } | Throttled> {
  const attempt = await takeAttempt(services, [byNetworkAsking(networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  return { kind: "BEGUN", options: await requestPasskey(services, SIGN_IN_SCOPE, []) };
}

/**
 * Signs in with a passkey alone, whose user the device has verified. Not throttled per person, so that password guesses
 * lock out no one with a passkey.
 */
export async function signInWithPasskey(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log">,
  response: PasskeyAssertion,
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  return noteSignIn(services, "PASSKEY", await attempt(services, response, browser), browser);
}

async function attempt(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log">,
  response: PasskeyAssertion,
  browser: BrowserFacts,
): Promise<SignInOutcome> {
  const answer = passkeyAssertionSchema.safeParse(response).data;
  if (!answer) return { kind: "FAILED" };
  const taken = await takeAttempt(services, [byNetwork(browser.networkAddress)]);
  if (taken.kind === "THROTTLED") return taken;
  try {
    const assertion = await verifyAssertion(services, SIGN_IN_SCOPE, answer);
    const signedIn = await spendAndStart(services, assertion, browser);
    if (!signedIn) return { kind: "FAILED" };
    await refundAttempt(services, taken);
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
    return signInBrowser(client, now, { userId: assertion.userId, proof: { method: "PASSKEY" } }, browser);
  });
}
