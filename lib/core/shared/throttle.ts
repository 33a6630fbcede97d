import { createHash } from "node:crypto";
import { AppError } from "@/lib/contract/error";
import { findKnownBrowser } from "@/lib/core/shared/known-browsers";
import { networkOf } from "@/lib/core/shared/network";
import type { BrowserFacts } from "@/lib/core/shared/session";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Who or what is throttled, and how many attempts it has per window. */
interface ThrottleSubject {
  subject: string;
  limit: number;
  /** Defaults to THROTTLE_WINDOW_MS; at most a day, as older windows are deleted. */
  windowMs?: number;
}

/** Attempts that were counted in advance; refund them on success. */
interface TakenAttempt {
  kind: "TAKEN";
  windows: { subject: string; startedAt: Date }[];
}

export interface Throttled {
  kind: "THROTTLED";
  retryAfterSeconds: number;
}

export const THROTTLE_WINDOW_MS = 15 * 60_000;
/** Guesses at one password from one network, or from one browser that its member has used before. */
const GUESSES_PER_SOURCE = 10;
/**
 * Guesses per hour at one password from all unknown browsers together. More than the 50 that one network can make around
 * the hour's boundary, so that one network cannot lock a member out of a new browser.
 */
const GUESSES_PER_EMAIL = 60;
const CONFIRMATIONS_PER_MEMBER = 10;
/** Wider, since an office shares one address. */
const ATTEMPTS_PER_NETWORK = 100;
const CHALLENGES_PER_NETWORK = 300;

const HOUR_MS = 60 * 60_000;
/** Codes and links for signing up and for new passwords. */
const MAILS_PER_ADDRESS = 5;
const MAILS_PER_NETWORK = 20;
const APPLICATIONS_PER_ORGANIZATION = 10;
const DOCUMENTS_PER_ORGANIZATION = 20;
const INVITATIONS_PER_ORGANIZATION = 60;
const INVITATIONS_PER_ADDRESS = 5;
const CODES_PER_NUMBER = 3;
const CODES_PER_MEMBER = 5;
const CODES_PER_NETWORK = 20;
const DEVICE_TESTS_PER_MEMBER = 10;
const TYPED_CODES_PER_MEMBER = 5;
const TYPED_CODES_PER_MEMBER_AND_DAY = 30;

/**
 * Counts a guess at the password of an address, by network and address together, so that a stranger who guesses does not
 * lock its member out. A browser that they have used before is counted separately.
 * @param email in lower case
 */
export async function takeGuess(
  services: Pick<Services, "pool" | "clock">,
  email: string,
  browser: Pick<BrowserFacts, "networkAddress" | "browserIds">,
): Promise<TakenAttempt | Throttled> {
  const subject = guessesAt(email);
  const known = await findKnownBrowser(services.pool, email, browser.browserIds);
  if (known !== null)
    return takeAttempt(services, [{ subject: `${subject}:browser:${known}`, limit: GUESSES_PER_SOURCE }]);
  const network = networkOf(browser.networkAddress);
  // In this order, so that refusals of one network do not count toward the total.
  return takeAttempt(services, [
    byNetwork(browser.networkAddress),
    { subject: `${subject}:network:${network}`, limit: GUESSES_PER_SOURCE },
    { subject, limit: GUESSES_PER_EMAIL, windowMs: HOUR_MS },
  ]);
}

/** Forgets every guess at the password of an address, after it was changed. */
export async function forgetGuesses(client: Queryable, email: string): Promise<void> {
  const subject = guessesAt(email);
  await client.query("delete from throttles where subject = $1 or starts_with(subject, $1 || ':')", [
    subject,
  ]);
}

/** Hashed: people type passwords into the field for the address. */
const guessesAt = (email: string) => `email:${hashed(email.toLowerCase())}`;

/** Null where the transport does not know it: those share one counter. */
export function byNetwork(address: string | null): ThrottleSubject {
  return { subject: `network:${networkOf(address)}`, limit: ATTEMPTS_PER_NETWORK };
}

/** Separate from sign-in by email, so that a stranger who guesses there cannot keep a member from deciding. */
export function byMember(userId: string): ThrottleSubject {
  return { subject: `member:${userId}`, limit: CONFIRMATIONS_PER_MEMBER };
}

/** Codes of an authenticator app. Reached only with the password, so strangers cannot use them up. */
export function byMemberCode(userId: string): ThrottleSubject {
  return { subject: `code:${userId}`, limit: TYPED_CODES_PER_MEMBER };
}

/** Three codes are valid at any moment, so with a stolen password one day of guessing succeeds in one of 10,000 cases. */
export function byMemberCodeDaily(userId: string): ThrottleSubject {
  return { subject: `code-daily:${userId}`, limit: TYPED_CODES_PER_MEMBER_AND_DAY, windowMs: 24 * HOUR_MS };
}

/** Challenges need no sign-in, and each is a row. */
export function byNetworkAsking(address: string | null): ThrottleSubject {
  return { subject: `asking:${networkOf(address)}`, limit: CHALLENGES_PER_NETWORK };
}

/** Codes per hour to one number across all members, so that no phone is flooded. Hashed for privacy. */
export function byNumberTexted(phone: string): ThrottleSubject {
  return { subject: `texted:${hashed(phone)}`, limit: CODES_PER_NUMBER, windowMs: HOUR_MS };
}

