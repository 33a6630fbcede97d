import type { Pool } from "pg";
import { NamedError } from "@/lib/contract/error";
import { hasCodeClass } from "@/lib/platform/error-code";
import { type BankNotice, BankUnavailable } from "@/lib/ports/bank/bank-port";
import {
  type FeedStart,
  findRead,
  forgetRead,
  hasMoreThan,
  keepEvents,
  keepNotices,
  readStart,
} from "@/lib/ports/bank/inbox";
import { assertKeepable } from "@/lib/ports/bank/keepable";
import { claimRetries, endAside, Strikes, type Subject, setAside, Unreadable } from "@/lib/ports/bank/unread";

/** Events of a page; adapters ask for so many. */
export const EVENTS_PER_PAGE = 100;
/** Things that are looked at in one round; the next one continues where it ended. */
const LOOKS_PER_ROUND = 500;
/** Looked at together. */
const LOOKS_AT_ONCE = 4;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** How old the note may be that the end of the list was reached. */
const ENDED_NOTE_MS = 15 * SECOND_MS;

/** An event of a bank's list. */
export interface ListedEvent {
  id: string;
  createdAt: Date;
  /** What to look at, as the adapter names it; null: nothing that the product books. */
  about: string | null;
  /** Why the event itself cannot be read. */
  unreadable?: string;
}

export interface EventPage {
  events: ListedEvent[];
  /** Of the next page; null: there is none now. */
  nextCursor: string | null;
}

/** What was learned from looking at one thing. */
export interface Learned {
  notices: BankNotice[];
  /** Why a part of it could not be read; the notices count regardless. */
  failure?: Unreadable | BankUnavailable;
}

/** A bank's list of events, in the order in which they happened. Events only say where to look. */
export interface EventList {
  /** Names the list in the database. */
  name: string;
  /**
   * @throws BankUnavailable if the bank does not answer
   * @throws PlaceRefused if it does not accept the cursor, or the event to begin after
   */
  list(place: FeedStart & { cursor: string | null }): Promise<EventPage>;
  /**
   * @throws Unreadable if it cannot be read
   * @throws BankUnavailable if the bank does not answer
   */
  look(subject: Subject): Promise<Learned>;
}

/** The bank does not continue where it stopped: begin again. */
export class PlaceRefused extends NamedError {
  static override readonly kind = "PlaceRefused";
}

interface Reach {
  name: "NEAR" | "FAR";
  pagesPerRound: number;
  /** How often a window of many events is listed again. */
  everyMs: number;
}

/** Reads what is new. */
const NEAR: Reach = { name: "NEAR", pagesPerRound: 20, everyMs: MINUTE_MS };
/** Lists the last day again where that is more than a page: an event may appear late. */
const FAR: Reach = { name: "FAR", pagesPerRound: 5, everyMs: 10 * MINUTE_MS };
const NEAR_OVERLAP_MS = 5 * MINUTE_MS;
const FAR_OVERLAP_MS = 24 * 60 * MINUTE_MS;
/** As the table of places allows; see `placeAfter`. */
const MAXIMUM_CURSOR = 1_000;
/** Names the list's own cursor among what could not be read. */
const CURSOR = "list:cursor";
/** A list that goes in a circle is left alone for this long. */
const REST_MS = MINUTE_MS;

/**
 * One round: what is new is read and kept, what could not be read before is tried again. A thing that cannot be read is
 * set aside (`bank_unread_objects`) and delays nothing else.
 * @param now the bank's time, near enough
 * @throws BankUnavailable if the bank does not answer; what was read until then is kept
 */
export async function collectFeed(pool: Pool, list: EventList, now: Date): Promise<void> {
  const far = await readStart(pool, list.name, { overlapMs: FAR_OVERLAP_MS, now });
  const isHeavy = ({ since }: FeedStart) => hasMoreThan(pool, list.name, { count: EVENTS_PER_PAGE, since });
  const isFarLight = !(await isHeavy(far));
  const near = isFarLight ? far : await readStart(pool, list.name, { overlapMs: NEAR_OVERLAP_MS, now });
  const isNearLight = isFarLight || !(await isHeavy(near));
  const strikes = new Strikes(() => list.list({ ...near, cursor: null }));
  const round = { pool, list, now, strikes };
  const isAtEnd = await readOn(round, NEAR, near, isNearLight);
  if (isAtEnd && !isFarLight) await readOn(round, FAR, far, false);
  // After what is new, which they must not delay.
  await lookAgain(round);
}

