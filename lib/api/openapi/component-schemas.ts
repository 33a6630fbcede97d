import type { z } from "zod";
import {
  COMPONENTS_PREFIX,
  type ConvertedSchema,
  convertSchema,
  type Direction,
  type JsonSchema,
  mapChildren,
} from "@/lib/api/openapi/json-schema";
import { nameVariants } from "@/lib/api/openapi/name-variants";
import { describeText, TEXT_COMPONENTS } from "@/lib/api/openapi/text-patterns";

const DEFINITIONS_PREFIX = "#/$defs/";
/** zod's name for an unnamed schema that refers to itself. */
const UNNAMED = /^__schema(\d+)$/;

/**
 * Collects the schemas of a document under `components.schemas`. A shape that differs between request and answer
 * (fields with defaults, say) has two components, `Rule` and `RuleInput`: add the answers first, so that they get the
 * short name.
 */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonSchema>();

  /**
   * Converts a schema and keeps the schemas it names.
   * @param context unique in the document; names unnamed parts that refer to themselves
   */
  convert(schema: z.ZodType, direction: Direction, context: string): Omit<ConvertedSchema, "definitions"> {
    const converted = convertSchema(schema, direction);
    const names = this.#chooseNames(converted.definitions, direction, context);
    const described = direction === "input" ? withDefaultsInWords : (one: JsonSchema) => one;
    for (const [name, definition] of Object.entries(converted.definitions)) {
      this.add(names.get(name) ?? name, described(this.#referToTexts(rename(definition, names))));
    }
    return {
      value: described(this.#referToTexts(rename(converted.value, names))),
      isRequired: converted.isRequired,
    };
  }

  /**
   * Keeps a schema under a name.
   * @returns a reference to it
   * @throws Error when the name is taken by a different schema: a reader would see one, a caller get the other
   */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known && !isSame(known, schema)) throw new Error(`Two different schemas are called ${name}`);
    this.#schemas.set(name, schema);
    return { $ref: `${COMPONENTS_PREFIX}${name}` };
  }

  get(name: string): JsonSchema | undefined {
    return this.#schemas.get(name);
  }

  /** With named variants, sorted by name, so that the order of insertion does not matter. */
  toObject(): Record<string, JsonSchema> {
    return nameVariants(Object.fromEntries(this.#schemas));
  }

  /** The patterns of texts are long: one component each. A format of our own would tell a reader nothing. */
  #referToTexts(schema: JsonSchema): JsonSchema {
    const { format, ...rest } = withFormat(mapChildren(schema, (child) => this.#referToTexts(child)));
    const name = format === undefined ? undefined : TEXT_COMPONENTS[format];
    if (format === undefined || name === undefined)
      return { ...rest, ...(format !== undefined && { format }) };
    return { ...rest, allOf: [this.add(name, describeText(format))] };
  }

  #chooseNames(
    definitions: Record<string, JsonSchema>,
    direction: Direction,
    context: string,
  ): Map<string, string> {
    const names = new Map(
      Object.keys(definitions).map((name) => [name, name.replace(UNNAMED, `${context}Part$1`)]),
    );
    if (direction === "output") return names;
    // A definition differs when it refers to one that does, so this repeats until nothing is renamed.
    for (let round = 0; round < names.size; round++) {
      const differing = Object.entries(definitions).filter(([name, definition]) => {
        const known = this.#schemas.get(names.get(name) ?? name);
        return (
          names.get(name) === name && known && !isSame(known, this.#referToTexts(rename(definition, names)))
        );
      });
      if (differing.length === 0) break;
      for (const [name] of differing) names.set(name, `${name}Input`);
    }
    return names;
  }
}

const MAXIMUM_INT_32 = 2_147_483_647;

/** Generators take an integer without a format for one of 32 bits, which an amount in cents passes at $21,474,836.47. */
function withFormat(schema: JsonSchema): JsonSchema {
  if (schema.type !== "integer" || (schema.maximum ?? Number.POSITIVE_INFINITY) <= MAXIMUM_INT_32)
    return schema;
  return { ...schema, format: "int64" };
}

/**
 * Generators of clients take a field with `default` for one that is always there, in a request too, and require it. The
 * description says the default instead.
 */
function withDefaultsInWords(schema: JsonSchema): JsonSchema {
  const { default: value, ...rest } = mapChildren(schema, withDefaultsInWords);
  if (value === undefined || value === null) return rest;
  return {
    ...rest,
    description: [rest.description, `Default: \`${JSON.stringify(value)}\`.`].filter(Boolean).join(" "),
  };
}

function rename(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const renamed = mapChildren(schema, (child) => rename(child, names));
  if (!schema.$ref?.startsWith(DEFINITIONS_PREFIX)) return renamed;
  const name = schema.$ref.slice(DEFINITIONS_PREFIX.length);
  return { ...renamed, $ref: `${COMPONENTS_PREFIX}${names.get(name) ?? name}` };
}

const isSame = (a: JsonSchema, b: JsonSchema) => JSON.stringify(a) === JSON.stringify(b);
