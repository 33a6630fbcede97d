import { type buildConnector, Pool } from "undici";

/** Connections that are kept open for a moment, by origin (scheme, host and port). */
export interface OriginPools {
  of(origin: string): Pool;
  /** Ends idle connections, and the others after what is under way on them. */
  close(): Promise<void>;
}

/** The one that was used longest ago goes first: receivers come and go, and none is remembered for ever. */
const MAXIMUM_ORIGINS = 256;
/** Beyond it requests of one origin wait for each other. A bound on sockets; nothing asks for as many. */
const MAXIMUM_CONNECTIONS = 512;
/** Shorter than most servers keep theirs: a request on a connection that the other side is closing is lost. */
const IDLE_MS = 3_000;
/** Also where a server promises longer. */
const MAXIMUM_IDLE_MS = 10_000;
const MAXIMUM_HEADER_BYTES = 16 * 1024;

/** Pools of HTTP/1.1 connections that all are opened by `connect`. Callers bound the time of each request. */
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
      // The order of a map is that of insertion: the last used is the last.
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