interface Round {
  pool: Pool;
  list: EventList;
  now: Date;
  strikes: Strikes;
}

/** Where one reach is. A pass lists everything from its start to the end. */
interface Place extends FeedStart {
  cursor: string | null;
  begunAt: Date;
  endedAt: Date | null;
  knownCount: number;
  restsUntil: Date | null;
}

/**
 * Continues a pass, or begins the next one.
 * @param isLight the window is a page: it is listed again in each round
 * @returns whether the end of the list was reached
 */
async function readOn(round: Round, reach: Reach, start: FeedStart, isLight: boolean): Promise<boolean> {
  const { pool, list, now } = round;
  const before = await readPlace(pool, list.name, reach.name);
  if (before?.restsUntil && before.restsUntil > now) return true;
  const begins = beginsAgain(before, reach, { now, isLight });
  if (before?.endedAt && !begins && reach.name === "FAR") return true;
  let place: Place =
    before && !begins
      ? before
      : { ...start, cursor: null, begunAt: now, endedAt: null, knownCount: 0, restsUntil: null };
  let kept = place;
  let looks = 0;
  for (let page = 0; page < reach.pagesPerRound; page += 1) {
    const listed = await listFrom(round, reach, place);
    const read = await readPage(round, listed.events);
    looks += read.looks;
    const knownCount = read.isNew ? 0 : place.knownCount + listed.events.length;
    const { nextCursor } = listed;
    const isEnd = nextCursor === null || listed.events.length === 0 || nextCursor === place.cursor;
    if (isEnd) {
      const end = { ...kept, knownCount: 0, endedAt: now, restsUntil: null };
      // A whole pass that needed no longer cursor.
      await keepEnd(round, reach, before, { place: end, wereCursorsKept: begins && kept === place });
      return true;
    }
    place = { ...place, cursor: nextCursor, knownCount };
    kept = await placeAfter(round, place, listed.events);
    if (!isText(nextCursor)) place = kept;
    // More known events in a row than there are: the list repeats itself.
    if (await isCircle(round, knownCount)) {
      const restsUntil = new Date(now.getTime() + REST_MS);
      await writePlace(pool, list.name, reach.name, { ...kept, knownCount: 0, endedAt: now, restsUntil });
      return true;
    }
    await writePlace(pool, list.name, reach.name, kept);
    if (looks >= LOOKS_PER_ROUND) return false;
  }
  return false;
}

/**
 * Where to continue after this page. A cursor that cannot be kept serves this round alone: the next one begins with the last
 * event that was listed, and operators see why.
 */
async function placeAfter(
  { pool, list, now }: Round,
  place: Place,
  events: readonly ListedEvent[],
): Promise<Place> {
  const { cursor } = place;
  if (cursor === null) return place;
  const isLong = cursor.length > MAXIMUM_CURSOR;
  if (!isLong && isText(cursor)) return place;
  const what = isLong ? `more than ${MAXIMUM_CURSOR} characters` : "characters that no text has";
  const error = new Unreadable(`the cursor of its list has ${what}`);
  const subject = { about: CURSOR, eventId: null, eventAt: now };
  await setAside(pool, list.name, subject, error, { now, retries: false });
  const last = events.findLast(({ unreadable }) => unreadable === undefined);
  return last
    ? { ...place, cursor: null, afterId: last.id, since: happenedAt(last, now) }
    : { ...place, cursor: null };
}

/** An address cannot hold half a character, and a database no NUL. */
const isText = (cursor: string) => cursor.isWellFormed() && !cursor.includes("\0");

