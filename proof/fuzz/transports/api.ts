import fc from "fast-check";
import { type RandomRequest, randomRequests } from "@/lib/testing/api-proof/random-request";
import { jsonSpoiler, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange, withHeaders } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest, HttpRequest } from "@/proof/fuzz/send";

const BASE_PATH = "/platform/v1";
const AUTHORIZATIONS = [
  "",
  "Bearer",
  "Bearer ",
  "bearer  x",
  "Basic eDp5",
  "Bearer a b",
  "Digest username=x",
  "Bearer \xff\xfe",
  `Bearer ${"x".repeat(6_000)}`,
];

/**
 * `/platform/v1`: every operation from its own schemas and examples, mostly with an allowed key; then with something
 * wrong in its input, in the text of its body, or in transit.
 */
export function apiRequests({ own, stranger, keys }: Scene): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      request: randomRequests(own.ids, stranger.ids),
      authorization: authorizations(keys),
      spoiler: sometimes(3, jsonSpoiler),
      wire: sometimes(2, wireChange),
    })
    .map(({ request, authorization, spoiler, wire }) => {
      const plain = withHeaders(toHttp(request, spoiler), ["Authorization", authorization]);
      return {
        transport: "api",
        shape: `${request.operationId}${wire ? ` with ${wire.name}` : ""}`,
        contract: "API",
        sent: wire ? wire.change(plain) : plain,
      };
    });
}

/** Of every hundred requests, about 90 are allowed. */
export function authorizations({ full, single, tokens, wrong }: Scene["keys"]): fc.Arbitrary<string> {
  const bearer = (texts: string[]) => fc.constantFrom(...texts).map((text) => `Bearer ${text}`);
  return fc.oneof(
    { weight: 90, arbitrary: bearer(full) },
    { weight: 5, arbitrary: bearer(single) },
    { weight: 2, arbitrary: bearer(tokens) },
    { weight: 2, arbitrary: bearer(wrong) },
    { weight: 1, arbitrary: fc.constantFrom(...AUTHORIZATIONS) },
  );
}

function toHttp(
  { method, path, rawBody, headers }: RandomRequest,
  spoiler: ((text: string) => Buffer) | null,
): HttpRequest {
  const body = rawBody === undefined ? null : spoiler ? spoiler(rawBody) : Buffer.from(rawBody);
  // An HTTP client cannot send a wrong body length; the raw transport does.
  const { "content-length": _, ...kept } = headers;
  const type: (readonly [string, string])[] = body ? [["Content-Type", "application/json"]] : [];
  return {
    kind: "HTTP",
    method,
    target: BASE_PATH + path.replace(/[^\x21-\xff]/g, (character) => encodeURIComponent(character)),
    headers: [...type, ...Object.entries(kept)],
    body,
    leavesAfterMs: null,
  };
}
