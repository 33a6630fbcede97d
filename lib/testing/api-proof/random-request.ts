import fc from "fast-check";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import { branchesOf, inputSchemaOf, type SchemaNode } from "@/lib/testing/api-proof/json-schema-node";
import { mutated, mutations } from "@/lib/testing/api-proof/mutations";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { FOREIGN_IDS, type Ids } from "@/lib/testing/api-proof/organization-with-everything";
import { ALWAYS_REFUSED_TEXTS, INJECTIONS, NO_UUIDS } from "@/lib/testing/api-proof/spoil-input";

/** A request as it goes over the wire. */
export interface RandomRequest {
  /** By name: failures are printed, and a row with its schemas is unreadable. */
  operationId: string;
  method: string;
  path: string;
  rawBody: string | undefined;
  headers: Record<string, string>;
}

const HOSTILE_TEXTS = [
  ...ALWAYS_REFUSED_TEXTS.map(([, text]) => text),
  ...INJECTIONS.map(([, text]) => text),
];
/** Values that hardly any field accepts. */
export const hostileValue = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS, ...NO_UUIDS),
  fc.constantFrom(null, true, false, 0, -1, 0.5, 1e300, 2 ** 53, "", [], {}, [[]], [null], { $ne: null }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const rawBody = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    "7",
    '"text"',
    "{}",
    '{"__proto__":{"simulation":true}}',
    "\ufeff{}",
  ),
  fc.constant("[".repeat(20_000)),
  fc.constant("x".repeat(70_000)),
  fc.json({ maxDepth: 6 }),
  fc.string({ unit: "binary", maxLength: 100 }),
);
const header = fc.oneof(
  fc.record({ "idempotency-key": fc.constantFrom("a", "b", "c", "x".repeat(36)) }),
  fc.record({ "idempotency-key": fc.string({ maxLength: 40 }).filter(isHeaderValue) }),
  fc.record({ "x-called-reason": fc.string({ maxLength: 600 }).filter(isHeaderValue) }),
  fc.constantFrom<Record<string, string>>(
    { "content-type": "text/plain" },
    { "content-length": "3" },
    { "x-http-method-override": "DELETE" },
    { accept: "text/html" },
  ),
);

function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e\x80-\xff]*$/.test(text);
}

/** The ways to make a valid request invalid. */
const mischief = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("INPUT" as const), mutation: mutations(hostileValue) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("BODY" as const), rawBody }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("METHOD" as const),
      method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("QUERY" as const), query: fc.webQueryParameters() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("PATH" as const), segment: fc.webSegment() }) },
);
type Mischief = typeof mischief extends fc.Arbitrary<infer T> ? T : never;

/**
 * Requests of every operation: half of them valid by their schema, half with something wrong. An id field mostly gets
 * an id of its kind, otherwise any of either organization's, or a new one.
 */
export function randomRequests(own: Ids, stranger: Ids): fc.Arbitrary<RandomRequest> {
  const anyId = fc.constantFrom(...Object.values(own), ...Object.values(stranger));
  const idFor = (operationId: string) => (name: string) => {
    const kind = FOREIGN_IDS[operationId]?.[name]?.[0];
    const accounts = fc.constantFrom(own.operating, own.taxes, own.income, own.checking);
    const ofItsKind = kind && !/account/i.test(name) ? fc.constant(own[kind]) : accounts;
    return fc.oneof(
      { weight: 12, arbitrary: ofItsKind },
      { weight: 3, arbitrary: anyId },
      { weight: 1, arbitrary: fc.uuid() },
    );
  };
  const ofOperation = operations.map((operation) =>
    fc
      .record({
        input: fc.oneof(
          { weight: 3, arbitrary: validBySchema(inputSchemaOf(operation), idFor(operation.operationId)) },
          // Combinations that are refused for reasons beyond the schema.
          { weight: 1, arbitrary: fc.constantFrom(...inputsInOrder(operation, own)) },
        ),
        wrong: fc.option(mischief, { freq: 2 }),
        headers: fc.option(header, { nil: {} }),
      })
      .map(({ input, wrong, headers }) =>
        toRequest(operation, waitingLittle(Object.assign({}, input)), wrong, headers),
      ),
  );
  return fc.oneof(...ofOperation);
}

/** A valid wait would take most of a minute. */
function waitingLittle(input: Record<string, unknown>): Record<string, unknown> {
  return "wait" in input ? { ...input, wait: "1" } : input;
}