async function isCircle({ pool, list }: Round, knownCount: number): Promise<boolean> {
  const count = knownCount - EVENTS_PER_PAGE - 1;
  return count >= 0 && !(await hasMoreThan(pool, list.name, { count, since: null }));
}

/** After the end, a page is listed again at once, and a longer window now and then: in between, only its last page. */
function beginsAgain(
  before: Place | null,
  { everyMs }: Reach,
  { now, isLight }: { now: Date; isLight: boolean },
): boolean {
  if (!before) return true;
  if (before.endedAt === null) return false;
  return isLight || now.getTime() - before.begunAt.getTime() >= everyMs;
}

/** A cursor that the bank does not accept any more is dropped: the pass begins again, then the whole list. */
async function listFrom({ pool, list, now }: Round, reach: Reach, place: Place): Promise<EventPage> {
  try {
    return await list.list(place);
  } catch (error) {
    if (!(error instanceof PlaceRefused)) throw error;
    const isFromStart = place.cursor === null;
    const start = isFromStart
      ? { afterId: null, since: null }
      : { afterId: place.afterId, since: place.since };
    const again = { ...place, ...start, cursor: null, begunAt: now, endedAt: null, knownCount: 0 };
    await writePlace(pool, list.name, reach.name, again);
    throw new BankUnavailable("The bank does not continue its list of events; it is read again", {
      cause: error,
    });
  }
}

/** Keeps what is new of a page. */
async function readPage(
  round: Round,
  events: readonly ListedEvent[],
): Promise<{ looks: number; isNew: boolean }> {
  const { pool, list, now } = round;
  const ids = events.map((event) => event.id);
  const known = await findRead(pool, list.name, ids);
  const fresh = events.filter((event) => !known.has(event.id));
  const readable = fresh.filter((event) => event.unreadable === undefined);
  for (const event of fresh) {
    if (event.unreadable === undefined) continue;
    const subject = { about: aboutEvent(event), eventId: event.id, eventAt: happenedAt(event, now) };
    await setAside(pool, list.name, subject, new Unreadable(event.unreadable), { now, retries: false });
  }
  await keepEvents(
    pool,
    list.name,
    fresh.filter((event) => event.about === null || event.unreadable !== undefined),
  );
  await endAside(pool, list.name, readable.map(aboutEvent));
  const looks = looksOf(readable, now);
  for (let next = 0; next < looks.length; next += LOOKS_AT_ONCE) {
    const together = looks.slice(next, next + LOOKS_AT_ONCE);
    const learned = await Promise.all(together.map(({ subject }) => tryLook(list, subject)));
    for (const [place, { subject, events: about }] of together.entries()) {
      await keepLearned(round, subject, about, learned[place] ?? { notices: [] });
    }
  }
  return { looks: looks.length, isNew: readable.length > 0 };
}

/** An event dated later has happened by now. */
const happenedAt = ({ createdAt }: ListedEvent, now: Date) => (createdAt < now ? createdAt : now);

/** Of an event that cannot be read itself. */
const aboutEvent = ({ id }: ListedEvent) => `event:${id}`;

interface Look {
  subject: Subject;
  events: ListedEvent[];
}

/** One look answers all events of a page about one thing. */
function looksOf(events: readonly ListedEvent[], now: Date): Look[] {
  const looks = new Map<string, Look>();
  for (const event of events) {
    const { about, id } = event;
    if (about === null) continue;
    const subject = { about, eventId: id, eventAt: happenedAt(event, now) };
    const look = looks.get(about) ?? { subject, events: [] };
    look.events.push(event);
    looks.set(about, look);
  }
  return [...looks.values()];
}

type Tried = Learned | { error: unknown };

async function tryLook(list: EventList, subject: Subject): Promise<Tried> {
  try {
    return await list.look(subject);
  } catch (error) {
    return { error };
  }
}

/** Looks again at what could not be read before. */
async function lookAgain(round: Round): Promise<void> {
  const { pool, list, now } = round;
  const subjects = await claimRetries(pool, list.name, now);
  for (let next = 0; next < subjects.length; next += LOOKS_AT_ONCE) {
    const together = subjects.slice(next, next + LOOKS_AT_ONCE);
    const learned = await Promise.all(together.map((subject) => tryLook(list, subject)));
    for (const [place, subject] of together.entries()) {
      await keepLearned(round, subject, [], learned[place] ?? { notices: [] });
    }
  }
}

