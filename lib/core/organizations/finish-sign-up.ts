import {
  organizationSchema,
  wouldBeFirst,
  writeOrganization,
} from "@/lib/core/organizations/create-organization";
import { checkInput } from "@/lib/core/shared/parse-input";
import type { BrowserFacts, SignInOutcome } from "@/lib/core/shared/session";
import { byNetwork, refundAttempt, type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import { verifyPassword } from "@/lib/core/sign-in/password";
import { signInBrowser } from "@/lib/core/sign-in/sign-in-browser";
import {
  hashSignUpToken,
  SIGN_UP_CODE_TRIES,
  type SignUpPolicy,
  type SignUpRefusal,
  signUpCodeSecret,
} from "@/lib/core/sign-in/sign-up";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

type VerifySignUpOutcome =
  | { kind: "VERIFIED" }
  | { kind: "WRONG"; triesLeft: number }
  /** Too late, too many tries, or nothing in progress here: only a new code helps. */
  | { kind: "OVER" }
  | Throttled;

/**
 * Checks the emailed code, which proves access to the mailbox of this address. It is valid for ten minutes and five tries.
 */
export async function verifySignUp(
  services: Pick<Services, "pool" | "clock">,
  token: string,
  code: string,
  networkAddress: string | null,
): Promise<VerifySignUpOutcome> {
  const tokenHash = hashSignUpToken(token);
  const digits = code.replaceAll(/\s/g, "");
  if (!tokenHash) return { kind: "OVER" };
  const attempt = await takeAttempt(services, [byNetwork(networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const now = services.clock.now();
  // Counted before the code is compared: of concurrent tries no more than five are compared.
  const { rows } = await services.pool.query<{ email: string; codeHash: string; tries: number }>({
    name: "try_sign_up_code",
    text: `update sign_ups set tries = tries + 1
            where token_hash = $1 and verified_at is null and code_until > $2 and tries < $3
            returning email, code_hash as "codeHash", tries`,
    values: [tokenHash, now, SIGN_UP_CODE_TRIES],
  });
  const tried = rows[0];
  if (!tried) return { kind: "OVER" };
  if (!(await verifyPassword(tried.codeHash, signUpCodeSecret(tried.email, digits)))) {
    return { kind: "WRONG", triesLeft: SIGN_UP_CODE_TRIES - tried.tries };
  }
  // Only the code that was tried: a new one may have been sent since.
  const { rowCount } = await services.pool.query({
    name: "verify_sign_up",
    text: "update sign_ups set verified_at = $3 where token_hash = $1 and code_hash = $2 and verified_at is null",
    values: [tokenHash, tried.codeHash, now],
  });
  if (rowCount !== 1) return { kind: "OVER" };
  await refundAttempt(services, attempt);
  return { kind: "VERIFIED" };
}

type FinishSignUpOutcome =
  | Extract<SignInOutcome, { kind: "SIGNED_IN" }>
  | SignUpRefusal
  /** Not started, not verified, or too long ago. */
  | { kind: "OVER" }
  /** The address now has an account: they sign in, because their password may differ. */
  | { kind: "KNOWN" };

interface TakenSignUp {
  email: string;
  name: string;
  passwordHash: string;
}

/** Thrown to roll back the transaction; never leaves this file. */
class Undone extends Error {
  constructor(readonly outcome: { kind: "CLOSED" } | { kind: "KNOWN" }) {
    super(outcome.kind);
  }
}

/**
 * Creates the organization and its owner, and signs them in, once and in one transaction, for the person who verified the
 * address. The organization holds no money before its identity check. Where sign-up closes with the first owner, of
 * concurrent sign-ups one succeeds.
 */
export async function finishSignUp(
  services: Pick<Services, "pool" | "clock">,
  token: string,
  input: { kind: string; name: string; timeZone: string },
  browser: BrowserFacts,
  policy: SignUpPolicy,
): Promise<FinishSignUpOutcome> {
  const tokenHash = hashSignUpToken(token);
  if (!tokenHash) return { kind: "OVER" };
  const parsed = checkInput(organizationSchema, input);
  if ("problems" in parsed) return { kind: "INVALID", details: parsed.problems };
  const attempt = await takeAttempt(services, [byNetwork(browser.networkAddress)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const now = services.clock.now();
  const outcome = await inTransaction(services.pool, async (client): Promise<FinishSignUpOutcome> => {
    const taken = await takeSignUp(client, tokenHash, now);
    if (!taken) return { kind: "OVER" };
    // Holds until the commit, so that a concurrent sign-up finds what is written here.
    if (policy === "FIRST_OWNER" && !(await wouldBeFirst(client))) throw new Undone({ kind: "CLOSED" });
    if (await isKnown(client, taken.email)) throw new Undone({ kind: "KNOWN" });
    const owner = {
      email: taken.email,
      name: taken.name,
      passwordHash: taken.passwordHash,
      phone: null,
      isPhoneVerified: false,
    };
    const { organizationId, ownerId } = await writeOrganization(client, parsed.data, owner, now);
    await client.query({
      name: "need_identity",
      text: "insert into identity_checks (organization_id, status) values ($1, 'NEEDED')",
      values: [organizationId],
    });
    const proof = { method: "PASSWORD" as const, withCode: false };
    const signedIn = await signInBrowser(client, now, { userId: ownerId, proof }, browser);
    if (!signedIn) throw new Error("A new owner could not be signed in.");
    return signedIn;
  }).catch((error: unknown): FinishSignUpOutcome => {
    if (error instanceof Undone) return error.outcome;
    throw error;
  });
  if (outcome.kind === "SIGNED_IN") await refundAttempt(services, attempt);
  return outcome;
}

/** Consumes the sign-up: of two concurrent calls the second one finds nothing. */
async function takeSignUp(client: Queryable, tokenHash: Buffer, now: Date): Promise<TakenSignUp | null> {
  const { rows } = await client.query<TakenSignUp>({
    name: "take_sign_up",
    text: `delete from sign_ups where token_hash = $1 and verified_at is not null and expires_at > $2
           returning email, name, password_hash as "passwordHash"`,
    values: [tokenHash, now],
  });
  return rows[0] ?? null;
}

/** For two concurrent sign-ups with one address: the lock makes one wait and then see the other. */
async function isKnown(client: Queryable, email: string): Promise<boolean> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 44))", [email]);
  const { rowCount } = await client.query({
    name: "is_address_taken",
    text: "select from users where lower(email) = $1",
    values: [email],
  });
  return rowCount !== 0;
}
