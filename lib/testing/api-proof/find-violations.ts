import { z } from "zod";
import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";

const FORMATS: Readonly<Record<string, z.ZodType>> = {
  uuid: z.uuid(),
  "date-time": z.iso.datetime(),
  date: z.iso.date(),
  time: z.iso.time(),
  uri: z.url(),
};
/** Far deeper than any answer; a schema that refers to itself ends here. */
const MAXIMUM_DEPTH = 40;

/**
 * What a value breaks of a JSON Schema of our OpenAPI document, each with its place. Fields that the schema does not
 * name are violations here, although the document lets answers grow: an answer has what is documented, and no more.
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
  if (schema.enum && !schema.enum.some((one) => one === value)) found.push(`${place} is none of the enum`);
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

/** Without a type, everything. */
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
