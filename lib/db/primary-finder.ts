import { Socket } from "node:net";
import pg from "pg";
import {
  type DatabaseAddress,
  describePlace,
  type Place,
  readDatabaseAddress,
} from "@/lib/platform/database-address";
import { hasCode, hasCodeClass } from "@/lib/platform/error-code";

/** A server that takes writes, and how often its cluster has been promoted: the newest primary has the highest. */
export interface Primary {
  place: Place;
  timeline: number;
  /** Of the cluster: a copy that was promoted has the same. */
  systemId: string;
}

/** A connection whose server is followed. */
export interface FollowedClient {
  readonly client: pg.Client;
  readonly place: Place;
  /** As whom to ask the other servers. */
  readonly config: pg.ClientConfig;
  /** What had been written when the server was last ready for a statement; more means that it owes an answer. */
  writtenWhenReady: number;
}

/** How long a server may take to say what it is, unless the address has a `connect_timeout`. */
export const DEFAULT_HOST_TIMEOUT_MS = 2_000;
/** After a first primary has answered: another server may be a newer one. */
const GRACE_MS = 300;
const CHECK_EVERY_MS = 500;
/** A connection that owes an answer for this long is a reason to ask all servers who is the primary. */
const QUIET_MS = 1_000;
const BETWEEN_SEARCHES_MS = 1_000;

/** "cannot_connect_now": it passes, as that of a server that is starting. */
const CANNOT_CONNECT_NOW = "57P03";

/** The server of a connection is not the primary; waiting may help. */
export class NotPrimary extends Error {
  override readonly name = "NotPrimary";
  readonly code = CANNOT_CONNECT_NOW;

  constructor(
    message: string,
    /** It may become the primary. */
    readonly isStandby = false,
  ) {
    super(message);
  }
}

/** No server of the list is a primary. */
class NoPrimary extends Error {
  override readonly name = "NoPrimary";
  /** Set if waiting may help: no server refused this user or its database. */
  readonly code?: string;

  constructor(failures: readonly Failure[]) {
    super(
      "none of the hosts is a primary:\n" +
        failures.map(({ place, reason }) => `  ${describePlace(place)} ${reason}`).join("\n"),
    );
    if (failures.every(({ isPassing }) => isPassing)) this.code = CANNOT_CONNECT_NOW;
  }
}

interface Failure {
  place: Place;
  reason: string;
  isPassing: boolean;
  isStandby: boolean;
}

/**
 * Knows which server of a list is the primary, for all connections of this process to that list. It asks all of them at
 * once when it does not know, when a connection ends and when an answer is late; connections to a server that was
 * replaced are closed, however alive they look. A former primary that does not know of its end (it was frozen, or cut
 * off) has an earlier timeline: each promotion begins one.
 */
export class PrimaryFinder {
  readonly #address: DatabaseAddress;
  readonly #followed = new Set<FollowedClient>();
  readonly #quiet = new WeakMap<FollowedClient, { read: number; since: number }>();
  #current: Primary | null = null;
  /** The newest that was seen; none before it is accepted. */
  #newest: Primary | null = null;
  #searching: Promise<Primary> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #searchedAt = Number.NEGATIVE_INFINITY;

  constructor(address: DatabaseAddress) {
    this.#address = address;
  }

  /**
   * Where to connect: the last good server, unless a connection has ended since.
   * @param config as whom to ask
   * @throws NoPrimary with the reason of each server
   */
  async find(config: pg.ClientConfig): Promise<Primary> {
    return this.#current ?? this.#search(config);
  }

  /**
   * Asks a connected server what it is, and keeps it if it is the primary.
   * @throws NotPrimary if it is not, or not any more
   */
  async verify(client: pg.Client, place: Place): Promise<Primary> {
    const primary = await askServer(client, place);
    const objection = this.#objectionTo(primary);
    if (objection) {
      this.doubt();
      throw new NotPrimary(`${describePlace(place)} ${objection}`);
    }
    this.#settle(primary);
    return primary;
  }

