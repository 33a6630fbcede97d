import type { Header, Parameter, Reference } from "@/lib/api/openapi/document";
import { BEARER_CHALLENGE } from "@/lib/contract/error";
import {
  MAXIMUM_CALLED_REASON_LENGTH,
  MAXIMUM_IDEMPOTENCY_KEY_LENGTH,
  REQUESTS_PER_MINUTE,
} from "@/lib/contract/limits";

/** The two headers that callers choose (specification, Part 4, "Common headers and parameters"). */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: "idempotency-key",
    in: "header",
    required: false,
    description:
      "Makes a retry safe: for 24 hours the same key with the same request gives the first answer again, and nothing happens twice. A UUID v4 is best.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: MAXIMUM_IDEMPOTENCY_KEY_LENGTH,
      pattern: `^[A-Za-z0-9._:/|-]{1,${MAXIMUM_IDEMPOTENCY_KEY_LENGTH}}$`,
    },
    example: "8d0f1f0e-6a43-4a3b-9f1c-2f4f2f5ad0b7",
  },
  CalledReason: {
    name: "x-called-reason",
    in: "header",
    required: false,
    description: "Why you call. It appears in the audit log; agents should always send it.",
    schema: {
      type: "string",
      maxLength: MAXIMUM_CALLED_REASON_LENGTH,
      allOf: [{ $ref: "#/components/schemas/PlainText" }],
    },
    example: "Weekly bookkeeping",
  },
} satisfies Record<string, Parameter>;

export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "The id of this request. Quote it when you report a problem.",
    schema: { type: "string" },
    example: "7fq2-m81x-k3tn",
  },
  "RateLimit-Policy": {
    description: "The limit: requests (`q`) per window of seconds (`w`), per key.",
    schema: { type: "string" },
    example: `"per-key";q=${REQUESTS_PER_MINUTE};w=60`,
  },
  RateLimit: {
    description: "Remaining requests (`r`), and the seconds until the window ends (`t`).",
    schema: { type: "string" },
    example: '"per-key";r=98;t=41',
  },
  "Retry-After": {
    description:
      "Of 429: seconds until the window ends; without `RateLimit`, until unknown credentials are looked up again. Of 409: when the first request with this idempotency-key should have ended.",
    schema: { type: "integer", minimum: 0, maximum: 60 },
    example: 20,
  },
  "WWW-Authenticate": {
    description: "How to authenticate: with an API key as bearer token.",
    schema: { type: "string" },
    example: BEARER_CHALLENGE,
  },
  "Idempotent-Replayed": {
    description: "`true` when this repeats the answer to an earlier request with the same idempotency-key.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
} satisfies Record<string, Header>;

/** The headers of an answer with this status. */
export function headerReferences(status: number, isReplayable: boolean): Record<string, Reference> {
  const names = ["X-Request-Id"];
  // Which limit applies is known only once the key is.
  if (status === 401) names.push("WWW-Authenticate");
  else names.push("RateLimit-Policy", "RateLimit");
  if (status === 429 || status === 409) names.push("Retry-After");
  if (isReplayable) names.push("Idempotent-Replayed");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
