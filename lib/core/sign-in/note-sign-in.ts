import { shortNetwork } from "@/lib/core/shared/network";
import type { SignInMethod, SignInOutcome } from "@/lib/core/shared/session";
import type { Services } from "@/lib/platform/services";

/**
 * Logs every sign-in attempt: a series of refusals is what guessing looks like. No address and no password: the person is
 * known only on success, and the typed text may be the password.
 */
export function noteSignIn(
  { log }: Pick<Services, "log">,
  method: SignInMethod,
  outcome: SignInOutcome,
  { networkAddress }: { networkAddress: string | null },
): SignInOutcome {
  const userId = outcome.kind === "SIGNED_IN" ? outcome.userId : undefined;
  const facts = { method, outcome: outcome.kind, userId, network: shortNetwork(networkAddress) };
  log.info(facts, outcome.kind === "SIGNED_IN" ? "signed in" : "a sign-in was refused");
  return outcome;
}
