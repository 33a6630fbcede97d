import { checkInput } from "@/lib/core/shared/parse-input";
import { queueToPerson, readPersonSetting } from "@/lib/core/shared/queue-message";
import { byAddressMailed, byNetworkMailing, type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { hashPerson, personSchema } from "@/lib/core/sign-in/person";
import {
  findSignUp,
  hashSignUpToken,
  isSignUpOpen,
  newSignUpCode,
  newSignUpToken,
  SIGN_UP_CODE_LIFETIME_MS,
  SIGN_UP_LIFETIME_MS,
  type SignUpPolicy,
  type SignUpRefusal,
} from "@/lib/core/sign-in/sign-up";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { MessageSetting } from "@/lib/words/messages/email-layout";
import { renderSignUpCode, renderSignUpKnown } from "@/lib/words/messages/sign-in-messages";

export type SignUpServices = Pick<Services, "pool" | "clock" | "wake" | "appUrl">;

interface SignUpSetting {
  policy: SignUpPolicy;
  isSandboxBank: boolean;
}

/**
 * Starts a sign-up: sends a code to the given address; no user exists until it is entered. A registered address gets the
 * same response after the same work, and an email that says so instead of the code.
 * @param networkAddress null where the transport does not know it
 * @returns a token with which this browser continues
 */
export async function beginSignUp(
  services: SignUpServices,
  input: { name: string; email: string; password: string },
  networkAddress: string | null,
  setting: SignUpSetting,
): Promise<{ kind: "BEGUN"; token: string } | SignUpRefusal> {
  if (!(await isSignUpOpen(services, setting.policy))) return { kind: "CLOSED" };
  const parsed = checkInput(personSchema, { ...input, phone: null });
  if ("problems" in parsed) return { kind: "INVALID", details: parsed.problems };
  const { email } = parsed.data;
  const attempt = await takeAttempt(services, [byNetworkMailing(networkAddress), byAddressMailed(email)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const [person, code, messageSetting] = await Promise.all([
    hashPerson(parsed.data),
    newSignUpCode(email),
    readPersonSetting(services, setting.isSandboxBank),
  ]);
  const token = newSignUpToken();
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await client.query({
      name: "begin_sign_up",
      text: `insert into sign_ups (token_hash, email, name, password_hash, code_hash, code_until, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [
        hashSignUpToken(token),
        email,
        person.name,
        person.passwordHash,
        code.hash,
        new Date(now.getTime() + SIGN_UP_CODE_LIFETIME_MS),
        now,
        new Date(now.getTime() + SIGN_UP_LIFETIME_MS),
      ],
    });
    await queueSignUpMail(client, services, { email, code: code.code }, messageSetting, now);
  });
  services.wake(SEND_MESSAGES);
  return { kind: "BEGUN", token };
}

/** The code, or for a registered address a notice that it already has an account. */
async function queueSignUpMail(
  client: Queryable,
  { appUrl }: Pick<Services, "appUrl">,
  { email, code }: { email: string; code: string },
  setting: MessageSetting,
  now: Date,
): Promise<void> {
  const { rowCount } = await client.query({
    name: "is_address_known",
    text: "select from users where lower(email) = $1",
    values: [email],
  });
  const isKnown = rowCount !== 0;
  await queueToPerson(
    client,
    {
      kind: isKnown ? "SIGN_UP_KNOWN" : "SIGN_UP_CODE",
      recipient: email,
      email: isKnown
        ? renderSignUpKnown({ forgotUrl: `${appUrl}/forgot` }, setting)
        : renderSignUpCode({ code, signUpUrl: `${appUrl}/sign-up` }, setting),
      goodUntil: new Date(now.getTime() + SIGN_UP_CODE_LIFETIME_MS),
    },
    now,
  );
}

/**
 * Sends a new code, which replaces the previous one. Five emails an hour go to one address.
 * @returns `OVER` where this browser has no sign-up waiting for a code.
 */
export async function resendSignUpCode(
  services: SignUpServices,
  token: string,
  networkAddress: string | null,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<{ kind: "SENT" } | { kind: "OVER" } | Throttled> {
  const signUp = await findSignUp(services, token);
  if (!signUp || signUp.isVerified) return { kind: "OVER" };
  const { email } = signUp;
  const attempt = await takeAttempt(services, [byNetworkMailing(networkAddress), byAddressMailed(email)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const [{ code, hash }, setting] = await Promise.all([
    newSignUpCode(email),
    readPersonSetting(services, isSandboxBank),
  ]);
  const now = services.clock.now();
  const isSent = await inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query({
      name: "renew_sign_up_code",
      text: `update sign_ups set code_hash = $2, code_until = $3, tries = 0
              where token_hash = $1 and verified_at is null and expires_at > $4`,
      values: [hashSignUpToken(token), hash, new Date(now.getTime() + SIGN_UP_CODE_LIFETIME_MS), now],
    });
    if (rowCount !== 1) return false;
    await queueSignUpMail(client, services, { email, code }, setting, now);
    return true;
  });
  if (!isSent) return { kind: "OVER" };
  services.wake(SEND_MESSAGES);
  return { kind: "SENT" };
}
