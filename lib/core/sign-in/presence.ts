import { hash } from "node:crypto";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import type { StepUpAct } from "@/lib/contract/confirmation/step-up";
import type { MemberActor } from "@/lib/core/shared/context";
import { hasSecondFactor, type SignInMethod } from "@/lib/core/shared/session";
import { hasAuthenticator } from "@/lib/core/sign-in/authenticator";
import { memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  type ConfirmationMethod,
  isFresh,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Presence: the member themself is at this browser and means this act. Without it, an unattended browser could be taken
 * over permanently. A proof counts for the act that it names, once; a sign-in less than five minutes old counts for
 * those without a passkey. Decisions, runs and moves of money send their confirmation with them instead.
 */

/** How the session of a member without a required second factor must be completed. */
export async function missingProof(
  services: Pick<Services, "pool">,
  actor: Pick<MemberActor, "id">,
): Promise<"PASSKEY" | "PASSWORD_AND_CODE" | "NOTHING_ENROLLED"> {
  if (await hasPasskey(services.pool, actor.id)) return "PASSKEY";
  return (await hasAuthenticator(services.pool, actor.id)) ? "PASSWORD_AND_CODE" : "NOTHING_ENROLLED";
}

/** A challenge for this act fits no other one. */
function actScope(actor: Pick<MemberActor, "id" | "sessionId">, act: StepUpAct) {
  return memberScope("MANAGE", actor, storedAct(act));
}

const MAXIMUM_STORED_ACT = 300;

/** An act as its column holds it. A long one is stored as its kind and digest: no other act has the same. */
export function storedAct(act: StepUpAct): string {
  if (act.length <= MAXIMUM_STORED_ACT) return act;
  return `${act.split(":", 1)[0]}:sha256:${hash("sha256", act)}`;
}

/** How this member must prove it, with its challenge. `NONE`: this act needs no further proof. */
export async function beginPresence(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  act: StepUpAct,
): Promise<ConfirmationRequest> {
  if (await hasPresence(services.pool, actor, services.clock.now(), act)) return { kind: "NONE" };
  return beginConfirmationOf(services, actor, actScope(actor, act), { freshSignInCounts: false });
}

/**
 * Takes the proof, which for the next five minutes counts for this act, once.
 * @throws NotConfirmed
 */
export async function confirmPresence(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  actor: MemberActor,
  act: StepUpAct,
  confirmation: Confirmation,
): Promise<void> {
  const verified = await verifyConfirmationOf(services, actor, actScope(actor, act), confirmation);
  // No new proof was given: it must not prolong itself.
  if (verified.method === "RECENT_SIGN_IN") return;
  const { method, sessionId, verifiedAt } = verified;
  const withCode = method === "PASSWORD" && verified.code.kind === "RIGHT";
  await inTransaction(services.pool, async (client) => {
    await spendConfirmation(client, verified);
    if (act === "COMPLETE_SIGN_IN") {
      if (hasSecondFactor({ method, withCode })) await completeSignIn(client, sessionId, method);
      return;
    }
    await client.query({
      name: "write_step_up",
      text: `insert into step_ups (session_id, act, organization_id, method, has_code, verified_at)
        select id, $2, organization_id, $3, $4, $5 from sessions where id = $1
        on conflict (session_id, act) do update set organization_id = excluded.organization_id,
          method = excluded.method, has_code = excluded.has_code, verified_at = excluded.verified_at`,
      values: [sessionId, storedAct(act), method, withCode, verifiedAt],
    });
  });
}

/** The session then has the second factor that an organization requires. That is not a new sign-in: no act is confirmed. */
async function completeSignIn(client: Queryable, sessionId: string, method: SignInMethod): Promise<void> {
  await client.query("update sessions set method = $2, has_second_factor = true where id = $1", [
    sessionId,
    method,
  ]);
}

/**
 * Consumes the proof, in the transaction of what it confirms; of concurrent calls one succeeds.
 * @param now real time
 * @returns how it was proven
 * @throws NotConfirmed without a proof of this act, or with an old one, or a password where a passkey exists. Roll back.
 */
export async function requirePresence(
  client: Queryable,
  actor: MemberActor,
  now: Date,
  act: StepUpAct,
): Promise<ConfirmationMethod> {
  const { rows } = await client.query<StepUpRow>({
    name: "spend_step_up",
    text: `${OWN_FACTORS},
      spent as (delete from step_ups p using own
                 where p.session_id = own.id and p.act = $3 and p.organization_id = own.organization_id
                returning p.method, p.has_code, p.verified_at)
      select own.*, spent.method as "provenBy", coalesce(spent.has_code, false) as "hasCode",
          spent.verified_at as "provenAt"
        from own left join spent on true`,
    values: [actor.sessionId, actor.id, storedAct(act)],
  });
  if (!isPresent(rows[0], now, act)) throw notPresent();
  return rows[0]?.provenBy ?? "RECENT_SIGN_IN";
}

/**
 * Whether `requirePresence` would accept this act now; consumes nothing. For what is slow or irreversible before the
 * transaction that consumes the proof.
 * @throws NotConfirmed
 */
export async function checkPresence(
  database: Queryable,
  actor: MemberActor,
  now: Date,
  act: StepUpAct,
): Promise<void> {
  if (!(await hasPresence(database, actor, now, act))) throw notPresent();
}

function notPresent(): NotConfirmed {
  return new NotConfirmed("Confirm that it is you first. Nothing was changed.");
}

interface StepUpRow {
  /** How this session signed in. */
  method: SignInMethod;
  authenticatedAt: Date;
  hasPasskey: boolean;
  hasAuthenticator: boolean;
  /** The session was signed in with a second factor, or got one since. */
  hasSecondFactor: boolean;
  /** The proof of this act; all three null or false without one. */
  provenBy: SignInMethod | null;
  hasCode: boolean;
  provenAt: Date | null;
}

/** The member's open session, and what could prove more than a password. */
const OWN_FACTORS = `
  with own as (
    select s.id, s.organization_id, s.method, s.authenticated_at as "authenticatedAt",
        s.has_second_factor as "hasSecondFactor",
        exists (select from passkeys p where p.user_id = s.user_id) as "hasPasskey",
        exists (select from authenticators a where a.user_id = s.user_id and a.confirmed_at is not null)
          as "hasAuthenticator"
      from sessions s where s.id = $1 and s.user_id = $2 and s.revoked_at is null)`;

async function hasPresence(
  database: Queryable,
  actor: MemberActor,
  now: Date,
  act: StepUpAct,
): Promise<boolean> {
  const { rows } = await database.query<StepUpRow>({
    name: "find_step_up",
    text: `${OWN_FACTORS}
      select own.*, p.method as "provenBy", coalesce(p.has_code, false) as "hasCode", p.verified_at as "provenAt"
        from own left join step_ups p
          on p.session_id = own.id and p.act = $3 and p.organization_id = own.organization_id`,
    values: [actor.sessionId, actor.id, storedAct(act)],
  });
  return isPresent(rows[0], now, act);
}

function isPresent(row: StepUpRow | undefined, now: Date, act: StepUpAct): boolean {
  if (!row) return false;
  const { provenBy, provenAt, hasPasskey: isPasskeyHolder } = row;
  if (provenBy !== null && provenAt !== null && isFresh(provenAt, now)) {
    // A stolen password must not remove the passkey or app that blocks it, nor count once there is one.
    if (provenBy !== "PASSWORD" || !(isPasskeyHolder || (row.hasAuthenticator && !row.hasCode))) return true;
  }
  if (!isFresh(row.authenticatedAt, now)) return false;
  if (isPasskeyHolder)
    return row.method === "RECOVERY_CODE" && REPLACES_LOST_PASSKEY.has(act.split(":", 1)[0]);
  return row.method !== "PASSWORD" || !row.hasAuthenticator || row.hasSecondFactor;
}

/** A member who signed in with a recovery code has lost their passkey, and may have used their last code. */
const REPLACES_LOST_PASSKEY = new Set<string | undefined>([
  "ADD_PASSKEY",
  "REMOVE_PASSKEY",
  "ADD_AUTHENTICATOR",
  "REMOVE_AUTHENTICATOR",
  "MAKE_RECOVERY_CODES",
] satisfies StepUpAct[]);
