import { z } from "zod";

/** One of the servers that an address names. */
export interface Place {
  /** A name, an IP address, or the folder of a socket. */
  host: string;
  port: number;
}

/** What DATABASE_URL says, with one host or several, as libpq takes them. */
export interface DatabaseAddress {
  /** In the order in which they were written; at least one. */
  places: readonly [Place, ...Place[]];
  /** How long one of them may take to answer; null: `connect_timeout` is not set. */
  connectTimeoutMs: number | null;
  /** The address of one of them, as `pg` takes it. */
  only(place: Place): string;
}

const DEFAULT_PORT = 5432;
const MAXIMUM_PLACES = 16;
const MAXIMUM_CONNECT_TIMEOUT_SECONDS = 60;
/** The sessions that Sluice needs: it writes, so each of them must be one of the primary. */
const SESSIONS = ["read-write", "primary"];

const FORM = "must be postgres://user@host:5432/database, with commas between several hosts";

/**
 * Reads an address with one host or several, `postgres://user@a:5432,b:5432/sluice` or `?host=a,b&port=5432,5433`. A
 * single port counts for all of them.
 * @throws Error that says what is wrong, without repeating the address: it may hold a password
 */
export function readDatabaseAddress(text: string): DatabaseAddress {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/.exec(text);
  if (!parts) throw new Error(FORM);
  const [, scheme = "", authority = "", path = "", query = ""] = parts;
  const at = authority.lastIndexOf("@") + 1;
  const parameters = new URLSearchParams(query);
  const named = parameters.get("host");
  const places = (named ? listParameters(named, parameters.get("port")) : authority.slice(at).split(",")).map(
    readPlace,
  );
  const [first, ...others] = places;
  if (!first || others.length >= MAXIMUM_PLACES) throw new Error(`must name 1 to ${MAXIMUM_PLACES} hosts`);
  if (others.length > 0 && places.some(({ host }) => host === ""))
    throw new Error("names a host without a name");
  const session = parameters.get("target_session_attrs");
  if (session !== null && !SESSIONS.includes(session))
    throw new Error("target_session_attrs must be read-write or primary: Sluice writes");
  const connectTimeoutMs = readTimeout(parameters.get("connect_timeout"));
  const isList = others.length > 0;
  if (!isList) new URL(text);
  for (const name of isList ? ["host", "port", "target_session_attrs", "connect_timeout"] : [])
    parameters.delete(name);
  return {
    places: [first, ...others],
    connectTimeoutMs,
    only: ({ host, port }) => {
      if (!isList) return text;
      const own = new URLSearchParams(parameters);
      own.set("host", host);
      own.set("port", String(port));
      // The host is in a parameter, where a folder and an IPv6 address need no escape.
      return `${scheme}${authority.slice(0, at)}localhost${path}?${own}`;
    },
  };
}

/** The address with more parameters; they take precedence over the part before the `@`. */
export function withParameters(address: string, added: Record<string, string>): string {
  const [base = "", query = ""] = address.split("?", 2);
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(added)) parameters.set(name, value);
  return `${base}?${parameters}`;
}

/** For people: a host and its port, or the folder of a socket. */
export function describePlace({ host, port }: Place): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** As the part of an address would have them: `a:5432`. */
function listParameters(hosts: string, ports: string | null): string[] {
  const names = hosts.split(",");
  const numbers = ports === null || ports === "" ? [] : ports.split(",");
  if (numbers.length > 1 && numbers.length !== names.length)
    throw new Error(`names ${names.length} hosts and ${numbers.length} ports`);
  return names.map((name, index) => {
    const host = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
    return `${host}:${numbers[index] ?? numbers[0] ?? ""}`;
  });
}

function readPlace(text: string): Place {
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{0,5}))?$/.exec(text);
  if (!parts) throw new Error(FORM);
  const [, host = "", port = ""] = parts;
  const number = port === "" ? DEFAULT_PORT : Number(port);
  if (number < 1 || number > 65_535) throw new Error("names a port that is not between 1 and 65535");
  return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, "$1")), port: number };
}

function readTimeout(text: string | null): number | null {
  if (text === null) return null;
  const seconds = z.coerce.number().int().min(1).max(MAXIMUM_CONNECT_TIMEOUT_SECONDS).safeParse(text);
  if (!seconds.success)
    throw new Error(`connect_timeout must be 1 to ${MAXIMUM_CONNECT_TIMEOUT_SECONDS} seconds`);
  return seconds.data * 1_000;
}
