import { z } from "zod";

const bound = z.number().optional();

/**
 * The JSON Schema keywords in use. Strict: an unknown keyword would be dropped silently, and the document would
 * promise less or more than the API keeps.
 */
const jsonSchemaSchema = z.strictObject({
  $ref: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.json()).optional(),
  /** The values known today of an enum that may grow. */
  "x-extensible-enum": z.array(z.json()).optional(),
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
  get not() {
    return jsonSchemaSchema.optional();
  },
  get dependentSchemas() {
    return z.record(z.string(), jsonSchemaSchema).optional();
  },
});
export type JsonSchema = z.infer<typeof jsonSchemaSchema>;

export const COMPONENTS_PREFIX = "#/components/schemas/";

/** The values of a choice, whether it is closed or may grow. */
export const valuesOf = (schema: JsonSchema) => schema.enum ?? schema["x-extensible-enum"];

/** The component that a reference names, or null. */
export function componentName(schema: JsonSchema): string | null {
  return schema.$ref?.startsWith(COMPONENTS_PREFIX) ? schema.$ref.slice(COMPONENTS_PREFIX.length) : null;
}

/** The schema with every direct subschema replaced. */
export function mapChildren(schema: JsonSchema, map: (child: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: JsonSchema = { ...schema };
  if (schema.properties) mapped.properties = mapRecord(schema.properties, map);
  if (typeof schema.additionalProperties === "object") {
    mapped.additionalProperties = map(schema.additionalProperties);
  }
  if (schema.propertyNames) mapped.propertyNames = map(schema.propertyNames);
  if (schema.items) mapped.items = map(schema.items);
  if (schema.prefixItems) mapped.prefixItems = schema.prefixItems.map(map);
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map(map);
  if (schema.oneOf) mapped.oneOf = schema.oneOf.map(map);
  if (schema.allOf) mapped.allOf = schema.allOf.map(map);
  if (schema.not) mapped.not = map(schema.not);
  if (schema.dependentSchemas) mapped.dependentSchemas = mapRecord(schema.dependentSchemas, map);
  return mapped;
}

function mapRecord(
  schemas: Record<string, JsonSchema>,
  map: (child: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, child]) => [name, map(child)]));
}

/**
 * Whether a schema describes what callers send, or what they are answered. `query`: what they send, by what its text
 * means (a number).
 */
export type Direction = "input" | "query" | "output";

export interface ConvertedSchema {
  value: JsonSchema;
  /** Whether the field may be omitted. */
  isRequired: boolean;
  /** Named schemas; references to them are `#/$defs/<name>`. */
  definitions: Record<string, JsonSchema>;
}

const fieldSchema = jsonSchemaSchema.extend({
  $schema: z.string(),
  $defs: z.record(z.string(), jsonSchemaSchema).default({}),
});

/**
 * A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. `.meta({ id })` names it, `.describe` describes
 * it.
 * @throws Error for what JSON Schema cannot express, e.g. a transform in an answer
 */
export function convertSchema(schema: z.ZodType, direction: Direction): ConvertedSchema {
  // As a field, so that zod treats a named schema like any other: as a reference to a definition.
  const whole = fieldSchema.parse(
    z.toJSONSchema(z.object({ value: schema }), { io: direction === "input" ? "input" : "output" }),
  );
  const value = whole.properties?.value;
  if (!value) throw new Error("zod left out a field of an object");
  const definitions = Object.fromEntries(
    Object.entries(whole.$defs).map(([name, definition]) => [name, tidy(definition, direction)]),
  );
  return {
    value: tidy(value, direction),
    isRequired: whole.required?.includes("value") ?? false,
    definitions,
  };
}

/** Formats that say as much as the long expressions that zod checks them with. */
const EXACT_FORMATS = ["uuid", "time", "uri"];
/** Formats of which callers may use only a part: its pattern says which. Answers always have the usual form. */
const FORMATS_WITH_BOUNDS = ["date-time", "date", "email"];

/** The same promise in fewer words. */
function tidy(schema: JsonSchema, direction: Direction): JsonSchema {
  const tidied = mapChildren(schema, (child) => tidy(child, direction));
  if (tidied.format && EXACT_FORMATS.includes(tidied.format)) delete tidied.pattern;
  if (direction === "output") tidyAnswer(tidied);
  if (tidied.type === "integer" && tidied.exclusiveMinimum !== undefined) {
    tidied.minimum = tidied.exclusiveMinimum + 1;
    delete tidied.exclusiveMinimum;
  }
  // The same bound: zero is the only value between them. Some generators refuse a document with `exclusiveMinimum`.
  if (tidied.exclusiveMinimum === 0 && tidied.multipleOf !== undefined) {
    tidied.minimum = tidied.multipleOf;
    delete tidied.exclusiveMinimum;
  }
  if (tidied.propertyNames && isAnyString(tidied.propertyNames)) delete tidied.propertyNames;
  return direction === "output" ? growing(tidied) : tidied;
}

/**
 * Enums of answers may grow as well. Generators turn `enum` into a type that fails on a new value, and have no word for
 * one that grows but this extension, which they read as a text.
 */
export function growing(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema;
  return values === undefined ? schema : { ...rest, "x-extensible-enum": values };
}

/** An answer needs no bounds that only callers could break. */
function tidyAnswer(answer: JsonSchema): void {
  if (answer.format && FORMATS_WITH_BOUNDS.includes(answer.format)) delete answer.pattern;
  if (answer.maximum === Number.MAX_SAFE_INTEGER) delete answer.maximum;
  if (answer.minimum === Number.MIN_SAFE_INTEGER) delete answer.minimum;
  delete answer.exclusiveMinimum;
  delete answer.exclusiveMaximum;
  // Answers may grow within v1: a client that rejects unknown fields would break on the first new one.
  if (answer.additionalProperties === false) delete answer.additionalProperties;
  if (answer.properties) {
    delete answer.anyOf;
    delete answer.dependentSchemas;
  }
}

const isAnyString = (schema: JsonSchema) => schema.type === "string" && Object.keys(schema).length === 1;