function inputsInOrder({ operationId }: Operation, ids: Ids): unknown[] {
  return fixturesOf(operationId, { ids }).map(({ input }) => input);
}

function toRequest(
  operation: Operation,
  input: Record<string, unknown>,
  wrong: Mischief | null,
  headers: Record<string, string>,
): RandomRequest {
  const { method, path, body } = toWire(operation, wrong ? spoil(input, wrong) : input);
  const request = {
    operationId: operation.operationId,
    method,
    path,
    rawBody: body && JSON.stringify(body),
    headers,
  };
  switch (wrong?.kind) {
    case "BODY":
      return method === "GET" ? request : { ...request, rawBody: wrong.rawBody };
    case "METHOD":
      return {
        ...request,
        method: wrong.method,
        rawBody: wrong.method === "GET" ? undefined : request.rawBody,
      };
    case "QUERY":
      return { ...request, path: `${path}${path.includes("?") ? "&" : "?"}${wrong.query}` };
    case "PATH":
      return { ...request, path: `${path.split("?")[0]}/${wrong.segment}` };
    default:
      return request;
  }
}

/** The input stays an object: what is in place of a whole body is `BODY`. */
function spoil(input: Record<string, unknown>, wrong: Mischief): Record<string, unknown> {
  if (wrong.kind !== "INPUT") return input;
  const spoiled = mutated(input, wrong.mutation);
  const isObject = typeof spoiled === "object" && spoiled !== null && !Array.isArray(spoiled);
  return isObject ? Object.fromEntries(Object.entries(spoiled)) : input;
}

const INSTANTS = [
  "2025-10-01T00:00:00Z",
  "2026-01-15T17:00:00.000Z",
  "2026-01-15T17:00:00+14:00",
  "2030-01-01T00:00:00Z",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
];
const NUMBERS_AS_TEXT = ["1", "2", "3", "10", "100", "999999", "1000000"];
/** Constraints that a schema expresses by a function, which JSON Schema cannot. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  timeZone: fc.constantFrom("America/New_York", "UTC", "Asia/Kathmandu"),
  errorCode: fc.constantFrom("ACCOUNT_NOT_FOUND", "INVALID_PARAMETERS"),
  // Hardly any limit with a random name exists.
  limitId: fc.constant(null),
};

/** The value for an id field of this name. */
type IdsByName = (name: string) => fc.Arbitrary<string>;

/** Values that a schema allows, as far as JSON Schema tells. */
function validBySchema(node: SchemaNode, ids: IdsByName, name = ""): fc.Arbitrary<unknown> {
  const named = BY_NAME[name];
  if (named) return named;
  const branches = branchesOf(node);
  if (branches.length > 1) return fc.oneof(...branches.map((branch) => validBySchema(branch, ids, name)));
  const branch = branches[0] ?? node;
  if (branch.const !== undefined) return fc.constant(branch.const);
  if (branch.enum) return fc.constantFrom(...branch.enum);
  switch (branch.type) {
    case "integer":
      return integers(branch);
    case "number":
      return fc.integer({ min: 1, max: 1_000_000 }).map((tenThousandths) => tenThousandths / 10_000);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const { items = { type: "null" }, minItems: minLength = 0, maxItems = 3 } = branch;
      return fc.array(validBySchema(items, ids, name), { minLength, maxLength: Math.min(maxItems, 3) });
    }
    case "object":
      return objects(branch, ids);
    default:
      return branch.format === "uuid" ? ids(name) : texts(branch);
  }
}

function objects({ properties = {}, required = [] }: SchemaNode, ids: IdsByName) {
  const fields = Object.entries(properties).map(
    ([name, node]) => [name, validBySchema(node, ids, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

function integers({ minimum = 0, maximum = 1_000_000 }: SchemaNode): fc.Arbitrary<number> {
  const near = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20_000) });
  return fc.oneof(
    { weight: 8, arbitrary: near },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  );
}

function texts({ format, pattern, minLength, maxLength }: SchemaNode) {
  if (format === "date-time") return fc.constantFrom(...INSTANTS);
  if (format === "date") return fc.constantFrom("2026-01-31", "2028-02-29");
  if (pattern?.startsWith("^\\d{1,9}")) return fc.constantFrom(...NUMBERS_AS_TEXT);
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 40, 40) });
}
