import { z } from "zod";
import { nearestOf } from "@/lib/platform/nearest-name";

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

/** A name that is nearly one of these has an effect that the operator does not expect: `sslmod` would mean no TLS. */
const PARAMETERS = [
  "application_name",
  "connect_timeout",
  "host",
  "options",
  "password",
  "port",
  "ssl",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslnegotiation",
  "sslrootcert",
  "target_session_attrs",
  "uselibpqcompat",
  "user",
];
/** Of libpq or of a pooler, and near to one of the others. */
const OTHER_PARAMETERS = ["sslcrl", "sslcrldir", "sslsni", "passfile", "hostaddr"];

const FORM =
  "must be postgres://user@host:5432/database, with commas between several hosts; in a user or password, write / ? # @ " +
  "and % as %2F %3F %23 %40 %25";

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
  if (isMalformed(authority.slice(0, at), authority.slice(at))) throw new Error(FORM);
  const parameters = new URLSearchParams(query);
  refuseMisspelt(parameters);
  const named = parameters.get("host");
  const port = parameters.get("port");
  const places = named
    ? listParameters(named.split(","), port).map(readPlace)
    : withPorts(authority.slice(at).split(","), port).map(readPlace);
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

/** The address with the name of its database, which without one would be the name of each user. */
export function withDatabase(address: string, database: string): string {
  const [base = "", query] = address.split("?", 2);
  const [, start = "", path = ""] = /^([a-z]+:\/\/[^/]*)(.*)$/.exec(base) ?? [];
  if (path.length > 1) return address;
  return `${start}/${encodeURIComponent(database)}${query === undefined ? "" : `?${query}`}`;
}

/** For people: a host and its port, or the folder of a socket. */
export function describePlace({ host, port }: Place): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** As the part of an address would have them: `a:5432`. */
function listParameters(names: readonly string[], ports: string | null): readonly string[] {
  const hosts = names.map((name) => (name.includes(":") && !name.startsWith("[") ? `[${name}]` : name));
  return withPorts(hosts, ports || String(DEFAULT_PORT));
}

/** The parameter `port` takes precedence, as in libpq. */
function withPorts(hosts: readonly string[], ports: string | null): readonly string[] {
  if (!ports) return hosts;
  const numbers = ports.split(",");
  if (numbers.length > 1 && numbers.length !== hosts.length)
    throw new Error(`names ${hosts.length} hosts and ${numbers.length} ports`);
  return hosts.map((host, index) => `${host.replace(/:\d*$/, "")}:${numbers[index] ?? numbers[0] ?? ""}`);
}

/** `pg` decodes a `%` that begins no escape as itself, but not beside one that does. */
function isMalformed(userAndPassword: string, hosts: string): boolean {
  const hasStray = /%(?![0-9a-f]{2})/i.test(userAndPassword);
  if (hasStray && /%[0-9a-f]{2}/i.test(userAndPassword)) return true;
  try {
    decodeURIComponent(hasStray ? hosts : userAndPassword + hosts);
    return false;
  } catch {
    return true;
  }
}

function refuseMisspelt(parameters: URLSearchParams): void {
  for (const name of parameters.keys()) {
    if (PARAMETERS.includes(name) || OTHER_PARAMETERS.includes(name)) continue;
    const nearest = nearestOf(name, PARAMETERS);
    if (nearest) throw new Error(`has a parameter ${name}, which has no effect. Is ${nearest} meant?`);
  }
}

function readPlace(text: string): Place {
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{0,5}))?$/.exec(text);
  if (!parts) throw new Error(FORM);
  if (/\s/.test(text)) throw new Error("has a space in the name of a host");
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
