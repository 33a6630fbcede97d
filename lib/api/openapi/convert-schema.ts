import { z } from "zod";
import { type JsonSchema, jsonSchemaSchema, mapChildren } from "@/lib/api/openapi/json-schema";

/** Whether a schema says what callers send, or what they are answered. */
export type Direction = "input" | "output";

export interface ConvertedSchema {
  value: JsonSchema;
  /** Whether it may be left out of the object that it is a field of. */
  isRequired: boolean;
  /** The schemas that have a name of their own, by name; references to them are `#/$defs/<name>`. */
  definitions: Record<string, JsonSchema>;
}

const fieldSchema = jsonSchemaSchema.extend({
  $schema: z.string(),
  $defs: z.record(z.string(), jsonSchemaSchema).default({}),
});

/**
 * A zod schema as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. `.meta({ id })` gives a name, `.describe` a
 * description.
 * @throws Error for what JSON Schema cannot say, e.g. a transform in an answer.
 */
export function convertSchema(schema: z.ZodType, direction: Direction): ConvertedSchema {
  // As a field, so that zod treats a schema with a name like every other: as a reference to a definition.
  const whole = fieldSchema.parse(z.toJSONSchema(z.object({ value: schema }), { io: direction }));
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

/** Formats say it better than the expressions of a screen's length that zod checks them with. */
const FORMATS_WITHOUT_PATTERN = ["uuid", "date-time", "date", "time", "uri", "email"];

/** The same promise in fewer words. */
function tidy(schema: JsonSchema, direction: Direction): JsonSchema {
  const tidied = mapChildren(schema, (child) => tidy(child, direction));
  if (tidied.format && FORMATS_WITHOUT_PATTERN.includes(tidied.format)) delete tidied.pattern;
  if (tidied.maximum === Number.MAX_SAFE_INTEGER) delete tidied.maximum;
  if (tidied.minimum === Number.MIN_SAFE_INTEGER) delete tidied.minimum;
  if (tidied.type === "integer" && tidied.exclusiveMinimum !== undefined) {
    tidied.minimum = tidied.exclusiveMinimum + 1;
    delete tidied.exclusiveMinimum;
  }
  if (tidied.propertyNames && isAnyString(tidied.propertyNames)) delete tidied.propertyNames;
  // Answers may grow within v1: a client that refuses what it does not know would break on the first new field.
  if (direction === "output" && tidied.additionalProperties === false) delete tidied.additionalProperties;
  return tidied;
}

const isAnyString = (schema: JsonSchema) => schema.type === "string" && Object.keys(schema).length === 1;
