import { Socket } from "node:net";
import pg from "pg";
import {
  DEFAULT_HOST_TIMEOUT_MS,
  describeSilence,
  type FollowedClient,
  NotPrimary,
  PrimaryFinder,
} from "@/lib/db/primary-finder";
import { type DatabaseAddress, describePlace, readDatabaseAddress } from "@/lib/platform/database-address";

/** Notices a dead host on an idle connection: the operating system's own delay is two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } satisfies pg.ClientConfig;

/**
 * A connection beside the pool: to the embedded server, or to whichever server of DATABASE_URL is the primary. Every
 * connection to a database of an operator is made here or in `createPool`.
 */
export function createClient(config: pg.ClientConfig): pg.Client {
  const complete = { ...KEEP_ALIVE, ...config };
  const client = config.connectionString ? new PrimaryClient(complete) : new pg.Client(complete);
  // Its next query fails by itself. Without a listener, a connection that is lost between two would end the process.
  client.on("error", () => undefined);
  return client;
}

/** What a pool makes its connections of. */
export function clientOf({ connectionString }: pg.ClientConfig): typeof pg.Client {
  return connectionString ? PrimaryClient : pg.Client;
}

/**
 * What is wrong with the servers of an address that could not take over. Empty for one with a single host, which needs none.
 * @param config with the address, as whom to ask
 */
export async function findUnusableHosts(config: pg.ClientConfig): Promise<string[]> {
  const address = readDatabaseAddress(config.connectionString ?? "");
  return address.places.length > 1 ? finderOf(address).findUnusable(config) : [];
}

/** A server, or a firewall in front of it, that leaves a connection unanswered; waiting may help. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly code = "ETIMEDOUT";
}

/** What `pg` says of it, without a code. */
const TIMEOUT_OF_PG = "timeout expired";

/** One for each list of servers, whatever the role: what one connection learns, all of them know. */
const finders = new Map<string, PrimaryFinder>();
/** A process uses one database; tests use some. */
const MAXIMUM_FINDERS = 1_000;

function finderOf(address: DatabaseAddress): PrimaryFinder {
  const key = address.places.map(describePlace).join();
  const known = finders.get(key);
  if (known) return known;
  if (finders.size >= MAXIMUM_FINDERS) finders.clear();
  const finder = new PrimaryFinder(address);
  finders.set(key, finder);
  return finder;
}

/**
 * A connection to the primary among the servers of an address. It never stays with a standby: one that connects to a
 * standby fails, and one whose server becomes read-only or is replaced is closed.
 */
class PrimaryClient extends pg.Client {
  readonly #config: pg.ClientConfig;
  readonly #address: DatabaseAddress;
  readonly #timeoutMs: number;
  #lost: Error | null = null;

  constructor(config: pg.ClientConfig = {}) {
    const address = readDatabaseAddress(config.connectionString ?? "");
    const isList = address.places.length > 1;
    const timeoutMs =
      address.connectTimeoutMs ?? (isList ? DEFAULT_HOST_TIMEOUT_MS : config.connectionTimeoutMillis);
    super({
      ...config,
      connectionString: address.only(address.places[0]),
      ...(timeoutMs && { connectionTimeoutMillis: timeoutMs }),
    });
    this.#config = config;
    this.#address = address;
    this.#timeoutMs = timeoutMs ?? DEFAULT_HOST_TIMEOUT_MS;
    // A server that ends while this asks whether it is the primary: the pool listens only once it is connected, and without
    // a listener the process would end.
    this.on("error", (error) => {
      this.#lost ??= error;
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | undefined {
    const connecting = this.#connect();
    if (!callback) return connecting;
    const settle = (error: unknown, client?: pg.Client) =>
      Reflect.apply(callback, undefined, [error, client]);
    connecting.then(
      () => settle(null, this),
      (error: unknown) => settle(error),
    );
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    // The server reports both, and every later change.
    const reported = { in_hot_standby: "off", default_transaction_read_only: "off" };
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: Record<string, string>) => {
      Object.assign(reported, { [String(parameterName)]: parameterValue });
    });
    const list = this.#address.places.length > 1 ? finderOf(this.#address) : null;
    if (list) await this.#connectToPrimary(list);
    else await this.#connectToOnly();
    if (reported.in_hot_standby === "on") this.#refuse();
    if (this.#lost) throw this.#lost;
    const { default_transaction_read_only: atFirst } = reported;
    // It has stopped taking writes: closed as soon as its transaction is over.
    this.connection.on("readyForQuery", ({ status }: Record<string, string>) => {
      if (status === "I" && reported.default_transaction_read_only !== atFirst)
        this.connection.stream.destroy(new NotPrimary("The server takes no writes any more."));
    });
    return this;
  }

  async #connectToOnly(): Promise<void> {
    try {
      await super.connect();
    } catch (error) {
      if (!(error instanceof Error) || error.message !== TIMEOUT_OF_PG) throw error;
      throw new NoAnswer(`the server ${describeSilence(this.#timeoutMs)}`, { cause: error });
    }
  }

  async #connectToPrimary(finder: PrimaryFinder): Promise<void> {
    const { place } = await finder.find(this.#config);
    this.host = place.host;
    this.port = place.port;
    const followed: FollowedClient = { client: this, place, config: this.#config, writtenWhenReady: -1 };
    this.connection.on("readyForQuery", () => {
      const { stream } = this.connection;
      if (stream instanceof Socket) followed.writtenWhenReady = stream.bytesWritten;
    });
    this.connection.once("end", () => finder.forget(followed));
    finder.follow(followed);
    const timer = setTimeout(() => this.connection.stream.destroy(), 2 * this.#timeoutMs);
    try {
      await super.connect();
      await finder.verify(this, place);
    } catch (error) {
      this.connection.stream.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #refuse(): never {
    this.connection.stream.destroy();
    throw new NotPrimary(
      "it is a standby, which takes no writes. Name the primary too, or give an address that follows it.",
    );
  }
}
