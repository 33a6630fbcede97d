import { expect } from "vitest";
import { z } from "zod";
import type { Operation } from "@/lib/api/operations/operation";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import type { ApiResponse } from "@/lib/testing/api";

/** What any operation may answer; `PAYLOAD_TOO_LARGE` where there is a body. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  "INVALID_PARAMETERS",
  "UNAUTHORIZED",
  "ACCESS_DENIED",
  "PAYLOAD_TOO_LARGE",
  "RATE_LIMIT_EXCEEDED",
];

const errorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string().min(1),
    details: z
      .array(z.strictObject({ field: z.string(), message: z.string().min(1) }))
      .min(1)
      .optional(),
  }),
});
const successBodySchema = z.strictObject({
  data: z.unknown(),
  requestId: z.string().regex(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/),
});

/**
 * Holds an answer against the row of its operation: status, headers and body, strictly. An answer of 500 is never in
 * order.
 */
export function expectContract(operation: Operation, response: ApiResponse): void {
  const { headers } = response;
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
  if (response.status !== 401) {
    expect(headers.get("ratelimit-policy")).toBe('"per-key";q=100;w=60');
    expect(headers.get("ratelimit")).toMatch(/^"per-key";r=\d{1,3};t=\d{1,2}$/);
  }
  if (response.status < 400) expectSuccess(operation, response);
  else expectRefusal(operation, response);
  expectMaskedNumbers(response.body);
}

function expectSuccess(operation: Operation, { status, headers, body, text }: ApiResponse): void {
  expect(operation.successes.map((success) => success.status)).toContain(status);
  const envelope = successBodySchema.parse(body);
  if (headers.get("idempotent-replayed") === null) {
    expect(envelope.requestId).toBe(headers.get("x-request-id"));
  } else {
    expect([operation.isIdempotent, headers.get("idempotent-replayed")]).toEqual([true, "true"]);
  }
  const parsed = operation.output.safeParse(envelope.data);
  expect(parsed.error?.issues ?? [], text).toEqual([]);
  // A default that parsing fills in is a field that the answer left out.
  expect(parsed.data).toEqual(envelope.data);
}

function expectRefusal(operation: Operation, { status, headers, body, text }: ApiResponse): void {
  const { error } = errorBodySchema.parse(body, { reportInput: true });
  const allowed: readonly string[] = [...COMMON_ERRORS, ...operation.errors];
  expect(allowed, text).toContain(error.code);
  const expected = new Map<string, number>(Object.entries(ERROR_STATUS)).get(error.code);
  expect(status).toBe(expected);
  expect(headers.get("retry-after") !== null).toBe(status === 429);
}

/** Specification, Part 2: "always masked to the last 4 digits with a bullet-character prefix". */
function expectMaskedNumbers(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (/^(routingNumber|bankAccountNumber)$/.test(name) && field !== null) {
      expect(field).toMatch(/^•{4}\d{4}$/);
    }
    expectMaskedNumbers(field);
  }
}
