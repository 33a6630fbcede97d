import type { z } from "zod";
import {
  type ConvertedSchema,
  convertSchema,
  type JsonSchema,
  mapChildren,
} from "@/lib/api/openapi/json-schema";
import type { Operation } from "@/lib/api/operations/operation";
import { IDEMPOTENCY_KEY_PATTERN } from "@/lib/api/operations/request-fields";
import { MAXIMUM_CALLED_REASON_LENGTH } from "@/lib/contract/limits";
import { NAME_FORMAT, PLAIN_TEXT_FORMAT } from "@/lib/contract/plain-text";

/** A self-contained JSON Schema 2020-12 of an object. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  $defs?: Record<string, JsonSchema>;
};

/** The arguments of an operation's tool: its fields in one flat object, plus what callers may add to any call. */
export function describeArguments(operation: Operation): ObjectSchema {
  const fields = operation.method === "GET" ? describeQuery(operation) : describeWhole(operation.input);
  return {
    ...fields,
    properties: { ...fields.properties, ...describeCallerFields(operation) },
    additionalProperties: false,
  };
}

/** The arguments of a tool that is not an operation. */
export function describeWhole(input: z.ZodObject): ObjectSchema {
  const { value, definitions } = forTools(convertSchema(input, "input"));
  const name = value.$ref?.replace("#/$defs/", "");
  const whole = (name === undefined ? value : definitions[name]) ?? value;
  return {
    type: "object",
    properties: whole.properties ?? {},
    ...(whole.required && { required: whole.required }),
    additionalProperties: false,
    ...withDefinitions(definitions, name),
  };
}

/** HTTP query fields are text; each gets its own type here. */
function describeQuery(operation: Operation): ObjectSchema {
  const fields = Object.entries(operation.input.shape).map(
    ([name, field]) => [name, describeField(field)] as const,
  );
  const definitions = Object.assign({}, ...fields.map(([, field]) => field.definitions));
  const required = fields.filter(([, field]) => field.isRequired).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, field.value])),
    ...(required.length > 0 && { required }),
    ...withDefinitions(definitions),
  };
}

function describeField(field: z.ZodType): ConvertedSchema {
  const { isRequired } = convertSchema(field, "input");
  const { value, definitions } = forTools(convertText(field));
  return { value: inWordsOfTools(value), definitions, isRequired };
}

function convertText(field: z.ZodType): ConvertedSchema {
  try {
    return convertSchema(field, "query");
  } catch {
    // JSON has no type for what the text becomes (a moment in time): the text is its schema.
    return convertSchema(field, "input");
  }
}

/** A list is a list here, not a repeated field. */
function inWordsOfTools(schema: JsonSchema): JsonSchema {
  const description = schema.description?.replace(/; repeat it or separate with commas/, "");
  return description === undefined ? schema : { ...schema, description };
}

/** Without the fine print of the OpenAPI document: descriptions say it, and several clients refuse rare keywords. */
function forTools({ value, definitions, isRequired }: ConvertedSchema): ConvertedSchema {
  const toPlain = (schema: JsonSchema) => describeOnce(withoutFinePrint(schema));
  const plain = Object.entries(definitions).map(([name, one]) => [name, toPlain(one)]);
  return { value: toPlain(value), definitions: Object.fromEntries(plain), isRequired };
}

function withoutFinePrint(schema: JsonSchema): JsonSchema {
  const { not, dependentSchemas, title, ...rest } = mapChildren(schema, withoutFinePrint);
  if (rest.properties) delete rest.anyOf;
  // Null counts as absent anyway.
  if (rest.default === null) delete rest.default;
  // A text in one of several forms: its description names them.
  if (rest.type === "string") delete rest.anyOf;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (!rest.format) return rest;
  delete rest.pattern;
  if (rest.format === NAME_FORMAT) rest.minLength = 1;
  if (TEXT_FORMATS.includes(rest.format)) delete rest.format;
  return rest;
}

/**
 * Describes a field that several variants of a union share in the first of them only: the eleven actions of a rule would
 * otherwise repeat six descriptions, in two tools that fill most of a model's list already.
 */
function describeOnce(schema: JsonSchema): JsonSchema {
  const whole = mapChildren(schema, describeOnce);
  const described = new Set<string>();
  const once = (variant: JsonSchema): JsonSchema => {
    if (!variant.properties) return variant;
    const properties = Object.entries(variant.properties).map(([name, { description, ...field }]) => {
      const stated = `${name}: ${description}`;
      if (description === undefined || described.has(stated)) return [name, field] as const;
      described.add(stated);
      return [name, { ...field, description }] as const;
    });
    return { ...variant, properties: Object.fromEntries(properties) };
  };
  return {
    ...whole,
    ...(whole.oneOf && { oneOf: whole.oneOf.map(once) }),
    ...(whole.anyOf && { anyOf: whole.anyOf.map(once) }),
  };
}

const TEXT_FORMATS: readonly string[] = [NAME_FORMAT, PLAIN_TEXT_FORMAT];

function withDefinitions(definitions: Record<string, JsonSchema>, top?: string): Pick<ObjectSchema, "$defs"> {
  const used = Object.entries(definitions).filter(([name]) => name !== top);
  return used.length === 0 ? {} : { $defs: Object.fromEntries(used) };
}

function describeCallerFields(operation: Operation): Record<string, JsonSchema> {
  const calledReason: JsonSchema = {
    type: "string",
    minLength: 1,
    maxLength: MAXIMUM_CALLED_REASON_LENGTH,
    description: "Why you make this call, in one sentence. People read it in the audit log.",
  };
  if (!operation.isIdempotent) return { calledReason };
  const idempotencyKey: JsonSchema = {
    type: "string",
    pattern: IDEMPOTENCY_KEY_PATTERN.source,
    description:
      "A UUID of your own for this one request. Repeat the call with the same one if you do not know whether it arrived: it takes effect only once.",
  };
  return { idempotencyKey, calledReason };
}
