import {
  type Confirmation,
  type ConfirmationRequest,
  confirmationSchema,
  type DecisionSubject,
} from "@/lib/contract/confirmation/decision";
import { FRESH_SIGN_IN_MS } from "@/lib/contract/limits";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { byMember, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import { spendCode } from "@/lib/core/sign-in/authenticator";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import {
  type AssertionRefusal,
  requestPasskey,
  requireSpent,
  spentBy,
  type VerifiedAssertion,
  verifyAssertion,
} from "@/lib/core/sign-in/passkey-assertion";
import { verifyPassword } from "@/lib/core/sign-in/password";
import { type TakenCode, takeCode } from "@/lib/core/sign-in/password-code";
import { hashReadableSecret } from "@/lib/core/sign-in/recovery-codes";
import { readSecondFactors } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** How a decision was confirmed, as stored with it. */
export type ConfirmationMethod = "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE";

/** A verified proof that is not consumed yet. It contains no secret. */
export type VerifiedConfirmation = {
  userId: string;
  sessionId: string;
  /** Real time of the verification. */
  verifiedAt: Date;
} & (
  | { method: "PASSKEY"; passkeyName: string; assertion: VerifiedAssertion }
  | { method: "RECOVERY_CODE"; codeHash: Buffer }
  /** `code`: of the authenticator app, where the password requires one. */
  | { method: "PASSWORD"; code: Extract<TakenCode, { kind: "RIGHT" | "NONE" }> }
  | { method: "RECENT_SIGN_IN" }
);

/** A challenge for this decision fits no other proposal, verdict, digest or reason. */
function decisionScope(
  actor: Pick<MemberActor, "id" | "sessionId">,
  subject: DecisionSubject,
): ChallengeScope {
  // A denial confirms nothing about what was shown, so a changed balance must not invalidate it.
  // It does confirm what the program reads, and for how long it may not ask again.
  const { reason } = subject;
  const reasonText = reason ? JSON.stringify([reason.kind, reason.text, reason.notBefore]) : "";
  const shown = subject.decision === "APPROVE" ? subject.digest : reasonText;
  return memberScope("DECIDE", actor, `${subject.proposalId} ${subject.decision} ${shown}`);
}

/**
 * How this member must confirm this decision, with its challenge (docs/behavior/approvals.md, "Decisions"): by passkey if
 * they have one; otherwise not at all within five minutes of signing in; otherwise by password, with their authenticator
 * app's code if they have one. Does not check whether they may decide.
 */
export function beginConfirmation(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: DecisionSubject,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, decisionScope(actor, subject));
}

/** @param freshSignInCounts false: a recent sign-in does not prove who is at this browser now */
export async function beginConfirmationOf(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  scope: ChallengeScope,
  { freshSignInCounts = true }: { freshSignInCounts?: boolean } = {},
): Promise<ConfirmationRequest> {
  const { passkeys, hasAuthenticator } = await readSecondFactors(services.pool, actor.id);
  if (passkeys.length > 0) {
    return { kind: "PASSKEY", options: await requestPasskey(services, scope, passkeys) };
  }
  if (freshSignInCounts && isFresh(actor.authenticatedAt, services.clock.now())) return { kind: "NONE" };
  return { kind: "PASSWORD", withCode: hasAuthenticator };
}

/** Whether a proof of identity is less than five minutes old. */
export function isFresh(authenticatedAt: Date, now: Date): boolean {
  return now.getTime() - authenticatedAt.getTime() < FRESH_SIGN_IN_MS;
}

/**
 * Until when a member without a passkey confirms by having signed in. Null: they are asked.
 * @returns in the business time of `context`, as pages count it
 */
export function freshSignInUntil(
  { clock }: Pick<Services, "clock">,
  { actor, now }: Pick<Context<MemberActor>, "actor" | "now">,
  hasPasskey: boolean,
): string | null {
  const leftMs = actor.authenticatedAt.getTime() + FRESH_SIGN_IN_MS - clock.now().getTime();
  return hasPasskey || leftMs <= 0 ? null : new Date(now.getTime() + leftMs).toISOString();
}

/** The services that verifying a confirmation needs. */
export type ConfirmingServices = Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">;

