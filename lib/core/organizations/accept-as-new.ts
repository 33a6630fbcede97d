import type { ErrorDetail } from "@/lib/contract/error";
import { findInvitation, takeInvitation } from "@/lib/core/organizations/find-invitation";
import { joinOrganization } from "@/lib/core/organizations/join-organization";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import { byNetwork, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { findOrCreateUser, hashPerson, personSchema } from "@/lib/core/sign-in/person";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export type AcceptOutcome =
  | SignInOutcome
  | { kind: "INVALID"; details: ErrorDetail[] }
  /** Accepted, withdrawn, expired, or none. */
  | { kind: "OVER" }
  /** Somebody has this address by now: they must sign in, for a link is no password. */
  | { kind: "KNOWN" };

/** Thrown to undo the transaction; never leaves this file. */
class KnownMeanwhile extends Error {}

/**
 * Somebody new joins: they choose name and password, and are signed in. Of any number at the same moment one does.
 * @param token from the address of the page
 */
export async function acceptAsNew(
  services: Pick<Services, "pool" | "clock" | "wake">,
  token: string,
  input: { name: string; password: string },
  browser: BrowserFacts,
): Promise<AcceptOutcome> {
  const attempt = await takeAttempt(services, [byNetwork(browser.networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const invitation = await findInvitation(services, token);
  if (!invitation) return { kind: "OVER" };
  if (invitation.isKnown) return { kind: "KNOWN" };
  const parsed = personSchema.safeParse({ ...input, email: invitation.email, phone: null });
  if (!parsed.success) return { kind: "INVALID", details: parsed.error.issues.map(toDetail) };
  // Slow on purpose, so only for a link that is good.
  const person = await hashPerson(parsed.data);
  const now = services.clock.now();
  const outcome = await inTransaction(services.pool, async (client): Promise<AcceptOutcome> => {
    const taken = await takeInvitation(client, token, now);
    if (!taken) return { kind: "OVER" };
    const { userId, isNew } = await findOrCreateUser(client, { ...person, email: taken.email }, now);
    if (!isNew) throw new KnownMeanwhile();
    await joinOrganization(client, taken, userId, now);
    const proof = { method: "PASSWORD" as const, withCode: false };
    const signedIn = await signInBrowser(client, now, { userId, proof }, browser);
    if (!signedIn) throw new Error("Somebody who has just joined could not sign in.");
    return signedIn;
  }).catch((error: unknown): AcceptOutcome => {
    if (error instanceof KnownMeanwhile) return { kind: "KNOWN" };
    throw error;
  });
  if (outcome.kind === "SIGNED_IN") {
    services.wake(SEND_NOTICES);
    await refundAttempt(services, attempt);
  }
  return outcome;
}

function toDetail(issue: { path: PropertyKey[]; message: string }): ErrorDetail {
  return { field: issue.path.join("."), message: issue.message };
}
