import fc from "fast-check";
import { branchesOf, type SchemaNode } from "@/lib/testing/api-proof/json-schema-node";

const INSTANTS = [
  "2025-10-01T00:00:00Z",
  "2026-01-15T17:00:00.000Z",
  "2026-01-15T17:00:00+14:00",
  "2030-01-01T00:00:00Z",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
];
const NUMBERS_AS_TEXT = ["1", "2", "3", "10", "100", "999999", "1000000"];
/** What a schema says by a function, which JSON Schema cannot. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  timeZone: fc.constantFrom("America/New_York", "UTC", "Asia/Kathmandu"),
  errorCode: fc.constantFrom("ACCOUNT_NOT_FOUND", "INVALID_PARAMETERS"),
  // Nearly no limit that is named at random exists.
  limitId: fc.constant(null),
};

/** What a field of this name that wants a UUID is given. */
export type IdsByName = (name: string) => fc.Arbitrary<string>;

/** Values that a schema allows, as far as JSON Schema tells. */
export function validBySchema(node: SchemaNode, ids: IdsByName, name = ""): fc.Arbitrary<unknown> {
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