/** Codes per day for one member: each costs the operator money and allows five guesses. */
export function byMemberTexting(userId: string): ThrottleSubject {
  return { subject: `texting-member:${userId}`, limit: CODES_PER_MEMBER, windowMs: 24 * HOUR_MS };
}

export function byNetworkTexting(address: string | null): ThrottleSubject {
  return { subject: `texting:${networkOf(address)}`, limit: CODES_PER_NETWORK, windowMs: HOUR_MS };
}

/**
 * Codes and links per hour to one address, from any network: mailboxes must not be flooded, and each code allows five
 * guesses. Hashed for privacy.
 */
export function byAddressMailed(email: string): ThrottleSubject {
  return { subject: `mailed:${hashed(email)}`, limit: MAILS_PER_ADDRESS, windowMs: HOUR_MS };
}

/** The same per network, to any address. */
export function byNetworkMailing(address: string | null): ThrottleSubject {
  return { subject: `mailing:${networkOf(address)}`, limit: MAILS_PER_NETWORK, windowMs: HOUR_MS };
}

/** Identity applications of one organization per day: each costs the operator money. */
export function byOrganizationIdentified(organizationId: string): ThrottleSubject {
  return {
    subject: `identified:${organizationId}`,
    limit: APPLICATIONS_PER_ORGANIZATION,
    windowMs: 24 * HOUR_MS,
  };
}

/** Documents uploaded by one organization per hour. */
export function byOrganizationUploading(organizationId: string): ThrottleSubject {
  return { subject: `uploading:${organizationId}`, limit: DOCUMENTS_PER_ORGANIZATION, windowMs: HOUR_MS };
}

/** Invitations sent by one organization per day. */
function byOrganizationInviting(organizationId: string): ThrottleSubject {
  return {
    subject: `inviting:${organizationId}`,
    limit: INVITATIONS_PER_ORGANIZATION,
    windowMs: 24 * HOUR_MS,
  };
}

/** Per address and organization, so that one organization cannot use up another's limit. Hashed for privacy. */
function byAddressInvited(organizationId: string, email: string): ThrottleSubject {
  return {
    subject: `invited:${hashed(`${organizationId} ${email}`)}`,
    limit: INVITATIONS_PER_ADDRESS,
    windowMs: 24 * HOUR_MS,
  };
}

/** Tests that a member sends to their own devices, each a request to a push service. */
export function byDeviceTested(userId: string): ThrottleSubject {
  return { subject: `device-tested:${userId}`, limit: DEVICE_TESTS_PER_MEMBER };
}

const hashed = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Counts an attempt for each subject, in order, before it is made: across processes, no more concurrent attempts than the
 * limit succeed. While a subject is throttled even a correct answer is not checked.
 */
export async function takeAttempt(
  services: Pick<Services, "pool" | "clock">,
  subjects: readonly ThrottleSubject[],
): Promise<TakenAttempt | Throttled> {
  const now = services.clock.now();
  const windows: TakenAttempt["windows"] = [];
  for (const { subject, limit, windowMs = THROTTLE_WINDOW_MS } of subjects) {
    const window = await count(services, subject, now, windowMs);
    if (window.attempts > limit) {
      const endsAt = window.startedAt.getTime() + windowMs;
      return {
        kind: "THROTTLED",
        retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000)),
      };
    }
    windows.push({ subject, startedAt: window.startedAt });
  }
  return { kind: "TAKEN", windows };
}

async function count(
  services: Pick<Services, "pool">,
  subject: string,
  now: Date,
  windowMs: number,
): Promise<{ attempts: number; startedAt: Date }> {
  const endedBefore = new Date(now.getTime() - windowMs);
  const { rows } = await services.pool.query<{ attempts: number; windowStartedAt: Date }>({
    name: "count_attempt",
    text: `insert into throttles as t (subject, window_started_at, attempts) values ($1, $2, 1)
      on conflict (subject) do update set
        attempts = case when t.window_started_at <= $3 then 1 else t.attempts + 1 end,
        window_started_at = case when t.window_started_at <= $3 then $2 else t.window_started_at end
      returning attempts, window_started_at as "windowStartedAt"`,
    values: [subject, now, endedBefore],
  });
  const row = rows[0];
  if (!row) throw new Error("Counting an attempt returned no row.");
  return { attempts: row.attempts, startedAt: row.windowStartedAt };
}

/**
 * Refunds exactly one attempt: clearing the counter would let anyone with an account guess at other people's passwords
 * without limit.
 */
export async function refundAttempt(services: Pick<Services, "pool">, taken: TakenAttempt): Promise<void> {
  for (const { subject, startedAt } of taken.windows) {
    await services.pool.query(
      `update throttles set attempts = attempts - 1
        where subject = $1 and window_started_at = $2 and attempts > 0`,
      [subject, startedAt],
    );
  }
}

/**
 * Counts an email to an address that a member entered, per address and per organization: it must not become a way to
 * flood strangers.
 * @throws AppError `RATE_LIMIT_EXCEEDED`
 */
export async function takeInvitation(
  services: Pick<Services, "pool" | "clock">,
  organizationId: string,
  { email, noun }: { email: string; noun: "invitations" | "links" },
): Promise<void> {
  const attempt = await takeAttempt(services, [
    byOrganizationInviting(organizationId),
    byAddressInvited(organizationId, email),
  ]);
  if (attempt.kind === "TAKEN") return;
  const hours = Math.ceil(attempt.retryAfterSeconds / 3_600);
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many ${noun} today. Nothing was sent. Try again in ${hours} h.`,
  );
}