  /**
   * Asks every server of the list. @returns what is wrong with those that are neither the primary nor a standby: a
   * mistyped host is otherwise noticed when it should take over
   */
  async findUnusable(config: pg.ClientConfig): Promise<string[]> {
    const answers = await Promise.all(this.#address.places.map((place) => this.#ask(place, config)));
    return answers.flatMap((answer) =>
      "reason" in answer && !answer.isStandby ? [`${describePlace(answer.place)} ${answer.reason}`] : [],
    );
  }

  /** The next connection asks all servers again. */
  doubt(): void {
    this.#current = null;
  }

  /** Watches a connection until `forget`. */
  follow(followed: FollowedClient): void {
    this.#followed.add(followed);
    this.#timer ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  /** Its server may be gone. */
  forget(followed: FollowedClient): void {
    this.#followed.delete(followed);
    this.doubt();
    if (this.#followed.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #search(config: pg.ClientConfig): Promise<Primary> {
    this.#searching ??= this.#askAll(config).finally(() => {
      this.#searching = null;
    });
    return this.#searching;
  }

  async #askAll(config: pg.ClientConfig): Promise<Primary> {
    this.#searchedAt = performance.now();
    const primaries: Primary[] = [];
    const failures: Failure[] = [];
    await new Promise<void>((resolve) => {
      const answered = (failure: Failure | null) => {
        if (failure) failures.push(failure);
        if (primaries.length + failures.length === this.#address.places.length) resolve();
        if (primaries.some((primary) => this.#isNewer(primary))) resolve();
        else if (!failure) setTimeout(resolve, GRACE_MS);
      };
      for (const place of this.#address.places)
        void this.#ask(place, config).then((answer) => {
          if ("reason" in answer) return answered(answer);
          primaries.push(answer);
          primaries.sort((one, other) => other.timeline - one.timeline);
          answered(null);
        });
    });
    const [primary] = primaries;
    if (!primary) throw new NoPrimary(failures);
    this.#settle(primary);
    return primary;
  }

  async #ask(place: Place, config: pg.ClientConfig): Promise<Primary | Failure> {
    const timeoutMs = this.#address.connectTimeoutMs ?? DEFAULT_HOST_TIMEOUT_MS;
    const client = new pg.Client({
      ...config,
      // Not of the address that the finder began with: another role asks with its own password.
      connectionString: readDatabaseAddress(config.connectionString ?? "").only(place),
      application_name: "sluice-search",
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      client.connection.stream.destroy();
    }, timeoutMs);
    client.on("error", () => undefined);
    try {
      await client.connect();
      const primary = await askServer(client, place);
      const objection = this.#objectionTo(primary);
      return objection ? { place, reason: objection, isPassing: true, isStandby: false } : primary;
    } catch (error) {
      if (isLate) return { place, reason: describeSilence(timeoutMs), isPassing: true, isStandby: false };
      return { place, ...describeFailure(error) };
    } finally {
      clearTimeout(timer);
      // Nothing depends on an orderly goodbye, which a frozen server never returns.
      client.end(() => undefined);
      const { stream } = client.connection;
      if (stream instanceof Socket) stream.destroySoon();
    }
  }

  #isNewer({ timeline, systemId }: Primary): boolean {
    return this.#newest !== null && systemId === this.#newest.systemId && timeline > this.#newest.timeline;
  }

  #objectionTo({ timeline, systemId }: Primary): string | null {
    if (!this.#newest) return null;
    if (systemId !== this.#newest.systemId)
      return "is another cluster than the one that this process began with; if that is meant, restart Sluice";
    if (timeline < this.#newest.timeline)
      return `is a former primary (timeline ${timeline}, replaced by ${this.#newest.timeline}): stop it`;
    return null;
  }

  #settle(primary: Primary): void {
    this.#current = primary;
    this.#newest = primary;
    for (const { client, place } of [...this.#followed]) {
      if (isSame(place, primary.place)) continue;
      const reason = `${describePlace(primary.place)} is the primary now`;
      client.connection.stream.destroy(
        new NotPrimary(`The connection to ${describePlace(place)} was closed: ${reason}.`),
      );
    }
  }

  #check(): void {
    const now = performance.now();
    for (const followed of this.#followed) {
      const { stream } = followed.client.connection;
      if (!(stream instanceof Socket)) continue;
      const before = this.#quiet.get(followed);
      const owesAnswer = stream.bytesWritten !== followed.writtenWhenReady;
      if (!before || !owesAnswer || before.read !== stream.bytesRead)
        this.#quiet.set(followed, { read: stream.bytesRead, since: now });
      else if (now - before.since >= QUIET_MS && now - this.#searchedAt >= BETWEEN_SEARCHES_MS) {
        // Without a primary nothing is gained by closing what may still answer.
        this.#search(followed.config).catch(() => undefined);
        return;
      }
    }
  }
}

export function describeSilence(timeoutMs: number): string {
  return `did not answer within ${timeoutMs / 1_000} s`;
}

function isSame(one: Place, other: Place): boolean {
  return one.host === other.host && one.port === other.port;
}

/** @throws NotPrimary if it takes no writes */
async function askServer(client: pg.Client, place: Place): Promise<Primary> {
  const { rows } = await client.query<{
    isStandby: boolean;
    isReadOnly: boolean;
    walFile: string | null;
    systemId: string;
  }>(`
    select pg_is_in_recovery()                                                                      as "isStandby",
           current_setting('transaction_read_only')::boolean                                        as "isReadOnly",
           case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_insert_lsn()) end  as "walFile",
           (select system_identifier::text from pg_control_system())                                as "systemId"`);
  const [facts] = rows;
  if (!facts || facts.isStandby || facts.walFile === null) throw new NotPrimary("is a standby", true);
  if (facts.isReadOnly) throw new NotPrimary("is read-only (default_transaction_read_only)");
  // Of a segment's name, the first eight digits.
  return { place, timeline: Number.parseInt(facts.walFile.slice(0, 8), 16), systemId: facts.systemId };
}

function describeFailure(error: unknown): Omit<Failure, "place"> {
  if (error instanceof NotPrimary)
    return { reason: error.message, isPassing: true, isStandby: error.isStandby };
  if (!(error instanceof Error)) return { reason: String(error), isPassing: false, isStandby: false };
  const code = "code" in error ? String(error.code) : "";
  const words = error.message || code;
  // Refused for good: of PostgreSQL's classes, a wrong user or password, and a database that is not there.
  const isFinal = hasCodeClass(error, "28", "3D", "42") || hasCode(error, "ERR_TLS_CERT_ALTNAME_INVALID");
  return { reason: `accepts no connection: ${words}`, isPassing: !isFinal, isStandby: false };
}
