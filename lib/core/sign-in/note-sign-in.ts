import { shortNetwork } from "@/lib/core/shared/network";
import type { SignInMethod, SignInOutcome } from "@/lib/core/shared/session";
import type { Services } from "@/lib/platform/services";

/**
 * Writes an attempt to sign in into the log, whatever came of it: a row of refusals is what guessing looks like. No
 * address and no password: who it was is known only where it succeeded, and what was typed may be the password.
 */
export function noteSignIn(
  { log }: Pick<Services, "log">,
  method: SignInMethod,
  outcome: SignInOutcome,
  { networkAddress }: { networkAddress: string | null },
): SignInOutcome {
  const userId = outcome.kind === "SIGNED_IN" ? outcome.userId : undefined;
  const facts = { method, outcome: outcome.kind, userId, network: shortNetwork(networkAddress) };
  log.info(facts, outcome.kind === "SIGNED_IN" ? "somebody signed in" : "a sign-in was refused");
  return outcome;
}
