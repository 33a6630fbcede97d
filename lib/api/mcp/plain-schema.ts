import { type JsonSchema, mapChildren } from "@/lib/api/openapi/json-schema";
import { NAME_FORMAT, PLAIN_TEXT_FORMAT } from "@/lib/contract/plain-text";

/** Without the fine print of the OpenAPI document: descriptions say it. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  return describeOnce(withoutFinePrint(schema));
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

const TEXT_FORMATS: readonly string[] = [NAME_FORMAT, PLAIN_TEXT_FORMAT];

/** Describes a field that several variants of a union share in the first of them only. */
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

type Definitions = Readonly<Record<string, JsonSchema>>;

/** A longer choice is a text: its description says where the values come from, and a wrong one is refused with them. */
const MAXIMUM_CHOICES = 20;

/**
 * The part of JSON Schema that OpenAI's strict function schemas, Gemini's and Anthropic's all take: types, choices of
 * texts, objects and lists; no references, unions of objects, constants, or bounds. The variants of a union become one
 * object with the fields of all of them, since the grammar of a rule says which belong together, and the server checks it.
 * @param definitions a variant of a union that is not among them is left out, and stays possible
 */
export function withinDialects(schema: JsonSchema, definitions: Definitions): JsonSchema {
  return { ...shapeOf(schema, definitions), ...(schema.description && { description: schema.description }) };
}

function shapeOf(schema: JsonSchema, definitions: Definitions): JsonSchema {
  if (schema.$ref !== undefined) {
    const target = definitionOf(schema.$ref, definitions);
    if (!target) throw new Error(`No definition of ${schema.$ref}`);
    return shapeOf(target, definitions);
  }
  if (schema.const !== undefined) return choice([schema.const]);
  if (schema.enum) return choice(schema.enum);
  if (schema.properties) return objectOf(schema, definitions);
  const variants = schema.type === "string" ? undefined : (schema.oneOf ?? schema.anyOf);
  if (variants) return unionOf(variants, definitions);
  if (schema.items) return { type: "array", items: shapeOf(schema.items, definitions) };
  if (typeof schema.type !== "string") throw new Error(`No single type: ${JSON.stringify(schema)}`);
  return { type: schema.type };
}

const definitionOf = ($ref: string, definitions: Definitions) => definitions[$ref.replace("#/$defs/", "")];

function choice(values: readonly unknown[]): JsonSchema {
  const texts = values.filter((value) => typeof value === "string");
  return texts.length > MAXIMUM_CHOICES ? { type: "string" } : { type: "string", enum: texts };
}

function objectOf({ properties = {}, required = [] }: JsonSchema, definitions: Definitions): JsonSchema {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, shapeOf(field, definitions)] as const,
  );
  return {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(required.length > 0 && { required }),
  };
}

function unionOf(variants: readonly JsonSchema[], definitions: Definitions): JsonSchema {
  // Null counts as absent.
  const given = variants.filter(({ type }) => type !== "null");
  const described = given.filter(({ $ref }) => $ref === undefined || definitionOf($ref, definitions));
  const shapes = described.map((one) => shapeOf(one, definitions));
  const [first, ...others] = shapes;
  if (!first) throw new Error("A union of nothing");
  if (described.length < given.length) {
    // A variant that is not described must be possible still.
    const { required: _, ...open } = others.length === 0 ? first : merged(shapes);
    return open;
  }
  if (others.length === 0) return first;
  if (shapes.every((one) => one.properties)) return merged(shapes);
  return { anyOf: shapes };
}

/** One object for several: each field of any of them, required where all require it. */
function merged(shapes: readonly JsonSchema[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of shapes.flatMap((one) => Object.entries(one.properties ?? {}))) {
    const known = properties[name];
    properties[name] = known ? both(known, field) : field;
  }
  const isRequired = (name: string) => shapes.every((one) => one.required?.includes(name) ?? false);
  const required = Object.keys(properties).filter(isRequired);
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one.enum && other.enum) return choice([...new Set([...one.enum, ...other.enum])]);
  if (one.items && other.items) return { type: "array", items: both(one.items, other.items) };
  if (one.properties && other.properties) return merged([one, other]);
  const known = one.anyOf ?? [one];
  const isKnown = known.some((shape) => JSON.stringify(shape) === JSON.stringify(other));
  return { anyOf: isKnown ? known : [...known, other] };
}
