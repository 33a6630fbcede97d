import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";

type Components = Readonly<Record<string, JsonSchema>>;

/**
 * Whether a value is valid by a JSON Schema (2020-12) of our OpenAPI document, as a reader's library decides it once
 * null for an optional field is left out, which the document says in words. The only format that counts by itself is
 * `uuid`; where others matter, a pattern says so.
 */
export function conforms(schema: JsonSchema, sent: unknown, components: Components): boolean {
  const value = isRecord(sent) ? withoutNulls(schema, sent, components) : sent;
  const follows = (one: JsonSchema, inner: unknown = value) => conforms(one, inner, components);
  const name = componentName(schema);
  const { anyOf, oneOf, allOf = [], not, enum: options } = schema;
  return (
    (name === null || follows(components[name] ?? { not: {} })) &&
    isOfType(schema.type, value) &&
    (options === undefined || options.some((one) => one === value)) &&
    (schema.const === undefined || schema.const === value) &&
    (anyOf === undefined || anyOf.some((one) => follows(one))) &&
    (oneOf === undefined || oneOf.filter((one) => follows(one)).length === 1) &&
    allOf.every((one) => follows(one)) &&
    (not === undefined || !follows(not)) &&
    (typeof value !== "number" || isInRange(schema, value)) &&
    (typeof value !== "string" || isText(schema, value)) &&
    (!Array.isArray(value) || isList(schema, value, follows)) &&
    (!isRecord(value) || isObject(schema, value, follows))
  );
}

/** Without null in the optional fields of this schema that do not take it, and in fields of one of its shapes. */
function withoutNulls(
  { properties = {}, required = [], oneOf = [] }: JsonSchema,
  value: Record<string, unknown>,
  components: Components,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => {
      const isOfShape = oneOf.some((one) =>
        Object.hasOwn((components[componentName(one) ?? ""] ?? one).properties ?? {}, name),
      );
      if (field === null && isOfShape) return false;
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isOptional = property !== undefined && !required.includes(name);
      return field !== null || !isOptional || conforms(property, null, components);
    }),
  );
}

type Follows = (schema: JsonSchema, value: unknown) => boolean;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOfType(type: JsonSchema["type"], value: unknown): boolean {
  if (type === undefined) return true;
  return (Array.isArray(type) ? type : [type]).some((one) => {
    if (one === "null") return value === null;
    if (one === "integer") return Number.isInteger(value);
    if (one === "array") return Array.isArray(value);
    if (one === "object") return isRecord(value);
    return typeof value === one;
  });
}

function isInRange(schema: JsonSchema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || isMultiple(value, multipleOf))
  );
}

/** Of a power of ten, in decimals, as JSON writes both. */
function isMultiple(value: number, step: number): boolean {
  const decimals = Math.round(-Math.log10(step));
  return Number(value.toFixed(decimals)) === value;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isText({ minLength = 0, maxLength, pattern, format }: JsonSchema, value: string): boolean {
  const { length } = [...value];
  return (
    length >= minLength &&
    (maxLength === undefined || length <= maxLength) &&
    (pattern === undefined || patternOf(pattern).test(value)) &&
    (format !== "uuid" || UUID.test(value))
  );
}

const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source, "u");
  patterns.set(source, known);
  return known;
}

function isList(schema: JsonSchema, value: unknown[], follows: Follows): boolean {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
  return (
    value.length >= minItems &&
    value.length <= maxItems &&
    (!uniqueItems || new Set(value.map((one) => JSON.stringify(one))).size === value.length) &&
    (items === undefined || value.every((one) => follows(items, one)))
  );
}

function isObject(schema: JsonSchema, value: Record<string, unknown>, follows: Follows): boolean {
  const { properties = {}, required = [], additionalProperties, dependentSchemas = {} } = schema;
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return property ? follows(property, field) : additionalProperties !== false;
    }) &&
    Object.entries(dependentSchemas).every(
      ([name, dependent]) => !Object.hasOwn(value, name) || follows(dependent, value),
    )
  );
}
