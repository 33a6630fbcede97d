import type { Readable } from "node:stream";
import { EgressError } from "@/lib/platform/egress/egress-error";
import { createGuardedConnector, type EgressGuard } from "@/lib/platform/egress/guarded-connector";
import { refuseAddress } from "@/lib/platform/egress/is-public-address";
import { createOriginPools } from "@/lib/platform/egress/origin-pools";
import { createDnsResolver, resolveBySystem } from "@/lib/platform/egress/resolve-host";

/** What tests put in place of the internet. */
export interface DocumentSeams extends Partial<EgressGuard> {
  timeoutMs?: number;
  /** The certificate that is trusted in place of the public ones. */
  ca?: string;
}

export type FetchDocument = (input: string | URL | Request) => Promise<Response>;

const TIMEOUT_MS = 5_000;
/** A description of a client, or its public keys. */
const MAXIMUM_BYTES = 32 * 1_024;

/**
 * Gets what a client published about itself. Whoever asks for authorization names the address, so it is reached as a
 * webhook's is: https only, no address that only this server can reach, no redirects, and bounds on time and size.
 * @param allowsPrivate private addresses too: where Sluice is tried out on one's own machine
 */
export function createFetchDocument(
  { allowsPrivate }: { allowsPrivate: boolean },
  seams: DocumentSeams = {},
): FetchDocument {
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
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== "https:") throw new EgressError("ADDRESS", "Only https is followed");
    const answer = await pools.of(url.origin).request({
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { accept: "application/json", "user-agent": "Sluice" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readAtMost(answer.body, MAXIMUM_BYTES);
    // A redirect is no document either: it would lead where nobody has judged.
    if (answer.statusCode !== 200) return new Response(null, { status: 502 });
    return new Response(body, { headers: cacheHeaders(answer.headers) });
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

/** Leaving the loop ends the connection: what is unread would be taken for the next answer. */
async function readAtMost(body: Readable, maximum: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("A body is read as bytes");
    chunks.push(chunk);
    length += chunk.length;
    if (length > maximum) throw new EgressError("CONNECTION", `The answer is larger than ${maximum} bytes`);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
