import type { AcceptOutcome } from "@/lib/core/organizations/accept-as-new";
import { findInvitation, takeInvitation } from "@/lib/core/organizations/find-invitation";
import { joinOrganization, lookAt } from "@/lib/core/organizations/join-organization";
import type { BrowserFacts } from "@/lib/core/shared/session";
import { refundAttempt, takeGuess } from "@/lib/core/shared/throttle";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import type { CodeServices } from "@/lib/core/sign-in/authenticator";
import { givenPasswordSchema } from "@/lib/core/sign-in/password";
import { spendTakenCode, takeCode } from "@/lib/core/sign-in/password-code";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { findByPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Somebody who has a password here joins and is signed in, in one step: who belongs to no organization any more could
 * not sign in first. A link alone is not enough, or whoever reads one email would be them.
 * Their authenticator app is asked for as at sign-in.
 * @returns `FAILED` for a wrong password, guessed at no faster than on the sign-in page.
 */
export async function acceptWithPassword(
  services: CodeServices & Pick<Services, "wake">,
  token: string,
  input: { password: string; code?: string },
  browser: BrowserFacts,
): Promise<AcceptOutcome> {
  const invitation = await findInvitation(services, token);
  if (!invitation) return { kind: "OVER" };
  const password = givenPasswordSchema.safeParse(input.password).data;
  if (password === undefined) return { kind: "FAILED" };
  const attempt = await takeGuess(services, invitation.email, browser);
  if (attempt.kind === "THROTTLED") return attempt;
  const userId = await findByPassword(services, { email: invitation.email, password });
  if (userId === null) return { kind: "FAILED" };
  const code = await takeCode(services, userId, input.code);
  if (code.kind === "CODE_WRONG") return code;
  await refundAttempt(services, attempt);
  if (code.kind !== "RIGHT" && code.kind !== "NONE") return code;
  const now = services.clock.now();
  const outcome = await inTransaction(services.pool, async (client): Promise<AcceptOutcome> => {
    if (!(await spendTakenCode(client, userId, code))) return { kind: "CODE_WRONG" };
    const taken = await takeInvitation(client, token, now);
    if (!taken || taken.email !== invitation.email) return { kind: "OVER" };
    await joinOrganization(client, taken, userId, now);
    const proof = { method: "PASSWORD" as const, withCode: code.kind === "RIGHT" };
    const signedIn = await signInBrowser(client, now, { userId, proof }, browser);
    if (!signedIn) throw new Error("Somebody who has just joined could not sign in.");
    await lookAt(client, signedIn, taken.organizationId);
    return signedIn;
  });
  if (outcome.kind === "SIGNED_IN") services.wake(SEND_NOTICES);
  return outcome;
}