/**
 * Verifies that the member themself confirms this decision (docs/behavior/approvals.md, "Decisions"). Run it before the
 * deciding transaction: hashing is slow, and a wrong password must stay counted when that rolls back. Consumes nothing;
 * `spendConfirmation` does, inside the transaction.
 * @throws NotConfirmed with a sentence for the member: insufficient, wrong, or too many attempts.
 */
export function verifyConfirmation(
  services: ConfirmingServices,
  actor: MemberActor,
  subject: DecisionSubject,
  confirmation: Confirmation,
): Promise<VerifiedConfirmation> {
  return verifyConfirmationOf(services, actor, decisionScope(actor, subject), confirmation);
}

export async function verifyConfirmationOf(
  services: ConfirmingServices,
  actor: MemberActor,
  scope: ChallengeScope,
  given: Confirmation,
): Promise<VerifiedConfirmation> {
  const confirmation = confirmationSchema.safeParse(given).data;
  if (!confirmation) throw new NotConfirmed("This confirmation is unreadable. Nothing was done. Try again.");
  const verified = { userId: actor.id, sessionId: actor.sessionId, verifiedAt: services.clock.now() };
  if (confirmation.kind === "PASSKEY") {
    const assertion = await verifyAssertion(services, scope, confirmation.response);
    return { ...verified, method: "PASSKEY", passkeyName: assertion.passkeyName, assertion };
  }
  if (confirmation.kind === "RECOVERY_CODE") {
    const codeHash = await verifyRecoveryCode(services, actor, confirmation.code);
    return { ...verified, method: "RECOVERY_CODE", codeHash };
  }
  const own = await readOwnProofs(services, actor);
  // A stolen password must not bypass the passkey by choosing the weaker proof.
  if (own.hasPasskey) throw new NotConfirmed(NEEDS_PASSKEY);
  if (confirmation.kind === "PASSWORD") {
    await throttled(services, actor, "That is not your password. Nothing was done.", () =>
      verifyPassword(own.passwordHash, confirmation.password),
    );
    const code = own.hasAuthenticator
      ? await verifyOwnCode(services, actor, confirmation.code)
      : ({ kind: "NONE" } as const);
    return { ...verified, method: "PASSWORD", code };
  }
  if (!isFresh(actor.authenticatedAt, verified.verifiedAt)) {
    throw new NotConfirmed("You signed in more than 5 minutes ago. Confirm with your password.");
  }
  return { ...verified, method: "RECENT_SIGN_IN" };
}

const NEEDS_PASSKEY = "Confirm with your passkey, or with a recovery code.";

interface OwnProofs {
  passwordHash: string | null;
  hasPasskey: boolean;
  hasAuthenticator: boolean;
}

async function readOwnProofs(
  services: Pick<Services, "pool">,
  actor: Pick<MemberActor, "id">,
): Promise<OwnProofs> {
  const { rows } = await services.pool.query<OwnProofs>({
    name: "read_own_proofs",
    text: `select password_hash as "passwordHash", exists (select from passkeys where user_id = $1) as "hasPasskey",
        exists (select from authenticators where user_id = $1 and confirmed_at is not null) as "hasAuthenticator"
      from users where id = $1`,
    values: [actor.id],
  });
  return rows[0] ?? { passwordHash: null, hasPasskey: false, hasAuthenticator: false };
}

/** A stolen password must not decide where it is not enough to sign in. */
async function verifyOwnCode(services: ConfirmingServices, actor: MemberActor, typed: string | undefined) {
  const code = await takeCode(services, actor.id, typed);
  if (code.kind === "RIGHT" || code.kind === "NONE") return code;
  if (code.kind === "THROTTLED") throw tooMany(code.retryAfterSeconds);
  throw new NotConfirmed(
    code.kind === "CODE_NEEDED"
      ? "Your password also needs the code from your authenticator app. Nothing was done."
      : "This code is wrong or already used. Nothing was done. Wait for the next one.",
  );
}

async function verifyRecoveryCode(
  services: ConfirmingServices,
  actor: MemberActor,
  code: string,
): Promise<Buffer> {
  const codeHash = hashReadableSecret(code);
  const refusal = "That is not one of your unused recovery codes. Nothing was done.";
  await throttled(services, actor, refusal, async () => {
    const { rowCount } = await services.pool.query(
      "select 1 from recovery_codes where user_id = $1 and code_hash = $2 and used_at is null",
      [actor.id, codeHash],
    );
    return rowCount === 1;
  });
  return codeHash;
}

