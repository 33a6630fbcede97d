import { z } from "zod";
import { NAME_FORMAT, PLAIN_TEXT_FORMAT } from "@/lib/contract/plain-text";

/** The part of JSON Schema that zod emits for the inputs of the table. */
export interface SchemaNode {
  $ref?: string | undefined;
  type?: string | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  format?: string | undefined;
  pattern?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items?: SchemaNode | undefined;
  properties?: Record<string, SchemaNode> | undefined;
  required?: string[] | undefined;
  anyOf?: SchemaNode[] | undefined;
  oneOf?: SchemaNode[] | undefined;
}

const nodeSchema: z.ZodType<SchemaNode> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    items: nodeSchema.optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
    required: z.array(z.string()).optional(),
    anyOf: z.array(nodeSchema).optional(),
    oneOf: z.array(nodeSchema).optional(),
  }),
);

/** What callers may send, as JSON Schema: the tables of bad input and the fuzz derive from it. */
export function inputSchemaOf(operation: { input: z.ZodType }): SchemaNode {
  const schema = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" });
  const { $defs } = definitionsSchema.parse(schema);
  return inline(nodeSchema.parse(schema), $defs, MAXIMUM_DEPTH);
}

const definitionsSchema = z.object({ $defs: z.record(z.string(), nodeSchema).default({}) });
const MAXIMUM_DEPTH = 40;
const TEXT_FORMATS: readonly string[] = [NAME_FORMAT, PLAIN_TEXT_FORMAT];

/** Named schemas are stored separately and referenced; here each is inlined. */
function inline(node: SchemaNode, definitions: Record<string, SchemaNode>, depth: number): SchemaNode {
  if (depth === 0) throw new Error("A schema that refers to itself cannot be tried exhaustively");
  const referred = node.$ref && definitions[node.$ref.replace("#/$defs/", "")];
  const { properties, items, anyOf: shapes, oneOf, format, ...rest } = referred || node;
  // Shapes beside fields say which fields go together; every field is tried by itself.
  const anyOf = properties ? undefined : shapes;
  const child = (one: SchemaNode) => inline(one, definitions, depth - 1);
  return {
    ...rest,
    // Ours mark free text.
    ...(format && !TEXT_FORMATS.includes(format) && { format }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, child(one)])),
    }),
    ...(items && { items: child(items) }),
    ...(anyOf && { anyOf: anyOf.map(child) }),
    ...(oneOf && { oneOf: oneOf.map(child) }),
  };
}

/** The alternatives of a node, with nested unions flattened; a node without any is its own. */
export function branchesOf(node: SchemaNode): SchemaNode[] {
  const alternatives = node.anyOf ?? node.oneOf;
  return alternatives ? alternatives.flatMap(branchesOf) : [node];
}

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "boolean" || type === "number" || type === "string") return type;
  return "object";
}

/** The JSON types that a node accepts. */
export function typesOf(node: SchemaNode): Set<JsonType> {
  return new Set(branchesOf(node).map(typeOfBranch));
}

function typeOfBranch(branch: SchemaNode): JsonType {
  if (branch.const !== undefined) return jsonTypeOf(branch.const);
  if (branch.enum) return jsonTypeOf(branch.enum[0]);
  switch (branch.type) {
    case "integer":
    case "number":
      return "number";
    case "null":
    case "boolean":
    case "string":
    case "array":
    case "object":
      return branch.type;
    default:
      throw new Error(`A schema without a type: ${JSON.stringify(branch)}`);
  }
}

/** The alternative that a valid value follows: by its type and, for objects, by its fields and its `type`. */
export function branchFor(node: SchemaNode, value: unknown): SchemaNode | null {
  const type = jsonTypeOf(value);
  const candidates = branchesOf(node).filter((branch) => typeOfBranch(branch) === type);
  if (type !== "object") return candidates[0] ?? null;
  const fields = new Map<string, unknown>(Object.entries(Object(value)));
  const fits = ({ properties = {}, required = [] }: SchemaNode) =>
    required.every((name) => fields.has(name)) &&
    [...fields].every(([name, field]) => {
      const property = properties[name];
      if (!property) return false;
      const allowed = property.enum ?? (property.const === undefined ? null : [property.const]);
      return allowed === null || allowed.includes(field);
    });
  return candidates.find(fits) ?? null;
}
