import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { MemberActor } from "@/lib/core/shared/context";
import { hasSecondFactor, type SignInMethod } from "@/lib/core/shared/session";
import { hasAuthenticator } from "@/lib/core/sign-in/authenticator";
import {
  beginConfirmationOf,
  isFresh,
  manageScope,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";

import { hasPasskey } from "@/lib/core/sign-in/second-factors";

import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Presence: a proof, less than five minutes old, that the member themself is at this browser. Changing sign-in methods
 * requires it; otherwise an unattended browser could be taken over permanently.
 */

type MissingProof = ConfirmationRequest["kind"] | "PASSWORD_AND_CODE";

/** The missing proof. `NONE`: it exists. */
export async function missingProof(
  services: Pick<Services, "pool" | "clock">,
  actor: MemberActor,
): Promise<MissingProof> {
  if (await hasPresence(services.pool, actor, services.clock.now())) return "NONE";
  if (await hasPasskey(services.pool, actor.id)) return "PASSKEY";
  return (await hasAuthenticator(services.pool, actor.id)) ? "PASSWORD_AND_CODE" : "PASSWORD";
}

/** How this member must prove it, with its challenge. `NONE`: they have, less than five minutes ago. */
export async function beginPresence(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
): Promise<ConfirmationRequest> {
  if (await hasPresence(services.pool, actor, services.clock.now())) return { kind: "NONE" };
  const request = await beginConfirmationOf(services, actor, manageScope(actor));
  // They signed in recently, but with less than they have enrolled since.
  return request.kind === "NONE"
    ? { kind: "PASSWORD", withCode: await hasAuthenticator(services.pool, actor.id) }
    : request;
}

/**
 * Takes the proof, which for the next five minutes counts like a sign-in with it.
 * @throws NotConfirmed
 */
export async function confirmPresence(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  actor: MemberActor,
  confirmation: Confirmation,
): Promise<void> {
  const verified = await verifyConfirmationOf(services, actor, manageScope(actor), confirmation);
  // No new proof was given: it must not prolong itself.
  if (verified.method === "RECENT_SIGN_IN") return;
  const { method } = verified;
  const withCode = method === "PASSWORD" && verified.code.kind === "RIGHT";
  await inTransaction(services.pool, async (client) => {
    await spendConfirmation(client, verified);
    await client.query(
      `update sessions set authenticated_at = $2, method = $3, has_second_factor = has_second_factor or $4
        where id = $1`,
      [verified.sessionId, verified.verifiedAt, method, hasSecondFactor({ method, withCode })],
    );
  });
}

/**
 * @param now real time
 * @throws NotConfirmed without a proof, or with an old one, or a password where a passkey exists.
 */
export async function requirePresence(client: Queryable, actor: MemberActor, now: Date): Promise<void> {
  if (!(await hasPresence(client, actor, now))) {
    throw new NotConfirmed("Confirm that it is you first. Nothing was changed.");
  }
}

async function hasPresence(client: Queryable, actor: MemberActor, now: Date): Promise<boolean> {
  const { rows } = await client.query<{
    method: SignInMethod;
    authenticated_at: Date;
    has_passkey: boolean;
    lacks_code: boolean;
  }>(
    `select s.method, s.authenticated_at, exists (select from passkeys p where p.user_id = s.user_id) as has_passkey,
        not s.has_second_factor and exists (
          select from authenticators a where a.user_id = s.user_id and a.confirmed_at is not null) as lacks_code
       from sessions s where s.id = $1 and s.user_id = $2 and s.revoked_at is null`,
    [actor.sessionId, actor.id],
  );
  const session = rows[0];
  if (!session || !isFresh(session.authenticated_at, now)) return false;
  // A stolen password must not remove the passkey or app that blocks it.
  return session.method !== "PASSWORD" || !(session.has_passkey || session.lacks_code);
}
