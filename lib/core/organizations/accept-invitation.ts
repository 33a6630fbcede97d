import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { ROLE_WORD } from "@/lib/contract/members";
import {
  findInvitation,
  type TakenInvitation,
  takeInvitation,
} from "@/lib/core/organizations/find-invitation";
import type { MemberActor } from "@/lib/core/shared/context";
import { checkInput } from "@/lib/core/shared/parse-input";
import { recordChange } from "@/lib/core/shared/record-change";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import { byNetwork, refundAttempt, takeAttempt, takeGuess } from "@/lib/core/shared/throttle";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { CodeServices } from "@/lib/core/sign-in/authenticator";
import { givenPasswordSchema } from "@/lib/core/sign-in/password";
import { spendTakenCode, takeCode } from "@/lib/core/sign-in/password-code";
import { findOrCreateUser, hashPerson, personSchema } from "@/lib/core/sign-in/person";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import { findByPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * A signed-in person joins another organization, which their browser then shows.
 * @throws AppError `ACCESS_DENIED` when the link invites another address, `INVALID_PARAMETERS` when it is not valid.
 */
export async function acceptAsMember(
  services: Pick<Services, "pool" | "clock" | "wake">,
  actor: Pick<MemberActor, "id" | "sessionId">,
  token: string,
): Promise<void> {
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    const taken = await takeInvitation(client, token, now);
    if (!taken) {
      throw new AppError("INVALID_PARAMETERS", "This invitation no longer works. Ask for another one.");
    }
    const { rowCount } = await client.query("select 1 from users where id = $1 and lower(email) = $2", [
      actor.id,
      taken.email,
    ]);
    if (rowCount !== 1) {
      throw new AppError(
        "ACCESS_DENIED",
        "This invitation is for another address. Sign in with that address to accept it. Nothing was changed.",
      );
    }
    await joinOrganization(client, taken, actor.id, now);
    await inspect(client, { sessionId: actor.sessionId, userId: actor.id }, taken.organizationId);
  });
  services.wake(SEND_NOTICES);
}

export type AcceptOutcome =
  | SignInOutcome
  | { kind: "INVALID"; details: ErrorDetail[] }
  /** Accepted, withdrawn, expired, or unknown. */
  | { kind: "OVER" }
  /** The address now has an account: sign-in is required, since a link does not replace a password. */
  | { kind: "KNOWN" };

/** Thrown to roll back the transaction; never leaves this file. */
class AddressTaken extends Error {}

/**
 * A new person joins: they choose name and password, and are signed in. Of concurrent attempts one succeeds.
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
  const parsed = checkInput(personSchema, { ...input, email: invitation.email, phone: null });
  if ("problems" in parsed) return { kind: "INVALID", details: parsed.problems };
  // Slow on purpose, so only for a valid link.
  const person = await hashPerson(parsed.data);
  const now = services.clock.now();
  const outcome = await inTransaction(services.pool, async (client): Promise<AcceptOutcome> => {
    const taken = await takeInvitation(client, token, now);
    if (!taken) return { kind: "OVER" };
    const { userId, isNew } = await findOrCreateUser(client, { ...person, email: taken.email }, now);
    if (!isNew) throw new AddressTaken();
    await joinOrganization(client, taken, userId, now);
    const proof = { method: "PASSWORD" as const, withCode: false };
    const signedIn = await signInBrowser(client, now, { userId, proof }, browser);
    if (!signedIn) throw new Error("A new member could not be signed in.");
    return signedIn;
  }).catch((error: unknown): AcceptOutcome => {
    if (error instanceof AddressTaken) return { kind: "KNOWN" };
    throw error;
  });
  if (outcome.kind === "SIGNED_IN") {
    services.wake(SEND_NOTICES);
    await refundAttempt(services, attempt);
  }
  return outcome;
}

/**
 * A person with a password here joins and is signed in, in one step: without any membership they could not sign in first.
 * Requires the password, or anyone who reads one email could be them; and the code of their authenticator app, as at
 * sign-in.
 * @returns `FAILED` for a wrong password, throttled as on the sign-in page.
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
    if (!signedIn) throw new Error("A new member could not be signed in.");
    await inspect(client, signedIn, taken.organizationId);
    return signedIn;
  });
  if (outcome.kind === "SIGNED_IN") services.wake(SEND_NOTICES);
  return outcome;
}

/**
 * Makes an invited person a member and notifies owners and co-owners. An existing member keeps their role: a link
 * promotes no one.
 * @param now real time
 */
async function joinOrganization(
  client: Queryable,
  { organizationId, role, invitedBy }: TakenInvitation,
  userId: string,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ businessNow: Date }>(
    `with joined as (
       insert into memberships (organization_id, user_id, role, created_at, invited_by) values ($1, $2, $3, $4, $5)
       on conflict (organization_id, user_id) do nothing returning organization_id)
     select $4::timestamptz + o.clock_offset_ms * interval '1 millisecond' as "businessNow"
       from joined j join organizations o on o.id = j.organization_id`,
    [organizationId, userId, role, now, invitedBy],
  );
  const businessNow = rows[0]?.businessNow;
  if (!businessNow) return;
  const joined = { organizationId, actor: { id: userId }, now: businessNow };
  const change = { subject: null, before: null, after: ROLE_WORD[role] };
  await recordChange(client, joined, { kind: "MEMBER_JOINED", ...change });
  await writeNotice(client, {
    organizationId,
    kind: "MEMBER_JOINED",
    subjectId: userId,
    userId: null,
    digestKey: organizationId,
    now: businessNow,
  });
}

/** Switches a browser to the organization that its user has just joined. */
async function inspect(
  client: Queryable,
  session: { sessionId: string; userId: string },
  organizationId: string,
): Promise<void> {
  await client.query(
    "update sessions set organization_id = $3 where id = $1 and user_id = $2 and revoked_at is null",
    [session.sessionId, session.userId, organizationId],
  );
}