/** Counts the attempt first, and refunds it when the proof is correct. */
async function throttled(
  services: ConfirmingServices,
  actor: MemberActor,
  refusal: string,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const attempt = await takeAttempt(services, [byMember(actor.id)]);
  if (attempt.kind === "THROTTLED") throw tooMany(attempt.retryAfterSeconds);
  if (!(await isRight())) throw new NotConfirmed(refusal);
  await refundAttempt(services, attempt);
}

function tooMany(retryAfterSeconds: number): NotConfirmed {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new NotConfirmed(`Too many attempts. Nothing was done. Try again in ${minutes} min.`);
}

/** How a member confirmed, as it is stored with what they decided or signed. */
export interface Confirmed {
  method: ConfirmationMethod;
  passkeyName: string | null;
}

/**
 * Consumes a verified confirmation, in the transaction of what it confirms; of concurrent calls one succeeds. Call it
 * before taking other locks: it always locks session, challenge and passkey in this order.
 * @returns what is stored with the decision.
 * @throws NotConfirmed when it was already used, or is no longer valid (session ended, passkey enrolled or removed).
 * Roll back.
 */
export async function spendConfirmation(
  client: Queryable,
  verified: VerifiedConfirmation,
): Promise<Confirmed> {
  if (verified.method === "PASSKEY") {
    await spendAssertionOf(client, verified, verified.assertion);
    return { method: "PASSKEY", passkeyName: verified.passkeyName };
  }
  const factors = await shareSession(client, verified);
  if (verified.method === "RECOVERY_CODE") await spendRecoveryCode(client, verified, verified.codeHash);
  else if (factors.hasPasskey) throw new NotConfirmed(NEEDS_PASSKEY);
  if (verified.method === "PASSWORD" && !(await spendCodeOf(client, verified, factors))) {
    throw new NotConfirmed("This code was already used. Nothing was done. Wait for the next one.");
  }
  return { method: verified.method, passkeyName: null };
}

type Factors = Pick<OwnProofs, "hasPasskey" | "hasAuthenticator">;

/** False: the code was used since, or an app was added or removed. */
async function spendCodeOf(
  client: Queryable,
  { userId, code }: Extract<VerifiedConfirmation, { method: "PASSWORD" }>,
  { hasAuthenticator }: Factors,
): Promise<boolean> {
  return code.kind === "NONE" ? !hasAuthenticator : spendCode(client, userId, code.step);
}

/** An ended session decides nothing; ending one waits for a decision in progress. */
async function shareSession(
  client: Queryable,
  { sessionId, userId }: VerifiedConfirmation,
): Promise<Factors> {
  const { rows } = await client.query<Factors & { isOpen: boolean }>({
    name: "share_session",
    text: `select is_open as "isOpen", has_passkey as "hasPasskey", has_authenticator as "hasAuthenticator"
      from share_session($1, $2)`,
    values: [sessionId, userId],
  });
  if (!rows[0]?.isOpen) throw signedOut();
  return rows[0];
}

/** Both in one round trip: nothing of the passkey is touched for an ended session. */
async function spendAssertionOf(
  client: Queryable,
  { sessionId, userId, verifiedAt }: VerifiedConfirmation,
  assertion: VerifiedAssertion,
): Promise<void> {
  const { rows } = await client.query<{ isOpen: boolean; refusal: AssertionRefusal | null }>({
    name: "share_session_and_use_assertion",
    text: `select is_open as "isOpen",
        case when is_open then use_assertion($3) end as refusal
      from share_session($1, $2)`,
    values: [sessionId, userId, spentBy(assertion, verifiedAt)],
  });
  if (!rows[0]?.isOpen) throw signedOut();
  requireSpent(rows[0].refusal);
}

function signedOut(): NotConfirmed {
  return new NotConfirmed("You were signed out. Nothing was done. Sign in again.");
}

async function spendRecoveryCode(
  client: Queryable,
  { userId, verifiedAt }: VerifiedConfirmation,
  codeHash: Buffer,
): Promise<void> {
  const { rowCount } = await client.query(
    "update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null",
    [userId, codeHash, verifiedAt],
  );
  if (rowCount !== 1) throw new NotConfirmed("This recovery code was already used. Use another one.");
}
