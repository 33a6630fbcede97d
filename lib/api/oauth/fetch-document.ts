import type { Readable } from "node:stream";
import {
  createGuardedConnector,
  createOriginPools,
  type EgressGuard,
} from "@/lib/platform/egress/guarded-connector";
import { refuseAddress } from "@/lib/platform/egress/is-public-address";
import { createDnsResolver, EgressError, resolveBySystem } from "@/lib/platform/egress/resolve-host";

/** Replaces the internet in tests. */
export interface DocumentSeams extends Partial<EgressGuard> {
  timeoutMs?: number;
  /** Certificate trusted in place of the public ones. */
  ca?: string;
}

export type FetchDocument = (input: string | URL | Request) => Promise<Response>;

const TIMEOUT_MS = 5_000;
/** A client's metadata document, or its public keys. */
const MAXIMUM_BYTES = 32 * 1_024;

/** How long the last document counts while a new one cannot be fetched: a client's host may be down for a night. */
const STANDS_IN_MS = 24 * 60 * 60_000;
const MAXIMUM_STAND_INS = 100;

/**
 * Fetches what a client published about itself. Anyone who asks for authorization chooses the address, so it is
 * reached like a webhook's: https only, no address that only this server can reach, no redirects, bounds on time and
 * size. While it cannot be reached, the last document stands in for a day, so that connected clients can refresh; a
 * 404 counts at once.
 * @param allowsPrivate private addresses too, for trying Sluice on a local machine
 */
export function createFetchDocument(
  { allowsPrivate }: { allowsPrivate: boolean },
  seams: DocumentSeams = {},
): FetchDocument {
  const fetchOne = createFetch({ allowsPrivate }, seams);
  const standIns = new Map<string, { body: Uint8Array<ArrayBuffer>; fetchedAt: number }>();

  function standIn(address: string): Response | null {
    const known = standIns.get(address);
    const isRecent = known !== undefined && performance.now() - known.fetchedAt < STANDS_IN_MS;
    return isRecent ? new Response(known.body) : null;
  }

  function remember(address: string, body: Uint8Array<ArrayBuffer>): void {
    // A map keeps insertion order, so the last one fetched comes last.
    standIns.delete(address);
    standIns.set(address, { body, fetchedAt: performance.now() });
    for (const oldest of standIns.keys()) {
      if (standIns.size <= MAXIMUM_STAND_INS) return;
      standIns.delete(oldest);
    }
  }

  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    try {
      const { status, headers, body } = await fetchOne(url);
      if (status >= 500) return standIn(url.href) ?? noDocument();
      // A redirect would lead to an address that was never checked.
      if (status !== 200) return noDocument();
      remember(url.href, body);
      return new Response(body, { headers });
    } catch (error) {
      const known = isUnreachable(error) ? standIn(url.href) : null;
      if (known) return known;
      throw error;
    }
  };
}

function noDocument(): Response {
  return new Response(null, { status: 502 });
}

/** Does not cover an address that may not be reached: that one was pointed there on purpose. */
function isUnreachable(error: unknown): boolean {
  return !(error instanceof EgressError) || error.problem !== "ADDRESS";
}

function createFetch({ allowsPrivate }: { allowsPrivate: boolean }, seams: DocumentSeams) {
  const timeoutMs = seams.timeoutMs ?? TIMEOUT_MS;
  const { ca } = seams;
  const pools = createOriginPools(
    createGuardedConnector({
      resolve: seams.resolve ?? (allowsPrivate ? resolveBySystem : createDnsResolver()),
      refuse: seams.refuse ?? (allowsPrivate ? () => null : refuseAddress),
      timeoutMs,
      ...(ca === undefined ? {} : { ca }),
    }),
  );
  return async (url: URL) => {
    if (url.protocol !== "https:") throw new EgressError("ADDRESS", "Only https is supported");
    const answer = await pools.of(url.origin).request({
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { accept: "application/json", "user-agent": "Sluice" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readAtMost(answer.body, MAXIMUM_BYTES);
    return { status: answer.statusCode, headers: cacheHeaders(answer.headers), body };
  };
}

function cacheHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const kept = new Headers();
  for (const name of ["cache-control", "expires"]) {
    const value = [headers[name] ?? []].flat().at(0);
    if (value !== undefined) kept.set(name, value);
  }
  return kept;
}

/** Leaving the loop closes the connection: unread bytes would be taken for the next answer. */
async function readAtMost(body: Readable, maximum: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("The body must be read as bytes");
    chunks.push(chunk);
    length += chunk.length;
    if (length > maximum) throw new EgressError("CONNECTION", `The answer is larger than ${maximum} bytes`);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
