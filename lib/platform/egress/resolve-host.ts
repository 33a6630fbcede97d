import { promises as dns } from "node:dns";

/**
 * All addresses of a host name, IPv4 first.
 * @throws EgressError UNKNOWN_HOST if there is no such host, DNS if the lookup fails
 */
export type ResolveHost = (hostname: string, timeoutMs: number) => Promise<string[]>;

const TRIES = 2;

/**
 * Asks only DNS. The system's resolver (`resolveBySystem`) runs on Node's four shared threads: four names whose server
 * never answers would block all lookups, files and password checks.
 * @param servers for tests
 */
export function createDnsResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname, timeoutMs) => {
    if (isLocalName(hostname)) return ["127.0.0.1", "::1"];
    const resolver = new dns.Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / TRIES)), tries: TRIES });
    if (servers) resolver.setServers(servers);
    return await within(timeoutMs, hostname, () => resolver.cancel(), askBoth(resolver, hostname));
  };
}

/** As every other program on this machine resolves a host: includes the hosts file and names of the local network. */
export async function resolveBySystem(hostname: string, timeoutMs: number): Promise<string[]> {
  const asked = dns.lookup(hostname, { all: true, verbatim: true }).then(
    (found) => found.map(({ address }) => address),
    (error: unknown) => {
      throw toEgressError(hostname, error);
    },
  );
  // It cannot be canceled; a late answer is ignored.
  return await within(timeoutMs, hostname, () => undefined, asked);
}

/** `localhost` and its subdomains are this machine, whatever a DNS server answers (RFC 6761, 6.3). */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

async function askBoth(resolver: dns.Resolver, hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const errors = answers.flatMap((answer) =>
    answer.status === "rejected" ? [toEgressError(hostname, answer.reason)] : [],
  );
  // The family whose lookup failed may be the one that exists.
  throw errors.find(({ problem }) => problem !== "UNKNOWN_HOST") ?? errors[0] ?? unknownHost(hostname);
}

function unknownHost(hostname: string, cause?: unknown): EgressError {
  return new EgressError("UNKNOWN_HOST", `${hostname} could not be found`, { cause });
}

function toEgressError(hostname: string, error: unknown): EgressError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOTFOUND" || code === "ENODATA" || code === "EBADNAME") return unknownHost(hostname, error);
  if (code === "ETIMEOUT" || code === "ECANCELLED") return dnsTimeout(hostname);
  return new EgressError("DNS", `${hostname} could not be looked up`, { cause: error });
}

function dnsTimeout(hostname: string): EgressError {
  return new EgressError("DNS", `No DNS server answered for ${hostname} in time`);
}

async function within(
  timeoutMs: number,
  hostname: string,
  callOff: () => void,
  asked: Promise<string[]>,
): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(dnsTimeout(hostname));
      callOff();
    }, timeoutMs);
  });
  return await Promise.race([asked, tooLate]).finally(() => clearTimeout(timer));
}

/** Why there is no connection. `ADDRESS`: it leads to a forbidden address. */
export type EgressProblem = "ADDRESS" | "UNKNOWN_HOST" | "DNS" | "TIMEOUT" | "TLS" | "CONNECTION";

/** The message may be shown to the person who entered the host. */
export class EgressError extends Error {
  constructor(
    readonly problem: EgressProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "EgressError";
  }
}
