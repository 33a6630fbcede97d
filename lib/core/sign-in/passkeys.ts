import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { type PasskeyAttestation, passkeyAttestationSchema } from "@/lib/contract/confirmation/decision";
import type { PasskeyCreationOptions } from "@/lib/contract/confirmation/passkeys";
import { removePasskeyAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import { PASSKEY_NAME_LIMIT } from "@/lib/contract/limits";
import { nameText } from "@/lib/contract/plain-text";
import type { MemberActor } from "@/lib/core/shared/context";
import { hasAuthenticator } from "@/lib/core/sign-in/authenticator";
import {
  CHALLENGE_LIFETIME_MS,
  type ChallengeScope,
  claimedChallenge,
  isChallengeOpen,
  issueChallenge,
  memberScope,
  spendChallenge,
} from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { relyingParty } from "@/lib/core/sign-in/passkey-assertion";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { dropUselessCodes, writeRecoveryCodes } from "@/lib/core/sign-in/recovery-codes";
import { keepAskedFactor, noteSecondFactor, readSecondFactors } from "@/lib/core/sign-in/second-factors";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * What a browser needs to create a passkey for this member, bound to this session, for five minutes.
 * @throws NotConfirmed without presence.
 */
export async function beginEnrollment(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
): Promise<PasskeyCreationOptions> {
  await requirePresence(services.pool, actor, services.clock.now(), "ADD_PASSKEY");
  const { id: rpID, name: rpName } = relyingParty(services);
  const { passkeys } = await readSecondFactors(services.pool, actor.id);
  const challenge = await issueChallenge(services, memberScope("ENROL", actor));
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userName: actor.email,
    userDisplayName: actor.name,
    // The id, never the email address: authenticators store it readable.
    userID: new Uint8Array(Buffer.from(actor.id.replaceAll("-", ""), "hex")),
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: "none",
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
  return {
    rp: options.rp,
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams,
    timeout: options.timeout,
    excludeCredentials: options.excludeCredentials,
    authenticatorSelection: {
      residentKey: "preferred",
      requireResidentKey: false,
      userVerification: "required",
    },
    attestation: "none",
  };
}

const MAXIMUM_PASSKEYS = 20;
const REFUSAL = "This passkey could not be added. Nothing was changed. Try again.";

interface NewPasskey {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
  deviceType: string;
  isBackedUp: boolean;
}

/**
 * Adds the passkey that a browser created. A member's first one also creates ten recovery codes.
 * @returns the codes, shown once; null when this was not the first passkey.
 * @throws NotConfirmed for an invalid or late response; AppError `INVALID_PARAMETERS` for an invalid name, an existing
 * passkey, or when there are twenty.
 */
export async function finishEnrollment(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log">,
  actor: MemberActor,
  input: { name: string; response: unknown },
): Promise<{ recoveryCodes: string[] | null }> {
  const name = passkeyNameSchema.safeParse(input.name).data;
  if (!name) throw new AppError("INVALID_PARAMETERS", "Give the passkey a name of 1 to 60 characters.");
  const answer = passkeyAttestationSchema.safeParse(input.response).data;
  const scope = memberScope("ENROL", actor);
  const challenge = answer ? claimedChallenge(answer.response.clientDataJSON) : null;
  if (!answer || challenge === null || !(await isChallengeOpen(services, challenge, scope))) {
    throw new NotConfirmed(REFUSAL);
  }
  const passkey = await verifyAttestation(services, challenge, answer);
  if (!passkey) throw new NotConfirmed(REFUSAL);
  const now = services.clock.now();
  return inTransaction(services.pool, (client) =>
    write(client, now, { actor, scope, challenge, name, passkey }),
  );
}

async function verifyAttestation(
  services: Pick<Services, "appUrl" | "log">,
  expectedChallenge: string,
  answer: PasskeyAttestation,
): Promise<NewPasskey | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(services);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
    });
    if (!verified) return null;
    return {
      credentialId: registrationInfo.credential.id,
      publicKey: registrationInfo.credential.publicKey,
      counter: registrationInfo.credential.counter,
      transports: answer.response.transports ?? [],
      deviceType: registrationInfo.credentialDeviceType,
      isBackedUp: registrationInfo.credentialBackedUp,
    };
  } catch (error) {
    // The library throws for every invalid response.
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unknown";
    services.log.warn({ reason }, "a new passkey was refused");
    return null;
  }
}

async function write(
  client: Queryable,
  now: Date,
  enrollment: {
    actor: MemberActor;
    scope: ChallengeScope;
    challenge: string;
    name: string;
    passkey: NewPasskey;
  },
): Promise<{ recoveryCodes: string[] | null }> {
  const { actor, scope, challenge, name, passkey } = enrollment;
  // Locked: two concurrent first passkeys would each create codes and replace the other's.
  await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
  if (!(await spendChallenge(client, challenge, scope, now))) throw new NotConfirmed(REFUSAL);
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from passkeys where user_id = $1",
    [actor.id],
  );
  const count = rows[0]?.count ?? 0;
  if (count >= MAXIMUM_PASSKEYS)
    throw new AppError("INVALID_PARAMETERS", "You have 20 passkeys. Remove one first.");
  const { rowCount } = await client.query(
    `insert into passkeys
       (credential_id, user_id, public_key, counter, transports, device_type, backed_up, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (credential_id) do nothing`,
    [
      passkey.credentialId,
      actor.id,
      Buffer.from(passkey.publicKey),
      passkey.counter,
      passkey.transports,
      passkey.deviceType,
      passkey.isBackedUp,
      name,
      now,
    ],
  );
  if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "This passkey was already added.");
  await noteSecondFactor(client, actor);
  // An authenticator app may have created some: those printed on paper stay valid.
  const needsCodes = count === 0 && !(await hasAuthenticator(client, actor.id));
  return { recoveryCodes: needsCodes ? await writeRecoveryCodes(client, actor.id, now) : null };
}

/** A member's name for a passkey, such as "MacBook". */
const passkeyNameSchema = nameText(PASSKEY_NAME_LIMIT);

/** @throws AppError `INVALID_PARAMETERS` for an invalid name, or when the member has no such passkey. */
export async function renamePasskey(
  services: Pick<Services, "pool">,
  actor: MemberActor,
  input: { passkeyId: string; name: string },
): Promise<void> {
  const name = passkeyNameSchema.safeParse(input.name).data;
  if (!name) throw new AppError("INVALID_PARAMETERS", "Give the passkey a name of 1 to 60 characters.");
  const { rowCount } = await services.pool.query(
    "update passkeys set name = $3 where credential_id = $1 and user_id = $2",
    [input.passkeyId, actor.id, name],
  );
  if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "You no longer have this passkey.");
}

/**
 * Removes one of the member's own passkeys. With the last one go the recovery codes, unless there is an authenticator
 * app: they would replace nothing, and the next first passkey creates new ones.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` when the member has no such passkey, and when it is
 * their last second factor and an organization requires one.
 */
export async function removePasskey(
  services: Pick<Services, "pool" | "clock">,
  actor: MemberActor,
  passkeyId: string,
): Promise<void> {
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now, removePasskeyAct(passkeyId));
    const { rowCount } = await client.query(
      "delete from passkeys where credential_id = $1 and user_id = $2",
      [passkeyId, actor.id],
    );
    if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "You no longer have this passkey.");
    await keepAskedFactor(client, actor.id);
    await dropUselessCodes(client, actor.id);
  });
}
