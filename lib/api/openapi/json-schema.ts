import { z } from "zod";

const bound = z.number().optional();

/**
 * The keywords of JSON Schema that our documents use. Strict: a keyword that the generators do not know would be lost
 * without a word, and the document would promise less or more than the API keeps.
 */
export const jsonSchemaSchema = z.strictObject({
  $ref: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  default: z.json().optional(),
  examples: z.array(z.json()).optional(),
  deprecated: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  minLength: bound,
  maxLength: bound,
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: bound,
  minItems: bound,
  maxItems: bound,
  uniqueItems: z.boolean().optional(),
  minProperties: bound,
  maxProperties: bound,
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), jsonSchemaSchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), jsonSchemaSchema]).optional();
  },
  get propertyNames() {
    return jsonSchemaSchema.optional();
  },
  get items() {
    return jsonSchemaSchema.optional();
  },
  get prefixItems() {
    return z.array(jsonSchemaSchema).optional();
  },
  get anyOf() {
    return z.array(jsonSchemaSchema).optional();
  },
  get oneOf() {
    return z.array(jsonSchemaSchema).optional();
  },
  get allOf() {
    return z.array(jsonSchemaSchema).optional();
  },
});
export type JsonSchema = z.infer<typeof jsonSchemaSchema>;

export const COMPONENTS_PREFIX = "#/components/schemas/";

/** The name of the component that a reference names, or null. */
export function componentName(schema: JsonSchema): string | null {
  return schema.$ref?.startsWith(COMPONENTS_PREFIX) ? schema.$ref.slice(COMPONENTS_PREFIX.length) : null;
}

/** The same schema with every schema directly inside it replaced. */
export function mapChildren(schema: JsonSchema, map: (child: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: JsonSchema = { ...schema };
  if (schema.properties) {
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, map(child)]),
    );
  }
  if (typeof schema.additionalProperties === "object") {
    mapped.additionalProperties = map(schema.additionalProperties);
  }
  if (schema.propertyNames) mapped.propertyNames = map(schema.propertyNames);
  if (schema.items) mapped.items = map(schema.items);
  if (schema.prefixItems) mapped.prefixItems = schema.prefixItems.map(map);
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map(map);
  if (schema.oneOf) mapped.oneOf = schema.oneOf.map(map);
  if (schema.allOf) mapped.allOf = schema.allOf.map(map);
  return mapped;
}
