import { expect } from "vitest";
import { z } from "zod";
import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";
import type { Operation } from "@/lib/api/operations/operation";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import type { ApiResponse } from "@/lib/testing/api";

/** Errors that any operation may return; `PAYLOAD_TOO_LARGE` for those with a body. */
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

/** Checks a response strictly against the row of its operation: status, headers and body. A 500 is always a failure. */
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
  // A default filled in by parsing means a field missing from the response.
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

const FORMATS: Readonly<Record<string, z.ZodType>> = {
  uuid: z.uuid(),
  "date-time": z.iso.datetime(),
  date: z.iso.date(),
  time: z.iso.time(),
  uri: z.url(),
};
/** Far deeper than any response; stops at a schema that refers to itself. */
const MAXIMUM_DEPTH = 40;

/**
 * The violations of a JSON Schema of our OpenAPI document by a value, each with its path. Undeclared fields are
 * violations here, although the document allows additions: responses contain only what is documented.
 */
export function findViolations(
  schema: JsonSchema,
  value: unknown,
  components: Readonly<Record<string, JsonSchema>>,
  place = "",
  depth = 0,
): string[] {
  if (depth > MAXIMUM_DEPTH) return [`${place} is nested without end`];
  const inside = (child: JsonSchema, one: unknown, name: string) =>
    findViolations(child, one, components, name, depth + 1);
  const component = componentName(schema);
  if (component) {
    const referred = components[component];
    return referred
      ? inside(referred, value, place)
      : [`${place} refers to ${component}, which is not there`];
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const fitting = alternatives.filter((alternative) => inside(alternative, value, place).length === 0);
    const isOne = schema.oneOf ? fitting.length === 1 : fitting.length > 0;
    return isOne ? [] : [`${place} fits ${fitting.length} of ${alternatives.length} shapes`];
  }
  const found: string[] = [];
  if (!typesOf(schema).some((type) => isOfType(type, value))) found.push(`${place} is no ${schema.type}`);
  // This version answers none but the values that it names.
  const choices = schema.enum ?? schema["x-extensible-enum"];
  if (choices && !choices.some((one) => one === value)) found.push(`${place} is none of the enum`);
  if (schema.const !== undefined && schema.const !== value) found.push(`${place} is not ${schema.const}`);
  if (typeof value === "number") found.push(...numberViolations(schema, value, place));
  if (typeof value === "string") found.push(...textViolations(schema, value, place));
  if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (value.length < minItems || value.length > maxItems) found.push(`${place} has ${value.length} items`);
    if (items) found.push(...value.flatMap((one, index) => inside(items, one, `${place}.${index}`)));
  } else if (typeof value === "object" && value !== null) {
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) found.push(`${place}.${name} is missing`);
    }
    for (const [name, field] of Object.entries(value)) {
      const property = schema.properties?.[name];
      found.push(
        ...(property ? inside(property, field, `${place}.${name}`) : [`${place}.${name} is not documented`]),
      );
    }
  }
  return found;
}

/** Without a type, everything is allowed. */
function typesOf({ type }: JsonSchema): readonly (string | null)[] {
  if (type === undefined) return [null];
  return Array.isArray(type) ? type : [type];
}

function isOfType(type: string | null, value: unknown): boolean {
  switch (type) {
    case null:
      return true;
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function numberViolations(schema: JsonSchema, value: number, place: string): string[] {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const { exclusiveMinimum = Number.NEGATIVE_INFINITY } = schema;
  const isInside = value >= minimum && value <= maximum && value > exclusiveMinimum;
  return isInside ? [] : [`${place} is out of its range`];
}

function textViolations(schema: JsonSchema, value: string, place: string): string[] {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const found: string[] = [];
  if (value.length < minLength || value.length > maxLength)
    found.push(`${place} has ${value.length} characters`);
  if (pattern && !new RegExp(pattern, "u").test(value)) found.push(`${place} does not match ${pattern}`);
  const formatSchema = format ? FORMATS[format] : null;
  if (format && !formatSchema)
    found.push(`${place} has the format ${format}, which this proof does not know`);
  if (formatSchema && !formatSchema.safeParse(value).success) found.push(`${place} is no ${format}`);
  return found;
}
