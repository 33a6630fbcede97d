import { createHash } from "node:crypto";
import { findKnownBrowser } from "@/lib/core/shared/known-browsers";
import { networkOf } from "@/lib/core/shared/network";
import type { BrowserFacts } from "@/lib/core/shared/session";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Who or what is slowed down, and how many attempts it has per window. */
export interface ThrottleSubject {
  subject: string;
  limit: number;
  /** THROTTLE_WINDOW_MS unless told otherwise; at most a day, as older windows are forgotten. */
  windowMs?: number;
}

/** Attempts that were counted before they were made; give them back when they turn out well. */
export interface TakenAttempt {
  kind: "TAKEN";
  windows: { subject: string; startedAt: Date }[];
}

export interface Throttled {
  kind: "THROTTLED";
  retryAfterSeconds: number;
}

export const THROTTLE_WINDOW_MS = 15 * 60_000;
/** Guesses at one password from one network, or from one browser that its member has signed in from before. */
const GUESSES_PER_SOURCE = 10;
/**
 * Guesses at one password from all unknown browsers together, within an hour. More than the 50 that one network can
 * make across the hour's edges, so that it takes several to keep a member out of a browser that is new to them.
 */
const GUESSES_PER_EMAIL = 60;
const CONFIRMATIONS_PER_MEMBER = 10;
/** An office shares one address, so this is wider. */
const ATTEMPTS_PER_NETWORK = 100;
const CHALLENGES_PER_NETWORK = 300;

const HOUR_MS = 60 * 60_000;
/** Codes and links for signing up and for a new password. */
const MAILS_PER_ADDRESS = 5;
const MAILS_PER_NETWORK = 20;
const APPLICATIONS_PER_ORGANIZATION = 10;
const DOCUMENTS_PER_ORGANIZATION = 20;
const INVITATIONS_PER_ORGANIZATION = 60;
const INVITATIONS_PER_ADDRESS = 5;
const CODES_PER_NUMBER = 3;
const CODES_PER_MEMBER = 5;
const CODES_PER_NETWORK = 20;
const TYPED_CODES_PER_MEMBER = 5;
const TYPED_CODES_PER_MEMBER_AND_DAY = 30;

/**
 * Counts a guess at the password of an address: by the network and the address together, so that a stranger who guesses
 * does not keep its member out. A browser that they have signed in from before is counted by itself, whatever others do.
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
  // In this order: what one network is refused does not count against the others.
  return takeAttempt(services, [
    byNetwork(browser.networkAddress),
    { subject: `${subject}:network:${network}`, limit: GUESSES_PER_SOURCE },
    { subject, limit: GUESSES_PER_EMAIL, windowMs: HOUR_MS },
  ]);
}

/** Forgets every guess at the password of an address, which has just got another one. */
export async function forgetGuesses(client: Queryable, email: string): Promise<void> {
  const subject = guessesAt(email);
  await client.query("delete from throttles where subject = $1 or starts_with(subject, $1 || ':')", [
    subject,
  ]);
}

/** Hashed: people type passwords into the field for the address. */
const guessesAt = (email: string) => `email:${hashed(email.toLowerCase())}`;

/** Null where the door does not know it: all of those share one count. */
export function byNetwork(address: string | null): ThrottleSubject {
  return { subject: `network:${networkOf(address)}`, limit: ATTEMPTS_PER_NETWORK };
}

/** Apart from sign-in by email, so that a stranger who guesses there cannot keep a member from deciding. */
export function byMember(userId: string): ThrottleSubject {
  return { subject: `member:${userId}`, limit: CONFIRMATIONS_PER_MEMBER };
}

/** Codes of an authenticator app. Only who has the password comes this far, so nobody else can use them up. */
export function byMemberCode(userId: string): ThrottleSubject {
  return { subject: `code:${userId}`, limit: TYPED_CODES_PER_MEMBER };
}

/** As three codes fit at any moment, a thief of a password hits one within a day in one of ten thousand cases. */
export function byMemberCodeDaily(userId: string): ThrottleSubject {
  return { subject: `code-daily:${userId}`, limit: TYPED_CODES_PER_MEMBER_AND_DAY, windowMs: 24 * HOUR_MS };
}