/** Events count as read only with what was learned from them, or with what says that it could not be. */
async function keepLearned(
  { pool, list, now, strikes }: Round,
  subject: Subject,
  events: readonly ListedEvent[],
  tried: Tried,
): Promise<void> {
  const learned: Learned = "error" in tried ? { notices: [] } : tried;
  const { keepable, refused } = partOf(learned.notices, now);
  const known = "error" in tried ? tried.error : (tried.failure ?? refused);
  const error = known ?? (await tryKeep(pool, list.name, events, keepable));
  if (error === undefined) {
    await endAside(pool, list.name, [subject.about]);
    strikes.succeeded();
    return;
  }
  // What could be read of it counts.
  if (known !== undefined) await tryKeep(pool, list.name, [], keepable);
  await setAside(pool, list.name, subject, error, { now });
  await keepEvents(pool, list.name, events);
  await strikes.failed(error);
}

/** The notices that can be kept, and why another one cannot. */
function partOf(
  notices: readonly BankNotice[],
  now: Date,
): { keepable: BankNotice[]; refused: Unreadable | undefined } {
  const keepable: BankNotice[] = [];
  let refused: Unreadable | undefined;
  for (const notice of notices) {
    try {
      assertKeepable(notice, now);
      keepable.push(notice);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refused ??= error;
    }
  }
  return { keepable, refused };
}

/** @returns why the notices cannot be kept; undefined: they are */
async function tryKeep(
  pool: Pool,
  feed: string,
  events: readonly ListedEvent[],
  notices: readonly BankNotice[],
): Promise<unknown> {
  try {
    await keepNotices(pool, { feed, events }, notices);
    return undefined;
  } catch (error) {
    // Data that PostgreSQL refuses; anything else is its own trouble.
    if (hasCodeClass(error, "22", "23")) return new Unreadable("what it says cannot be stored");
    throw error;
  }
}

async function readPlace(pool: Pool, feed: string, reach: Reach["name"]): Promise<Place | null> {
  const { rows } = await pool.query<Place>({
    name: "bank_read_place",
    text: `select after_id as "afterId", since, cursor, begun_at as "begunAt", ended_at as "endedAt",
               known_count as "knownCount", rests_until as "restsUntil"
             from bank_feeds where feed = $1 and reach = $2`,
    values: [feed, reach],
  });
  return rows[0] ?? null;
}

async function writePlace(pool: Pool, feed: string, reach: Reach["name"], place: Place): Promise<void> {
  await pool.query({
    name: "bank_write_place",
    text: `insert into bank_feeds (feed, reach, after_id, since, cursor, begun_at, ended_at, known_count, rests_until)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (feed, reach) do update set after_id = excluded.after_id, since = excluded.since,
             cursor = excluded.cursor, begun_at = excluded.begun_at, ended_at = excluded.ended_at,
             known_count = excluded.known_count, rests_until = excluded.rests_until`,
    values: [
      feed,
      reach,
      place.afterId,
      place.since,
      place.cursor,
      place.begunAt,
      place.endedAt,
      place.knownCount,
      place.restsUntil,
    ],
  });
}

/** Notes the end of the list, but not in each round. */
async function keepEnd(
  { pool, list, now }: Round,
  { name }: Reach,
  before: Place | null,
  { place, wereCursorsKept }: { place: Place; wereCursorsKept: boolean },
): Promise<void> {
  const isNoted =
    before?.endedAt != null &&
    before.cursor === place.cursor &&
    now.getTime() - before.endedAt.getTime() < ENDED_NOTE_MS;
  if (isNoted) return;
  await writePlace(pool, list.name, name, place);
  if (wereCursorsKept) await endAside(pool, list.name, [CURSOR]);
  await forgetRead(pool, list.name, { overlapMs: FAR_OVERLAP_MS, now });
}
