import { componentName, type JsonSchema, valuesOf } from "@/lib/api/openapi/json-schema";
import type { FieldView } from "@/lib/contract/reference";

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The schemas around this one: one that contains itself is not expanded again. */
interface Place {
  names: readonly string[];
  isRepeated: boolean;
  depth: number;
}

const OUTSIDE: Place = { names: [], isRepeated: false, depth: 0 };
/** Deeper than a reader follows in one page. */
const MAXIMUM_DEPTH = 6;

/** The fields of an object schema, for readers. */
export function describeFields(schema: JsonSchema, schemas: Schemas, place: Place = OUTSIDE): FieldView[] {
  const entered = enter(schema, schemas, place);
  if (entered.place.isRepeated || place.depth >= MAXIMUM_DEPTH) return [];
  const { properties = {}, required = [] } = entered.schema;
  return Object.entries(properties).map(([name, field]) =>
    describeField(name, field, required.includes(name), schemas, entered.place),
  );
}

export function describeField(
  name: string,
  field: JsonSchema,
  isRequired: boolean,
  schemas: Schemas,
  place: Place = OUTSIDE,
): FieldView {
  const whole = enter(withoutNull(field).schema, schemas, place);
  const { schema } = whole;
  const inner = schema.type === "array" ? enter(schema.items ?? {}, schemas, whole.place) : whole;
  return {
    name,
    type: describeType(field, schemas),
    isRequired,
    // The description of this field goes before that of its type.
    description: field.description ?? schema.description ?? null,
    values: (valuesOf(inner.schema) ?? []).flatMap((value) => (value === null ? [] : [String(value)])),
    defaultValue: field.default === undefined ? null : JSON.stringify(field.default),
    // A format says the same in a word.
    pattern: schema.format ? null : (schema.pattern ?? null),
    children: describeChildren(inner.schema, schemas, { ...inner.place, depth: place.depth + 1 }),
  };
}

function describeChildren(schema: JsonSchema, schemas: Schemas, place: Place): FieldView[] {
  if (place.isRepeated) return [];
  if (schema.properties) return describeFields(schema, schemas, place);
  return (schema.oneOf ?? schema.anyOf ?? []).flatMap((shape, index) => {
    const children = describeFields(shape, schemas, place);
    if (children.length === 0) return [];
    const { schema: entered } = enter(shape, schemas, OUTSIDE);
    const name = variantName(entered) ?? `Shape ${index + 1}`;
    return [{ ...EMPTY_FIELD, name, description: entered.description ?? null, children }];
  });
}

const EMPTY_FIELD: Omit<FieldView, "name" | "description" | "children"> = {
  type: "object",
  isRequired: false,
  values: [],
  defaultValue: null,
  pattern: null,
};

/** A shape among several is named by its one constant field. */
function variantName(schema: JsonSchema): string | null {
  for (const field of Object.values(schema.properties ?? {})) {
    const value = field.const ?? (field.enum?.length === 1 ? field.enum[0] : undefined);
    if (typeof value === "string") return value;
  }
  return null;
}

/** A type in words. */
function describeType(field: JsonSchema, schemas: Schemas): string {
  const own = withoutNull(field);
  // A union's component may hold the null itself.
  const entered = withoutNull(enter(own.schema, schemas, OUTSIDE).schema);
  const words = describePlainType(entered.schema, schemas);
  return own.isNullable || entered.isNullable ? `${words} or null` : words;
}

function describePlainType(schema: JsonSchema, schemas: Schemas): string {
  if (schema.type === "array") {
    const items = `list of ${describeType(schema.items ?? {}, schemas)}`;
    return join(items, describeRange(schema.minItems, schema.maxItems));
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = valuesOf(schema);
  if (values) return values.length === 1 ? JSON.stringify(values[0]) : "one of";
  if (!schema.properties && (schema.oneOf || schema.anyOf)) return describeAlternatives(schema, schemas);
  if (schema.type === "integer" || schema.type === "number") {
    return join(schema.type, describeRange(schema.minimum, schema.maximum));
  }
  if (schema.type === "string") {
    return join(schema.format ?? "string", describeRange(schema.minLength, schema.maxLength));
  }
  return typeof schema.type === "string" ? schema.type : "any value";
}

function describeAlternatives(schema: JsonSchema, schemas: Schemas): string {
  const types = (schema.oneOf ?? schema.anyOf ?? []).map((one) => describeType(one, schemas));
  return types.every((type) => type === "object")
    ? "object, one of several shapes"
    : [...new Set(types)].join(" or ");
}

function describeRange(from: number | undefined, to: number | undefined): string {
  const number = (value: number) => value.toLocaleString("en-US");
  if (from !== undefined && to !== undefined) return `${number(from)} to ${number(to)}`;
  if (from !== undefined) return `from ${number(from)}`;
  return to === undefined ? "" : `up to ${number(to)}`;
}

const join = (type: string, range: string) => (range ? `${type}, ${range}` : type);

/** The schema without its null alternative. */
export function withoutNull(schema: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const [type, another] = schema.type.filter((one) => one !== "null");
    if (type !== undefined && another === undefined) return { schema: { ...schema, type }, isNullable: true };
  }
  const { anyOf, oneOf, ...own } = schema;
  const alternatives = anyOf ?? oneOf ?? [];
  const others = alternatives.filter((one) => one.type !== "null");
  if (others.length === alternatives.length) return { schema, isNullable: false };
  const [only, another] = others;
  return { schema: only && !another ? only : { ...own, oneOf: others }, isNullable: true };
}

function enter(schema: JsonSchema, schemas: Schemas, place: Place): { schema: JsonSchema; place: Place } {
  const name = componentName(schema);
  const found = name === null ? undefined : schemas[name];
  if (!found || name === null) return { schema, place };
  const isRepeated = place.isRepeated || place.names.includes(name);
  return { schema: found, place: { ...place, names: [...place.names, name], isRepeated } };
}