/** Anybody may ask for a challenge, and each is a row. */
export function byNetworkAsking(address: string | null): ThrottleSubject {
  return { subject: `asking:${networkOf(address)}`, limit: CHALLENGES_PER_NETWORK };
}

/** Codes to one number within an hour, whoever asks: a telephone must not be made to ring without end. Hashed: private. */
export function byNumberTexted(phone: string): ThrottleSubject {
  return { subject: `texted:${hashed(phone)}`, limit: CODES_PER_NUMBER, windowMs: HOUR_MS };
}

/** Codes that one member has sent within a day: each costs the operator money, and allows five guesses. */
export function byMemberTexting(userId: string): ThrottleSubject {
  return { subject: `texting-member:${userId}`, limit: CODES_PER_MEMBER, windowMs: 24 * HOUR_MS };
}

export function byNetworkTexting(address: string | null): ThrottleSubject {
  return { subject: `texting:${networkOf(address)}`, limit: CODES_PER_NETWORK, windowMs: HOUR_MS };
}

/**
 * Codes and links to one address within an hour, whoever asks: nobody's mailbox is to be flooded from here, and each code
 * allows five guesses. Hashed: private.
 */
export function byAddressMailed(email: string): ThrottleSubject {
  return { subject: `mailed:${hashed(email)}`, limit: MAILS_PER_ADDRESS, windowMs: HOUR_MS };
}

/** Those that one network has sent, to whichever addresses. */
export function byNetworkMailing(address: string | null): ThrottleSubject {
  return { subject: `mailing:${networkOf(address)}`, limit: MAILS_PER_NETWORK, windowMs: HOUR_MS };
}

/** Applications to the identity check of one organization within a day: each costs the operator money. */
export function byOrganizationIdentified(organizationId: string): ThrottleSubject {
  return {
    subject: `identified:${organizationId}`,
    limit: APPLICATIONS_PER_ORGANIZATION,
    windowMs: 24 * HOUR_MS,
  };
}

/** Documents that one organization hands over within an hour. */
export function byOrganizationUploading(organizationId: string): ThrottleSubject {
  return { subject: `uploading:${organizationId}`, limit: DOCUMENTS_PER_ORGANIZATION, windowMs: HOUR_MS };
}

/** Invitations that one organization sends within a day. */
export function byOrganizationInviting(organizationId: string): ThrottleSubject {
  return {
    subject: `inviting:${organizationId}`,
    limit: INVITATIONS_PER_ORGANIZATION,
    windowMs: 24 * HOUR_MS,
  };
}

/** To one address, of one organization: another one must not be able to use up what this one has. Hashed: private. */
export function byAddressInvited(organizationId: string, email: string): ThrottleSubject {
  return {
    subject: `invited:${hashed(`${organizationId} ${email}`)}`,
    limit: INVITATIONS_PER_ADDRESS,
    windowMs: 24 * HOUR_MS,
  };
}

const hashed = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Counts an attempt with each subject, in order, before it is made: of many at the same moment, in any number of
 * processes, no more than the limit get through. While a subject is throttled a right answer is not even looked at.
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
  const { rows } = await services.pool.query<{ attempts: number; window_started_at: Date }>({
    name: "count_attempt",
    text: `insert into throttles as t (subject, window_started_at, attempts) values ($1, $2, 1)
      on conflict (subject) do update set
        attempts = case when t.window_started_at <= $3 then 1 else t.attempts + 1 end,
        window_started_at = case when t.window_started_at <= $3 then $2 else t.window_started_at end
      returning attempts, window_started_at`,
    values: [subject, now, endedBefore],
  });
  const row = rows[0];
  if (!row) throw new Error("Counting an attempt gave no row.");
  return { attempts: row.attempts, startedAt: row.window_started_at };
}

/**
 * Gives back one attempt, no more: clearing the count would let somebody with an account of their own guess at other
 * people's without end.
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
