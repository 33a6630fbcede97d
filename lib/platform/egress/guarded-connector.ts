import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls } from "node:tls";
import { type buildConnector, Pool } from "undici";
import { EgressError, type ResolveHost } from "@/lib/platform/egress/resolve-host";

export interface EgressGuard {
  resolve: ResolveHost;
  /** @returns null, or why nothing may connect to this address: "leads to a private address" */
  refuse: (address: string) => string | null;
}

interface ConnectorOptions extends EgressGuard {
  /** From the lookup, which gets half of it, to the end of the TLS handshake. */
  timeoutMs: number;
  /** For tests: the certificate trusted instead of the public ones. */
  ca?: string;
}

/** Per family. A name with thousands of addresses is judged completely, but only its first are tried. */
const MAXIMUM_TRIED = 4;
/** Delay before the next address is tried in parallel. */
const NEXT_ADDRESS_MS = 1_000;

type Target = Pick<buildConnector.Options, "hostname" | "port" | "protocol">;

/**
 * The addresses of a host. All are judged: a host with one public and one private address is refused, since which one
 * is used would be chance.
 * @param hostname a name, or an address literal without brackets, which never reaches a lookup
 * @throws EgressError ADDRESS, UNKNOWN_HOST, DNS
 */
export async function judgeHost(
  { resolve, refuse }: EgressGuard,
  hostname: string,
  timeoutMs: number,
): Promise<string[]> {
  const addresses = isIP(hostname) === 0 ? await resolve(hostname, timeoutMs) : [hostname];
  if (addresses.length === 0) throw new EgressError("UNKNOWN_HOST", `${hostname} could not be found`);
  for (const address of addresses) {
    const refusal = refuse(address);
    if (refusal !== null) throw new EgressError("ADDRESS", `${hostname} ${refusal}`);
  }
  return addresses;
}

/**
 * Opens connections for undici. Each one looks its host up and goes to an address judged in that lookup: DNS is not
 * asked a second time, so a name that changes its answer (DNS rebinding) gains nothing. The socket's actual peer is
 * judged once more. Certificates are verified against the host's name even if the environment says otherwise
 * (NODE_TLS_REJECT_UNAUTHORIZED). Proxies of the environment are ignored: they would look the host up themselves.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    const startedAt = performance.now();
    judgeHost(options, target.hostname, options.timeoutMs / 2).then(
      (addresses) => {
        const leftMs = Math.max(1, options.timeoutMs - (performance.now() - startedAt));
        openSocket(target, addresses, { ...options, timeoutMs: leftMs }, callback);
      },
      (error: unknown) => callback(toError(error), null),
    );
  };
}

function openSocket(
  target: Target,
  addresses: readonly string[],
  { refuse, timeoutMs, ca }: ConnectorOptions,
  callback: buildConnector.Callback,
): void {
  const isTls = target.protocol === "https:";
  const socket = isTls ? startTls(target, addresses, ca) : connect(pathTo(target, addresses));
  let isConnected = false;
  let isSettled = false;
  const settle = (error: EgressError | null) => {
    clearTimeout(timer);
    if (isSettled) return;
    isSettled = true;
    if (error === null) return callback(null, socket);
    socket.destroy();
    callback(error, null);
  };
  const timer = setTimeout(() => {
    settle(new EgressError("TIMEOUT", `${target.hostname} did not accept a connection in time`));
  }, timeoutMs);
  socket.setNoDelay(true);
  socket.once("connect", () => {
    isConnected = true;
  });
  socket.once(isTls ? "secureConnect" : "connect", () =>
    settle(judgeSocket(socket, target.hostname, refuse)),
  );
  // Stays for the socket's lifetime: an error without a listener ends the process.
  socket.on("error", (error) => settle(toEgressError(error, isTls && isConnected)));
}

function judgeSocket(
  { remoteAddress }: Socket,
  hostname: string,
  refuse: EgressGuard["refuse"],
): EgressError | null {
  if (remoteAddress === undefined) return new EgressError("CONNECTION", "The connection was closed at once");
  const refusal = refuse(remoteAddress);
  return refusal === null ? null : new EgressError("ADDRESS", `${hostname} ${refusal}`);
}

function startTls(target: Target, addresses: readonly string[], ca: string | undefined): Socket {
  // A name with a trailing dot is the same host, but no certificate is issued that way.
  const name = target.hostname.replace(/\.$/, "");
  return connectTls({
    ...pathTo(target, addresses),
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(ca === undefined ? {} : { ca }),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
  });
}

function pathTo({ hostname, port, protocol }: Target, addresses: readonly string[]): TcpNetConnectOpts {
  return {
    host: hostname,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
}

/** Answers the socket's lookup with the judged addresses, without asking DNS. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const families = [4, 6].flatMap((family) =>
    addresses
      .filter((address) => isIP(address) === family)
      .slice(0, MAXIMUM_TRIED)
      .map((address) => ({ address, family })),
  );
  return (_hostname, _options, done) => done(null, families);
}

function toEgressError(error: Error, isHandshake: boolean): EgressError {
  if (error instanceof EgressError) return error;
  // One error for each address that was tried.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const message = first instanceof Error ? first.message : error.message;
  return new EgressError(isHandshake ? "TLS" : "CONNECTION", message, { cause: error });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Briefly kept connections, by origin (scheme, host and port). */
export interface OriginPools {
  of(origin: string): Pool;
  /** Ends idle connections at once, and the others after their current request. */
  close(): Promise<void>;
}

/** Evicts the least recently used origin: receivers come and go. */
const MAXIMUM_ORIGINS = 256;
/** Beyond it, requests of one origin queue. A bound on sockets; normal use stays below it. */
const MAXIMUM_CONNECTIONS = 512;
/** Shorter than most servers' keep-alive: a request on a connection that the other side is closing is lost. */
const IDLE_MS = 3_000;
/** Applies even if a server promises longer. */
const MAXIMUM_IDLE_MS = 10_000;
const MAXIMUM_HEADER_BYTES = 16 * 1024;

/** Pools of HTTP/1.1 connections, all opened by `connect`. Callers bound the time of each request. */
export function createOriginPools(
  connect: buildConnector.connector,
  maximumOrigins = MAXIMUM_ORIGINS,
): OriginPools {
  const pools = new Map<string, Pool>();
  const closing = new Set<Promise<void>>();

  function close(pool: Pool): Promise<void> {
    const closed = pool.close().finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  }

  function forgetOldest(): void {
    for (const [origin, pool] of pools) {
      if (pools.size <= maximumOrigins) return;
      pools.delete(origin);
      void close(pool);
    }
  }

  return {
    of: (origin) => {
      const pool = pools.get(origin) ?? openPool(origin, connect);
      // Maps iterate in order of insertion, so the last used comes last.
      pools.delete(origin);
      pools.set(origin, pool);
      forgetOldest();
      return pool;
    },
    close: async () => {
      for (const pool of pools.values()) void close(pool);
      pools.clear();
      await Promise.all(closing);
    },
  };
}

function openPool(origin: string, connect: buildConnector.connector): Pool {
  return new Pool(origin, {
    connect,
    connections: MAXIMUM_CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAXIMUM_IDLE_MS,
    maxHeaderSize: MAXIMUM_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
