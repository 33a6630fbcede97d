import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "@/lib/db/transaction";

/** How long a browser keeps its ids after a sign-in. */
export const BROWSER_LIFETIME_MS = 365 * 24 * 60 * 60_000;

/** People who share one browser, each with an id in it. */
const IDS_OF_A_BROWSER = 4;
const BROWSERS_OF_A_PERSON = 20;
const ID_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** The ids in a browser's cookie, newest first. The cookie is untrusted: malformed ids are dropped. */
export function parseBrowserIds(cookie: string | undefined): string[] {
  const ids = (cookie ?? "").slice(0, 1_000).split(".");
  return ids.filter((id) => ID_PATTERN.test(id)).slice(0, IDS_OF_A_BROWSER);
}

export function formatBrowserIds(ids: readonly string[]): string {
  return ids.join(".");
}

export interface SeenBrowser {
  /** `FIRST`: this person has never signed in before. */
  kind: "KNOWN" | "NEW" | "FIRST";
  /** What the browser stores from now on. */
  browserIds: string[];
}

/**
 * Whether this person, who has just signed in, did so from this browser before; remembers it. One id per person, so that
 * people who share a browser do not displace each other.
 *
 * Only ids from this person's own sign-ins count: with a planted id their next sign-in is still reported as new, under a
 * new id. A copied id does not sign in anyone; it only keeps that one browser from being reported, and anyone who could
 * copy it could also copy the session cookie.
 * @param now real time
 */
export async function seeBrowser(
  client: Queryable,
  now: Date,
  userId: string,
  browserIds: readonly string[],
): Promise<SeenBrowser> {
  // Of two concurrent first sign-ins, the second one waits here and counts as new.
  await client.query("select 1 from users where id = $1 for no key update", [userId]);
  const known = await findKnown(client, userId, browserIds);
  if (known.id !== null) {
    await remember(client, now, userId, known.id);
    return { kind: "KNOWN", browserIds: withFirst(known.id, browserIds) };
  }
  const id = randomBytes(32).toString("base64url");
  await remember(client, now, userId, id);
  return { kind: known.isFirst ? "FIRST" : "NEW", browserIds: withFirst(id, browserIds) };
}

/**
 * The browser among these ids from which the person with this address has signed in before.
 * @param email in lower case; an unknown address costs the same
 * @returns the hash of its id; null when there is none
 */
export async function findKnownBrowser(
  database: Queryable,
  email: string,
  browserIds: readonly string[],
): Promise<string | null> {
  if (browserIds.length === 0) return null;
  const { rows } = await database.query<{ idHash: Buffer }>({
    name: "find_known_browser",
    text: `select b.id_hash as "idHash" from users u join known_browsers b on b.user_id = u.id
            where lower(u.email) = $1 and b.id_hash = any ($2) order by b.last_seen_at desc limit 1`,
    values: [email, browserIds.map(hashOf)],
  });
  return rows[0]?.idHash.toString("hex") ?? null;
}

/** The hash of the id by which this browser knows this person; null: it kept none. */
export async function findOwnBrowser(
  client: Queryable,
  userId: string,
  browserIds: readonly string[],
): Promise<Buffer | null> {
  const { rows } = await client.query<{ idHash: Buffer }>(
    `select id_hash as "idHash" from known_browsers where user_id = $1 and id_hash = any ($2)
      order by last_seen_at desc limit 1`,
    [userId, hashBrowserIds(browserIds)],
  );
  return rows[0]?.idHash ?? null;
}

export function hashBrowserIds(browserIds: readonly string[]): Buffer[] {
  return browserIds.map(hashOf);
}

function withFirst(id: string, others: readonly string[]): string[] {
  return [id, ...others.filter((other) => other !== id)].slice(0, IDS_OF_A_BROWSER);
}

async function findKnown(
  client: Queryable,
  userId: string,
  browserIds: readonly string[],
): Promise<{ id: string | null; isFirst: boolean }> {
  const { rows } = await client.query<{ idHash: Buffer }>({
    name: "read_known_browsers",
    text: `select id_hash as "idHash" from known_browsers where user_id = $1`,
    values: [userId],
  });
  const hashes = new Set(rows.map((row) => row.idHash.toString("hex")));
  const id = browserIds.find((one) => hashes.has(hashOf(one).toString("hex"))) ?? null;
  return { id, isFirst: rows.length === 0 && !(await hasSignedInBefore(client, userId)) };
}

/**
 * A person with sessions from before browsers were remembered is notified of their first browser: it might be a thief's,
 * which would otherwise become the known one. The current session already exists.
 */
async function hasSignedInBefore(client: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await client.query("select 1 from sessions where user_id = $1 limit 2", [userId]);
  return rowCount === 2;
}

/** Beyond the number that a person uses, the least recently used one is forgotten. */
async function remember(client: Queryable, now: Date, userId: string, id: string): Promise<void> {
  await client.query(
    `insert into known_browsers as b values ($1, $2, $3, $3)
     on conflict (user_id, id_hash) do update set last_seen_at = greatest(b.last_seen_at, excluded.last_seen_at)`,
    [userId, hashOf(id), now],
  );
  await client.query(
    `delete from known_browsers where user_id = $1 and id_hash in (
       select id_hash from known_browsers where user_id = $1 order by last_seen_at desc, id_hash offset $2)`,
    [userId, BROWSERS_OF_A_PERSON],
  );
}

function hashOf(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}
